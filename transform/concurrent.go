package transform

import (
	"maps"

	"polytune/schedule"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// ConcurrentStart says whether tiles in wavefronts start together somewhere in
// a schedule: the waves follow a face of the domain along which no instance
// depends on another. It looks at the schedule and the dependences only, not
// at how the schedule was made.
func ConcurrentStart(g *depend.Graph, tree *schedule.Tree) (found bool, err error) {
	p := &planner{graph: g}
	err = eachBand(p.graph, tree, func(band *facts.Band, loops []*schedule.Loop) error {
		follows, err := p.waveFollowsFace(band, loops)
		found = found || follows
		return err
	})
	return found, err
}

// LoopFacts are what the dependences say about a loop of a schedule, of those
// that no band outside carries.
type LoopFacts struct {
	// Parallel says that none has a distance along the loop: its iterations may
	// run in any order, those of reductions that are free to be reordered with
	// accumulators of their own.
	Parallel bool
	// Forward says that none goes backwards along the loop. Loops of a band that
	// all are forward may be interchanged and tiled.
	Forward bool
}

// FactsOf are the facts about the loops of a schedule, those over tiles left
// aside, by their names. Like ConcurrentStart, it looks at the schedule and the
// dependences only.
func FactsOf(g *depend.Graph, tree *schedule.Tree) (map[string]LoopFacts, error) {
	p := &planner{graph: g}
	about := map[string]LoopFacts{}
	err := eachBand(p.graph, tree, func(band *facts.Band, loops []*schedule.Loop) (err error) {
		for _, loop := range loops {
			if loop.Level > 0 || loop.Mapped != nil {
				continue
			}
			f := LoopFacts{}
			if f.Parallel, err = facts.Coincident(facts.Constraining(band.Active), loop.TilingRows()); err != nil {
				return err
			}
			if f.Forward, err = facts.Forward(facts.Constraining(band.Active), loop.TilingRows()); err != nil {
				return err
			}
			about[loop.Name] = f
		}
		return nil
	})
	return about, err
}

// eachBand visits the bands of a schedule, with their loops, and as plans with
// the rows of the loops around them and the dependences that these do not carry.
func eachBand(g *depend.Graph, tree *schedule.Tree, visit func(*facts.Band, []*schedule.Loop) error) error {
	for _, class := range tree.Classes {
		active := facts.DependencesOf(g, class.Statements)
		if err := eachBandOf(g, class, map[int][][]int64{}, active, visit); err != nil {
			return err
		}
	}
	return nil
}

func eachBandOf(g *depend.Graph, n *schedule.Node, outer map[int][][]int64, active []*depend.Dependence, visit func(*facts.Band, []*schedule.Loop) error) error {
	for k := 0; k < len(n.Loops); {
		end := k + 1
		for end < len(n.Loops) && n.Loops[end].Band == n.Loops[k].Band {
			end++
		}
		band := &facts.Band{Outer: maps.Clone(outer), Active: active}
		for _, loop := range n.Loops[k:end] {
			if loop.Level == 0 && len(loop.Terms) == 1 {
				band.Rows = append(band.Rows, loop.Terms[0].Rows)
			}
		}
		err := visit(band, n.Loops[k:end])
		if err != nil {
			return err
		}
		for _, rows := range band.Rows {
			facts.AppendRows(outer, rows)
		}
		if active, err = facts.Unsatisfied(g, active, band.Rows); err != nil {
			return err
		}
		k = end
	}
	for _, part := range n.Parts {
		if err := eachBandOf(g, part, maps.Clone(outer), facts.Within(active, part.Statements), visit); err != nil {
			return err
		}
	}
	return nil
}

// waveFollowsFace says whether the outermost loop of a band runs over
// wavefronts of tiles that follow the band's face. Blocks without points have none.
func (p *planner) waveFollowsFace(band *facts.Band, loops []*schedule.Loop) (bool, error) {
	wave := loops[0]
	if wave.Level == 0 || len(wave.Terms) < 2 || len(band.Rows) == 0 {
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
