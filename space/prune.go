package space

import (
	"iter"
	"slices"

	"polytune/isl"
)

// Constraints are the constraints whose integer points are exactly the
// partitions of the space: those of the encoding, then those that prune it
// (SC'10, section IV-C):
//
//   - where i may not run in a later class than j: p_ij + e_ij = 1; where
//     both may not, e_ij = 1;
//   - where i and j cannot be fused: e_ij = 0;
//   - for a larger set that cannot be fused, although every part can: the
//     sum of e along a path through it is at most its size minus 2;
//   - the affine cuts, as they are.
func (s *Space) Constraints() (iter.Seq[Constraint], error) {
	infusible, err := s.minimalInfusible()
	if err != nil {
		return nil, err
	}
	pruning := s.orderConstraints()
	for _, set := range infusible {
		pruning = append(pruning, s.separation(set)...)
	}
	for _, cut := range s.cuts {
		pruning = append(pruning, cut.Constraints...)
	}
	return func(yield func(Constraint) bool) {
		for c := range s.encoding.Constraints() {
			if !yield(c) {
				return
			}
		}
		for _, c := range pruning {
			if !yield(c) {
				return
			}
		}
	}, nil
}

// Set is the space as an isl set: its integer points, with the coordinates of
// Encoding.Point, are exactly the partitions of the space.
func (s *Space) Set(ctx *isl.Context) (*isl.Set, error) {
	constraints, err := s.Constraints()
	if err != nil {
		return nil, err
	}
	set := s.encoding.set(ctx, constraints)
	return set, ctx.Err()
}

// Text is the space in isl's notation, with named variables and all
// constraints as they are, redundant or not.
func (s *Space) Text() (string, error) {
	constraints, err := s.Constraints()
	if err != nil {
		return "", err
	}
	return s.encoding.text(constraints), nil
}

// orderConstraints are the constraints of pairs whose order is limited.
func (s *Space) orderConstraints() []Constraint {
	var list []Constraint
	for j := range s.encoding.Statements {
		for i := range j {
			p, e := s.encoding.Precedes(i, j), s.encoding.Equal(i, j)
			forwards, backwards := s.order.before[i][j], s.order.before[j][i]
			switch {
			case forwards && backwards:
				list = append(list, Constraint{Terms: []Term{{1, e}}, Constant: -1, Equality: true})
			case forwards:
				list = append(list, Constraint{Terms: []Term{{1, p}, {1, e}}, Constant: -1, Equality: true})
			case backwards:
				list = append(list, Constraint{Terms: []Term{{1, p}}, Equality: true})
			}
		}
	}
	return list
}

// separation keeps a minimal infusible set of components out of one class.
func (s *Space) separation(components []int) []Constraint {
	if len(components) == 2 {
		return s.pairSeparation(components[0], components[1])
	}
	var path []Term
	for k, c := range components[1:] {
		i, j := s.order.components[components[k]][0], s.order.components[c][0]
		path = append(path, Term{-1, s.encoding.Equal(i, j)})
	}
	return []Constraint{{Terms: path, Constant: len(components) - 2}}
}

func (s *Space) pairSeparation(c, d int) []Constraint {
	var list []Constraint
	for _, i := range s.order.components[c] {
		for _, j := range s.order.components[d] {
			e := s.encoding.Equal(min(i, j), max(i, j))
			list = append(list, Constraint{Terms: []Term{{1, e}}, Equality: true})
		}
	}
	return list
}

// minimalInfusible are the sets of components that cannot be fused although
// all their proper subsets can, in lexicographic order. Beyond pairs, only
// sets whose members are pairwise fusible can be minimal: they are looked for
// in the maximal cliques of the graph of fusible pairs.
func (s *Space) minimalInfusible() ([][]int, error) {
	n := len(s.order.components)
	list, adjacent, err := s.infusiblePairs()
	if err != nil {
		return nil, err
	}
	found := map[string]bitset{}
	all := newBitset(n)
	for c := range n {
		all.add(c)
	}
	for _, clique := range maximalCliques(adjacent, newBitset(n), all, newBitset(n)) {
		if err := s.minimalWithin(clique, found, map[string]bool{}); err != nil {
			return nil, err
		}
	}
	for _, set := range found {
		list = append(list, set.members())
	}
	slices.SortFunc(list, slices.Compare)
	return list, nil
}

// infusiblePairs are the pairs of components that cannot be fused; adjacent
// are, for each component, those that can be fused with it.
func (s *Space) infusiblePairs() (pairs [][]int, adjacent []bitset, err error) {
	n := len(s.order.components)
	adjacent = make([]bitset, n)
	for d := range n {
		adjacent[d] = newBitset(n)
		for c := range d {
			fusible, err := s.componentsFusible(newBitset(n, c, d))
			if err != nil {
				return nil, nil, err
			}
			if fusible {
				adjacent[c].add(d)
				adjacent[d].add(c)
			} else {
				pairs = append(pairs, []int{c, d})
			}
		}
	}
	return pairs, adjacent, nil
}

func (s *Space) componentsFusible(components bitset) (bool, error) {
	return s.memory.isFusible(s.order.statementsOf(components))
}

// minimalWithin adds to found all minimal infusible subsets of a set: one is
// found by taking members away; every other one misses some member of it.
func (s *Space) minimalWithin(set bitset, found map[string]bitset, visited map[string]bool) error {
	if visited[set.key()] {
		return nil
	}
	visited[set.key()] = true
	fusible, err := s.componentsFusible(set)
	if err != nil || fusible {
		return err
	}
	minimal, err := smallest(set, s.componentsFusible)
	if err != nil {
		return err
	}
	found[minimal.key()] = minimal
	for _, c := range minimal.members() {
		smaller := slices.Clone(set)
		smaller.remove(c)
		if err := s.minimalWithin(smaller, found, visited); err != nil {
			return err
		}
	}
	return nil
}

// maximalCliques are the maximal cliques of a graph that contain chosen,
// further vertices of candidates, and no vertex of excluded (Bron and
// Kerbosch 1973, with pivot).
func maximalCliques(adjacent []bitset, chosen, candidates, excluded bitset) []bitset {
	if candidates.isEmpty() {
		if excluded.isEmpty() {
			return []bitset{chosen}
		}
		return nil
	}
	var cliques []bitset
	candidates, excluded = slices.Clone(candidates), slices.Clone(excluded)
	for _, v := range candidates.without(adjacent[pivot(adjacent, candidates, excluded)]).members() {
		cliques = append(cliques, maximalCliques(adjacent, chosen.with(v),
			candidates.intersect(adjacent[v]), excluded.intersect(adjacent[v]))...)
		candidates.remove(v)
		excluded.add(v)
	}
	return cliques
}

// pivot is the candidate or excluded vertex with the most neighbours among
// the candidates: a maximal clique has it or a candidate that is no neighbour
// of it.
func pivot(adjacent []bitset, candidates, excluded bitset) int {
	best, most := -1, -1
	for _, v := range append(candidates.members(), excluded.members()...) {
		if count := candidates.intersect(adjacent[v]).size(); count > most {
			best, most = v, count
		}
	}
	return best
}
