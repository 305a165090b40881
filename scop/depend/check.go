package depend

import (
	"cmp"
	"errors"
	"fmt"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// Violation is a dependence that a schedule does not respect.
type Violation struct {
	Dependence *Dependence
	// Reason says how: which loop or dimension runs the target too early.
	Reason string
	// Source, Target are the names of the statements.
	Source, Target string
	// Pairs are the offending pairs of instances as an isl map, or one of them where that is long.
	Pairs string
	// Fault says what is at fault, and Mark is that of the loop which carries the dependence, nil
	// for others.
	Fault Fault
	Mark  mark.Mark
	// all are all of the pairs.
	all string
}

// Fault is what is at fault where a schedule does not respect a dependence.
type Fault int

// The faults: what Reason alone says, an order that runs the target first, one that runs both at
// the same time, and the mark of a loop.
const (
	Otherwise Fault = iota
	Backwards
	Together
	Carried
)

func (v *Violation) Error() string {
	return fmt.Sprintf("illegal schedule: %s dependence of %s on %s (references %d and %d): %s; for example in %s",
		v.Dependence.Kind, v.Target, v.Source, v.Dependence.TargetAccess, v.Dependence.SourceAccess, v.Reason, v.Pairs)
}

// IsIllegal says whether the error is a proof that a schedule runs something too early.
func IsIllegal(err error) bool {
	return errors.As(err, new(*Violation)) || errors.As(err, new(*ReloadError)) || errors.As(err, new(*KeptError)) || errors.As(err, new(*OverlapError)) || errors.As(err, new(*RewriteError))
}

// Check proves that the schedule runs every instance of the program exactly
// once, every dependence forwards in time, and no dependence between
// iterations of a loop marked parallel or vector. It looks only at the
// schedule tree and the dependences, never at how the schedule was made. The
// error is a *Violation when a dependence is not respected.
//
// The schedule's tuples may have further dimensions, such as tile coordinates,
// in front of the statement's iterators; each instance must occur with
// exactly one value of them.
// A mark of a kind that is not known here is an error, but for a mark.Hint.
// Blocks of overlapped tiles may run an instance several times (overlappedTiles).
func (g *Graph) Check(schedule mark.Schedule) error {
	return g.Model.Context.Sound(func() error { return g.check(schedule, true) })
}

// CheckPrefix is Check for the beginning of a schedule: instances may still
// be unordered, but no dependence may run backwards.
func (g *Graph) CheckPrefix(schedule mark.Schedule) error {
	return g.Model.Context.Sound(func() error { return g.check(schedule, false) })
}

func (g *Graph) check(marked mark.Schedule, complete bool) error {
	schedule := marked.Tree
	overlapped, err := g.overlappedOf(marked, complete)
	if err != nil {
		return err
	}
	if err := g.checkDomain(schedule, overlapped); err != nil {
		return err
	}
	if g, err = g.between(overlapped, complete); err != nil {
		return err
	}
	order := schedule.Map().IntersectDomain(schedule.Domain())
	if whole, err := order.Domain().IsEqual(schedule.Domain()); err != nil || !whole {
		return errors.Join(err, fmt.Errorf("illegal schedule: its filters leave instances out, such as %s", someInstance(schedule.Domain().Subtract(order.Domain()))))
	}
	if err := checkParts(schedule.Context(), schedule.Root()); err != nil {
		return err
	}
	if complete && len(overlapped) == 0 && g.runsInPhases(marked) && (g.checkInPhases(marked, true) || g.checkInPhases(marked, false)) {
		return nil
	}
	times, err := g.timesOf(order)
	if err != nil {
		return err
	}
	err = g.all(func(d *Dependence) error { return g.checkOrder(d, times, complete) })
	if err != nil {
		return err
	}
	for _, d := range Distinct(g.Relaxed) {
		if !complete {
			break
		}
		if err := g.checkApart(d, times); err != nil {
			return err
		}
	}
	c := &marksCheck{Graph: g, marks: marked.Marks, order: order, complete: complete, apart: true}
	if err := c.below(schedule.Root(), nil); err != nil || !complete {
		return err
	}
	if err := c.checkPrivates(schedule.Root()); err != nil {
		return err
	}
	for _, o := range overlapped {
		if err := o.check(); err != nil {
			return err
		}
	}
	return nil
}

// all applies a check to all dependences between two statements at once, and
// only where they violate it to each of them, to find the one to be named.
func (g *Graph) all(check func(*Dependence) error) error {
	for _, pair := range g.pairs {
		err := check(pair)
		var violation *Violation
		if err != nil && !errors.As(err, &violation) {
			return fmt.Errorf("the proof that %s runs before %s where it depends on it: %w",
				g.Model.Statements[pair.Source].Spelling(), g.Model.Statements[pair.Target].Spelling(), err)
		}
		for _, d := range g.Dependences {
			if violation != nil && d.Source == pair.Source && d.Target == pair.Target {
				if err := check(d); err != nil {
					return err
				}
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// checkDomain compares the instances the schedule orders with the program's. Those of overlapped
// tiles may run several times, and are in no other place.
func (g *Graph) checkDomain(schedule *isl.Schedule, overlapped []*overlappedTiles) error {
	instances, once := g.Model.Context.ReadUnionSet("{ }"), schedule.Domain()
	for _, o := range overlapped {
		once = once.Subtract(o.node.Domain())
		if twice, err := o.instances.Intersect(instances).IsEmpty(); err != nil || !twice {
			return errors.Join(err, errors.New("illegal schedule: it runs instances in two kernels of overlapped tiles"))
		}
		instances = instances.Union(o.instances)
	}
	for _, set := range once.Sets() {
		extra, err := g.extraDimensions(set.TupleName(), set.Dim(isl.DimSet))
		if err != nil {
			return err
		}
		contraction := set.Contraction(extra)
		if once, err := contraction.IsInjective(); err != nil || !once {
			return errors.Join(err, fmt.Errorf("illegal schedule: it runs instances of %s more than once", set.TupleName()))
		}
		own := contraction.Range().SetTupleName(set.TupleName()).ToUnionSet()
		if apart, err := own.Intersect(instances).IsEmpty(); err != nil || !apart {
			return errors.Join(err, fmt.Errorf("illegal schedule: it runs instances of %s in overlapped tiles and outside of them", set.TupleName()))
		}
		instances = instances.Union(own)
	}
	all := g.Model.Domain()
	equal, err := instances.IsEqual(all)
	if err != nil || equal {
		return err
	}
	if more := someInstance(instances.Subtract(all)); more != "" {
		return fmt.Errorf("illegal schedule: it orders other instances than the program has, such as %s", more)
	}
	return fmt.Errorf("illegal schedule: it leaves instances of the program out, such as %s", someInstance(all.Subtract(instances)))
}

// checkParts checks that no instance is in two parts of a node below: it would run in both, and a
// dependence need not tell of it; and that no guard leaves some out.
func checkParts(c *isl.Context, node *isl.ScheduleNode) error {
	children := node.Children()
	if kind := node.Type(); kind == isl.NodeSequence || kind == isl.NodeSet {
		before := c.ReadUnionSet("{ }")
		for _, part := range children {
			own := part.Children()[0].Domain()
			twice := before.Intersect(own)
			if none, err := twice.IsEmpty(); err != nil || !none {
				return cmp.Or(err, fmt.Errorf("illegal schedule: it runs instances more than once, such as %s", someInstance(twice)))
			}
			before = before.Union(own)
		}
	}
	if node.Type() == isl.NodeGuard {
		if all, err := node.IsGuardOfAll(); err != nil || !all {
			return cmp.Or(err, errors.New("illegal schedule: a guard leaves instances out"))
		}
	}
	for _, child := range children {
		if err := checkParts(c, child); err != nil {
			return err
		}
	}
	return nil
}

// extraDimensions is the number of dimensions that a tuple of the schedule
// has in front of the iterators of its statement.
func (g *Graph) extraDimensions(statement string, dimensions int) (int, error) {
	s := g.Model.Statement(statement)
	if s == nil || dimensions < s.Depth() {
		return 0, fmt.Errorf("illegal schedule: the program has no statement %q with %d iterators", statement, dimensions)
	}
	return dimensions - s.Depth(), nil
}

// timesOf splits a schedule relation by statement and dimension: times[s][k] maps the instances of
// statement s to dimension k of their time, and those of expanded ones, which are sums, all that
// there may be.
func (g *Graph) timesOf(schedule *isl.UnionMap) (map[int][]*isl.Map, error) {
	times := map[int][]*isl.Map{}
	for _, m := range schedule.Maps() {
		name := m.TupleName(isl.DimIn)
		extra, err := g.extraDimensions(name, m.Dim(isl.DimIn))
		if err != nil {
			return nil, err
		}
		if g.expanded {
			extra, m = 0, m.GistDomain(m.Domain())
		}
		s, n := g.Model.Statement(name), m.Dim(isl.DimOut)
		dimensions := make([]*isl.Map, n)
		for k := range n {
			dimensions[k] = m.ProjectOut(isl.DimOut, k+1, n-k-1).ProjectOut(isl.DimOut, 0, k).
				ProjectOut(isl.DimIn, 0, extra).SetTupleName(isl.DimIn, name).Coalesce()
		}
		times[s.Index] = dimensions
	}
	return times, g.Model.Context.Err()
}

// checkOrder walks down the time dimensions: pairs that are not yet ordered
// must not be reversed at the next one, and, of a complete schedule, none may
// be left at the end.
func (g *Graph) checkOrder(d *Dependence, times map[int][]*isl.Map, complete bool) error {
	mark := g.Model.Context.Mark()
	defer g.Model.Context.Release(mark)
	unordered := narrowed{pairs: d.Relation}
	for k := range times[d.Source] {
		source, target := times[d.Source][k], times[d.Target][k]
		reversed, err := unordered.within(compare(source, target, ">"))
		if err != nil {
			return err
		}
		if err := g.mustBeEmpty(d, reversed, fmt.Sprintf("dimension %d of the schedule reverses it", k)); err != nil {
			return faultOf(err, Backwards, nil)
		}
		unordered.to(compare(source, target, "="))
		if empty, err := unordered.pairs.IsEmpty(); err != nil || empty {
			return err
		}
	}
	if !complete {
		return nil
	}
	left, err := unordered.all()
	if err != nil {
		return err
	}
	return faultOf(g.mustBeEmpty(d, left, "both instances run at the same time"), Together, nil)
}

// compare relates pairs of instances whose one-dimensional times are in the
// given relation.
func compare(source, target *isl.Map, operator string) *isl.Map {
	if operator == "=" {
		return source.ApplyRange(target.Reverse())
	}
	order := source.Context().ReadMap("{ [a] -> [b] : a " + operator + " b }")
	return source.ApplyRange(order).ApplyRange(target.Reverse())
}

func (g *Graph) mustBeEmpty(d *Dependence, pairs *isl.Map, reason string) error {
	empty, err := pairs.IsEmpty()
	if err != nil || empty {
		return err
	}
	return &Violation{
		Dependence: d,
		Reason:     reason,
		Source:     g.Model.Statements[d.Source].Spelling(),
		Target:     g.Model.Statements[d.Target].Spelling(),
		Pairs:      example(pairs),
		all:        pairs.String(),
	}
}

// checkFree checks that a loop carries no dependence, but for relaxed ones under the
// clauses of its mark, between instances that run in one iteration of the loops around a node.
func (g *Graph) checkFree(m mark.Mark, clauses []scop.Clause, around, loop *isl.ScheduleNode) error {
	here := loop.Domain()
	if g.expanded {
		g = g.among(here)
	}
	outer, err := g.timesOf(around.PrefixScheduleUnionMap().IntersectDomain(here))
	if err != nil {
		return err
	}
	own, err := g.timesOf(loop.BandPartialSchedule().IntersectDomain(here))
	if err != nil {
		return err
	}
	err = g.all(func(d *Dependence) error {
		if outer[d.Source] == nil || outer[d.Target] == nil {
			return nil
		}
		return g.checkCarried(d, outer, own, m)
	})
	if err != nil {
		return err
	}
	return g.checkClauses(m, clauses, outer, own)
}

// checkCarried checks that no pair of the dependence runs in one iteration of
// all outer loops and in two iterations of the marked one.
func (g *Graph) checkCarried(d *Dependence, outer, own map[int][]*isl.Map, m mark.Mark) error {
	context := g.Model.Context
	start := context.Mark()
	defer context.Release(start)
	together := narrowed{pairs: d.Relation}
	if g.common.has(d, own[d.Source][0], own[d.Target][0]) {
		return nil
	}
	for k := range outer[d.Source] {
		if source, target := outer[d.Source][k], outer[d.Target][k]; !g.common.has(d, source, target) {
			together.to(compare(source, target, "="))
		}
	}
	for _, operator := range []string{"<", ">"} {
		carried, err := together.within(compare(own[d.Source][0], own[d.Target][0], operator))
		if err != nil {
			return err
		}
		if err := g.mustBeEmpty(d, carried, fmt.Sprintf("the loop marked %q carries it", m)); err != nil {
			return faultOf(err, Carried, m)
		}
	}
	return nil
}

// faultOf is an error with what is at fault where it is a violation.
func faultOf(err error, fault Fault, m mark.Mark) error {
	if v := (*Violation)(nil); errors.As(err, &v) {
		v.Fault, v.Mark = fault, m
	}
	return err
}
