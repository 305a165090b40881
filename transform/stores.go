package transform

import (
	"slices"

	"polytune/schedule/command"
	"polytune/scop"
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

// What the model asks of a loop whose stores pass by the caches.
//
// Measured on an AMD EPYC (Zen 3: 32 MiB), gcc 12, one thread, processor time, least of 12: the
// mean of two matrices of floats, 130 to 350 MB in all. Rows of 216 floats take 2.0 times as long
// as with plain stores, of 540 and 1080 as long and 0.89, of 1600, 2160 and 4320 0.82, 0.83 and
// 0.78: the ends of a row are parts of lines, and behind each row is a fence. A matrix of 6400 x
// 6400 doubles is set to zero in 0.45 of the time and scaled in 0.78; a stencil that reads five
// elements of another one takes 1.07, and in place 1.44.
const (
	// streamedBytes is the least length of a row.
	streamedBytes = 4096
	// streamedReads is the most references to elements that a statement reads along the row.
	streamedReads = 2
	// streamedFrom is how many times as large as the last cache the data of a nest are at least.
	streamedFrom = 2
)

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
	if d.tiled || len(d.band.Outer[m.Statement]) > 0 || reads > streamedReads || p.isReadLater(m.Statement) {
		return false, nil
	}
	lengths, err := p.lengthsOfRun(d.band)
	if err != nil || slices.Contains(lengths, facts.Unlimited) {
		return false, err
	}
	return lengths[d.inner.loop]*bytes >= streamedBytes && facts.Footprint(p.graph, d.moves, lengths) >= streamedFrom*float64(p.options.LastCache()), nil
}

// isReadLater says whether a statement that stands behind another one in the source reads what that
// writes.
func (p *planner) isReadLater(statement int) bool {
	all := p.graph.Model.Program.Statements
	target := all[statement].Accesses[0].Array
	return slices.ContainsFunc(all[statement+1:], func(s scop.Statement) bool {
		return slices.ContainsFunc(s.Accesses, func(a scop.Access) bool { return !a.Write && a.Array == target })
	})
}
