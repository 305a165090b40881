package transform

import (
	"maps"
	"slices"

	"polytune/schedule"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// alignTwins gives statements of a band that do what one with more loops does at some values of its
// iterators the rows that this one has there, where that is legal too and costs nothing: both are
// in the same tiles then. The hyperplanes of cholesky take S2[i, k] -> [i, k, i], but S0[i, j, k]
// -> [i, j, k] at j = i is [i, i, k].
func (p *planner) alignTwins(band *bandPlan, found map[int][][]int64) (*bandPlan, error) {
	for s := range p.graph.Model.Statements {
		for t := range p.graph.Model.Statements {
			aligned, err := p.aligned(band, s, t, found)
			if err != nil {
				return nil, err
			}
			if aligned != nil {
				band = aligned
			}
		}
	}
	return band, nil
}

// aligned is a band in which statement t has the rows of statement s, or nil.
func (p *planner) aligned(band *bandPlan, s, t int, found map[int][][]int64) (*bandPlan, error) {
	model := p.graph.Model
	_, inside := band.rows[0][s]
	_, both := band.rows[0][t]
	if !inside || !both || len(found[t]) > 0 || model.Statements[s].Depth() <= model.Statements[t].Depth() {
		return nil, nil
	}
	twin, ok := schedule.TwinOf(model, s, t)
	if !ok {
		return nil, nil
	}
	own := &bandPlan{active: band.active, permutable: band.permutable}
	for _, before := range band.rows {
		rows := maps.Clone(before)
		rows[t] = twin.Row(rows[s])
		if err := p.addLoop(own, rows, found); err != nil {
			return nil, err
		}
	}
	if fits, err := p.mayReplace(own, band, t); !fits || err != nil {
		return nil, err
	}
	return own, nil
}

// mayReplace says whether a band in which a statement has other rows is as good as before: these
// determine its iterators, no dependence goes backwards along any loop, none of these carries more,
// and inside all loops the statements have the order of the source.
func (p *planner) mayReplace(own, band *bandPlan, t int) (bool, error) {
	found := map[int][][]int64{}
	for k, rows := range own.rows {
		facts.AppendRows(found, rows)
		if band.coincident[k] && !own.coincident[k] || len(own.reductions[k]) > len(band.reductions[k]) {
			return false, nil
		}
	}
	if !facts.Full(p.graph, t, found) {
		return false, nil
	}
	active := facts.Constraining(own.active)
	for _, d := range active {
		cone, err := d.Cone()
		backwards := func(rows map[int]schedule.Row) bool {
			return !cone.Contains(d.Distance(rows[d.Source], rows[d.Target], 1, 0))
		}
		if err != nil || slices.ContainsFunc(own.rows, backwards) {
			return false, err
		}
	}
	statements := p.graph.Model.Program.Statements
	rest, err := facts.Unsatisfied(p.graph, active, own.rows)
	return err == nil && !slices.ContainsFunc(rest, func(d *depend.Dependence) bool {
		return !statements[d.Source].Before(&statements[d.Target])
	}), err
}
