package remedy

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"polytune/isl"
	"polytune/pipeline"
	"polytune/report"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform"
)

// Hinter finds what is in the way of a variant of a target, and tries what could free it.
type Hinter struct {
	target  *pipeline.Target
	options transform.Options
	tree    *schedule.Tree
	// Obstacles are those of the variant's loops, by name.
	Obstacles map[string][]transform.Obstacle
	freedom   map[int]transform.Freedom
	GaveUp    bool
	// control is what the models make without any change: what that gives is no gain of one.
	control map[linePlace]transform.Freedom
	trials  []trial
	Hints   []report.Hint
}

// held are statements of a class that do not run on threads, or in waves of them alone, or not in
// lanes, because of obstacles.
type held struct {
	statements []int
	gain       string
	obstacles  []transform.Obstacle
	depth      int
}

// NewHinter looks at a variant. options are those of the models for what is tried. Where isl needs
// too long for the obstacles, there are none, and GaveUp says so.
func NewHinter(ctx context.Context, t *pipeline.Target, recipe schedule.Recipe, options transform.Options) (*Hinter, error) {
	tree, err := recipe.Replay(t.Unit.Program)
	if err != nil {
		return nil, err
	}
	h := &Hinter{target: t, options: options, tree: tree, freedom: transform.FreedomOf(tree), Hints: []report.Hint{}}
	err = t.WithGraph(ctx, func(g *depend.Graph) (err error) {
		if h.Obstacles, err = transform.ObstaclesOf(g, h.tree); err != nil || !command.Distributes(recipe) {
			return err
		}
		together, err := command.ReplayTogether(recipe, g.Model.Program)
		if err != nil {
			return err
		}
		more, err := transform.ObstaclesOf(g, together)
		maps.Copy(h.Obstacles, more)
		return err
	})
	if isl.IsLimit(err) {
		h.Obstacles, h.GaveUp, err = nil, true, nil
	}
	return h, err
}

// References say where those of the target stand.
func References(t *pipeline.Target) report.CSource {
	source := report.CSource{File: cmp.Or(t.Path, t.File.Path), ReferenceAt: t.File.ReferenceAt}
	if t.Algorithm != nil {
		source.ReferenceAt = nil
	}
	return source
}

// Find finds the hints: those about the deepest statements first, or about these alone.
func (h *Hinter) Find(ctx context.Context, deepestAlone bool) error {
	all := h.held()
	if deepestAlone {
		deepest := h.tree.Program.Deepest()
		all = slices.DeleteFunc(all, func(what held) bool { return what.depth < deepest })
	}
	if len(all) == 0 {
		return nil
	}
	if err := h.try(ctx, all); err != nil {
		return err
	}
	all = slices.DeleteFunc(all, h.isGiven)
	slices.SortStableFunc(all, func(a, b held) int { return cmp.Compare(b.depth, a.depth) })
	for _, what := range all {
		hint := h.hint(what)
		if what.gain != report.GainThreads && len(hint.Remedies) == 0 {
			continue
		}
		if !slices.ContainsFunc(h.Hints, func(other report.Hint) bool { return other.String() == hint.String() }) {
			h.Hints = append(h.Hints, hint)
		}
	}
	return nil
}

// held are the classes without threads, and the innermost statements of others without lanes, that
// have obstacles.
func (h *Hinter) held() (all []held) {
	program := h.tree.Program
	for _, n := range h.tree.Classes {
		threaded := slices.ContainsFunc(n.Statements, func(s int) bool { return h.freedom[s].Threads })
		if obstacles := h.outermost(n); !threaded && len(obstacles) > 0 {
			all = append(all, held{n.Statements, report.GainThreads, obstacles, deepestOf(program, n.Statements)})
			continue
		}
		if obstacles := h.outermost(n); isWave(n) && len(obstacles) > 0 {
			all = append(all, held{n.Statements, report.GainOutermost, obstacles, deepestOf(program, n.Statements)})
		}
		h.eachInnermost(n, func(n *schedule.Node, obstacles []transform.Obstacle) {
			lanes := slices.ContainsFunc(n.Statements, func(s int) bool { return h.freedom[s].Lanes })
			if threaded && !lanes && len(obstacles) > 0 {
				all = append(all, held{n.Statements, report.GainVectors, obstacles, deepestOf(program, n.Statements)})
			}
		})
	}
	return all
}

// isWave says whether the outermost loop of a class is over wavefronts, in each of which threads
// wait for each other.
func isWave(n *schedule.Node) bool { return len(n.Loops) > 0 && len(n.Loops[0].Terms) > 1 }

// deepestOf is the largest number of loops around one of the statements.
func deepestOf(p *scop.Program, statements []int) (depth int) {
	for _, s := range statements {
		depth = max(depth, p.Statements[s].Depth())
	}
	return depth
}

// outermost are the obstacles of the outermost loops of a node, or of its parts, that have some.
func (h *Hinter) outermost(n *schedule.Node) (list []transform.Obstacle) {
	for _, l := range n.Loops {
		if obstacles := h.Obstacles[l.Name]; l.Level == 0 && len(obstacles) > 0 {
			return obstacles
		}
	}
	for _, part := range n.Parts {
		list = append(list, h.outermost(part)...)
	}
	return list
}

// eachInnermost visits the nodes with innermost loops, and the obstacles of these.
func (h *Hinter) eachInnermost(n *schedule.Node, visit func(*schedule.Node, []transform.Obstacle)) {
	deeper := false
	for _, part := range n.Parts {
		h.eachInnermost(part, visit)
		deeper = deeper || len(part.Loops) > 0
	}
	if last := len(n.Loops) - 1; last >= 0 && !deeper {
		visit(n, h.Obstacles[n.Loops[last].Name])
	}
}

// gains is what a trial gives one of the deepest statements that it is held from; "" for nothing.
// Statements without threads and lanes may as well get lanes alone.
func (h *Hinter) gains(t trial, what held) string {
	gain := ""
	for _, s := range what.statements {
		statement := &h.tree.Program.Statements[s]
		if statement.Depth() < what.depth {
			continue
		}
		f, without := t.freedom[placeOf(statement)], h.control[placeOf(statement)]
		switch {
		case has(f, what.gain) && !has(without, what.gain):
			return what.gain
		case what.gain == report.GainThreads && f.Lanes && !without.Lanes && !h.freedom[s].Lanes:
			gain = report.GainVectors
		}
	}
	return gain
}

// has says whether a gain is part of a freedom.
func has(f transform.Freedom, gain string) bool {
	switch gain {
	case report.GainThreads:
		return f.Threads
	case report.GainOutermost:
		return f.Outermost
	}
	return f.Lanes
}

// isGiven says whether the models give held statements without any change what they are held from:
// then nothing is in the way.
func (h *Hinter) isGiven(what held) bool {
	return slices.ContainsFunc(what.statements, func(s int) bool {
		statement := &h.tree.Program.Statements[s]
		return statement.Depth() == what.depth && has(h.control[placeOf(statement)], what.gain)
	})
}

// frees says whether a trial takes an obstacle away: what is updated may be so in any order, or
// other memory has taken the place of the array.
func (h *Hinter) frees(t trial, o transform.Obstacle) bool {
	if t.program.Reassociate && o.Updates {
		return true
	}
	place := placeOf(&h.tree.Program.Statements[o.Target.Statement])
	for k := range t.program.Statements {
		s := &t.program.Statements[k]
		same := placeOf(s) == place && !t.program.BringsBack(k) && o.Target.Access < len(s.Accesses)
		if same && s.Accesses[o.Target.Access].Array == o.Array {
			return false
		}
	}
	return true
}

// FreedBy are the flags that take an obstacle away and let its statement run in parallel.
func (h *Hinter) FreedBy(o transform.Obstacle) (flags []string) {
	for _, t := range h.trials {
		if t.remedy.Flags == "" || !h.frees(t, o) {
			continue
		}
		for _, what := range h.held() {
			if slices.Contains(what.statements, o.Target.Statement) && h.gains(t, what) != "" && !slices.Contains(flags, t.remedy.Flags) {
				flags = append(flags, t.remedy.Flags)
			}
		}
	}
	return flags
}

// hint is that of held statements: with the obstacle that the first remedy takes away, or the first
// that needs values.
func (h *Hinter) hint(what held) report.Hint {
	hint := report.Hint{Remedies: []report.Remedy{}, Others: []report.ObstacleExplanation{}}
	main, needed := 0, func(o transform.Obstacle) bool { return o.Values && !o.Updates }
	if k := slices.IndexFunc(what.obstacles, needed); k >= 0 {
		main = k
	}
	for _, t := range h.trials {
		gain := h.gains(t, what)
		if gain == "" {
			continue
		}
		if k := slices.IndexFunc(what.obstacles, func(o transform.Obstacle) bool { return h.frees(t, o) }); k >= 0 && len(hint.Remedies) == 0 {
			main = k
		}
		remedy := t.remedy
		remedy.Gain = gain
		hint.Remedies = append(hint.Remedies, remedy)
	}
	source := References(h.target)
	for k, o := range what.obstacles {
		e := source.Obstacle(h.tree.Program, o)
		e.FreedBy = append(e.FreedBy, h.FreedBy(o)...)
		if k == main {
			hint.Obstacle = e
		} else {
			hint.Others = append(hint.Others, e)
		}
	}
	return hint
}
