package report

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl/points"
	"polytune/schedule/profile"
	"polytune/scop"
	"polytune/scop/mark"
	"polytune/transform"
)

// NodeExplanation is about loops that the same statements share, and what runs
// inside them one after the other.
type NodeExplanation struct {
	Statements []string          `json:"statements"`
	Loops      []LoopExplanation `json:"loops"`
	Parts      []NodeExplanation `json:"parts"`
}

// LoopExplanation is about one loop.
type LoopExplanation struct {
	Name string `json:"name"`
	// Trips is the mean number of iterations each time the loop is begun.
	Trips points.Count `json:"trips"`
	// Iterations is their number over all times.
	Iterations points.Count `json:"iterations"`
	// What was done to the loop, and why.
	What []string `json:"what"`
	Why  []string `json:"why"`
	// Obstacles are what keeps the iterations of a loop that is not parallel in order.
	Obstacles []ObstacleExplanation `json:"obstacles"`
	// Tile is the data of one tile, for the innermost loop over tiles of a
	// level; nil for others.
	Tile *TileExplanation `json:"tile,omitempty"`
	// Strides are those of an innermost loop.
	Strides *profile.Strides `json:"strides,omitempty"`
}

// TileExplanation is the data of a tile against the caches.
type TileExplanation struct {
	Bytes points.Count `json:"bytes"`
	// Cache is the level of the innermost cache of which a thread has as much,
	// in bytes Share; 0 for none.
	Cache int   `json:"cache"`
	Share int64 `json:"share"`
}

// surroundings are what is known of the loops outside a loop.
type surroundings struct {
	// threads says that some loop of the class runs on threads, parallel that
	// one outside does, wave that one outside is over wavefronts.
	threads, parallel, wave bool
}

// node explains a node's loops and parts.
func (v *Variant) node(n *profile.Node, outside surroundings) NodeExplanation {
	e := NodeExplanation{Loops: []LoopExplanation{}, Parts: []NodeExplanation{}}
	for _, s := range n.Statements {
		e.Statements = append(e.Statements, v.Program.Statements[s].Spelling())
	}
	for _, l := range n.Loops {
		loop := LoopExplanation{Name: l.Name, Trips: l.Trips, Iterations: l.Iterations, Strides: l.Strides}
		loop.What, loop.Why = v.done(l), v.reasons(l, n, outside)
		loop.Obstacles = v.obstacles(l, outside)
		for _, tile := range n.Tiles {
			if tile.Loop == l.Name {
				loop.Tile = v.tile(tile)
			}
		}
		e.Loops = append(e.Loops, loop)
		outside.parallel = outside.parallel || l.IsParallel() || l.Relay != nil
		outside.wave = outside.wave || len(l.Terms) > 1
	}
	for _, part := range n.Parts {
		e.Parts = append(e.Parts, v.node(part, outside))
	}
	return e
}

// obstacles are those of a loop of which reasons says that it carries dependences; none for others.
func (v *Variant) obstacles(l profile.Loop, outside surroundings) []ObstacleExplanation {
	list := []ObstacleExplanation{}
	if !v.isInOrder(l, outside) {
		return list
	}
	for _, o := range v.Obstacles[plainName(l)] {
		e := v.Source.Obstacle(v.Program, o)
		if v.FreedBy != nil {
			e.FreedBy = append(e.FreedBy, v.FreedBy(o)...)
		}
		list = append(list, e)
	}
	return list
}

// carriesText is the reason of loops that isInOrder is about.
const carriesText = "it carries dependences"

// isInOrder says whether a loop runs its iterations one after the other because it carries dependences.
func (v *Variant) isInOrder(l profile.Loop, outside surroundings) bool {
	facts, known := v.Loops[plainName(l)]
	return !l.IsParallel() && len(l.Terms) <= 1 && known && !facts.Parallel && (l.Level == 0 || !outside.wave)
}

// plainName is the loop's name without that of its tiles.
func plainName(l profile.Loop) string { return strings.TrimRight(l.Name, "t") }

func (v *Variant) tile(t profile.Tile) *TileExplanation {
	e := &TileExplanation{Bytes: t.Bytes}
	caches, _ := v.Machine.DataCaches()
	for _, c := range caches {
		if share := c.Share(v.Machine.TimingCPUs(v.Threads)); t.Bytes.Value <= float64(share) {
			e.Cache, e.Share = c.Level, share
			break
		}
	}
	return e
}

// extentsText is a product of extents.
func extentsText(extents []scop.Row, program *scop.Program) string {
	texts := make([]string, len(extents))
	for k, extent := range extents {
		texts[k] = extent.Text(nil, program.Parameters)
	}
	return strings.Join(texts, " x ")
}

// done says what was done to a loop.
func (v *Variant) done(l profile.Loop) []string {
	what := []string{}
	switch {
	case len(l.Terms) > 1:
		what = append(what, fmt.Sprintf("over wavefronts of %d loops", len(l.Terms)))
	case l.Level > 0:
		what = append(what, fmt.Sprintf("over tiles of %d", l.Terms[0].Size))
	case l.Block:
		what = append(what, fmt.Sprintf("over register blocks of %d", l.Terms[0].Size))
	case l.Unrolled:
		what = append(what, "unrolled in full blocks")
	}
	if missing, is := lacks[mark.Registers](v, l.Name); is {
		what = append(what, missing)
	}
	if l.Relay == nil && l.StartsThreads() {
		what = append(what, v.startText(l))
	}
	if r := l.Relay; r != nil {
		text := fmt.Sprintf("run by %d threads as in a relay from %d iterations of %s on, each with its share of that and of %s", v.Threads, r.From, r.Shared, r.Handed)
		if missing, is := lacks[mark.Relay](v, l.Name); is {
			text = missing
		}
		what = append(what, text)
	}
	if l.IsParallel() {
		threads := fmt.Sprintf("on %d threads", v.Threads)
		switch limit, _ := mark.Of[mark.Threads](l.Marks); {
		case len(limit.Of) > 0:
			threads += fmt.Sprintf(" where %s is %d or more", extentsText(limit.Of, v.Program), limit.From)
		case limit.From > 0:
			threads += fmt.Sprintf(" from %d iterations on", limit.From)
		}
		if mark.Has[mark.Dynamic](l.Marks) {
			threads += ", which get iterations one by one"
		}
		what = append(what, threads)
	}
	if l.Collapsed {
		what = append(what, v.collapsedText(l))
	}
	if l.IsVector() {
		what = append(what, v.lanes(l)...)
	}
	if l.Registers != nil && l.Registers.Ahead {
		what = append(what, "while what the next block keeps is fetched")
	}
	if l.Separate {
		what = append(what, "full tiles apart from partial ones")
	}
	for _, packed := range l.Packs {
		copied, isMissing := v.lacksPack(packed)
		if !isMissing {
			copied = "with a copy of " + packed.Text(v.Program) + " in the order of use"
		}
		if !slices.Contains(what, copied) {
			what = append(what, copied)
		}
	}
	for _, array := range l.Contracts {
		what = append(what, "with elements of "+array+" for one iteration alone")
	}
	for _, array := range l.Copies {
		text := "with a copy of the elements of " + array + " that an iteration touches"
		if missing, is := lacks[mark.Local](v, l.Name); is {
			text = missing
		}
		what = append(what, text)
	}
	for _, array := range l.Layouts {
		text := "with all copies of " + array + " inside side by side"
		if missing, is := lacks[mark.Layout](v, l.Name); is {
			text = missing
		}
		what = append(what, text)
	}
	return what
}

// startText says where threads start.
func (v *Variant) startText(l profile.Loop) string {
	for _, missing := range []func(*Variant, string) (string, bool){lacks[mark.Region], lacks[mark.Team]} {
		if text, is := missing(v, l.Name); is {
			return text
		}
	}
	return "run by all threads, which start here"
}

// lanesText says how a loop runs in SIMD lanes.
func lanesText(l profile.Loop) string {
	if stream, is := mark.Of[mark.Stream](l.Marks); is {
		return fmt.Sprintf("in vectors of %d that are stored past the caches", stream.Lanes)
	}
	if o, is := mark.Of[mark.Overlap](l.Marks); is {
		text := fmt.Sprintf("in vectors of %d that overlap at the ends", o.Lanes)
		if o.Rows > 1 {
			text += fmt.Sprintf(", %d rows beside each other", o.Rows)
		}
		return text
	}
	if mark.Has[mark.Ivdep](l.Marks) {
		return "in SIMD lanes where the compiler thinks that they pay"
	}
	return "in SIMD lanes"
}

// reasons says why the loop is as it is.
func (v *Variant) reasons(l profile.Loop, n *profile.Node, outside surroundings) []string {
	why := []string{}
	facts, known := v.Loops[plainName(l)]
	switch {
	case len(n.Parts) > 0 && n.Parts[0].Phase != nil && l.Name == n.Loops[len(n.Loops)-1].Name:
		why = append(why, "the tiles inside run in phases: those at the same tile first, the update of all that is left last")
	case l.Level > 0 && len(l.Terms) == 1 && len(n.Parts) > 0 && !hasPoints(n, l):
		why = append(why, "the statements use the data of a tile one after the other")
	case l.Level > 0 && len(l.Terms) == 1:
		why = append(why, "its band is permutable; the size is "+v.TileSizes)
	}
	if len(l.Terms) > 1 {
		why = append(why, "all loops of the band carry dependences; inside a wave the others carry none")
		if v.ConcurrentStart {
			why = append(why, "the tiles of a wave start together")
		}
	}
	switch {
	case l.IsParallel():
		why = append(why, whyParallel(l, facts, outside))
	case len(l.Terms) > 1 || !known:
	case v.isInOrder(l, outside):
		why = append(why, carriesText)
	case l.IsVector() || outside.parallel || hasThreads(n, l):
	case !outside.threads && l.Strides == nil:
		why = append(why, "it carries no dependence, but is left to one thread")
	}
	if l.Strides != nil {
		why = append(why, stridesText(l.Strides))
	}
	return why
}

// hasPoints says whether the node has the loop over the points of l's tiles.
func hasPoints(n *profile.Node, l profile.Loop) bool {
	return slices.ContainsFunc(n.Loops, func(o profile.Loop) bool { return o.Name+"t" == l.Name })
}

// hasThreads says whether a loop of the node inside l runs on threads.
func hasThreads(n *profile.Node, l profile.Loop) bool {
	at := slices.IndexFunc(n.Loops, func(o profile.Loop) bool { return o.Name == l.Name })
	return slices.ContainsFunc(n.Loops[at+1:], func(o profile.Loop) bool { return o.IsParallel() })
}

func whyParallel(l profile.Loop, facts transform.LoopFacts, outside surroundings) string {
	switch {
	case len(l.Reductions()) > 0:
		clauses := make([]string, len(l.Reductions()))
		for k, c := range l.Reductions() {
			clauses[k] = c.String()
		}
		return "it carries nothing but " + strings.Join(clauses, ", ")
	case !facts.Parallel && outside.wave:
		return "the waves outside carry what it would"
	}
	return "it carries no dependence"
}

// stridesText says how references move along an innermost loop.
func stridesText(s *profile.Strides) string {
	var parts []string
	for _, kind := range []struct {
		count int
		text  string
	}{{s.Same, "to the same element"}, {s.Next, "to the next"}, {s.Apart, "further apart"}} {
		if kind.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", kind.count, kind.text))
		}
	}
	if len(parts) == 0 {
		return "it moves no reference to an array"
	}
	return "its references are " + strings.Join(parts, ", ")
}
