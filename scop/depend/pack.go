package depend

import (
	"fmt"
	"slices"

	"polytune/isl"
)

// checkPack proves that copies of a reference's elements, made before each
// execution of the code below a mark, are what the reference reads there: no
// instance below the mark reads an element that another one in the same
// execution has written before.
func (g *Graph) checkPack(mark *isl.ScheduleNode) error {
	var name string
	var reference int
	if _, err := fmt.Sscanf(mark.MarkName(), MarkPack+" %s %d", &name, &reference); err != nil {
		return fmt.Errorf("illegal schedule: the mark %q names no reference", mark.MarkName())
	}
	s := g.Model.Statement(name)
	if s == nil || reference < 0 || reference >= len(s.Accesses) || s.Statement.Accesses[reference].Write {
		return fmt.Errorf("illegal schedule: the mark %q names no reference that is read", mark.MarkName())
	}
	array := s.Statement.Accesses[reference].Array
	for _, private := range g.Model.Program.Privates() {
		if private.Name == array {
			return fmt.Errorf("illegal schedule: the mark %q packs %s, of which iterations have one of their own", mark.MarkName(), array)
		}
	}
	outer, err := g.timesOf(mark.PrefixScheduleUnionMap().IntersectDomain(mark.Domain()))
	if err != nil {
		return err
	}
	for _, d := range slices.Concat(g.Dependences, g.Relaxed) {
		if d.Kind != RAW || d.Target != s.Index || d.TargetAccess != reference || outer[d.Source] == nil || outer[d.Target] == nil {
			continue
		}
		reason := fmt.Sprintf("the copy of %s for the mark %q is made before the element is written", array, mark.MarkName())
		if err := g.mustBeEmpty(d, g.together(d, outer), reason); err != nil {
			return err
		}
	}
	return nil
}
