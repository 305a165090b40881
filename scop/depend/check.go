package depend

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
)

// Marks of schedule trees whose loop runs its iterations in no order: the
// single-member band below such a mark must carry no dependence, but for
// relaxed ones under the clauses of the mark. A mark's name may go on after a
// space with the loop's name, and after another one with the clauses of
// reductions.
const (
	MarkParallel = "parallel"
	MarkVector   = "vector"
	// MarkBeside stands above a loop of which several iterations run at once.
	MarkBeside = "beside"
	// MarkPrivate stands above the code that has an object of a private
	// variable, whose name follows after a space, for each iteration of the
	// loops outside the mark.
	MarkPrivate = "private"
	// MarkRegion stands above a loop that all threads run, and that has one parallel
	// loop inside, right inside of it or of others: each thread runs the same
	// iterations of that all the time and waits for no other one.
	MarkRegion = "region"
	// MarkPack stands above the code that may read the elements of one reference
	// from a copy made before each of its executions, inside of marks MarkRegisters alone; the
	// statement's name and the number of the reference follow.
	MarkPack = "pack"
	// MarkContract stands above the code whose every execution has the elements of an expanded
	// array that it uses for itself; see LocalMark.
	MarkContract = "contract"
	// MarkCopy stands above the code whose every execution has the elements of an array that it touches in memory of its own, to
	// which they are copied before and from which they are copied back; see LocalMark.
	MarkCopy = "copy"
	// MarkLayout stands above the loop while which the tiles of an array that are copied inside lie behind each other, in memory of
	// their own. The loop and the array follow.
	MarkLayout = "layout"
	// MarkCollapse stands above the mark of a parallel loop whose iterations threads share
	// together with those of the next loop, which has a mark as a parallel one too; the outer loop's
	// name follows.
	MarkCollapse = "collapse"
	// MarkRelay stands above a sequential loop that all threads run, and in which two legs follow each other; see RelayMark.
	MarkRelay = "relay"
	// MarkRegisters stands above the loops that run inside a register block.
	MarkRegisters = "registers"
)

// Violation is a dependence that a schedule does not respect.
type Violation struct {
	Dependence *Dependence
	// Reason says how: which loop or dimension runs the target too early.
	Reason string
	// Source, Target are the names of the statements.
	Source, Target string
	// Pairs are the offending pairs of instances as an isl map.
	Pairs string
}

func (v *Violation) Error() string {
	return fmt.Sprintf("illegal schedule: %s dependence of %s on %s (references %d and %d): %s; for example in %s",
		v.Dependence.Kind, v.Target, v.Source, v.Dependence.TargetAccess, v.Dependence.SourceAccess, v.Reason, v.Pairs)
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
func (g *Graph) Check(schedule *isl.Schedule) error { return g.check(schedule, true) }

// CheckPrefix is Check for the beginning of a schedule: instances may still
// be unordered, but no dependence may run backwards.
func (g *Graph) CheckPrefix(schedule *isl.Schedule) error { return g.check(schedule, false) }

func (g *Graph) check(schedule *isl.Schedule, complete bool) error {
	if err := g.checkDomain(schedule); err != nil {
		return err
	}
	order := schedule.Map().IntersectDomain(schedule.Domain())
	if whole, err := order.Domain().IsEqual(schedule.Domain()); err != nil || !whole {
		return errors.Join(err, fmt.Errorf("illegal schedule: its filters leave instances out; it runs %s", order.Domain()))
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
	if err := g.checkMarks(schedule.Root(), nil); err != nil || !complete {
		return err
	}
	return g.checkPrivates(schedule.Root())
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

// checkDomain compares the instances the schedule orders with the program's.
func (g *Graph) checkDomain(schedule *isl.Schedule) error {
	instances := g.Model.Context.ReadUnionSet("{ }")
	for _, set := range schedule.Domain().Sets() {
		extra, err := g.extraDimensions(set.TupleName(), set.Dim(isl.DimSet))
		if err != nil {
			return err
		}
		contraction := set.Contraction(extra)
		if once, err := contraction.IsInjective(); err != nil || !once {
			return errors.Join(err, fmt.Errorf("illegal schedule: it runs instances of %s more than once", set.TupleName()))
		}
		instances = instances.Union(contraction.Range().SetTupleName(set.TupleName()).ToUnionSet())
	}
	equal, err := instances.IsEqual(g.Model.Domain())
	if err != nil {
		return err
	}
	if !equal {
		return fmt.Errorf("illegal schedule: it orders other instances than the program has: %s", instances)
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

// timesOf splits a schedule relation by statement and dimension:
// times[s][k] maps the instances of statement s to dimension k of their time.
func (g *Graph) timesOf(schedule *isl.UnionMap) (map[int][]*isl.Map, error) {
	times := map[int][]*isl.Map{}
	for _, m := range schedule.Maps() {
		name := m.TupleName(isl.DimIn)
		extra, err := g.extraDimensions(name, m.Dim(isl.DimIn))
		if err != nil {
			return nil, err
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
	unordered := d.Relation
	for k := range times[d.Source] {
		reversed := unordered.Intersect(compare(times[d.Source][k], times[d.Target][k], ">"))
		if err := g.mustBeEmpty(d, reversed, fmt.Sprintf("dimension %d of the schedule reverses it", k)); err != nil {
			return err
		}
		unordered = unordered.Intersect(compare(times[d.Source][k], times[d.Target][k], "="))
		if empty, err := unordered.IsEmpty(); err != nil || empty {
			return err
		}
	}
	if !complete {
		return nil
	}
	return g.mustBeEmpty(d, unordered, "both instances run at the same time")
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
		Pairs:      pairs.Coalesce().String(),
	}
}

// checkMarks checks the loops below all marks of the tree that claim freedom
// of order. around are the names of the marks around the node.
func (g *Graph) checkMarks(node *isl.ScheduleNode, around []string) error {
	if node.Type() == isl.NodeMark {
		if err := g.checkMark(node, around); err != nil {
			return err
		}
		around = append(slices.Clip(around), node.MarkName())
	}
	for _, child := range node.Children() {
		if err := g.checkMarks(child, around); err != nil {
			return err
		}
	}
	return g.Model.Context.Err()
}

func (g *Graph) checkMark(mark *isl.ScheduleNode, around []string) error {
	name, _, clauses := cutMark(mark.MarkName())
	switch name {
	case MarkRegion:
		return g.checkRegion(mark)
	case MarkPack:
		return g.checkPack(mark)
	case MarkContract:
		return g.checkContract(mark, around)
	case MarkCopy:
		return g.checkCopy(mark, around)
	case MarkLayout:
		return g.checkLayout(mark, around)
	case MarkRelay:
		return g.checkRelay(mark)
	}
	if name != MarkParallel && name != MarkVector && name != MarkBeside {
		return nil
	}
	band := mark.Children()[0]
	for band.Type() == isl.NodeMark {
		band = band.Children()[0]
	}
	if band.Type() != isl.NodeBand || band.BandMembers() != 1 {
		return fmt.Errorf("illegal schedule: the mark %q is not on a single loop", mark.MarkName())
	}
	return g.checkFree(mark.MarkName(), clauses, band, band)
}

// checkFree checks that a loop carries no dependence, but for relaxed ones under the
// clauses of its mark, between instances that run in one iteration of the loops around a node.
func (g *Graph) checkFree(mark, clauses string, around, loop *isl.ScheduleNode) error {
	here := loop.Domain()
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
		return g.checkCarried(d, outer, own, mark)
	})
	if err != nil {
		return err
	}
	return g.checkClauses(mark, clauses, outer, own)
}

// cutMark are the parts of a mark's name: what it asks for, the loop's name, and
// the clauses for reductions.
func cutMark(mark string) (kind, loop, clauses string) {
	kind, rest, _ := strings.Cut(mark, " ")
	loop, clauses, _ = strings.Cut(rest, " ")
	return kind, loop, clauses
}

// checkCarried checks that no pair of the dependence runs in one iteration of
// all outer loops and in two iterations of the marked one.
func (g *Graph) checkCarried(d *Dependence, outer, own map[int][]*isl.Map, mark string) error {
	context := g.Model.Context
	start := context.Mark()
	defer context.Release(start)
	together := g.together(d, outer, outer)
	for _, operator := range []string{"<", ">"} {
		carried := together.Intersect(compare(own[d.Source][0], own[d.Target][0], operator))
		if err := g.mustBeEmpty(d, carried, fmt.Sprintf("the loop marked %q carries it", mark)); err != nil {
			return err
		}
	}
	return nil
}
