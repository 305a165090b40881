package device

import (
	"slices"

	"polytune/isl"
	"polytune/loopir"
	"polytune/schedule"
	"polytune/scop/mark"
)

// fieldRead is an access of a statement, in a step, to values of a field.
type fieldRead struct {
	mark.StreamRead
	statement int
	step      int64
}

// from is the step behind which the array has the values that are read; before the first step of
// the tile where they are there before its launch.
func (r fieldRead) from() int64 { return r.step - r.Back }

// fieldFor is the field of the values that are read, which is made for the first one that reads
// them.
func (w *streamer) fieldFor(tile *loopir.Streamed, r fieldRead) *loopir.StreamField {
	step := tile.Steps[max(r.from()+1, 0)]
	k := slices.IndexFunc(step.Fields, func(f *loopir.StreamField) bool {
		return w.numberOf(f) == w.said.FieldOf(r.Array) && w.reads[f][0].from() == r.from()
	})
	if k < 0 {
		k = len(step.Fields)
		step.Fields = append(step.Fields, &loopir.StreamField{Step: int(max(r.from()+1, 0)), Number: k})
	}
	w.reads[step.Fields[k]] = append(w.reads[step.Fields[k]], r)
	return step.Fields[k]
}

// numberOf is the number of a field among all of a tile's arrays.
func (w *streamer) numberOf(f *loopir.StreamField) int { return w.said.FieldOf(w.reads[f][0].Array) }

// knownAt is the number of the step in front of which a field's values are known.
func (w *streamer) knownAt(f *loopir.StreamField) int64 { return w.reads[f][0].from() + 1 }

// numberBeside is the number of the column that is read among those beside a thread's own, -1 for
// its own one.
func (w *streamer) numberBeside(f *loopir.StreamField, r mark.StreamRead) int {
	beside := w.beside(r.Distance)
	if !slices.ContainsFunc(beside, func(d int64) bool { return d != 0 }) {
		return -1
	}
	k := slices.IndexFunc(f.Beside, func(d []int64) bool { return slices.Equal(d, beside) })
	if k < 0 {
		k, f.Beside = len(f.Beside), append(f.Beside, beside)
	}
	return k
}

// fill gives fields their loads, and values to those that keep what steps compute.
func (w *streamer) fill(tile *loopir.Streamed) error {
	for _, step := range tile.Steps {
		for _, f := range step.Fields {
			w.place(f)
			if err := w.loadsOf(f, step); err != nil {
				return err
			}
			if from := w.knownAt(f) - 1; from >= 0 {
				for _, s := range tile.Steps[from].Body {
					run := s.(*loopir.StreamRun)
					if w.said.FieldOf(w.writtenBy(run.Body[0].(*loopir.Run).Statement.Index)) == w.numberOf(f) {
						run.Keeps = f
					}
				}
			}
		}
	}
	return nil
}

// place finds how far ahead the planes are that are loaded, and that threads give each other: the
// ones farthest ahead that are read. What a step of the tile writes is loaded where that one is.
func (w *streamer) place(f *loopir.StreamField) {
	isFirst := true
	for k, r := range w.reads[f] {
		ahead := r.Distance[w.said.Place] - (r.step-int64(f.Step))*w.said.Lag
		if f.Newest = max(f.Newest, ahead); k == 0 {
			f.Newest = ahead
		}
		if slices.ContainsFunc(w.beside(r.Distance), func(d int64) bool { return d != 0 }) && (isFirst || ahead > f.Shared) {
			f.Shared, isFirst = ahead, false
		}
	}
	if w.knownAt(f) >= 0 {
		f.Newest = w.said.Lag
	}
}

// loadsOf has a field load what is read of it and no step of the tile has computed. Of a statement
// with an iterator for each loop all accesses that ask for a place name its element; of one in fewer
// loops each names its own.
func (w *streamer) loadsOf(f *loopir.StreamField, step *loopir.StreamStep) error {
	plane, known := w.planeOf(step.Lag-f.Newest), w.writtenAt(f)
	for _, group := range w.groupsOf(f) {
		r := group[0]
		from, err := w.instanceAt(r.statement, r.step, plane, r.Distance)
		if err != nil {
			return err
		}
		var asked *isl.Set
		for _, r := range group {
			own := w.instances(r.statement, r.step, schedule.Computed, r.Distance)
			if asked == nil {
				asked = own
			} else {
				asked = asked.Union(own)
			}
		}
		for _, other := range known {
			asked = asked.Subtract(other)
		}
		if when := w.condition(asked, plane); !when.IsInt(0) {
			f.Loads = append(f.Loads, loopir.StreamLoad{If: when, Run: from, Access: r.Access})
		}
		known = append(known, asked)
	}
	return nil
}

// groupsOf are the reads of a field that are loaded by one of them.
func (w *streamer) groupsOf(f *loopir.StreamField) (groups [][]fieldRead) {
	for _, r := range w.reads[f] {
		k := slices.IndexFunc(groups, func(g []fieldRead) bool { return g[0].statement == r.statement && g[0].step == r.step })
		if k < 0 || w.env.Model().Statements[r.statement].Depth() <= len(w.of.Space) {
			groups = append(groups, []fieldRead{r})
		} else {
			groups[k] = append(groups[k], r)
		}
	}
	return groups
}

// writtenAt are the places of a field where a step of a tile writes it.
func (w *streamer) writtenAt(f *loopir.StreamField) (places []*isl.Set) {
	if from := w.knownAt(f) - 1; from >= 0 {
		for _, s := range w.statements {
			if w.said.FieldOf(w.writtenBy(s)) == w.numberOf(f) {
				places = append(places, w.instances(s, from, schedule.AllTiles, nil))
			}
		}
	}
	return places
}
