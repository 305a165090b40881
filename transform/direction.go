package transform

import "polytune/scop"

// direction is the step in the iteration space of a statement that leaves all
// its schedule rows but one unchanged and advances that one: the column of
// the inverse of the rows. ok is false when the rows do not determine it.
func direction(rows [][]int64, advance, n int) (step []int64, ok bool) {
	others := make([][]int64, 0, len(rows))
	for k, row := range rows {
		if k != advance {
			others = append(others, row)
		}
	}
	candidates := scop.Orthogonal(others, n)
	if len(candidates) != 1 {
		return nil, false
	}
	step = candidates[0]
	progress := int64(0)
	for k, c := range rows[advance] {
		progress += c * step[k]
	}
	if progress < 0 {
		for k := range step {
			step[k] = -step[k]
		}
	}
	return step, progress != 0
}
