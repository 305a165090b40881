package space

import (
	"fmt"
	"iter"
	"slices"

	"polytune/scop/depend"
)

// Levels is the space of the ways to fuse and order the statements of one
// program at its outermost loops, down to a depth: its points are nests.
//
// A nest belongs to it when its outermost level belongs to the single-level
// space, and when for each class of that there is a choice of rows for the
// loop that its statements share such that the nest inside belongs to the
// space of what the choice leaves, which is again one of this kind:
//
//   - A choice gives each statement of the class a schedule row that is
//     linearly independent of those of the loops outside, such that no
//     dependence that these do not carry runs backwards. It is made of sums of
//     loops of the source, coefficients 0 and 1, with the least shifts that
//     will do, smaller than the peel bound; or, where no such rows go
//     together, it is the smallest solution of the exact test (groupTest).
//   - It leaves the pairs of instances that run in one iteration of the loop.
//     The order and the fusibility of the statements at the next level are
//     those of these pairs alone.
//   - A statement with fewer loops is in a loop of one iteration at the levels
//     that it has no loop for, as it is at the outermost one.
//
// The space of a class is the union over its choices, because a nest says who
// shares which loops, not what the loops are. Larger shifts are left out: they
// would add nests in which a statement runs ahead of those it depends on, an
// iteration later, at the price of more peeled iterations.
//
// Statements of a class that no chain of dependences links do not restrict
// each other, and a statement alone is free: choices are looked for in the
// linked parts of a class one by one. Of a part with many choices only the
// simplest are looked at (maxChoices, maxChoicesInside); Incomplete tells where
// that happened.
//
// Mode and cuts are about the outermost level alone. A Levels is to be used by
// one goroutine at a time, like the isl context of the dependences it was made
// from, which must stay open.
type Levels struct {
	graph *depend.Graph
	first *Space
	test  *groupTest
	depth int
	root  *place
	// left, places, shared and choices remember what was computed, by the
	// statements concerned and their rows.
	left    map[string][]*depend.Dependence
	places  map[string]*place
	shared  map[string]Rows
	choices map[string][]Rows
	// incomplete are the classes of which some choices were not looked at.
	incomplete map[string]bool
}

// NewLevels is the space of the program whose dependences are given, with so
// many levels: 1 or more. It is an error when the options' cuts ask for what
// cannot be.
func NewLevels(graph *depend.Graph, options Options, depth int) (*Levels, error) {
	first, err := New(graph, options)
	if err != nil {
		return nil, err
	}
	return LevelsOf(first, graph, depth)
}

// LevelsOf is the space of so many levels whose outermost one is a space of the
// program with the given dependences.
func LevelsOf(first *Space, graph *depend.Graph, depth int) (*Levels, error) {
	if depth < 1 {
		return nil, fmt.Errorf("a space of %d levels is asked for; there must be 1 or more", depth)
	}
	l := &Levels{graph: graph, first: first, test: first.groups, depth: depth,
		left: map[string][]*depend.Dependence{}, places: map[string]*place{}, shared: map[string]Rows{},
		choices: map[string][]Rows{}, incomplete: map[string]bool{}}
	l.root = &place{levels: l, test: first.groups, space: first}
	for s := range graph.Model.Statements {
		l.root.statements = append(l.root.statements, s)
	}
	return l, nil
}

// Depth is the number of levels.
func (l *Levels) Depth() int { return l.depth }

// Single is the space of the outermost level alone.
func (l *Levels) Single() *Space { return l.first }

// Names are the names of the statements.
func (l *Levels) Names() []string { return l.first.Names() }

// All yields the nests of the space in the order of Nest.Compare. Nothing is
// computed before it is asked for. An error ends the sequence.
func (l *Levels) All() iter.Seq2[Nest, error] { return l.root.nests(l.depth, nil) }

// After is All for the nests that come after the given one, which need not
// belong to the space: a listing that stopped at n goes on with After(n).
func (l *Levels) After(n Nest) iter.Seq2[Nest, error] {
	return func(yield func(Nest, error) bool) {
		if err := l.checkShape(n); err != nil {
			yield(nil, err)
			return
		}
		for m, err := range l.root.nests(l.depth, n) {
			if err == nil && m.Compare(n) == 0 {
				continue
			}
			if !yield(m, err) {
				return
			}
		}
	}
}

// Incomplete are the sets of statements, drawn as classes, of which so far not
// all choices of rows were looked at: nests that only the others allow are
// missing. The list is sorted; it is empty when everything was looked at.
func (l *Levels) Incomplete() []string {
	list := make([]string, 0, len(l.incomplete))
	for class := range l.incomplete {
		list = append(list, class)
	}
	slices.Sort(list)
	return list
}
