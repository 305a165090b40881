package command

import (
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/scop"
)

// Distributes says whether some command of the recipe is Distribute.
func Distributes(r schedule.Recipe) bool {
	return slices.ContainsFunc(r, func(c schedule.Command) bool { _, is := c.(Distribute); return is })
}

// ReplayTogether is Replay without Distribute and Phases: the tree whose bands have all their
// hyperplanes, once. A loop is a vector loop there where some part's is, and has the register
// blocks of the first phase; how the vectors of a part are written is left out. Recipes that do
// more with the loops of parts are replayed as they are.
func ReplayTogether(r schedule.Recipe, p *scop.Program) (*schedule.Tree, error) {
	var together schedule.Recipe
	var distributed []Distribute
	for _, c := range withoutPhases(r, p) {
		switch c := c.(type) {
		case Distribute:
			distributed = append(distributed, c)
		case Vectorize:
			if shared := sourceOf(distributed, c.Loop); shared != "" {
				c.Loop = shared
			}
			together = append(together, c)
		case Overlap:
			if sourceOf(distributed, c.Loop) == "" {
				together = append(together, c)
			}
		default:
			together = append(together, c)
		}
	}
	if t, err := together.Replay(p); err == nil {
		return t, nil
	}
	return r.Replay(p)
}

// sourceOf is the loop that parts had together in the place of one that some of the commands give
// them; "" for others.
func sourceOf(distributed []Distribute, loop string) string {
	for _, d := range distributed {
		if shared := d.source(loop); shared != "" {
			return shared
		}
	}
	return ""
}

// withoutPhases is a recipe without Phases and what is said of phases' loops, or of copies that
// these have: all have the register blocks of the first.
func withoutPhases(r schedule.Recipe, p *scop.Program) schedule.Recipe {
	var whole schedule.Recipe
	var phased []string
	for _, c := range r {
		if phases, is := c.(Phases); is {
			phased = append(phased, " "+phases.In(0, ""))
			continue
		}
		if _, isLayout := c.(Layout); isLayout && len(phased) > 0 {
			continue
		}
		at := slices.IndexFunc(phased, func(first string) bool {
			return strings.Contains(schedule.Text(c, p), strings.TrimSuffix(first, "0"))
		})
		if at < 0 {
			whole = append(whole, c)
			continue
		}
		if registers, is := c.(Registers); is && strings.Contains(schedule.Text(c, p), phased[at]+".") {
			first := strings.TrimSpace(phased[at])
			registers.Loops = slices.Clone(registers.Loops)
			for k, loop := range registers.Loops {
				registers.Loops[k] = strings.TrimSuffix(first, phaseMark+"0") + strings.TrimPrefix(loop, first)
			}
			whole = append(whole, registers)
		}
	}
	return whole
}
