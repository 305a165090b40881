package hyperplane

import "polytune/scop"

// addPrivate demands the same row of all statements that access a private
// variable, along the loops around its declaration alone. Then instances that
// share an object have the same time, and the schedule tells objects apart as
// soon as it has as many independent rows as there are such loops.
func (h *hyperplanes) addPrivate(private scop.Private) {
	leader := h.of[private.Statements[0]]
	equal := func(s int, a, b int) {
		if a == b {
			return
		}
		row := h.program.newRow()
		row[a], row[b] = 1, -1
		h.program.isZero(h.about("private", s), row)
	}
	for _, s := range private.Statements {
		of := h.of[s]
		equal(s, of.c0, leader.c0)
		for p, unknown := range of.d {
			equal(s, unknown, leader.d[p])
		}
		for k, unknown := range of.c {
			if k < private.Loops {
				equal(s, unknown, leader.c[k])
				continue
			}
			row := h.program.newRow()
			row[unknown] = 1
			h.program.isZero(h.about("private", s), row)
		}
	}
}
