package space

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestHasse(t *testing.T) {
	edges := [][2]int{{0, 1}, {1, 3}, {0, 3}, {2, 3}, {4, 5}, {5, 4}}
	s := synthetic(t, 6, edges, forbidden{{1, 3}, {0, 2}, {0, 3}}, Options{Mode: SC10, Cuts: []Cut{{Kind: Before, Statements: []int{3, 4}}}})
	h, err := s.Hasse()
	if err != nil {
		t.Fatal(err)
	}
	if want := [][]int{{0}, {1}, {2}, {3}, {4, 5}}; !slices.EqualFunc(h.Components, want, slices.Equal[[]int]) {
		t.Errorf("components %v, want %v", h.Components, want)
	}
	// 0 -> 2 is the rule of mode sc10, 3 -> 4 the cut; 0 -> 3 follows from
	// 0 -> 1 -> 3.
	want := []HasseEdge{
		{From: 0, To: 1, Dependent: true, Fusible: true},
		{From: 0, To: 2},
		{From: 1, To: 3, Dependent: true},
		{From: 2, To: 3, Dependent: true, Fusible: true},
		{From: 3, To: 4},
	}
	if !slices.Equal(h.Edges, want) {
		t.Errorf("edges %+v, want %+v", h.Edges, want)
	}
	if len(h.Apart) != 0 {
		t.Errorf("apart: %v", h.Apart)
	}
	loose, err := synthetic(t, 3, nil, forbidden{{0, 2}}, Options{}).Hasse()
	if err != nil || len(loose.Edges) != 0 || !slices.Equal(loose.Apart, [][2]int{{0, 2}}) {
		t.Errorf("%+v, %v; want 0 and 2 apart", loose, err)
	}
}

// Where a cut has put statements together, the dependences of all of them
// count.
func TestHasseOfStatementsKeptTogether(t *testing.T) {
	s := synthetic(t, 4, [][2]int{{2, 3}}, forbidden{}, Options{Cuts: []Cut{{Kind: Together, Statements: []int{0, 2}}, {Kind: Before, Statements: []int{3, 1}}}})
	h, err := s.Hasse()
	want := []HasseEdge{{From: 2, To: 1}, {From: 0, To: 2, Dependent: true, Fusible: true}}
	if err != nil || !slices.Equal(h.Edges, want) {
		t.Errorf("edges %+v, %v; want %+v", h.Edges, err, want)
	}
}

// The order that an edge list closes is the order of the space.
func TestHasseClosesToTheOrder(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for seed := range 50 {
		n, edges, infusible := randomGraph(random)
		s := synthetic(t, n, edges, infusible, Options{})
		h, err := s.Hasse()
		if err != nil {
			t.Fatal(err)
		}
		direct := make([][]bool, len(h.Components))
		for c := range direct {
			direct[c] = make([]bool, len(h.Components))
		}
		for _, e := range h.Edges {
			direct[e.From][e.To] = true
		}
		closed := newOrder(direct)
		for c := range h.Components {
			for d := range h.Components {
				if closed.precedes(c, d) != s.order.precedes(c, d) {
					t.Fatalf("seed %d: %d before %d is %v in the drawing", seed, c, d, closed.precedes(c, d))
				}
			}
		}
	}
}
