// Building blocks of baryons: propagators of three quarks, contracted over colours, summed over sites.
package main

import "polytune/algorithm"

func main() {
	f := algorithm.New("baryon", "TIME", "SITES", "SPINS")
	for _, quark := range []string{"up", "down", "strange"} {
		f.Input(quark, algorithm.Float64, "TIME", "SITES", "SPINS", 3)
	}
	f.Input("phase", algorithm.Float64, "SITES")
	spins := "0 <= t < TIME and 0 <= a < SPINS and 0 <= b < SPINS and 0 <= c < SPINS"
	f.Computation("block[t, a, b, c]", algorithm.Float64, spins, "0.0")
	f.Update("block[t, x, a, b, c, p]: block(t, a, b, c)", spins+" and 0 <= x < SITES and 0 <= p < 3",
		`block(t, a, b, c) + phase(x) * up(t, x, a, p)
			* (down(t, x, b, (p + 1) % 3) * strange(t, x, c, (p + 2) % 3)
				- down(t, x, b, (p + 2) % 3) * strange(t, x, c, (p + 1) % 3))`)
	f.Together("t", "block", "block_1")
	f.Output("block", "TIME", "SPINS", "SPINS", "SPINS")
	f.Schedule(`
		original
		parallel block.t
		vectorize block.c`)
	algorithm.Main(f)
}
