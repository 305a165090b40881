package loopir

import (
	"errors"
	"fmt"
	"maps"
	"testing"

	"polytune/isl"
	"polytune/scop"
)

// chain is x[i] = 1; y[i] = x[i - 1] + y[i - 1]; z = z + x[i] in any order; w[i] = 2 * z, for 1 <=
// i < N.
func chain() *scop.Program {
	ref := func(name string, loop int) *scop.Ref { return &scop.Ref{Name: name, Loop: loop} }
	element := func(name string, subscript scop.Expr) *scop.Ref {
		return &scop.Ref{Name: name, Loop: -1, Selected: "[]", Subscripts: []scop.Expr{subscript}}
	}
	before := &scop.Binary{Operator: "-", X: ref("i", 0), Y: &scop.Number{Text: "1"}}
	values := []scop.Expr{
		&scop.Binary{Operator: "=", X: element("x", ref("i", 0)), Y: &scop.Number{Text: "1"}},
		&scop.Binary{Operator: "=", X: element("y", ref("i", 0)), Y: &scop.Binary{Operator: "+", X: element("x", before), Y: element("y", before)}},
		&scop.Binary{Operator: "+=", X: ref("z", -1), Y: element("x", ref("i", 0))},
		&scop.Binary{Operator: "=", X: element("w", ref("i", 0)), Y: &scop.Binary{Operator: "*", X: &scop.Number{Text: "2"}, Y: ref("z", -1)}},
	}
	access := func(array, relation string, read, write bool) scop.Access {
		return scop.Access{Array: array, Read: read, Write: write, Relation: "[N] -> { " + relation + " }"}
	}
	accesses := [][]scop.Access{
		{access("x", "S0[i] -> x[i]", false, true)},
		{access("y", "S1[i] -> y[i]", false, true), access("x", "S1[i] -> x[i - 1]", true, false), access("y", "S1[i] -> y[i - 1]", true, false)},
		{access("z", "S2[i] -> z[]", true, true), access("x", "S2[i] -> x[i]", true, false)},
		{access("w", "S3[i] -> w[i]", false, true), access("z", "S3[i] -> z[]", true, false)},
	}
	p := &scop.Program{Name: "chain", Parameters: []string{"N"}, Context: "[N] -> { : }"}
	for _, array := range []scop.Array{{Name: "x", Extents: []string{"N"}}, {Name: "y", Extents: []string{"N"}}, {Name: "z"}, {Name: "w", Extents: []string{"N"}}} {
		array.Type, array.Size, array.Variable = "double", 8, array.Name
		p.Arrays = append(p.Arrays, array)
	}
	for k, value := range values {
		name := fmt.Sprintf("S%d", k)
		p.Statements = append(p.Statements, scop.Statement{
			Name: name, Value: value, Accesses: accesses[k], Loops: []scop.Loop{{Iterator: "i"}}, Position: []int{0, k},
			Domain: "[N] -> { " + name + "[i] : 1 <= i < N }",
		})
		p.Statements[k].Write()
	}
	p.Statements[2].Reduction = &scop.Reduction{Operator: scop.Sum, Array: "z", Accesses: []int{0}, Permitted: true}
	return p
}

// Code leaves the same as the loop of the source exactly where each instance runs once, and reads
// what it reads there.
func TestInterpret(t *testing.T) {
	ctx := isl.NewContext()
	defer ctx.Close()
	model, err := chain().Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	i, last := Named("i"), Operation(isl.OpSub, Named("N"), Int(1))
	run := func(s int, at *Expr) Stmt { return &Run{Statement: &model.Statements[s], At: []*Expr{at}} }
	loop := func(from, to *Expr, body ...Stmt) Stmt {
		return &For{Var: "i", From: from, While: Operation(isl.OpLe, i, to), Step: Int(1), Body: body}
	}
	whole := func(body ...Stmt) Stmt { return loop(Int(1), last, body...) }
	inLanes := func(body ...Stmt) Stmt {
		l := whole(body...).(*For)
		l.Lanes = &Lanes{}
		return l
	}
	plus := func(e *Expr, k int64) *Expr { return Operation(isl.OpAdd, e, Int(k)) }
	machine, err := NewMachine(model, map[string]int64{"N": 9})
	if err != nil {
		t.Fatal(err)
	}
	original, err := machine.Run(Code{whole(run(0, i), run(1, i), run(2, i))})
	if err != nil || len(original) != 17 {
		t.Fatalf("%v, %v", original, err)
	}
	other := &If{Cond: Operation(isl.OpLt, i, Int(4)), Then: Code{run(0, i)}, Else: Code{run(0, i)}}
	for name, c := range map[string]struct {
		code      Code
		backwards bool
		same      bool
	}{
		"apart":            {Code{whole(run(0, i)), whole(run(1, i)), whole(run(2, i))}, false, true},
		"sum backwards":    {Code{whole(run(0, i), run(1, i)), inLanes(run(2, i))}, true, true},
		"condition":        {Code{whole(other, run(1, i), run(2, i))}, false, true},
		"a loop in two":    {Code{loop(Int(1), Int(3), run(0, i)), loop(Int(4), last, run(0, i)), whole(run(1, i), run(2, i))}, false, true},
		"shifted":          {Code{&Let{Var: "k", Value: Int(0), Body: Code{loop(Int(0), plus(last, -1), run(0, plus(i, 1)))}}, whole(run(1, i)), whole(run(2, i))}, false, true},
		"later":            {Code{whole(run(1, i)), whole(run(0, i)), whole(run(2, i))}, false, false},
		"backwards":        {Code{whole(run(0, i)), inLanes(run(1, i)), whole(run(2, i))}, true, false},
		"one missing":      {Code{whole(run(0, i)), loop(Int(2), last, run(1, i)), whole(run(2, i))}, false, false},
		"one twice":        {Code{whole(run(0, i), run(1, i), run(2, i)), run(2, Int(3))}, false, false},
		"the last missing": {Code{whole(run(0, i), run(1, i)), loop(Int(1), plus(last, -1), run(2, i))}, false, false},
		"another instance": {Code{whole(run(0, i), run(1, i), run(2, Operation(isl.OpMax, Int(2), i)))}, false, false},
	} {
		machine.Backwards = c.backwards
		left, err := machine.Run(c.code)
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if maps.Equal(left, original) != c.same {
			t.Errorf("%s: the same %v is wanted", name, c.same)
		}
	}
	machine.Steps = 20
	if _, err := machine.Run(Code{whole(run(0, i), run(1, i), run(2, i))}); !errors.Is(err, ErrSteps) {
		t.Errorf("more steps than allowed: %v", err)
	}
	if _, err := machine.Run(Code{run(0, Named("k"))}); err == nil {
		t.Error("a variable without a value has one")
	}
}

// isl's operators have their values.
func TestValues(t *testing.T) {
	m := &Machine{variables: map[string]int64{"n": -7}}
	n := Named("n")
	for want, e := range map[int64]*Expr{
		-4: Operation(isl.OpFdivQ, n, Int(2)),
		7:  Operation(isl.OpMinus, n),
		-9: Operation(isl.OpSub, n, Int(2)),
		-2: Operation(isl.OpMax, n, Int(-3), Int(-2)),
		-8: Operation(isl.OpMin, n, Int(-8)),
		3:  Operation(isl.OpPdivR, Int(11), Int(4)),
		2:  Operation(isl.OpPdivQ, Int(11), Int(4)),
		5:  Operation(isl.OpSelect, Operation(isl.OpLt, n, Int(0)), Int(5), Int(6)),
		6:  Operation(isl.OpCond, Operation(isl.OpAnd, Operation(isl.OpLt, n, Int(0)), Operation(isl.OpEq, n, Int(0))), Int(5), Int(6)),
		1:  Operation(isl.OpOr, Operation(isl.OpGe, n, Int(0)), Operation(isl.OpLe, n, Int(-7))),
		14: Operation(isl.OpMul, n, Int(-2)),
	} {
		if got := m.value(e); got != want || m.err != nil {
			t.Errorf("%d, want %d (%v)", got, want, m.err)
		}
	}
	if m.value(Operation(isl.OpFdivQ, n, Int(0))); m.err == nil {
		t.Error("a division by zero has a value")
	}
}

// Registers hold what is loaded into their lanes, in all lanes at once; rows become columns;
// vectors that overlap reach all elements; a relay has all iterations of its shares.
func TestLanes(t *testing.T) {
	ctx := isl.NewContext()
	defer ctx.Close()
	model, err := chain().Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	i, lane, last := Named("i"), Named(Lane), Operation(isl.OpSub, Named("N"), Int(1))
	plus := func(e ...*Expr) *Expr { return Operation(isl.OpAdd, e...) }
	run := func(s int, at *Expr) Stmt { return &Run{Statement: &model.Statements[s], At: []*Expr{at}} }
	loop := func(name string, from, to *Expr, body ...Stmt) Stmt {
		return &For{Var: name, From: from, While: Operation(isl.OpLe, Named(name), to), Step: Int(1), Body: body}
	}
	pair := Vector{"double", 2}
	element := func(array string, index *Expr) *Element { return &Element{Array: array, Subscripts: []*Expr{index}} }
	assign := func(s int, at *Expr, places map[int]Place) Stmt {
		return &Assign{Statement: &model.Statements[s], At: []*Expr{plus(at, lane)}, Vector: pair, Places: places}
	}
	// In x[i] = 1 and in y[i] = x[i - 1] + y[i - 1] reference 0 is the target, 1 that of x.
	vectors := func(body ...Stmt) Stmt {
		return &Block{Body: append(Code{&Define{Var: "first", Value: Int(1)}, &Define{Var: "end", Value: Operation(isl.OpSub, last, Int(2))}}, &Cover{Var: "at", Last: "end", Vector: pair, Body: body})}
	}
	ones, sums := loop("i", Int(1), last, run(0, i)), loop("i", Int(1), last, run(1, i))
	relay := func(first, second Code) Stmt {
		return &Relay{Var: "t", From: Int(0), To: Int(1), Low: Int(0), High: Int(3), Size: 2, Least: 1, First: first, Second: second, ShareFrom: "from", ShareTo: "to", Begin: "begin", End: "end"}
	}
	low := Operation(isl.OpMax, Int(1), Named("begin"))
	high := Operation(isl.OpMin, last, Named("end"))
	machine, err := NewMachine(model, map[string]int64{"N": 9})
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		code, like Code
		same       bool
	}{
		"vectors that overlap": {Code{vectors(assign(0, plus(Named("at"), Int(1)), nil))}, Code{ones}, true},
		"vectors end early":    {Code{vectors(assign(0, Named("at"), nil))}, Code{ones}, false},
		"all lanes read first": {Code{ones, assign(1, Int(1), nil)}, Code{ones, run(1, Int(2)), run(1, Int(1))}, true},
		"lanes in order":       {Code{ones, assign(1, Int(1), nil)}, Code{ones, run(1, Int(1)), run(1, Int(2))}, false},
		"a register stored": {Code{assign(0, Int(3), map[int]Place{0: Register("r")}), &Move{To: element("x", plus(Int(3), lane)), From: Register("r"), Vector: pair}},
			Code{run(0, Int(3)), run(0, Int(4))}, true},
		"a register not stored": {Code{assign(0, Int(3), map[int]Place{0: Register("r")})}, Code{run(0, Int(3)), run(0, Int(4))}, false},
		"a buffer": {Code{ones, &Move{To: &Buffered{Buffer: "b", Index: Int(7)}, From: element("x", plus(Int(1), lane)), Vector: pair},
			assign(1, Int(2), map[int]Place{1: &Buffered{Buffer: "b", Index: Int(7)}})}, Code{ones, run(1, Int(3)), run(1, Int(2))}, true},
		"another place of a buffer": {Code{ones, &Move{To: &Buffered{Buffer: "b", Index: Int(7)}, From: element("x", plus(Int(1), lane)), Vector: pair},
			assign(1, Int(2), map[int]Place{1: &Buffered{Buffer: "b", Index: Int(6)}})}, Code{ones, run(1, Int(3)), run(1, Int(2))}, false},
		"once":                {Code{&Flag{Name: "f"}, loop("k", Int(1), Int(2), &Once{Flag: "f", Body: Code{run(2, Int(1))}})}, Code{run(2, Int(1))}, true},
		"aligned":             {Code{&Define{Var: "i", Value: Int(1)}, &For{Var: "i", While: Operation(isl.OpAnd, Operation(isl.OpLe, i, last), Misaligned("x", 16, "i")), Step: Int(1), Body: Code{run(0, i)}}, &For{Var: "i", While: Operation(isl.OpLe, i, last), Step: Int(1), Body: Code{run(0, i)}}}, Code{ones}, true},
		"a relay":             {Code{ones, relay(Code{loop("i", low, high, run(1, i))}, Code{loop("b", Named("from"), Named("to"), run(2, plus(Named("b"), Int(1))))})}, Code{ones, sums, sums, loop("i", Int(1), Int(4), run(2, i), run(2, i))}, true},
		"its first leg alone": {Code{ones, relay(Code{loop("i", low, high, run(1, i))}, nil)}, Code{ones, sums}, true},
		"transposed": {Code{ones, loop("i", Int(1), Int(4), run(1, i)),
			&Move{To: Register("a"), From: element("y", plus(Int(1), lane)), Vector: pair}, &Move{To: Register("b"), From: element("y", plus(Int(3), lane)), Vector: pair},
			&Transpose{Vector: pair, Registers: []string{"a", "b"}}, &Transpose{Vector: pair, Registers: []string{"a", "b"}},
			&Move{To: element("y", plus(Int(3), lane)), From: Register("b"), Vector: pair}}, Code{ones, loop("i", Int(1), Int(4), run(1, i))}, true},
		"transposed once": {Code{ones, loop("i", Int(1), Int(4), run(1, i)),
			&Move{To: Register("a"), From: element("y", plus(Int(1), lane)), Vector: pair}, &Move{To: Register("b"), From: element("y", plus(Int(3), lane)), Vector: pair},
			&Transpose{Vector: pair, Registers: []string{"a", "b"}},
			&Move{To: element("y", plus(Int(3), lane)), From: Register("b"), Vector: pair}}, Code{ones, loop("i", Int(1), Int(4), run(1, i))}, false},
	} {
		left, err := machine.Run(c.code)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		like, err := machine.Run(c.like)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if maps.Equal(left, like) != c.same {
			t.Errorf("%s: the same %v is wanted", name, c.same)
		}
	}
}
