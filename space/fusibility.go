package space

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/scop/depend"
)

// groupTest decides fusibility by Definition 1 of the SC'10 paper, at the
// outermost level and for a whole class at once: there must be one schedule
// row θ_S·t + c_S for each statement S of the class such that
//
//   - the coefficients θ_S are non-negative integers, not all zero unless S
//     is in no loop, and none is given to a parameter;
//   - the constants of any two statements differ by less than the peel bound;
//   - θ_S·t_S + c_S − θ_R·t_R − c_R >= 0 for every dependence inside the
//     class from an instance t_R of R to one t_S of S.
//
// t are the times of the loops: the iterators, negated for loops that count
// down, so that the original order always has a row. What a row leaves at
// equal times runs in the original order inside the fused loop. A statement
// in no loop is taken as a loop of one iteration.
//
// The third condition becomes linear in θ and c by Farkas' lemma
// (depend.Dependence.Cone); the integer program is solved by isl. The
// constants may be taken as 0 <= c_S < bound: adding the same number to all
// of them changes nothing. No bound on θ is needed.
type groupTest struct {
	graph *depend.Graph
	peel  int
	// forms are the constraints of the dependences between two statements,
	// by source and target.
	forms map[[2]int]*forms
}

// forms are rows over the coefficients of the source's times, those of the
// target's, and the target's constant minus the source's.
type forms struct {
	equalities, inequalities [][]int64
}

func newGroupTest(graph *depend.Graph, peel int) *groupTest {
	return &groupTest{graph: graph, peel: peel, forms: map[[2]int]*forms{}}
}

// Fusible says whether the statements, in textual order, can share an outer
// loop. Parts of a class between which there is no dependence are fusible
// each on its own.
func (g *groupTest) Fusible(class []int) (bool, error) {
	for _, part := range g.linkedParts(class) {
		if len(part) == 1 || g.shareLoop(part) {
			continue
		}
		fusible, err := g.solve(part)
		if err != nil {
			return false, fmt.Errorf("fusing %s: %w", drawClass(part, g.graph.Model.Program.StatementNames()), err)
		}
		if !fusible {
			return false, nil
		}
	}
	return true, nil
}

// shareLoop says whether the original program has all statements in one
// outer loop, whose iterator is then a row for all of them.
func (g *groupTest) shareLoop(class []int) bool {
	first := g.graph.Model.Statements[class[0]]
	return !slices.ContainsFunc(class, func(s int) bool {
		return first.CommonLoops(g.graph.Model.Statements[s].Statement) == 0
	})
}

// linkedParts splits a class into the weakly connected components of the
// dependences inside it.
func (g *groupTest) linkedParts(class []int) [][]int {
	linked := make([][]bool, len(class))
	for i := range linked {
		linked[i] = make([]bool, len(class))
	}
	for _, d := range g.graph.Within(class) {
		i, _ := slices.BinarySearch(class, d.Source)
		j, _ := slices.BinarySearch(class, d.Target)
		linked[i][j] = true
	}
	parts := map[int][]int{}
	for i, number := range linkedStatements(linked) {
		parts[number] = append(parts[number], class[i])
	}
	var list [][]int
	for number := range class {
		if part := parts[number]; part != nil {
			list = append(list, part)
		}
	}
	return list
}

// solve looks for a row for each statement of the class.
func (g *groupTest) solve(class []int) (bool, error) {
	context := g.graph.Model.Context
	mark := context.Mark()
	defer context.Release(mark)
	p, err := g.program(class)
	if err != nil {
		return false, err
	}
	empty, err := context.BasicSetFromConstraints(p.columns, p.equalities, p.inequalities).ToSet().IsEmpty()
	if err != nil {
		context.TakeErr()
		return false, err
	}
	return !empty, nil
}

// program is the integer program of a class. Its columns are, statement by
// statement, the coefficients of the times and the constant; rows have a
// constant at the end.
type program struct {
	columns                  int
	equalities, inequalities [][]int64
}

func (g *groupTest) program(class []int) (*program, error) {
	p := &program{}
	first := make([]int, len(class))
	for i, s := range class {
		first[i] = p.columns
		p.columns += g.depth(s) + 1
	}
	for i, s := range class {
		p.addRow(first[i], g.depth(s), g.peel)
	}
	for i, source := range class {
		for j, target := range class {
			f, err := g.between(source, target)
			if err != nil {
				return nil, err
			}
			place := placement{first[i], first[j], g.depth(source), g.depth(target)}
			p.equalities = p.addForms(p.equalities, f.equalities, place)
			p.inequalities = p.addForms(p.inequalities, f.inequalities, place)
		}
	}
	g.addPrivates(p, class, first)
	return p, nil
}

// addPrivates demands of statements that access a private variable the same
// row, along the loops around its declaration alone: the class's loop keeps
// together what shares an object.
func (g *groupTest) addPrivates(p *program, class, first []int) {
	for _, private := range g.graph.Model.Program.Privates() {
		leader := -1
		for i, s := range class {
			if !slices.Contains(private.Statements, s) {
				continue
			}
			if leader < 0 {
				leader = i
			}
			for k := range g.depth(s) + 1 {
				row := make([]int64, p.columns+1)
				row[first[i]+k] = 1
				switch {
				case k < private.Loops:
					row[first[leader]+k]--
				case k == g.depth(s):
					row[first[leader]+g.depth(class[leader])]--
				}
				if i != leader || k >= private.Loops && k < g.depth(s) {
					p.equalities = append(p.equalities, row)
				}
			}
		}
	}
}

func (g *groupTest) depth(statement int) int { return g.graph.Model.Statements[statement].Depth() }

// addRow adds the conditions on the row of one statement.
func (p *program) addRow(first, depth, peel int) {
	sum := make([]int64, p.columns+1)
	for k := range depth + 1 {
		row := make([]int64, p.columns+1)
		row[first+k] = 1
		p.inequalities = append(p.inequalities, row)
		if k < depth {
			sum[first+k] = 1
		}
	}
	bound := make([]int64, p.columns+1)
	bound[first+depth], bound[p.columns] = -1, int64(peel-1)
	p.inequalities = append(p.inequalities, bound)
	if depth > 0 {
		sum[p.columns] = -1
		p.inequalities = append(p.inequalities, sum)
	}
}

// placement says where a program has the columns of two statements.
type placement struct {
	source, target           int
	sourceDepth, targetDepth int
}

func (p *program) addForms(rows, forms [][]int64, at placement) [][]int64 {
	for _, form := range forms {
		row := make([]int64, p.columns+1)
		for k := range at.sourceDepth {
			row[at.source+k] += form[k]
		}
		for k := range at.targetDepth {
			row[at.target+k] += form[at.sourceDepth+k]
		}
		difference := form[at.sourceDepth+at.targetDepth]
		row[at.target+at.targetDepth] += difference
		row[at.source+at.sourceDepth] -= difference
		rows = append(rows, row)
	}
	return rows
}

// between are the conditions that the dependences from one statement to
// another, or to itself, put on their rows. They are computed once.
func (g *groupTest) between(source, target int) (*forms, error) {
	key := [2]int{source, target}
	if f := g.forms[key]; f != nil {
		return f, nil
	}
	f := &forms{}
	for _, d := range g.graph.Dependences {
		if d.Source != source || d.Target != target {
			continue
		}
		cone, err := d.Cone()
		if err != nil {
			g.graph.Model.Context.TakeErr()
			return nil, err
		}
		f.equalities = g.appendForms(f.equalities, cone.Equalities, d)
		f.inequalities = g.appendForms(f.inequalities, cone.Inequalities, d)
	}
	g.forms[key] = f
	return f, nil
}

// appendForms turns rows over [constant, parameters, source iterators, target
// iterators] into forms: the schedule difference has the negated coefficients
// of the source, none for parameters, and times instead of iterators.
func (g *groupTest) appendForms(list, rows [][]int64, d *depend.Dependence) [][]int64 {
	source, target := &g.graph.Model.Statements[d.Source], &g.graph.Model.Statements[d.Target]
	parameters := d.Relation.Dim(isl.DimParam)
	for _, row := range rows {
		form := make([]int64, 0, source.Depth()+target.Depth()+1)
		iterators := row[1+parameters:]
		for k, loop := range source.Loops {
			form = append(form, signed(-iterators[k], loop.Descending))
		}
		for k, loop := range target.Loops {
			form = append(form, signed(iterators[source.Depth()+k], loop.Descending))
		}
		form = append(form, row[0])
		known := slices.ContainsFunc(list, func(other []int64) bool { return slices.Equal(form, other) })
		zero := !slices.ContainsFunc(form, func(v int64) bool { return v != 0 })
		if !known && !zero {
			list = append(list, form)
		}
	}
	return list
}

func signed(value int64, negated bool) int64 {
	if negated {
		return -value
	}
	return value
}
