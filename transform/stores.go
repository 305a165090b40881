package transform

import (
	"slices"

	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// Stores says which vector loops store past the caches.
type Stores int

// The ways to store.
const (
	// StoreModel is past the caches where that saves time as far as is known: where a nest writes
	// more than the last cache keeps.
	StoreModel Stores = iota
	// StorePlain is through the caches everywhere.
	StorePlain
	// StoreStream is past the caches wherever loops can be written so.
	StoreStream
)

// storings are the values of the axis "stores", by their numbers.
var storings = []string{"model", "plain", "stream"}

// emitStream has the innermost loop of a band store past the caches, where that is asked for, or
// where the model thinks that it pays.
func (p *planner) emitStream(d *decision) error {
	o, inner := p.options, d.inner
	if o.Stores == StorePlain || o.Marking == MarkNone || o.Vector.Bits == 0 || inner.loop < 0 || !inner.vector || inner.apart || len(d.parts) > 0 ||
		len(d.moves) != 1 || len(d.band.Rows[0]) != 1 || len(d.band.Lanes[inner.loop]) > 0 || p.isParallel(d.band.Loops[inner.loop]) {
		return nil
	}
	m := d.moves[0]
	bytes, ok := command.Streamable(p.graph.Model.Program, m.Statement)
	k := m.PlaceOf(inner.loop)
	if !ok || k < 0 || !m.Steps[0][k].IsNext() {
		return nil
	}
	if o.Stores == StoreModel {
		pays, err := p.streamPays(d, m, k, bytes)
		if !pays || err != nil {
			return err
		}
	}
	p.emit(command.Stream{Loop: d.band.Loops[inner.loop], Lanes: o.Vector.lanesOf(bytes)})
	return nil
}

// streamPays says whether the nest of one statement, whose loop with that place stores elements of
// so many bytes one behind the other, is worth it: it is all of its class, runs as a whole, and in
// the run that is meant its rows are long and its data more than the last cache keeps.
func (p *planner) streamPays(d *decision, m facts.Movement, k int, bytes int64) (bool, error) {
	reads := 0
	for _, steps := range m.Steps[1:] {
		if steps[k].Distance() > 0 {
			reads++
		}
	}
	if d.tiled || len(d.band.Outer[m.Statement]) > 0 || reads > facts.StreamedReads || isReadLater(p.graph, m.Statement) {
		return false, nil
	}
	lengths, err := p.lengthsOfRun(d.band)
	if err != nil || slices.Contains(lengths, facts.Unlimited) {
		return false, err
	}
	return lengths[d.inner.loop]*bytes >= facts.StreamedBytes && facts.Footprint(p.graph, d.moves, lengths) >= facts.StreamedFrom*float64(p.options.LastCache()), nil
}

// isReadLater says whether a statement that stands behind another one in the source reads what that
// writes.
func isReadLater(g *depend.Graph, statement int) bool {
	all := g.Model.Program.Statements
	target := all[statement].Accesses[0].Array
	return slices.ContainsFunc(all[statement+1:], func(s scop.Statement) bool {
		return slices.ContainsFunc(s.Accesses, func(a scop.Access) bool { return !a.Write && a.Array == target })
	})
}
