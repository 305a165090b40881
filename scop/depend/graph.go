package depend

import (
	"slices"

	"polytune/isl"
	"polytune/scop"
)

// Successors are, for each statement, the other statements that depend on it
// directly, in textual order.
func (g *Graph) Successors() [][]int {
	successors := make([][]int, len(g.Model.Statements))
	for _, d := range g.Dependences {
		if d.Source != d.Target && !slices.Contains(successors[d.Source], d.Target) {
			successors[d.Source] = append(successors[d.Source], d.Target)
		}
	}
	for _, list := range successors {
		slices.Sort(list)
	}
	return successors
}

// Reaches says, for each pair of statements, whether a path of one or more
// dependences leads from the first to the second.
func (g *Graph) Reaches() [][]bool { return g.reaches }

// Components are the strongly connected components of the graph in a
// topological order, the textually first of several possible; the members of
// each are in textual order.
func (g *Graph) Components() [][]int {
	all := make([]int, len(g.Model.Statements))
	for i := range all {
		all[i] = i
	}
	return componentsOf(all, g.reaches)
}

// ComponentsOf are the strongly connected components of some of the
// statements, of count in all, under the given dependences, in topological
// order as Components. Statements that access one of the privates stay in one
// component.
func ComponentsOf(count int, statements []int, dependences []*Dependence, privates []scop.Private) [][]int {
	successors := make([][]int, count)
	for _, d := range dependences {
		successors[d.Source] = append(successors[d.Source], d.Target)
	}
	return componentsOf(statements, closure(withLinks(successors, privates)))
}

// Within are the dependences with both ends among the statements.
func (g *Graph) Within(statements []int) []*Dependence {
	var list []*Dependence
	for _, d := range g.Dependences {
		if slices.Contains(statements, d.Source) && slices.Contains(statements, d.Target) {
			list = append(list, d)
		}
	}
	return list
}

// Distinct leaves out dependences whose pairs of instances are those of an
// earlier one of another kind: they ask the same of a schedule.
func Distinct(dependences []*Dependence) []*Dependence {
	var list []*Dependence
	seen := map[*isl.Map]bool{}
	for _, d := range dependences {
		if !seen[d.Relation] {
			seen[d.Relation] = true
			list = append(list, d)
		}
	}
	return list
}

// componentsOf groups statements that reach each other, and orders the groups
// so that none reaches an earlier one.
func componentsOf(statements []int, reaches [][]bool) [][]int {
	var groups [][]int
	placed := map[int]bool{}
	for _, i := range statements {
		if placed[i] {
			continue
		}
		var group []int
		for _, j := range statements {
			if i == j || reaches[i][j] && reaches[j][i] {
				group = append(group, j)
				placed[j] = true
			}
		}
		groups = append(groups, group)
	}
	return topological(groups, reaches)
}

// topological orders groups of statements: always the first that no remaining
// one reaches.
func topological(groups [][]int, reaches [][]bool) [][]int {
	var sorted [][]int
	remaining := slices.Clone(groups)
	for len(remaining) > 0 {
		next := slices.IndexFunc(remaining, func(group []int) bool {
			return !slices.ContainsFunc(remaining, func(other []int) bool {
				return other[0] != group[0] && reaches[other[0]][group[0]]
			})
		})
		sorted = append(sorted, remaining[next])
		remaining = slices.Delete(remaining, next, next+1)
	}
	return sorted
}

// closure is the transitive closure of a graph given by successor lists.
func closure(successors [][]int) [][]bool {
	n := len(successors)
	reaches := make([][]bool, n)
	for i, list := range successors {
		reaches[i] = make([]bool, n)
		for _, j := range list {
			reaches[i][j] = true
		}
	}
	for k := range n {
		for i := range n {
			if !reaches[i][k] {
				continue
			}
			for j := range n {
				reaches[i][j] = reaches[i][j] || reaches[k][j]
			}
		}
	}
	return reaches
}

// Pairs are the dependences without the references they come from: one for
// all that lead from one statement to another, or to itself.
func (g *Graph) Pairs() []*Dependence { return g.pairs }
