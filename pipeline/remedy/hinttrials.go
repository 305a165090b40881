package remedy

import (
	"context"
	"slices"
	"strings"
	"time"

	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/report"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform"
)

// trialLimit bounds the time for each change that is tried for a hint.
const trialLimit = 15 * time.Second

// trial is a change that has been tried, and how the models run the statements then, by their
// places in the source.
type trial struct {
	remedy  report.Remedy
	program *scop.Program
	freedom map[linePlace]transform.Freedom
}

// linePlace is the place of a statement in the source, which changes of the program leave as it is.
type linePlace struct{ line, column int }

func placeOf(s *scop.Statement) linePlace { return linePlace{s.Line, s.Column} }

// try tries what could free held statements: each change by itself, and with sums in any order
// where none alone does.
func (h *Hinter) try(ctx context.Context, all []held) error {
	control := h.tried(ctx, change{apply: func(*pipeline.Target, bool) (bool, error) { return true, nil }}, false)
	if len(control) > 0 {
		h.control = control[0].freedom
	}
	changes := h.changes(all)
	for _, c := range changes {
		h.trials = append(h.trials, h.tried(ctx, c, false)...)
	}
	helps := slices.ContainsFunc(all, func(what held) bool {
		return slices.ContainsFunc(h.trials, func(t trial) bool { return h.gains(t, what) != "" })
	})
	if helps || !h.mayReassociate(all) {
		return ctx.Err()
	}
	for _, c := range changes {
		if c.remedy.Flags != reassociateName {
			h.trials = append(h.trials, h.tried(ctx, c, true)...)
		}
	}
	return ctx.Err()
}

const reassociateName = "--reassociate"

// mayReassociate says whether updates that keep their order are in the way.
func (h *Hinter) mayReassociate(all []held) bool {
	return !h.target.Whole.Reassociate && slices.ContainsFunc(all, func(what held) bool {
		return slices.ContainsFunc(what.obstacles, func(o transform.Obstacle) bool { return o.Updates })
	})
}

// tried transforms the target with a change, and says how its statements run then. There is none
// where that changes nothing, takes isl too long, or fails, which is no remedy.
func (h *Hinter) tried(ctx context.Context, c change, reassociate bool) []trial {
	limited, end := context.WithTimeout(ctx, trialLimit)
	defer end()
	at := *h.target
	if changed, err := c.apply(&at, reassociate || at.Whole.Reassociate); err != nil || !changed {
		return nil
	}
	tree, err := modelled(limited, &at, h.options)
	if err != nil {
		return nil
	}
	t := trial{remedy: c.remedy, program: tree.Program, freedom: map[linePlace]transform.Freedom{}}
	if reassociate {
		t.remedy = t.remedy.With(reassociateName, reassociatePrice(at.Written))
	}
	for s, f := range transform.FreedomOf(tree) {
		place := placeOf(&tree.Program.Statements[s])
		t.freedom[place] = t.freedom[place].With(f)
	}
	return []trial{t}
}

// modelled is the schedule that the models make of the target.
func modelled(ctx context.Context, t *pipeline.Target, options transform.Options) (tree *schedule.Tree, err error) {
	nests, err := t.Choose(ctx, variant.DecidingPartition, 1)
	if err != nil {
		return nil, err
	}
	if err = t.Complete(&options); err != nil {
		return nil, err
	}
	err = t.WithGraph(ctx, func(g *depend.Graph) error {
		recipe, err := transform.TransformNest(g, nests[0], options)
		if err != nil {
			return err
		}
		tree, err = recipe.Replay(g.Model.Program)
		return err
	})
	return tree, err
}

// change is something that could free a loop. apply makes it, and says whether that changes
// anything.
type change struct {
	remedy report.Remedy
	apply  func(at *pipeline.Target, reassociate bool) (bool, error)
}

// reassociatePrice is what another order of updates may change, by the types and operators of the
// program's reductions.
func reassociatePrice(p *scop.Program) string {
	price := "partial sums of signed integers may overflow that did not"
	for _, clause := range p.Reductions() {
		isReal := isFloating(p.Array(clause.Array).Type)
		isSum := clause.Operator == scop.Sum || clause.Operator == scop.Product
		switch {
		case isReal && isSum:
			return "floating-point numbers are rounded differently"
		case isReal:
			price = "NaN and zeros of both signs may come out otherwise"
		}
	}
	return price
}

// isFloating says whether a type of C is one of real floating-point numbers.
func isFloating(typeName string) bool {
	return strings.Contains(typeName, "double") || strings.Contains(typeName, "float")
}

// changes are those that could take obstacles away.
func (h *Hinter) changes(all []held) (list []change) {
	t := h.target
	if h.mayReassociate(all) {
		list = append(list, change{report.Remedy{Flags: reassociateName, Price: reassociatePrice(t.Written)}, func(at *pipeline.Target, _ bool) (bool, error) {
			return true, at.Change(at.Whole.Room, true)
		}})
	}
	if !t.Privatize {
		list = append(list, change{report.Remedy{Flags: "--privatize"}, func(at *pipeline.Target, reassociate bool) (bool, error) {
			at.Privatize = true
			err := at.Change(at.Whole.Room, reassociate)
			return len(at.Whole.Privates()) > len(t.Whole.Privates()), err
		}})
	}
	if t.Whole.Room.Bytes == 0 {
		list = append(list, change{report.Remedy{Flags: "--expand", Price: "temporaries take memory for all iterations"}, func(at *pipeline.Target, reassociate bool) (bool, error) {
			err := at.Change(scop.Room{Bytes: variant.ModelMemory}, reassociate)
			return err == nil && len(at.Whole.Expansions) > 0 && !at.NeedsMoreMemory(), err
		}})
	}
	return append(list, h.declarations(all)...)
}

// declarations are changes of the source that give iterations variables of their own, in the place
// of some whose values something outside of the region could need.
func (h *Hinter) declarations(all []held) (list []change) {
	for _, what := range all {
		for _, o := range what.obstacles {
			array := h.target.Written.Array(o.Array)
			if array == nil || array.Temporary || array.Local || o.Depth == 0 || o.Values || o.Before {
				continue
			}
			loop := h.tree.Program.Statements[o.Target.Statement].Loops[o.Depth-1].Iterator
			text := "declare " + array.Spelling() + " inside the loop over " + loop + ", if nothing needs its values behind the region"
			if slices.ContainsFunc(list, func(c change) bool { return c.remedy.Change == text }) {
				continue
			}
			list = append(list, change{report.Remedy{Change: text}, func(at *pipeline.Target, reassociate bool) (bool, error) {
				written := *at.Written
				written.Arrays = slices.Clone(written.Arrays)
				written.Array(array.Name).Temporary = true
				at.Written, at.Privatize = &written, true
				err := at.Change(at.Whole.Room, reassociate)
				return err == nil && len(at.Whole.Privates()) > len(h.target.Whole.Privates()), err
			}})
		}
	}
	return list
}
