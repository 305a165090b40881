package depend

import "polytune/scop/mark"

// ProvesInPhases says whether the proof for tiles in phases, and it alone, finds a schedule legal.
func (g *Graph) ProvesInPhases(marked mark.Schedule, hull bool) bool {
	return g.runsInPhases(marked) && g.checkInPhases(marked, hull)
}
