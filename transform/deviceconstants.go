package transform

import (
	"polytune/transform/facts"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	inmemory "polytune/scop/boxes"
	"polytune/scop/mark"
)

// constants are the arrays that a recipe's kernels are to have in memory for constants, whose
// elements all threads of a warp get at once: those that nobody writes, whose size is known and
// small, and of which threads that run at the same time read the same elements everywhere. Smaller
// ones come first.
func (m *deviceMapper) constants() ([]string, error) {
	tree, err := m.recipe.Replay(m.graph.Model.Program)
	if err != nil {
		return nil, err
	}
	a := &alikeReader{deviceMapper: m, reads: map[string]bool{}, differs: map[string]bool{}}
	for _, class := range tree.Classes {
		a.visit(class, nil)
	}
	sizes := map[string]int64{}
	var names []string
	for i := range m.graph.Model.Program.Arrays {
		array := &m.graph.Model.Program.Arrays[i]
		bytes, known := inmemory.ConstantBytes(array)
		isWhole := len(array.Extents) > 0 && array.Path == "" // and no member of structs
		if known && isWhole && a.reads[array.Name] && !a.differs[array.Name] && !m.graph.Model.Program.Writes(array.Name) {
			names, sizes[array.Name] = append(names, array.Name), bytes
		}
	}
	slices.SortStableFunc(names, func(a, b string) int { return int(sizes[a] - sizes[b]) })
	total := int64(0)
	for k, name := range names {
		if total += sizes[name]; total > inmemory.MostConstants || k == facts.MostConstantArrays {
			return names[:k], nil
		}
	}
	return names, nil
}

// alikeReader finds arrays of which threads read the same elements at once, reads, and those of
// which they use different ones, differs.
type alikeReader struct {
	*deviceMapper
	reads, differs map[string]bool
}

// visit looks at the statements of a node, inside of some loops.
func (a *alikeReader) visit(n *schedule.Node, around []*schedule.Loop) {
	around = append(slices.Clip(around), n.Loops...)
	for _, part := range n.Parts {
		a.visit(part, around)
	}
	if len(n.Parts) > 0 {
		return
	}
	for _, s := range n.Statements {
		a.statement(s, around)
	}
}

// statement looks at the accesses of a statement inside of some loops.
func (a *alikeReader) statement(s int, around []*schedule.Loop) {
	var shared []scop.Row
	for _, l := range around {
		if mark.Has[mark.Thread](l.Marks) && len(l.Terms) == 1 {
			shared = append(shared, l.Terms[0].Rows[s])
		}
	}
	if len(shared) == 0 {
		return
	}
	model := &a.graph.Model.Statements[s]
	for k, access := range model.Statement.Accesses {
		rows, err := scop.Subscripts(model.Accesses[k])
		if err != nil || rows == nil || slices.ContainsFunc(rows, func(row scop.Row) bool { return useTogether(row, shared) }) {
			a.differs[access.Array] = true
		}
		a.reads[access.Array] = true
	}
}

// useTogether says whether a subscript depends on an iterator that rows depend on.
func useTogether(subscript scop.Row, rows []scop.Row) bool {
	return slices.ContainsFunc(rows, func(row scop.Row) bool {
		for k, factor := range row.Iterators {
			if factor != 0 && subscript.Iterators[k] != 0 {
				return true
			}
		}
		return false
	})
}

// withConstants is a recipe with arrays in memory for constants.
func withConstants(recipe schedule.Recipe, arrays []string) schedule.Recipe {
	recipe = slices.Clip(recipe)
	for _, array := range arrays {
		recipe = append(recipe, command.Copy{Array: array, Memory: string(mark.Constant)})
	}
	return recipe
}
