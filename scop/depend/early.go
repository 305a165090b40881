package depend

import (
	"errors"
	"fmt"

	"polytune/isl"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

// checkEarly proves of a box whose elements are stored as soon as they are written for the last time
// in an execution of its code that all elements are stored that have to be, and that no instance
// stores one that the execution writes again later: so each is stored once, with its last value.
func (k *kernel) checkEarly(box *boxed) error {
	if !box.Early {
		return nil
	}
	if box.Memory != mark.Shared || !box.IsWritten() {
		return fmt.Errorf("illegal schedule: the mark %q stores nothing of shared memory early", box.Box)
	}
	last := map[int]*boxes.Use{}
	var stored *isl.Map
	for n := range box.Uses {
		use := &box.Uses[n]
		if !use.Write {
			continue
		}
		s := use.Statement
		if last[s.Index] != nil {
			return fmt.Errorf("illegal schedule: the mark %q: %s writes several elements of %s, which are not stored early", box.Box, s.Statement.Spelling(), box.Array)
		}
		last[s.Index] = use
		if own := use.StoredEarly(); stored == nil {
			stored = own
		} else {
			stored = stored.Union(own)
		}
	}
	wanted := box.StoredElements().IntersectParams(k.Model.Parameters)
	if all, err := wanted.IsSubset(stored); err != nil || !all {
		return errors.Join(err, fmt.Errorf("illegal schedule: the mark %q does not store all elements of %s early that the code writes", box.Box, box.Array))
	}
	for _, d := range k.Dependences {
		if d.Kind != WAW || box.inside(k.Model, d.Source, d.SourceAccess) == nil || box.inside(k.Model, d.Target, d.TargetAccess) == nil {
			continue
		}
		pairs := box.together(d, d.Relation).IntersectDomain(k.asTheyAre(box, d.Source, last[d.Source].Last.Range()))
		if err := k.mustBeEmpty(d, pairs, fmt.Sprintf("the mark %q stores what the first one writes, and the other one writes the element again in the same iteration", box.Box)); err != nil {
			return err
		}
	}
	return nil
}

// asTheyAre are some instances of a statement as the graph's dependences have them.
func (k *kernel) asTheyAre(box *boxed, statement int, instances *isl.Set) *isl.Set {
	if !k.expanded {
		return instances
	}
	s := &k.Model.Statements[statement]
	return instances.Apply(k.lift(s.Name, box.instances[statement].Dim(isl.DimSet)-s.Depth(), s.Depth()).Reverse())
}
