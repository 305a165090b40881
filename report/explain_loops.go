package report

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl/points"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/schedule/profile"
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

// node explains a node's loops and parts: what was done to them by those of the schedule, and why
// they are as they are by those that the code has, coded.
func (v *Variant) node(n, coded *profile.Node, outside surroundings) NodeExplanation {
	e := NodeExplanation{Loops: []LoopExplanation{}, Parts: []NodeExplanation{}}
	for _, s := range n.Statements {
		e.Statements = append(e.Statements, v.Program.Statements[s].Spelling())
	}
	for k, l := range coded.Loops {
		loop := LoopExplanation{Name: l.Name, Trips: l.Trips, Iterations: l.Iterations, Strides: l.Strides}
		loop.What, loop.Why = v.done(n.Loops[k]), v.reasons(l, coded, outside)
		loop.Obstacles = v.obstacles(l, outside)
		for _, tile := range n.Tiles {
			if tile.Loop == l.Name {
				loop.Tile = v.tile(tile)
			}
		}
		e.Loops = append(e.Loops, loop)
		outside.parallel = outside.parallel || l.IsParallel() || command.IsRelay(l.Loop)
		outside.wave = outside.wave || len(l.Terms) > 1
	}
	for k, part := range n.Parts {
		e.Parts = append(e.Parts, v.node(part, coded.Parts[k], outside))
	}
	return e
}

// coded is a node with its loops as the code has them.
func (v *Variant) coded(n *profile.Node) *profile.Node {
	coded := *n
	coded.Loops, coded.Parts = make([]profile.Loop, len(n.Loops)), make([]*profile.Node, len(n.Parts))
	for k, l := range n.Loops {
		l.Loop = v.telling().Coded(l.Loop)
		coded.Loops[k] = l
	}
	for k, part := range n.Parts {
		coded.Parts[k] = v.coded(part)
	}
	return &coded
}

// telling is what phrases about loops need to know.
func (v *Variant) telling() schedule.Telling {
	return schedule.Telling{Program: v.Program, Threads: v.Threads, Declined: v.Declined}
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

// isInOrder says whether a loop runs its iterations one after the other because it carries
// dependences.
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

// done says what was done to a loop.
func (v *Variant) done(l profile.Loop) []string {
	return command.All.Say(l.Loop, v.telling())
}

// phasesText says in which phases tiles run.
func phasesText(phase schedule.Phase) string {
	switch phase.(type) {
	case *schedule.MappedPhase:
		return "the pieces of the schedule inside run one after the other"
	case *schedule.HexagonPhase:
		return "its hexagons run in two phases: those of one phase do not wait for each other"
	}
	return "the tiles inside run in phases: those at the same tile first, the update of all that is left last"
}

// reasons says why the loop is as it is.
func (v *Variant) reasons(l profile.Loop, n *profile.Node, outside surroundings) []string {
	why := []string{}
	facts, known := v.Loops[plainName(l)]
	switch {
	case len(n.Parts) > 0 && n.Parts[0].Phase != nil && l.Name == n.Loops[len(n.Loops)-1].Name:
		why = append(why, phasesText(n.Parts[0].Phase))
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
	case l.IsVector() || l.IsOnDevice() || outside.parallel || hasThreads(n, l):
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
