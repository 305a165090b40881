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
func alignTwins(g *depend.Graph, o *Options, band *facts.Band, found map[int][][]int64) (*facts.Band, error) {
	for s := range g.Model.Statements {
		for t := range g.Model.Statements {
			aligned, err := aligned(g, o, band, s, t, found)
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
func aligned(g *depend.Graph, o *Options, band *facts.Band, s, t int, found map[int][][]int64) (*facts.Band, error) {
	model := g.Model
	_, inside := band.Rows[0][s]
	_, both := band.Rows[0][t]
	if !inside || !both || len(found[t]) > 0 || model.Statements[s].Depth() <= model.Statements[t].Depth() {
		return nil, nil
	}
	twin, ok := schedule.TwinOf(model, s, t)
	if !ok {
		return nil, nil
	}
	own := &facts.Band{Active: band.Active, Permutable: band.Permutable}
	for _, before := range band.Rows {
		rows := maps.Clone(before)
		rows[t] = twin.Row(rows[s])
		if err := addLoop(g, o, own, rows, found); err != nil {
			return nil, err
		}
	}
	if fits, err := mayReplace(g, own, band, t); !fits || err != nil {
		return nil, err
	}
	return own, nil
}

// mayReplace says whether a band in which a statement has other rows is as good as before: these
// determine its iterators, no dependence goes backwards along any loop, none of these carries more,
// and inside all loops the statements have the order of the source.
func mayReplace(g *depend.Graph, own, band *facts.Band, t int) (bool, error) {
	found := map[int][][]int64{}
	for k, rows := range own.Rows {
		facts.AppendRows(found, rows)
		if band.Coincident[k] && !own.Coincident[k] || len(own.Reductions[k]) > len(band.Reductions[k]) {
			return false, nil
		}
	}
	if !facts.Full(g, t, found) {
		return false, nil
	}
	active := facts.Constraining(own.Active)
	for _, d := range active {
		cone, err := d.Cone()
		backwards := func(rows map[int]schedule.Row) bool {
			return !cone.Contains(d.Distance(rows[d.Source], rows[d.Target], 1, 0))
		}
		if err != nil || slices.ContainsFunc(own.Rows, backwards) {
			return false, err
		}
	}
	statements := g.Model.Program.Statements
	rest, err := facts.Unsatisfied(g, active, own.Rows)
	return err == nil && !slices.ContainsFunc(rest, func(d *depend.Dependence) bool {
		return !statements[d.Source].Before(&statements[d.Target])
	}), err
}
