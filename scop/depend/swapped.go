package depend

import (
	"errors"

	"polytune/isl"
)

// checkSwapped proves that arrays with a second grid are as the program has them behind each launch:
// what a launch stores is in the grid that takes the first one's place, and what it does not store
// no other launch of the kernel stores either, so that both grids have it.
func (m *overlappedMemory) checkSwapped() error {
	for _, array := range m.mark.Swapped {
		stored := m.stored[array]
		if stored == nil {
			return m.refused("a second grid of %s would take the place of the first one, and no tile stores anything there", array)
		}
		var launches *isl.Set
		for _, s := range m.statements() {
			blocks := m.runs[s].Range()
			own := blocks.ProjectOut(isl.DimSet, m.launches, blocks.Dim(isl.DimSet)-m.launches)
			if launches == nil {
				launches = own
			} else {
				launches = launches.Union(own)
			}
		}
		byLaunch := stored.ProjectOut(isl.DimIn, m.launches, stored.Dim(isl.DimIn)-m.launches)
		missing := launches.MapTo(byLaunch.Range()).Subtract(byLaunch)
		if none, err := missing.IsEmpty(); err != nil || !none {
			return errors.Join(err, m.refused("each launch has to store the same elements of %s, whose second grid takes the place of the first one, and some do not store %s", array, exampleOf(missing.Range())))
		}
	}
	return nil
}
