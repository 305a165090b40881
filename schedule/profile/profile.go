// Package profile finds what a schedule does at given values of the
// parameters: how often its loops run, how many operations its classes do, how
// many elements they touch, and how much data a tile has. It looks at the
// schedule tree and the program only, whatever made the schedule.
//
// # Where to find what
//
//   - how often a loop runs: profile.go, loops.go; how much data a tile touches: data.go;
//     operations: scop/expr.go; how points are counted: isl/points/
package profile

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/isl/points"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/mark"
)

// Profile is what a schedule does.
type Profile struct {
	// Classes are those of the schedule tree, in their order.
	Classes []*Class
	// Memories are those that the code makes for arrays that are none of the source's.
	Memories []Memory
}

// Class is what the statements of one class do.
type Class struct {
	// Statements are indices into the program's statements.
	Statements []int
	// Instances is how often they run together.
	Instances points.Count
	// Floating and Integer are numbers of operations + - * / of the
	// statements' expressions: of those that compute an element of
	// floating-point type, and of the others. A product of an element with scalars
	// in front of another factor, as alpha * A[i][k], counts once for each element:
	// it can be computed where the element is copied or held.
	Floating, Integer points.Count
	// ElementBytes is the size of the elements that most of the floating-point
	// operations compute; 0 where there are none.
	ElementBytes int
	// Arrays are those that the class touches, in the order of the program.
	Arrays []Array
	Node   *Node
}

// Array is how many elements of an array a class touches.
type Array struct {
	Name string
	// ElementBytes is the size of one.
	ElementBytes int
	// Elements are different ones, Loaded those of them whose values the class
	// reads from outside, and Stored those it writes.
	Elements, Loaded, Stored points.Count
}

// Node is a node of the schedule tree.
type Node struct {
	Name       string
	Statements []int
	Loops      []Loop
	// Tiles are those of the node's loops, the largest first.
	Tiles []Tile
	Parts []*Node
	// Phase says which instances of the statements run here, nil for all.
	Phase schedule.Phase
}

// Loop is a loop of a node.
type Loop struct {
	*schedule.Loop
	// Iterations is the number of iterations over all times that the loop is
	// begun, of those that do something, Trips their mean for one such time.
	Iterations points.Count
	Trips      points.Count
	// Strides say how the references of the statements move from one iteration
	// in the middle to the next; nil but for innermost loops.
	Strides *Strides
	// Work is what decides whether a parallel loop has several threads: its trips, or the product
	// of the extents of command.Threads.
	Work float64
}

// HasThreads says whether the loop runs on several threads: it is parallel and has as
// much to do as it takes.
func (l Loop) HasThreads() bool {
	threads, _ := mark.Of[mark.Threads](l.Marks)
	return l.IsParallel() && l.Work >= float64(threads.From)
}

// HasThreads says whether a loop of the node or inside it runs on several threads.
func (n *Node) HasThreads() bool {
	return slices.ContainsFunc(n.Loops, func(l Loop) bool { return l.HasThreads() || n.hasShares(l) }) ||
		slices.ContainsFunc(n.Parts, (*Node).HasThreads)
}

// hasShares says whether threads run a loop of the node in a relay, and the loop that they share
// has as many iterations as it takes.
func (n *Node) hasShares(relayed Loop) bool {
	relay, is := schedule.RequestOf[command.Relay](relayed.Loop)
	return is && slices.ContainsFunc(n.Parts[len(n.Parts)-1].Loops, func(l Loop) bool { return l.Name == relay.Shared && l.Trips.Value >= float64(relay.From) })
}

// Tile is the data of one tile in the middle.
type Tile struct {
	// Loop is the innermost loop over tiles of the level.
	Loop  string
	Level int
	// Bytes are those of the different elements that one iteration of Loop
	// touches.
	Bytes points.Count
}

// Data is the size in bytes of the different elements that the class touches: of a contracted array
// those of one iteration.
func (c *Class) Data() points.Count {
	return c.bytes(func(a Array) points.Count { return a.Elements })
}

// Traffic is the compulsory traffic in bytes: elements whose values come from
// outside are loaded once, and elements that are written are stored once.
func (c *Class) Traffic() points.Count {
	return c.bytes(func(a Array) points.Count { return a.Loaded.Add(a.Stored) })
}

func (c *Class) bytes(elements func(Array) points.Count) points.Count {
	total := points.Count{Exact: true}
	for _, a := range c.Arrays {
		total = total.Add(elements(a).Times(float64(a.ElementBytes)))
	}
	return total
}

// Of is the profile of a schedule of the program for values of its parameters,
// by name, in an isl context. A parameter without a value and values that the
// program excludes are errors.
func Of(ctx *isl.Context, tree *schedule.Tree, values map[string]int) (*Profile, error) {
	p, err := begin(ctx, tree, values)
	if err != nil {
		return nil, err
	}
	profile := &Profile{}
	for _, n := range tree.Classes {
		class, err := p.class(n)
		if err != nil {
			return nil, fmt.Errorf("class %s: %w", n.Name, err)
		}
		profile.Classes = append(profile.Classes, class)
	}
	if profile.Memories, err = p.memories(); err != nil {
		return nil, fmt.Errorf("the memory that the code makes: %w", err)
	}
	return profile, ctx.Err()
}

// begin begins a profile.
func begin(ctx *isl.Context, tree *schedule.Tree, values map[string]int) (*profiler, error) {
	program, err := at(tree.Program, values)
	if err != nil {
		return nil, err
	}
	model, err := program.Model(ctx)
	if err != nil {
		return nil, err
	}
	excluded, err := ctx.ReadSet(tree.Program.Context).Intersect(model.Parameters).IsEmpty()
	if err != nil {
		return nil, err
	}
	if excluded {
		return nil, fmt.Errorf("the program is not for these values of its parameters, which have to be in %s", tree.Program.Context)
	}
	p := &profiler{model: model, tree: tree, contractions: tree.Contractions()}
	for _, name := range program.Parameters {
		p.parameters = append(p.parameters, int64(values[name]))
	}
	return p, nil
}

// Operations is how many + - * / a program's statements compute, whatever their order is, for
// values of its parameters, by name, in an isl context. A parameter without a value is an error.
func Operations(ctx *isl.Context, p *scop.Program, values map[string]int) (points.Count, error) {
	total := points.Count{Exact: true}
	program, err := at(p, values)
	if err != nil {
		return total, err
	}
	model, err := program.Model(ctx)
	if err != nil {
		return total, err
	}
	counted := &profiler{model: model}
	for s := range model.Statements {
		instances, err := counted.count(model.Statements[s].Domain)
		if err != nil {
			return total, err
		}
		work, err := counted.work(s, instances)
		if err != nil {
			return total, err
		}
		total = total.Add(work)
	}
	return total, ctx.Err()
}

// at is the program for nothing but these values.
func at(p *scop.Program, values map[string]int) (*scop.Program, error) {
	fixed := *p
	var conditions []string
	for _, name := range p.Parameters {
		value, known := values[name]
		if !known {
			return nil, fmt.Errorf("the parameter %s has no value", p.Spelling(name))
		}
		conditions = append(conditions, fmt.Sprintf("%s = %d", name, value))
	}
	if len(conditions) > 0 {
		fixed.Context = p.ParametersText() + "{ : " + strings.Join(conditions, " and ") + " }"
	}
	return &fixed, nil
}

// profiler works on a model with fixed parameters.
type profiler struct {
	model *scop.Model
	tree  *schedule.Tree
	// contractions are the arrays with memory for one iteration of a loop.
	contractions map[string]mark.Local
	// parameters are their values.
	parameters []int64
	// phases are those around the present node.
	phases []schedule.Phase
}

// count is the number of elements of a set whose parameters are fixed.
func (p *profiler) count(set *isl.Set) (points.Count, error) {
	return points.In(withoutParameters(set))
}

func withoutParameters(set *isl.Set) *isl.Set {
	return set.ProjectOut(isl.DimParam, 0, set.Dim(isl.DimParam))
}

func (p *profiler) class(n *schedule.Node) (*Class, error) {
	c := &Class{Statements: n.Statements, Instances: points.Count{Exact: true}, Floating: points.Count{Exact: true}, Integer: points.Count{Exact: true}}
	most := 0.0
	for _, s := range n.Statements {
		instances, err := p.count(p.model.Statements[s].Domain)
		if err != nil {
			return nil, err
		}
		c.Instances = c.Instances.Add(instances)
		work, err := p.work(s, instances)
		if err != nil {
			return nil, err
		}
		bytes := p.floating(s)
		if bytes == 0 {
			c.Integer = c.Integer.Add(work)
			continue
		}
		c.Floating = c.Floating.Add(work)
		if work.Value > most {
			most, c.ElementBytes = work.Value, bytes
		}
	}
	var err error
	if c.Arrays, err = p.arrays(n.Statements, c.Instances); err != nil {
		return nil, err
	}
	c.Node, err = p.node(n, nil)
	return c, err
}

// work is the number of operations of all instances of a statement.
func (p *profiler) work(s int, instances points.Count) (points.Count, error) {
	statement := p.model.Statements[s].Statement
	once := points.Count{Exact: true}
	each := scop.Operations(statement.Value)
	if a := p.model.Program.Assignment(statement); a != nil {
		for k, scaled := range a.Scaled {
			if scaled == scop.Expr(a.Operands[k]) {
				continue
			}
			elements, err := p.elements(p.model.Statements[s].Accesses[k].Range(), instances)
			if err != nil {
				return once, err
			}
			hoisted := scop.Operations(scaled)
			each -= hoisted
			once = once.Add(elements.Times(float64(hoisted)))
		}
	}
	return instances.Times(float64(each)).Add(once), nil
}

// floating is the size of the element that a statement computes, where that is
// a floating-point number; 0 for others.
func (p *profiler) floating(s int) int {
	for _, a := range p.model.Statements[s].Statement.Accesses {
		array := p.model.Program.Array(a.Array)
		if a.Write && array != nil && (strings.Contains(array.Type, "double") || strings.Contains(array.Type, "float")) {
			return array.Size
		}
	}
	return 0
}

// node profiles a node inside the given loops.
func (p *profiler) node(n *schedule.Node, outside []*schedule.Loop) (*Node, error) {
	statements, leave := p.enter(n)
	defer leave()
	node := &Node{Name: n.Name, Phase: n.Phase, Statements: statements}
	chain := slices.Clone(outside)
	entries, err := p.iterations(node.Statements, chain)
	if err != nil {
		return nil, err
	}
	for k, loop := range n.Loops {
		chain = append(chain, loop)
		iterations, trips, err := p.trips(node.Statements, chain, entries)
		if err != nil {
			return nil, err
		}
		l := Loop{Loop: loop, Iterations: iterations, Trips: trips}
		l.Work = p.workOf(l)
		if loop.Level > 0 && (k+1 == len(n.Loops) || n.Loops[k+1].Level < loop.Level) {
			tile, err := p.tile(node.Statements, chain)
			if err != nil {
				return nil, fmt.Errorf("tiles of %s: %w", loop.Name, err)
			}
			node.Tiles = append(node.Tiles, tile)
		}
		entries = iterations
		node.Loops = append(node.Loops, l)
	}
	for _, part := range n.Parts {
		inside, err := p.node(part, chain)
		if err != nil {
			return nil, err
		}
		if len(inside.Statements) > 0 {
			node.Parts = append(node.Parts, inside)
		}
	}
	if len(node.Loops) > 0 && !anyLoops(node.Parts) {
		node.Loops[len(node.Loops)-1].Strides, err = p.strides(node.Statements, chain)
	}
	return node, err
}

// enter goes into a node, until leave is called, and finds which of its statements have instances
// there.
func (p *profiler) enter(n *schedule.Node) (statements []int, leave func()) {
	around := p.phases
	if n.Phase != nil {
		p.phases = append(slices.Clip(around), n.Phase)
	}
	for _, s := range n.Statements {
		if empty, err := p.domain(s).IsEmpty(); err != nil || !empty {
			statements = append(statements, s)
		}
	}
	return statements, func() { p.phases = around }
}

// trips are the iterations of the last loop of a chain in all, and in each of the iterations around
// it, which are so many entries.
func (p *profiler) trips(statements []int, chain []*schedule.Loop, entries points.Count) (iterations, trips points.Count, err error) {
	iterations, err = p.iterations(statements, chain)
	if err != nil {
		return iterations, trips, fmt.Errorf("loop %s: %w", chain[len(chain)-1].Name, err)
	}
	trips.Exact = iterations.Exact && entries.Exact
	if entries.Value > 0 {
		trips.Value = iterations.Value / entries.Value
	}
	return iterations, trips, nil
}

// workOf is the work of a loop whose trips are known.
func (p *profiler) workOf(l Loop) float64 {
	threads, _ := mark.Of[mark.Threads](l.Marks)
	if len(threads.Of) == 0 {
		return l.Trips.Value
	}
	product := 1.0
	for _, extent := range threads.Of {
		product *= float64(extent.At(nil, p.parameters))
	}
	return product
}

// domain are the instances of a statement in the phases around the present node.
func (p *profiler) domain(s int) *isl.Set {
	instances := p.model.Statements[s].Domain
	for _, phase := range p.phases {
		instances = phase.Instances(p.model, s, instances)
	}
	return instances
}

// anyLoops says whether there is a loop in any of the nodes or their parts.
func anyLoops(nodes []*Node) bool {
	return slices.ContainsFunc(nodes, func(n *Node) bool { return len(n.Loops) > 0 || anyLoops(n.Parts) })
}
