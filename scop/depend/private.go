package depend

import (
	"errors"
	"fmt"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// checkPrivates proves, for each private variable, that the schedule tree has
// one mark for it and that two instances that access it are in the same
// iteration of all loops outside the mark exactly when they are in the same
// iteration of the source's loops around its declaration: they share an
// object exactly when they shared one.
func (g *marksCheck) checkPrivates(root *isl.ScheduleNode) error {
	for _, private := range g.Model.Program.Privates() {
		marks := g.privateMarks(root, private.Name)
		if len(marks) != 1 {
			return fmt.Errorf("illegal schedule: the statements that access %s are not together in one iteration of loops outside of them: each iteration of the %d loops around its declaration has a %s of its own",
				private.Name, private.Loops, private.Name)
		}
		if err := g.checkPrivate(private, marks[0]); err != nil {
			return err
		}
	}
	return nil
}

// privateMarks are the outermost marks of a private variable below a node.
func (g *marksCheck) privateMarks(node *isl.ScheduleNode, name string) []*isl.ScheduleNode {
	if m, is := g.marks.Of(node).(mark.Private); is && m.Variable == name {
		return []*isl.ScheduleNode{node}
	}
	var found []*isl.ScheduleNode
	for _, child := range node.Children() {
		found = append(found, g.privateMarks(child, name)...)
	}
	return found
}

func (g *Graph) checkPrivate(private scop.Private, node *isl.ScheduleNode) error {
	times, err := g.timesOf(node.PrefixScheduleUnionMap().IntersectDomain(node.Domain()))
	if err != nil {
		return err
	}
	for _, s := range private.Statements {
		for _, t := range private.Statements {
			if err := g.checkSharing(private, times, s, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkSharing compares the pairs of instances of two statements that share an
// object in the schedule with those that share one in the source.
func (g *Graph) checkSharing(private scop.Private, times map[int][]*isl.Map, s, t int) error {
	context := g.Model.Context
	start := context.Mark()
	defer context.Release(start)
	source, target := &g.Model.Statements[s], &g.Model.Statements[t]
	all := source.Domain.MapTo(target.Domain)
	if none, err := all.IsEmpty(); err != nil || none {
		return err // a statement that never runs shares nothing
	}
	if times[s] == nil || times[t] == nil {
		return fmt.Errorf("illegal schedule: a statement that accesses %s is outside of its place", private.Name)
	}
	want, got := all, all
	for k := range private.Loops {
		want = want.Equate(isl.DimIn, k, isl.DimOut, k)
	}
	for k := range times[s] {
		got = got.Intersect(compare(times[s][k], times[t][k], "="))
	}
	equal, err := got.IsEqual(want)
	if err != nil || equal {
		return err
	}
	return errors.Join(context.Err(), fmt.Errorf("illegal schedule: instances of %s and %s that have a %s of their own in the source share one, or the other way round",
		source.Name, target.Name, private.Name))
}
