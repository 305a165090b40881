package loopir

import (
	"errors"
	"testing"

	"polytune/isl"
)

// Threads that wait at different barriers, or for others that have ended, are errors, and so are
// blocks and threads in no kernel.
func TestGrid(t *testing.T) {
	ctx := isl.NewContext()
	defer ctx.Close()
	model, err := chain().Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b := broken{model}
	dealt := b.loop(1, b.run(0, testI))
	dealt.Share = &Share{Threads: true, Count: 3}
	first := Operation(isl.OpEq, Index(0), Int(0))
	kernel := func(body ...Stmt) Code { return Code{&Kernel{Threads: [3]int64{3, 1, 1}, Body: body}} }
	for name, c := range map[string]struct {
		code Code
		want error
	}{
		"a barrier of all":       {kernel(dealt, &Barrier{}, dealt), nil},
		"a barrier of one":       {kernel(&If{Cond: first, Then: Code{&Barrier{}}}), errWaits},
		"barriers of each":       {kernel(&If{Cond: first, Then: Code{&Barrier{}}, Else: Code{&Barrier{}}}), errDivergent},
		"threads without kernel": {Code{dealt}, errNoKernel},
	} {
		machine, err := NewMachine(model, map[string]int64{"N": 9})
		if err != nil {
			t.Fatal(err)
		}
		for _, way := range Ways {
			machine.Like(way)
			if _, err := machine.Run(c.code); !errors.Is(err, c.want) {
				t.Errorf("%s: %v instead of %v", name, err, c.want)
			}
		}
	}
}
