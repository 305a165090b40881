package transform

import (
	"fmt"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform/hyperplane"
)

// planner builds a recipe.
type planner struct {
	graph   *depend.Graph
	options Options
	driver  driver
	recipe  schedule.Recipe
	// beginning is the number of the recipe's commands up to the classes.
	beginning int
	// explanation says how rows were found so far, purpose what for the next ones
	// are.
	explanation Explanation
	purpose     hyperplane.Purpose
	// space is the space of nests, or nil while nobody has asked it.
	space *space.Levels
	// within is the loop over tiles of statements around the present band, or nil.
	within *command.Blocks
	// inStrips says that the present band is inside of strips, whose team starts the threads.
	inStrips bool
	// oneBand says that nothing is asked for inside of a class's outermost band.
	oneBand bool
}

func (p *planner) emit(c schedule.Command) { p.recipe = append(p.recipe, c) }

// driver plans and decides what is inside of a node, as far as strategies leave that to it.
type driver struct {
	// strategies are all, in the order in which they are asked.
	strategies []Strategy
	// rest plans what loops are left of a node, decide emits the commands that tile, run on threads
	// and vectorise the loops of one, and class plans and decides a class.
	rest   func(p *planner, plan *nodePlan, s setting) error
	decide decider
	class  func(p *planner, plan *nodePlan, inside space.Nest) error
}

// anew is a planner of the same program with nothing in its recipe.
func (p *planner) anew() *planner {
	return &planner{graph: p.graph, options: p.options, driver: p.driver, purpose: p.purpose}
}

// rest plans what loops are left of a node inside of the setting.
func (p *planner) rest(plan *nodePlan, s setting) error { return p.driver.rest(p, plan, s) }

// decide emits, for a node and its parts, the commands that tile its bands, run a loop on several
// threads, and vectorise. parallel says that none is to run on several threads any more, as when one
// outside does already.
func (p *planner) decide(plan *nodePlan, parallel bool) error {
	return p.driver.decide(p, plan, parallel)
}

// planClass emits the commands of one class.
func (p *planner) planClass(plan *nodePlan, inside space.Nest) error {
	return p.driver.class(p, plan, inside)
}

// begin begins a recipe with these classes.
func (p *planner) begin(classes [][]int) {
	p.recipe = command.Beginning(p.graph.Model.Program)
	p.emit(command.Classes{Groups: classes})
	p.beginning = len(p.recipe)
}

// className is the name of the node of a class.
func className(class int) string { return fmt.Sprintf("c%d", class) }
