package space

import "slices"

// order says which statements may not run in a later class than which others:
// before[i][j] when the class of i must be that of j or an earlier one. It is
// reflexive and transitive. Statements with both before[i][j] and
// before[j][i] form a component: they are in one class of every partition.
type order struct {
	before [][]bool
	// components are in the order of their first statements; members are in
	// textual order.
	components [][]int
	// component is, for each statement, the index of its component.
	component []int
	// ahead[c][d] says that component c is another one than d and may not run
	// in a later class.
	ahead [][]bool
}

// newOrder closes a relation given by successor flags.
func newOrder(direct [][]bool) *order {
	n := len(direct)
	o := &order{before: make([][]bool, n), component: make([]int, n)}
	for i := range n {
		o.before[i] = slices.Clone(direct[i])
		o.before[i][i] = true
	}
	for k := range n {
		for i := range n {
			for j := range n {
				o.before[i][j] = o.before[i][j] || o.before[i][k] && o.before[k][j]
			}
		}
	}
	for i := range n {
		first := 0
		for !o.before[i][first] || !o.before[first][i] {
			first++
		}
		o.component[i] = o.component[first]
		if first == i {
			o.component[i] = len(o.components)
			o.components = append(o.components, nil)
		}
		o.components[o.component[i]] = append(o.components[o.component[i]], i)
	}
	o.ahead = make([][]bool, len(o.components))
	for c, component := range o.components {
		o.ahead[c] = make([]bool, len(o.components))
		for d, other := range o.components {
			o.ahead[c][d] = c != d && o.before[component[0]][other[0]]
		}
	}
	return o
}

// statementsOf are the statements of components.
func (o *order) statementsOf(components bitset) bitset {
	statements := newBitset(len(o.component))
	for _, c := range components.members() {
		for _, i := range o.components[c] {
			statements.add(i)
		}
	}
	return statements
}

// precedes says whether component c is another one than d and may not run in
// a later class.
func (o *order) precedes(c, d int) bool { return o.ahead[c][d] }

// topological lists the components so that none comes after one it precedes:
// always the textually first that can be next.
func (o *order) topological() []int {
	var sorted []int
	placed := make([]bool, len(o.components))
	for range o.components {
		next := 0
		for placed[next] || o.mustWait(next, placed) {
			next++
		}
		placed[next] = true
		sorted = append(sorted, next)
	}
	return sorted
}

// mustWait says whether a component that is not placed precedes c.
func (o *order) mustWait(c int, placed []bool) bool {
	for d := range o.components {
		if !placed[d] && o.precedes(d, c) {
			return true
		}
	}
	return false
}

// hoistingOrder is the rule of mode sc10, "Rule X": a statement j is not
// hoisted above an earlier one i, on which it does not depend, once a
// statement between them in the text depends on i, provided that some chain
// of dependences, in whatever directions, links i and j. reaches is the
// transitive closure of the dependences.
//
// The rule was found by brute force over the kernels of SC'10, Figure 6; with
// it the column #valid is reproduced in all 16 rows. It discards legal
// partitions.
func hoistingOrder(reaches [][]bool) [][2]int {
	n := len(reaches)
	linked := linkedStatements(reaches)
	var pairs [][2]int
	for i := range n {
		consumed := false
		for j := i + 1; j < n; j++ {
			if consumed && !reaches[i][j] && linked[i] == linked[j] {
				pairs = append(pairs, [2]int{i, j})
			}
			consumed = consumed || reaches[i][j]
		}
	}
	return pairs
}

// linkedStatements gives two statements the same number exactly when they are
// in one weakly connected component of the graph.
func linkedStatements(reaches [][]bool) []int {
	number := make([]int, len(reaches))
	for i := range number {
		number[i] = i
	}
	for i := range reaches {
		for j := range reaches {
			if reaches[i][j] && number[i] != number[j] {
				from, to := number[j], number[i]
				for k := range number {
					if number[k] == from {
						number[k] = to
					}
				}
			}
		}
	}
	return number
}
