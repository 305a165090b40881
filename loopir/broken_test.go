package loopir

import (
	"errors"
	"maps"
	"testing"

	"polytune/isl"
	"polytune/scop"
)

// broken makes code of chain, sound and broken.
type broken struct{ model *scop.Model }

var (
	testI    = Named("i")
	testLast = Operation(isl.OpSub, Named("N"), Int(1))
	sumOfZ   = []Reduction{{Clause: scop.Clause{Operator: scop.Sum, Array: "z"}, Variable: "z"}}
)

func (b broken) run(s int, at *Expr) Stmt {
	return &Run{Statement: &b.model.Statements[s], At: []*Expr{at}}
}

// loop is one from a number to the last element.
func (b broken) loop(from int64, body ...Stmt) *For {
	return &For{Var: "i", From: Int(from), While: Operation(isl.OpLe, testI, testLast), Step: Int(1), Body: body}
}

// on is a loop over a statement on threads, or in lanes.
func (b broken) on(s int, at *Expr, threads *Threads, lanes *Lanes) *For {
	l := b.loop(1, b.run(s, at))
	l.Threads, l.Lanes = threads, lanes
	return l
}

// copyIn copies y from an element on to a copy, and copyOut back.
func (b broken) copyIn(from int64, place *Expr) Stmt {
	return b.loop(from, &Move{To: &Copied{Copy: "c", Subscripts: []*Expr{place}}, From: &Element{Array: "y", Subscripts: []*Expr{testI}}})
}

func (b broken) copyOut(from int64, place *Expr) Stmt {
	return b.loop(from, &Move{To: &Element{Array: "y", Subscripts: []*Expr{testI}}, From: &Copied{Copy: "c", Subscripts: []*Expr{place}}})
}

// The interpreter finds code of each kind that is broken: where a barrier is gone, a sum of a
// thread's own is forgotten, a copy has other bounds, or a kept value is stored too late; and it
// runs what is sound.
func TestBroken(t *testing.T) {
	ctx := isl.NewContext()
	defer ctx.Close()
	model, err := chain().Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	b := broken{model}
	other := Operation(isl.OpSub, Named("N"), testI)
	place := Operation(isl.OpAdd, testI, Int(2))
	static, sums := &Threads{InTeam: true, NoWait: true, Schedule: Static}, &Threads{InTeam: true, Reductions: sumOfZ}
	waits, own := &Threads{InTeam: true, Schedule: Dynamic}, &Threads{InTeam: true}
	ones, sum := b.loop(1, b.run(0, testI)), b.loop(1, b.run(2, testI))
	inOrder, rest := Code{ones, sum}, b.run(3, Int(1))
	partial := []Partial{{Clause: sumOfZ[0].Clause}}
	kept := func(body ...Stmt) Stmt { return &Keep{Kept: []Kept{{Array: "z", Name: "v"}}, Body: body} }
	called := func(body ...Stmt) Stmt {
		return &Block{Body: append(Code{&Alias{Array: "y", Copy: "c"}}, body...)}
	}
	copies := func(back Stmt, body ...Stmt) Stmt {
		return &Copies{Alias: &Alias{Array: "y", Copy: "c"}, In: Code{b.copyIn(0, place)}, Body: body, Out: Code{back}}
	}
	recurrence := b.loop(1, b.run(1, testI))
	copied := Code{ones, recurrence}
	for name, c := range map[string]struct {
		code, like Code
		same       bool
	}{
		"a barrier":               {Code{&Team{Body: Code{b.on(0, testI, static, nil), &Barrier{}, b.on(2, other, sums, nil)}}}, inOrder, true},
		"no barrier":              {Code{&Team{Body: Code{b.on(0, testI, static, nil), b.on(2, other, sums, nil)}}}, inOrder, false},
		"a loop that waits":       {Code{&Team{Body: Code{b.on(0, testI, waits, nil), b.on(2, testI, sums, nil)}}}, inOrder, true},
		"the same iterations":     {Code{&Team{Body: Code{b.on(0, testI, static, nil), b.on(2, testI, &Threads{InTeam: true, NoWait: true, Schedule: Static, Reductions: sumOfZ}, nil)}}}, inOrder, true},
		"other iterations":        {Code{&Team{Body: Code{b.on(0, testI, &Threads{InTeam: true, NoWait: true}, nil), b.on(2, testI, sums, nil)}}}, inOrder, false},
		"each thread all":         {Code{&Team{Body: Code{b.on(0, testI, waits, nil), b.loop(1, b.run(2, testI))}}}, inOrder, false},
		"a clause":                {Code{ones, b.on(2, testI, &Threads{Reductions: sumOfZ}, nil)}, inOrder, true},
		"no clause":               {Code{ones, b.on(2, testI, &Threads{}, nil)}, inOrder, false},
		"no clause in a team":     {Code{ones, &Team{Body: Code{b.on(2, testI, own, nil)}}}, inOrder, false},
		"partial sums":            {Code{ones, &Reduce{Partials: partial, Body: Code{b.on(2, testI, own, nil)}}}, inOrder, true},
		"a forgotten partial sum": {Code{ones, &Reduce{Body: Code{b.on(2, testI, own, nil)}}}, inOrder, false},
		"lanes that add up":       {Code{ones, b.on(2, testI, nil, &Lanes{Reductions: sumOfZ})}, inOrder, true},
		"lanes without a clause":  {Code{ones, b.on(2, testI, nil, &Lanes{})}, inOrder, false},
		"a copy":                  {Code{ones, b.copyIn(0, place), called(recurrence), b.copyOut(1, place)}, copied, true},
		"a copy begun late":       {Code{ones, b.copyIn(1, place), called(recurrence), b.copyOut(1, place)}, copied, false},
		"a copy back begun late":  {Code{ones, b.copyIn(0, place), called(recurrence), b.copyOut(2, place)}, copied, false},
		"a copy from elsewhere":   {Code{ones, b.copyIn(0, place), called(recurrence), b.copyOut(1, testI)}, copied, false},
		"a copy of one place":     {Code{ones, b.copyIn(0, Int(0)), called(recurrence), b.copyOut(1, Int(0))}, copied, false},
		"a copy that is not used": {Code{ones, b.copyIn(0, place), recurrence, b.copyOut(1, place)}, copied, false},
		"no copy back":            {Code{ones, b.copyIn(0, place), called(recurrence)}, copied, false},
		"copies":                  {Code{ones, copies(b.copyOut(1, place), recurrence)}, copied, true},
		"copies back begun late":  {Code{ones, copies(b.copyOut(2, place), recurrence)}, copied, false},
		"no copies back":          {Code{ones, copies(&Nothing{}, recurrence)}, copied, false},
		"filled in front":         {Code{ones, &Packed{Fill: Code{b.copyIn(0, place)}, Body: Code{called(recurrence), b.copyOut(1, place)}}}, copied, true},
		"filled behind":           {Code{ones, &Packed{Fill: Code{called(recurrence), b.copyOut(1, place)}, Body: Code{b.copyIn(0, place)}}}, copied, false},
		"a variable":              {Code{ones, kept(sum), rest}, Code{ones, sum, rest}, true},
		"stored too late":         {Code{ones, kept(sum, rest)}, Code{ones, sum, rest}, false},
		"a variable in lanes":     {Code{ones, kept(b.on(2, testI, nil, &Lanes{Reductions: sumOfZ})), rest}, Code{ones, sum, rest}, true},
		"lanes share a variable":  {Code{ones, kept(b.on(2, testI, nil, &Lanes{}))}, inOrder, false},
	} {
		if same := b.isLike(t, name, c.code, c.like); same != c.same {
			t.Errorf("%s: the same %v is wanted", name, c.same)
		}
	}
	uneven := b.on(0, testI, &Threads{InTeam: true, Schedule: Static}, nil)
	uneven.Body = append(uneven.Body, &Barrier{})
	machine, err := NewMachine(model, map[string]int64{"N": 9})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := machine.Run(Code{&Team{Body: Code{uneven}}}); !errors.Is(err, errWaits) {
		t.Errorf("threads that meet nobody at a barrier: %v", err)
	}
}

// isLike says whether code leaves what other code does in all ways to run it.
func (b broken) isLike(t *testing.T, name string, code, like Code) bool {
	t.Helper()
	machine, err := NewMachine(b.model, map[string]int64{"N": 9})
	if err != nil {
		t.Fatal(err)
	}
	wanted, err := machine.Run(like)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	same := true
	for _, way := range []Machine{{}, {Backwards: true}, {Alone: true}} {
		machine.Backwards, machine.Alone = way.Backwards, way.Alone
		left, err := machine.Run(code)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		same = same && maps.Equal(left, wanted)
	}
	return same
}
