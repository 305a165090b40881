package loopir

import (
	"testing"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// A program is written for people with all that a pass may change.
func TestText(t *testing.T) {
	model := &scop.StatementModel{Statement: &scop.Statement{Name: "S0"}}
	i, n := Named("i"), Named("N")
	loop := &For{
		Var: "i", From: Int(0), While: Operation(isl.OpLt, i, Operation(isl.OpMul, Int(4), Operation(isl.OpSub, n, Int(1)))), Step: Int(1),
		Body:    Code{&Run{Statement: model, At: []*Expr{Operation(isl.OpFdivQ, i, Int(4))}}},
		Threads: &Threads{Schedule: Dynamic, Several: "N >= 100", Reductions: []Reduction{{Clause: scop.Clause{Operator: scop.Sum, Array: "s"}, Variable: "s"}}},
		Lanes:   &Lanes{Count: 8},
	}
	four := Vector{"double", 4}
	p := &Program{
		Locals: Code{&Private{Declaration: "double s"}},
		Heap:   &Heap{Stretches: []Stretch{{Name: "a", Type: "double", Rows: []string{"N"}, Bytes: "sizeof(double) * N"}}},
		Guards: []*Expr{Operation(isl.OpGe, n, Int(0))},
		Code: Code{
			loop,
			&If{Cond: Operation(isl.OpAnd, Operation(isl.OpLe, Int(2), n), Operation(isl.OpOr, i, n)), Then: Code{&Barrier{}}, Else: Code{&Team{Body: Code{&Fence{}}}}},
			&Move{To: Register("r"), From: &Buffered{Buffer: "b", Index: i}, Before: "2 *", Vector: four, Declares: true},
			&Assign{Statement: model, At: []*Expr{i}, Vector: four, Target: &Element{Text: "x[i]"}, Operator: "+=", Texts: []string{"", " * y"}, Operands: []Place{Register("r")}},
			&Marked{Mark: mark.Private{Variable: "s"}, Body: Code{&For{Var: "j", From: n, Once: true, Body: Code{&Nothing{}}}}},
			&Copies{Alias: &Alias{Name: "a", Of: "c"}, In: Code{&Fence{}}, Body: Code{&Packed{Fill: Code{&Flag{Name: "f"}}, Body: Code{&Nothing{}}}}},
			&Define{Var: "k", Value: Int(1), When: Operation(isl.OpGt, n, Int(0)), Else: Operation(isl.OpMinus, n)},
		},
	}
	want := `declare double s
memory double a[N], bytes sizeof(double) * N
assume N >= 0
for i = 0 while i < 4 * (N - 1) step 1 on threads dynamic reducing + s where N >= 100 in lanes 8
  run S0(floor(i, 4))
if 2 <= N and (i or N)
  barrier
else
  team
    fence
r = 2 * b[i] in 4 lanes
run S0(i): x[i] += r * y in 4 lanes
mark private s
  for j = N once
    nothing
copies, a of c
  filled by
    fence
  in
    packed
      filled by
        flag f
      in
        nothing
define k = 1 where N > 0, otherwise -(N)
`
	if got := p.String(); got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}
