package pipeline

import (
	"slices"

	"polytune/frontend"
	"polytune/pipeline/limit"
	"polytune/scop"
	"polytune/scop/depend"
)

// privatize gives the region's temporaries private copies.
func privatize(region *frontend.Region, a *limit.Share) error {
	return withinAttempt(region, a, func(m *scop.Model) error {
		private, list, err := depend.Privatize(m, region.Names)
		if err != nil {
			return err
		}
		region.OutsideIterators = slices.Clone(region.OutsideIterators)
		for _, p := range list {
			gone := private.Array(p.Array) == nil && !region.Program.Array(p.Array).Local
			if gone && !slices.Contains(region.OutsideIterators, p.Array) {
				region.OutsideIterators = append(region.OutsideIterators, p.Array)
			}
		}
		region.Program = private
		return nil
	})
}
