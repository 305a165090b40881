package split_test

import (
	"testing"

	"polytune/isl"
	"polytune/scop/split"
)

// How long the pieces of the largest kernels take, from the whole program's
// dependences on, beside what analysing the pieces from nothing takes.
func BenchmarkGraph(b *testing.B) {
	for _, kernel := range []string{"heat-3dp", "lbm-ldc-d2q9", "lbm-ldc-d3q27", "swim"} {
		b.Run(kernel, func(b *testing.B) {
			p := kernelProgram(b, "plutoplus/"+kernel)
			ctx := isl.NewContext()
			defer ctx.Close()
			g, err := analyze(ctx, p)
			if err != nil {
				b.Fatal(err)
			}
			found, err := split.Find(g)
			if err != nil {
				b.Fatal(err)
			}
			cut, err := split.Program(p, found.Cuts)
			if err != nil {
				b.Fatal(err)
			}
			for b.Loop() {
				if _, err := split.Graph(g, cut); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
