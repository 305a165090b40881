package transform

import (
	"maps"
	"slices"

	"polytune/schedule"
	"polytune/scop/depend"
)

// ConcurrentStart says whether tiles in wavefronts start together somewhere in
// a schedule: the waves follow a face of the domain along which no instance
// depends on another. It looks at the schedule and the dependences only, not
// at how the schedule was made.
func ConcurrentStart(g *depend.Graph, tree *schedule.Tree) (bool, error) {
	p := &planner{graph: g}
	for _, class := range tree.Classes {
		found, err := p.startsTogether(class, map[int][][]int64{}, depend.Distinct(g.Within(class.Statements)))
		if found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// startsTogether is ConcurrentStart for a node, with the rows of the loops
// around it and the dependences that these do not carry.
func (p *planner) startsTogether(n *schedule.Node, outer map[int][][]int64, active []*depend.Dependence) (bool, error) {
	for k := 0; k < len(n.Loops); {
		end := k + 1
		for end < len(n.Loops) && n.Loops[end].Band == n.Loops[k].Band {
			end++
		}
		band := &bandPlan{outer: maps.Clone(outer), active: active}
		for _, loop := range n.Loops[k:end] {
			if loop.Level == 0 {
				band.rows = append(band.rows, loop.Terms[0].Rows)
			}
		}
		found, err := p.waveFollowsFace(band, n.Loops[k:end])
		if found || err != nil {
			return found, err
		}
		for _, rows := range band.rows {
			for s, row := range rows {
				outer[s] = append(slices.Clip(outer[s]), row.Iterators)
			}
		}
		if active, err = p.unsatisfied(active, band.rows); err != nil {
			return false, err
		}
		k = end
	}
	for _, part := range n.Parts {
		found, err := p.startsTogether(part, maps.Clone(outer), within(active, part.Statements))
		if found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// waveFollowsFace says whether the outermost loop of a band runs over
// wavefronts of tiles that follow the band's face.
func (p *planner) waveFollowsFace(band *bandPlan, loops []*schedule.Loop) (bool, error) {
	wave := loops[0]
	if wave.Level == 0 || len(wave.Terms) < 2 {
		return false, nil
	}
	face, err := p.face(band)
	if face == nil || err != nil {
		return false, err
	}
	var rows []map[int]schedule.Row
	var sizes []int64
	for _, term := range wave.Terms {
		rows, sizes = append(rows, term.Rows), append(sizes, term.Size)
	}
	return along(face, rows, sizes), nil
}
