package depend

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/scop/mark"
)

// checkPack proves that copies of a reference's elements, made in each
// execution of the code below a mark before they are needed, are what register blocks read
// there: none of their instances reads an element that another instance in the same
// execution has written before.
func (g *marksCheck) checkPack(m mark.Pack, node *isl.ScheduleNode) error {
	s, reference := g.Model.Statement(m.Statement), m.Reference
	if s == nil || reference < 0 || reference >= len(s.Accesses) || s.Statement.Accesses[reference].Write {
		return fmt.Errorf("illegal schedule: the mark %q names no reference that is read", m)
	}
	array := s.Statement.Accesses[reference].Array
	for _, private := range g.Model.Program.Privates() {
		if private.Name == array {
			return fmt.Errorf("illegal schedule: the mark %q packs %s, of which iterations have one of their own", m, array)
		}
	}
	outer, err := g.timesOf(node.PrefixScheduleUnionMap().IntersectDomain(node.Domain()))
	if err != nil {
		return err
	}
	readers, err := g.timesOf(node.PrefixScheduleUnionMap().IntersectDomain(g.inRegisters(node)))
	if err != nil {
		return err
	}
	for _, d := range slices.Concat(g.Dependences, g.Relaxed) {
		if d.Kind != RAW || d.Target != s.Index || d.TargetAccess != reference || outer[d.Source] == nil || readers[d.Target] == nil {
			continue
		}
		reason := fmt.Sprintf("the copy of %s for the mark %q is made before the element is written", array, m)
		if err := g.mustBeEmpty(d, g.together(d, outer, readers), reason); err != nil {
			return err
		}
	}
	return nil
}

// inRegisters are the instances below a node that run in register blocks.
func (g *marksCheck) inRegisters(node *isl.ScheduleNode) *isl.UnionSet {
	if _, ok := g.marks.Of(node).(mark.Registers); ok {
		return node.Domain()
	}
	all := g.Model.Context.ReadUnionSet("{ }")
	for _, child := range node.Children() {
		all = all.Union(g.inRegisters(child))
	}
	return all
}
