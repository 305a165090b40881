package space

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// forbidden is an oracle: a set is fusible when it includes none of these.
type forbidden [][]int

func (f forbidden) Fusible(class []int) (bool, error) {
	return !slices.ContainsFunc(f, func(set []int) bool {
		return !slices.ContainsFunc(set, func(s int) bool { return !slices.Contains(class, s) })
	}), nil
}

// links connect the members of each set.
func (f forbidden) links() [][2]int {
	var pairs [][2]int
	for _, set := range f {
		for k := range len(set) - 1 {
			pairs = append(pairs, [2]int{set[k], set[k+1]})
		}
	}
	return pairs
}

func statementNames(n int) []string {
	names := make([]string, n)
	for i := range names {
		names[i] = fmt.Sprintf("S%d", i)
	}
	return names
}

// reachability is the transitive closure of a graph of n statements.
func reachability(n int, edges [][2]int) [][]bool {
	reaches := make([][]bool, n)
	for i := range reaches {
		reaches[i] = make([]bool, n)
	}
	for _, e := range edges {
		reaches[e[0]][e[1]] = true
	}
	for k := range n {
		for i := range n {
			for j := range n {
				reaches[i][j] = reaches[i][j] || reaches[i][k] && reaches[k][j]
			}
		}
	}
	return reaches
}

func synthetic(t testing.TB, n int, edges [][2]int, o oracle, options Options) *Space {
	t.Helper()
	s, err := newSpace(statementNames(n), reachability(n, edges), o, options)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// randomGraph has edges mostly along the text, some against it, and random
// infusible sets that respect the strongly connected components.
func randomGraph(random *rand.Rand) (n int, edges [][2]int, infusible forbidden) {
	n = 2 + random.IntN(5)
	forwards, backwards := random.Float64()*0.5, random.Float64()*0.25
	for i := range n {
		for j := i + 1; j < n; j++ {
			if random.Float64() < forwards {
				edges = append(edges, [2]int{i, j})
			}
			if random.Float64() < backwards {
				edges = append(edges, [2]int{j, i})
			}
		}
	}
	components := newOrder(reachability(n, edges)).component
	for range random.IntN(5) {
		set := random.Perm(n)[:min(n, 2+random.IntN(3))]
		slices.Sort(set)
		apart := slices.ContainsFunc(set, func(s int) bool { return components[s] != components[set[0]] })
		if apart {
			infusible = append(infusible, set)
		}
	}
	return n, edges, infusible
}

// legalByDefinition lists the partitions of a graph by trying all weak
// orders against the definition.
func legalByDefinition(n int, edges [][2]int, o oracle) []Partition {
	return slices.DeleteFunc(weakOrders(n), func(p Partition) bool {
		backwards := slices.ContainsFunc(edges, func(e [2]int) bool { return p[e[0]] > p[e[1]] })
		return backwards || slices.ContainsFunc(p.Classes(), func(class []int) bool {
			fusible, _ := o.Fusible(class)
			return !fusible
		})
	})
}

// chain is a chain of dependences along the text.
func chain(n int) (edges [][2]int) {
	for i := range n - 1 {
		edges = append(edges, [2]int{i, i + 1})
	}
	return edges
}

// star is one source and its users.
func star(users int) (edges [][2]int) {
	for i := range users {
		edges = append(edges, [2]int{0, i + 1})
	}
	return edges
}

// fan is one source, its users, and a sink that uses them all.
func fan(users int) (edges [][2]int) {
	for i := range users {
		edges = append(edges, [2]int{0, i + 1}, [2]int{i + 1, users + 1})
	}
	return edges
}
