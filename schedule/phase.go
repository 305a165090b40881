package schedule

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// Phase says which instances of its statements a node has.
type Phase interface {
	// Instances are those of some instances of a statement that are in the phase.
	Instances(m *scop.Model, s int, instances *isl.Set) *isl.Set
	// among are those of a statement's instances, with their tiles' coordinates, that are in the
	// phase.
	among(l *lowering, s int, expanded *isl.Set) *isl.Set
	// has says whether an instance of a statement, with its tiles' coordinates, is in the phase.
	has(o *Order, s int, at []int64) bool
}

// TilePhase has the instances of some tiles of a band.
type TilePhase struct {
	// Outer is the tile loop around the phases, At are those inside that stand at the same tile
	// as it does, and Elsewhere those that do not.
	Outer         *Loop
	At, Elsewhere []*Loop
}

// Instances are those of some instances of a statement that are in the phase.
func (f *TilePhase) Instances(m *scop.Model, s int, instances *isl.Set) *isl.Set {
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

// instances are those of a statement at the present place, with their tile coordinates.
func (l *lowering) instances(s int) *isl.Set {
	if set := l.present[s]; set != nil {
		return set
	}
	expanded := l.inAllTiles(s)
	for _, phase := range l.phases {
		expanded = phase.among(l, s, expanded)
	}
	return expanded
}

// where are those of a statement's instances for which a condition of their iterators and tile
// coordinates holds.
func (l *lowering) where(s int, expanded *isl.Set, condition string) *isl.Set {
	return expanded.Intersect(l.model.Context.ReadSet(l.tree.Program.ParametersText() + "{ " + l.expanded(s) + " : " + condition + " }"))
}

// among are those of a statement's instances that are in the phase.
func (f *TilePhase) among(l *lowering, s int, expanded *isl.Set) *isl.Set {
	return l.where(s, expanded, f.conditions(l, s))
}

// conditions say that an instance of a statement is in the phase.
func (f *TilePhase) conditions(l *lowering, s int) string {
	outer := l.value(s, f.Outer)
	var all []string
	for _, loop := range f.At {
		all = append(all, l.value(s, loop)+" = "+outer)
	}
	for _, loop := range f.Elsewhere {
		all = append(all, l.value(s, loop)+" != "+outer)
	}
	return strings.Join(all, " and ")
}

// phased writes the phases of a node's tiles, without those that have no instances; where none
// has any, a loop that does nothing.
func (l *lowering) phased(indent int, nodes []*Node) {
	phases, present, declared := l.phases, l.present, l.declared
	var some []*Node
	var sets []map[int]*isl.Set
	for _, n := range nodes {
		l.phases, l.present = append(phases[:len(phases):len(phases)], n.Phase), nil
		if statements, instances := l.inPhase(n); len(statements) > 0 {
			some, sets = append(some, n.with(statements)), append(sets, instances)
		}
	}
	if len(some) == 0 {
		l.nothing(indent, nodes[0])
		l.phases, l.present = phases, present
		return
	}
	l.line(indent, "child:")
	l.line(indent+1, "sequence:")
	for k, n := range some {
		l.phases, l.present = append(phases[:len(phases):len(phases)], n.Phase), sets[k]
		l.declared = maps.Clone(declared) // each phase has loops, and variables, of its own
		filter := l.model.Context.ReadUnionSet("{ }")
		for _, s := range n.Statements {
			filter = filter.Union(sets[k][s].ToUnionSet())
		}
		l.line(indent+1, "- filter: %q", filter.String())
		l.node(indent+2, n)
	}
	l.phases, l.present, l.declared = phases, present, declared
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
	t.Walk(func(n *Node) bool {
		has = has || n.Phase != nil
		return !has
	})
	return has
}
