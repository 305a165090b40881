package transform

import (
	"slices"

	"polytune/schedule"
)

// devicePlan are the loops of some statements before they are mapped, bands from the outside, with
// what runs one after the other inside.
type devicePlan struct {
	name       string
	statements []int
	bands      []deviceBand
	parts      []*devicePlan
	// depth is the number of loops around, and host are the rows of those that the host runs.
	depth int
	host  []map[int]schedule.Row
}

// deviceBand is a band of loops, by their rows.
type deviceBand struct {
	rows       []map[int]schedule.Row
	permutable bool
}

// planOf is the plan of a node of a tree without tiles.
func planOf(n *schedule.Node) *devicePlan {
	plan := &devicePlan{name: n.Name, statements: n.Statements}
	last := -1
	for _, l := range n.Loops {
		if l.Level > 0 || len(l.Terms) != 1 {
			continue
		}
		if l.Band != last {
			plan.bands, last = append(plan.bands, deviceBand{permutable: l.Permutable}), l.Band
		}
		band := &plan.bands[len(plan.bands)-1]
		band.rows = append(band.rows, l.Terms[0].Rows)
	}
	for _, part := range n.Parts {
		plan.parts = append(plan.parts, planOf(part))
	}
	return plan
}

// of is the plan for some of its statements.
func (n *devicePlan) of(statements []int) *devicePlan {
	made := &devicePlan{name: n.name, statements: statements, depth: n.depth, host: n.host}
	for _, band := range n.bands {
		restricted := deviceBand{permutable: band.permutable}
		for _, rows := range band.rows {
			restricted.rows = append(restricted.rows, rowsOf(rows, statements))
		}
		made.bands = append(made.bands, restricted)
	}
	for _, part := range n.parts {
		inside := slices.DeleteFunc(slices.Clone(part.statements), func(s int) bool { return !slices.Contains(statements, s) })
		if len(inside) > 0 {
			made.parts = append(made.parts, part.of(inside))
		}
	}
	if len(made.parts) == 1 {
		made.bands, made.parts = append(made.bands, made.parts[0].bands...), made.parts[0].parts
	}
	return made
}

// rowsOf are the rows of some statements.
func rowsOf(rows map[int]schedule.Row, statements []int) map[int]schedule.Row {
	made := map[int]schedule.Row{}
	for _, s := range statements {
		made[s] = rows[s]
	}
	return made
}

// each are plans of groups of a plan's statements.
func (n *devicePlan) each(groups [][]int) (plans []*devicePlan) {
	for _, group := range groups {
		plans = append(plans, n.of(group))
	}
	return plans
}
