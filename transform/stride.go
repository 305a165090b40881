package transform

import (
	"polytune/scop"
	"polytune/transform/facts"
)

// movements are those of all statements that the band's loops move.
func (p *planner) movements(band *bandPlan) ([]facts.Movement, error) {
	var list []facts.Movement
	for i := range p.graph.Model.Statements {
		if _, inside := band.rows[0][i]; !inside {
			continue
		}
		m, err := p.movement(band, i)
		if err != nil {
			return nil, err
		}
		if len(m.Loops) > 0 {
			list = append(list, m)
		}
	}
	return list, nil
}

func (p *planner) movement(band *bandPlan, s int) (facts.Movement, error) {
	statement := &p.graph.Model.Statements[s]
	m := facts.Movement{Statement: s, Steps: make([][]facts.Step, len(statement.Accesses))}
	rows := independentRows(band, s, statement.Depth())
	subscripts, err := facts.SubscriptsOf(p.graph.Model, s)
	if err != nil {
		return m, err
	}
	for k := range band.rows {
		place, moves := rows.place[k]
		if !moves {
			continue
		}
		along, ok := facts.Direction(rows.all, place, statement.Depth())
		if !ok {
			along = band.rows[k][s].Iterators
		}
		m.Loops = append(m.Loops, k)
		next, err := facts.AdvanceOf(p.graph.Model, s, along)
		if err != nil {
			return m, err
		}
		for a := range statement.Accesses {
			st := facts.AffineStep(subscripts[a], next.Step, next.Moves)
			if subscripts[a] == nil {
				if st, err = facts.StepOf(p.graph.Model, s, a, next.Step); err != nil {
					return m, err
				}
			}
			m.Steps[a] = append(m.Steps[a], st)
		}
	}
	return m, nil
}

// rowSet is a set of linearly independent rows of a statement, and where
// among them the rows of a band's loops are.
type rowSet struct {
	all   [][]int64
	place map[int]int
}

// independentRows are the rows of the loops around the band and in it, without
// those that depend on earlier ones.
func independentRows(band *bandPlan, s, depth int) rowSet {
	set := rowSet{place: map[int]int{}}
	add := func(row []int64) bool {
		longer := append(set.all[:len(set.all):len(set.all)], row)
		if scop.Rank(longer, depth) < len(longer) {
			return false
		}
		set.all = longer
		return true
	}
	for _, row := range band.outer[s] {
		add(row)
	}
	for k := range band.rows {
		if add(band.rows[k][s].Iterators) {
			set.place[k] = len(set.all) - 1
		}
	}
	return set
}
