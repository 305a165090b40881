package pipeline

import (
	"slices"

	"polytune/scop"
	"polytune/scop/depend"
)

// privatize gives the target's temporaries private copies.
func (t *Target) privatize() error {
	return t.withinAttempt(func(m *scop.Model) error {
		unit := &t.Unit
		private, list, err := depend.Privatize(m, unit.Taken)
		if err != nil {
			return err
		}
		unit.Unused = slices.Clone(unit.Unused)
		for _, p := range list {
			gone := private.Array(p.Array) == nil && !unit.Program.Array(p.Array).Local
			if gone && !slices.Contains(unit.Unused, p.Array) {
				unit.Unused = append(unit.Unused, p.Array)
			}
		}
		unit.Program = private
		return nil
	})
}
