package schedule

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// Phases runs the tiles of each iteration of a tile loop in phases, which are told apart by the
// tile loops of the same band right inside it that stand at the same tile as it does: first those tiles
// at which all do, last those at which none does. So blocked decompositions
// are run: the diagonal tile, the panels below and beside it, and the update of all that is left, whose
// tiles do not wait for each other.
//
//	phases c0.3t
//
//	for c0.3t             for c0.3t
//	  for c0.2t     -->     c0p0: c0.2t = c0.3t, c0.1t = c0.3t
//	    for c0.1t           c0p1: c0.2t = c0.3t, c0.1t elsewhere
//	                        c0p2: c0.2t elsewhere, c0.1t = c0.3t
//	                        c0p3: both elsewhere
//
// Each phase has all loops inside for itself, under names of its own: c0p1.1t is the c0.1t of
// phase c0p1. It follows the commands that are the same for all phases.
type Phases struct{ Loop string }

var _ = register(Spec{
	Syntax:  "phases LOOP",
	Doc:     "the division of tiles into phases",
	Example: "phases c0.1t",
	New:     func() Command { return Phases{} },
})

// mostPhased bounds the tile loops that tell phases apart: each of them doubles their number.
const mostPhased = 3

// phaseMark stands in the name of a phase between the node's name and the phase's number.
const phaseMark = "p"

// Phase says which instances of its statements a node has.
type Phase struct {
	// Outer is the tile loop around the phases, At are those inside that stand at the same tile
	// as it does, and Elsewhere those that do not.
	Outer         *Loop
	At, Elsewhere []*Loop
}

// Of are those of some instances of a statement that are in the phase.
func (f *Phase) Of(m *scop.Model, s int, instances *isl.Set) *isl.Set {
	outer := f.Outer.Terms[0]
	at := func(l *Loop) *isl.Set {
		return InOneTile(m, s, l.Terms[0].Rows[s], outer.Rows[s], outer.Size)
	}
	for _, loop := range f.At {
		instances = instances.Intersect(at(loop))
	}
	for _, loop := range f.Elsewhere {
		instances = instances.Subtract(at(loop))
	}
	return instances.Coalesce()
}

// InOneTile are the instances of a statement for which two rows have values in the same tile of so
// many iterations.
func InOneTile(m *scop.Model, s int, a, b Row, size int64) *isl.Set {
	p := m.Program
	iterators := p.IteratorNames(s)
	tile := "tile"
	for strings.Contains(strings.Join(append(slices.Clone(iterators), p.Parameters...), " "), tile) {
		tile += "_"
	}
	inside := func(row Row) string {
		return fmt.Sprintf("%[1]d%[2]s <= %[3]s <= %[1]d%[2]s + %[4]d", size, tile, row.Text(iterators, p.Parameters), size-1)
	}
	return m.Context.ReadSet(fmt.Sprintf("%s{ %s : exists (%s : %s and %s) }", p.ParametersText(), p.InstanceText(s), tile, inside(a), inside(b)))
}

// Apply makes a part of the node for each phase.
func (c Phases) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	outer, inside := n.Loops[place], n.Loops[place+1:]
	count := 0
	for count < len(inside) && inside[count].Band == outer.Band && inside[count].Level == outer.Level && !inside[count].Block {
		count++
	}
	switch {
	case outer.Level != 1 || count == 0 || count > mostPhased:
		return fmt.Errorf("loop %q is no tile loop with one to %d others of its band right inside it", c.Loop, mostPhased)
	case outer.isMarked():
		return fmt.Errorf("loop %q has a mark that its phases could not keep", c.Loop)
	}
	for _, l := range append([]*Loop{outer}, inside[:count]...) {
		if len(l.Terms) != 1 || l.Terms[0].Size < 2 || l.Terms[0].Size != outer.Terms[0].Size || l.IsParallel() || l.StartsThreads() || len(l.Packs)+len(l.Copies) > 0 {
			return fmt.Errorf("loop %q is no plain tile loop with tiles of %d iterations, of two at least", l.Name, outer.Terms[0].Size)
		}
	}
	phases := make([]*Node, 1<<count)
	for k := range phases {
		phases[k] = c.phase(n, place, count, k)
	}
	n.Loops, n.Parts = n.Loops[:place+1], phases
	return nil
}

// isMarked says whether something is noted at the loop that is about the loops inside.
func (l *Loop) isMarked() bool {
	return l.IsParallel() || l.StartsThreads() || l.Separate || len(l.Packs)+len(l.Copies) > 0
}

// phase is the phase of a number, in whose bits, the highest first, the loops inside stand
// elsewhere.
func (c Phases) phase(n *Node, place, count, number int) *Node {
	own := n.renamed(n.Name, fmt.Sprint(n.Name, phaseMark, number))
	own.Loops = own.Loops[place+1:]
	own.Phase = &Phase{Outer: n.Loops[place]}
	for k, l := range own.Loops[:count] {
		if number>>(count-1-k)&1 == 0 {
			own.Phase.At = append(own.Phase.At, l)
		} else {
			own.Phase.Elsewhere = append(own.Phase.Elsewhere, l)
		}
	}
	return own
}

// renamed is a copy of a node with its loops and parts, whose names begin differently.
func (n *Node) renamed(before, after string) *Node {
	own := *n
	own.Name = after + strings.TrimPrefix(n.Name, before)
	own.Statements = slices.Clone(n.Statements)
	own.Loops, own.Parts = nil, nil
	for _, loop := range n.Loops {
		l := *loop
		l.Name = after + strings.TrimPrefix(loop.Name, before)
		l.Terms, l.Packs = slices.Clone(loop.Terms), slices.Clone(loop.Packs)
		l.Copies, l.Layouts = slices.Clone(loop.Copies), slices.Clone(loop.Layouts)
		own.Loops = append(own.Loops, &l)
	}
	for _, part := range n.Parts {
		own.Parts = append(own.Parts, part.renamed(before, after))
	}
	return &own
}

// In is the name that a loop inside has in a phase, by the phase's number.
func (c Phases) In(number int, loop string) string {
	node := c.Loop[:max(0, strings.LastIndex(c.Loop, "."))]
	return fmt.Sprint(node, phaseMark, number) + strings.TrimPrefix(loop, node)
}

// withoutPhases is a recipe without Phases and what is said of phases' loops, or of copies that these have: all have
// the register blocks of the first.
func (r Recipe) withoutPhases(p *scop.Program) Recipe {
	var whole Recipe
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
			return strings.Contains(Text(c, p), strings.TrimSuffix(first, "0"))
		})
		if at < 0 {
			whole = append(whole, c)
			continue
		}
		if registers, is := c.(Registers); is && strings.Contains(Text(c, p), phased[at]+".") {
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

// instances are those of a statement at the present place, with their tile coordinates.
func (l *lowering) instances(s int) *isl.Set {
	if set := l.present[s]; set != nil {
		return set
	}
	context := l.model.Context
	expanded := l.model.Statements[s].Domain.Apply(context.ReadMap(l.expansion(s)))
	for _, phase := range l.phases {
		expanded = expanded.Intersect(context.ReadSet(l.tree.Program.ParametersText() + "{ " + l.expanded(s) + " : " + l.conditions(s, phase) + " }"))
	}
	return expanded
}

// conditions say that an instance of a statement is in a phase.
func (l *lowering) conditions(s int, phase *Phase) string {
	outer := l.value(s, phase.Outer)
	var all []string
	for _, loop := range phase.At {
		all = append(all, l.value(s, loop)+" = "+outer)
	}
	for _, loop := range phase.Elsewhere {
		all = append(all, l.value(s, loop)+" != "+outer)
	}
	return strings.Join(all, " and ")
}

// phased writes the phases of a node's tiles, without those that have no instances; where none
// has any, a loop that does nothing.
func (l *lowering) phased(indent int, nodes []*Node) {
	phases, present := l.phases, l.present
	var some []*Node
	var sets []map[int]*isl.Set
	for _, n := range nodes {
		l.phases, l.present = append(phases[:len(phases):len(phases)], n.Phase), nil
		if statements, instances := l.inPhase(n); len(statements) > 0 {
			some, sets = append(some, n.with(statements)), append(sets, instances)
		}
	}
	l.line(indent, "child:")
	if len(some) == 0 {
		l.line(indent+1, "schedule: %q", l.band(nodes[0], func(int) string { return "0" }))
		l.phases, l.present = phases, present
		return
	}
	l.line(indent+1, "sequence:")
	for k, n := range some {
		l.phases, l.present = append(phases[:len(phases):len(phases)], n.Phase), sets[k]
		filter := l.model.Context.ReadUnionSet("{ }")
		for _, s := range n.Statements {
			filter = filter.Union(sets[k][s].ToUnionSet())
		}
		l.line(indent+1, "- filter: %q", filter.String())
		l.chain(indent+2, n, n.Loops)
	}
	l.phases, l.present = phases, present
}

// inPhase are the statements of a phase that have instances there, and these.
func (l *lowering) inPhase(n *Node) (statements []int, instances map[int]*isl.Set) {
	instances = map[int]*isl.Set{}
	for _, s := range n.Statements {
		own := l.instances(s).Coalesce()
		if empty, err := own.IsEmpty(); err == nil && empty {
			continue
		}
		statements, instances[s] = append(statements, s), own
	}
	if l.unites {
		statements = l.unite(n, statements, instances)
	}
	return statements, instances
}

// HasPhases says whether some node's tiles run in phases.
func (t *Tree) HasPhases() bool {
	has := false
	t.walk(func(n *Node) bool {
		has = has || n.Phase != nil
		return !has
	})
	return has
}
