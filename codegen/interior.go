package codegen

import (
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
)

// Subscripts that bend at the rims of loops, as that of a[MAX(j - 1, 0)] and of a[(j + 1) % n] do,
// keep compilers from vectors. Such loops are parted:
//
//	for (j = 0; j < n; j++)            for (j = 0; j < min(n, 1); j++)
//	  b[j] = a[MAX(j - 1, 0)];           b[j] = a[MAX(j - 1, 0)];
//	                                   for (j = 1; j < n; j++)
//	                                     b[j] = a[j - 1];
//
// Instances and their order are the same. Where the loop has others inside, a condition is in it
// instead: rows are long, and it is asked once for each.

// shortLoop is the number of iterations up to which a loop is not parted, but one around it.
const shortLoop = 16

// mostCopied is how many instances of statements a body may have of which there will be several.
const mostCopied = 64

// interiors has such loops.
func interiors(p *loopir.Program, e *Env) error {
	if err := loopir.Rewrite(p.Code, withOwnRuns); err != nil {
		return err
	}
	r := &rims{env: e}
	if err := r.find(p.Code, nil); err != nil || len(r.found) == 0 {
		return err
	}
	r.choose()
	p.Code = r.part(p.Code)
	return nil
}

// withOwnRuns gives instances that are those of full tiles and of others a node in each place.
func withOwnRuns(s loopir.Stmt) (loopir.Stmt, error) {
	if run, is := s.(*loopir.Run); is {
		return copied(run), nil
	}
	return s, nil
}

// bent is an instance whose subscripts bend.
type bent struct {
	run      *loopir.Run
	straight *scop.Straight
	// least are what has to be at least 0 in loops for it to be one of most instances.
	least map[*loopir.For][]linear
	// innermost is the loop around it that is not short, nil for none; parts says that it is to be parted.
	innermost *loopir.For
	parts     bool
}

// rims finds what loops have to be asked for.
type rims struct {
	env   *Env
	found []bent
	// least is what has to be at least 0 in the loops that are chosen, straight the statements of
	// instances there.
	least    map[*loopir.For][]linear
	straight map[*loopir.Run]*scop.Straight
}

// find finds bent instances in some code, inside of loops.
func (r *rims) find(code loopir.Code, around []*loopir.For) error {
	for _, s := range code {
		inside := around
		switch s := s.(type) {
		case *loopir.For:
			if s.Done {
				continue
			}
			inside = append(slices.Clip(around), s)
		case *loopir.Run:
			if err := r.instance(s, around); err != nil {
				return err
			}
		}
		for _, body := range usedBodies(s) {
			if err := r.find(*body, inside); err != nil {
				return err
			}
		}
	}
	return nil
}

// usedBodies are the codes inside of a statement but for what makes copies, and for a relay's legs.
func usedBodies(s loopir.Stmt) []*loopir.Code {
	switch s := s.(type) {
	case *loopir.Relay:
		return nil
	case *loopir.Copies:
		return []*loopir.Code{&s.Body}
	case *loopir.Packed:
		return []*loopir.Code{&s.Body}
	}
	return loopir.Bodies(s)
}

// instance notes an instance that is bent, where loops can be asked for what it needs.
func (r *rims) instance(run *loopir.Run, around []*loopir.For) error {
	if run.Values != nil {
		return nil
	}
	straight, err := r.env.model.Straight(run.Statement.Index)
	if straight == nil || err != nil {
		return err
	}
	b := bent{run: run, straight: straight, least: map[*loopir.For][]linear{}}
	for k := len(around) - 1; k >= 0 && b.innermost == nil; k-- {
		if isLong(around[k]) {
			b.innermost = around[k]
		}
	}
	for _, row := range straight.Where {
		t := &fullTile{opaque: map[string]*loopir.Expr{}}
		loop, least := t.outsideShort(t.valueOf(row, run, r.env.model.Program.Parameters), around)
		if loop == nil && least.isConstant() && least[""] >= 0 {
			continue
		}
		if loop == nil || len(t.opaque) > 0 || !mayAsk(loop, loop == b.innermost, least[loop.Var]) {
			return nil
		}
		b.least[loop] = append(b.least[loop], least)
		b.parts = b.parts || loop == b.innermost
	}
	r.found = append(r.found, b)
	return nil
}

// valueOf is an affine expression over the iterators of an instance.
func (t *fullTile) valueOf(row scop.Row, run *loopir.Run, parameters []string) linear {
	value := linear{}.plus(linear{"": row.Constant}, 1)
	for k, factor := range row.Iterators {
		if factor != 0 {
			value = value.plus(t.linearOf(run.At[k]), factor)
		}
	}
	for k, factor := range row.Parameters {
		value = value.plus(linear{parameters[k]: 1}, factor)
	}
	return value
}

// outsideShort is what is at least 0 where a value is so in all iterations of the short loops, and
// the innermost of the other loops that it depends on; nil for none.
func (t *fullTile) outsideShort(value linear, around []*loopir.For) (*loopir.For, linear) {
	for _, loop := range slices.Backward(around) {
		factor := value[loop.Var]
		if factor == 0 {
			continue
		}
		rest := value.plus(linear{loop.Var: 1}, -factor)
		length, isShort := lengthOf(loop)
		if !isShort {
			return loop, value
		}
		if value = rest.plus(t.linearOf(loop.From), factor); factor < 0 {
			value = value.plus(linear{"": length - 1}, factor)
		}
	}
	return nil, value
}

// lengthOf is the number of iterations of a loop, where it is constant and small.
func lengthOf(loop *loopir.For) (length int64, isShort bool) {
	if loop.Once {
		return 1, true
	}
	if loop.From == nil || !isCanonical(loop.While, loop.Var) || !loop.Step.IsInt(1) {
		return 0, false
	}
	t := &fullTile{opaque: map[string]*loopir.Expr{}}
	iterations := t.linearOf(loop.While.Args[1]).plus(t.linearOf(loop.From), -1)
	if loop.While.Is(isl.OpLe) {
		iterations = iterations.plus(linear{"": 1}, 1)
	}
	return iterations[""], iterations.isConstant() && iterations[""] <= shortLoop
}

// isLong says whether a loop may have many iterations.
func isLong(loop *loopir.For) bool {
	_, isShort := lengthOf(loop)
	return !isShort
}

// mayAsk says whether a loop may have a condition on its variable inside, or, as the innermost one,
// be parted at a bound of so many times its variable.
func mayAsk(loop *loopir.For, innermost bool, factor int64) bool {
	if !mayBeTwice(loop.Body) || mark.Has[mark.Collapse](loop.Marks) {
		return false
	}
	isWhole := isCanonical(loop.While, loop.Var) && loop.Step.IsInt(1) && loop.From != nil
	isAlone := loop.Threads == nil && !loop.Shared && !mark.Has[mark.Parallel](loop.Marks)
	return !innermost || isWhole && isAlone && factor*factor == 1 && loopsIn(loop.Body) <= 1
}

// loopsIn is the number of loops in some code. Compilers make no vectors of a loop around several.
func loopsIn(code loopir.Code) (count int) {
	loopir.Walk(code, func(s loopir.Stmt) {
		if _, is := s.(*loopir.For); is {
			count++
		}
	})
	return count
}

// mayBeTwice says whether some code may be there several times.
func mayBeTwice(code loopir.Code) bool {
	count := 0
	isOther := func(s loopir.Stmt) bool {
		switch s := s.(type) {
		case *loopir.Run:
			count++
			return false
		case *loopir.For:
			return s.Done || s.Shared || s.Threads != nil
		case *loopir.Marked:
			_, isBlock := s.Mark.(mark.Registers)
			return isBlock
		case *loopir.If, *loopir.Nothing:
			return false
		}
		return true
	}
	found := false
	loopir.Walk(code, func(s loopir.Stmt) { found = isOther(s) || found })
	return !found && count <= mostCopied
}

// choose decides which loops are asked: those around instances in a loop that is to be parted.
// Elsewhere subscripts are the same in all iterations of the innermost loop, as compilers see.
func (r *rims) choose() {
	parted := map[*loopir.For]bool{}
	for _, b := range r.found {
		parted[b.innermost] = parted[b.innermost] || b.parts
	}
	r.least, r.straight = map[*loopir.For][]linear{}, map[*loopir.Run]*scop.Straight{}
	for _, b := range r.found {
		if !parted[b.innermost] && len(b.least) > 0 {
			continue
		}
		r.straight[b.run] = b.straight
		for loop, least := range b.least {
			r.least[loop] = addWeakest(r.least[loop], least)
		}
	}
}

// addWeakest adds values that have to be at least 0: of two that differ by a constant the smaller
// one stays.
func addWeakest(all, more []linear) []linear {
	for _, l := range more {
		same := slices.IndexFunc(all, func(o linear) bool { return l.plus(o, -1).isConstant() })
		switch {
		case same < 0:
			all = append(all, l)
		case l[""] < all[same][""]:
			all[same] = l
		}
	}
	return all
}

// part parts the loops in some code that are asked.
func (r *rims) part(code loopir.Code) (parted loopir.Code) {
	for _, s := range code {
		switch s := s.(type) {
		case *loopir.Run:
			if straight := r.straight[s]; straight != nil {
				s.Statement = straight.At(s.Statement)
			}
		case *loopir.For:
			parted = append(parted, r.loop(s)...)
			continue
		}
		for _, body := range usedBodies(s) {
			*body = r.part(*body)
		}
		parted = append(parted, s)
	}
	return parted
}

// loop is a loop that is asked.
func (r *rims) loop(loop *loopir.For) loopir.Code {
	least := r.least[loop]
	if least == nil {
		loop.Body = r.part(loop.Body)
		return loopir.Code{loop}
	}
	if hasLong(loop.Body) {
		t := &fullTile{opaque: map[string]*loopir.Expr{}, conditions: least}
		rest := copyOf(loop.Body)
		loop.Body = loopir.Code{&loopir.If{Cond: t.guard(), Then: r.part(loop.Body), Else: rest}}
		return loopir.Code{loop}
	}
	code := inThree(loop, least)
	loop.Body = r.part(loop.Body)
	return code
}

// hasLong says whether some code has a loop that may have many iterations.
func hasLong(code loopir.Code) (has bool) {
	loopir.Walk(code, func(s loopir.Stmt) {
		loop, is := s.(*loopir.For)
		has = has || is && isLong(loop)
	})
	return has
}

// inThree leaves a loop those iterations in which all values are at least 0, and has loops for those
// in front and behind: all others, for any bounds.
func inThree(loop *loopir.For, least []linear) (code loopir.Code) {
	t, last := &fullTile{}, linear{}
	if loop.While.Is(isl.OpLe) {
		last[""] = -1
	}
	// The first iteration inside is the largest of begins, the first one behind the smallest of ends;
	// loops end in front of those as their conditions say that.
	var begins, ends, untilBegins, untilEnds []*loopir.Expr
	for _, l := range least {
		rest := l.plus(linear{loop.Var: 1}, -l[loop.Var])
		if l[loop.Var] > 0 {
			rest = linear{}.plus(rest, -1)
			begins, untilBegins = append(begins, t.expressionOf(rest)), append(untilBegins, t.expressionOf(rest.plus(last, 1)))
		} else {
			rest = rest.plus(linear{"": 1}, 1)
			ends, untilEnds = append(ends, t.expressionOf(rest)), append(untilEnds, t.expressionOf(rest.plus(last, 1)))
		}
	}
	from, end := loop.From, loop.While.Args[1]
	between := func(of *loopir.For, from, end *loopir.Expr) {
		of.From, of.While, of.Full = from, loopir.Operation(loop.While.Op, loop.While.Args[0], end), false
		code = append(code, of)
	}
	rim := func(from, end *loopir.Expr) {
		made := *loop
		made.Marks, made.Body = nil, copyOf(loop.Body)
		between(&made, from, end)
	}
	if len(begins) > 0 {
		rim(from, oneOf(isl.OpMin, end, oneOf(isl.OpMax, untilBegins...)))
	}
	inside := oneOf(isl.OpMax, slices.Insert(begins, 0, from)...)
	between(loop, inside, oneOf(isl.OpMin, slices.Insert(untilEnds, 0, end)...))
	if len(ends) > 0 {
		rim(oneOf(isl.OpMax, inside, oneOf(isl.OpMin, ends...)), end)
	}
	return code
}

// oneOf is the smallest or the largest of some expressions, without those that another one is less
// or more than by a constant.
func oneOf(operator isl.AstOpType, all ...*loopir.Expr) *loopir.Expr {
	t, sign := &fullTile{opaque: map[string]*loopir.Expr{}}, int64(1)
	if operator == isl.OpMin {
		sign = -1
	}
	var kept []*loopir.Expr
	for _, e := range all {
		for _, e := range operandsOf(e, operator) {
			apart := func(o *loopir.Expr) linear { return t.linearOf(e).plus(t.linearOf(o), -1) }
			if slices.ContainsFunc(kept, func(o *loopir.Expr) bool { d := apart(o); return d.isConstant() && sign*d[""] <= 0 }) {
				continue
			}
			kept = append(slices.DeleteFunc(kept, func(o *loopir.Expr) bool { return apart(o).isConstant() }), e)
		}
	}
	if len(kept) == 1 {
		return kept[0]
	}
	return loopir.Operation(operator, kept...)
}
