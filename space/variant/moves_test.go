package variant

import (
	"slices"
	"testing"

	"polytune/space"
)

// Moves lead to exactly the listed partitions that are one move away by
// definition, each once.
func TestMoves(t *testing.T) {
	for _, kernel := range []string{"sc10/2mm", "sc10/bicg", "sc10/gesummv", "sc10/covar", "sc10/ludcmp"} {
		s := kernelSpace(t, kernel)
		hasse, err := s.Hasse()
		if err != nil {
			t.Fatal(err)
		}
		all := collect(t, s.All())
		splits := 0
		for _, p := range all {
			got := map[string]bool{}
			for _, q := range collect(t, Moves(s, p)) {
				if got[q.String()] {
					t.Errorf("%s: from %s to %s twice", kernel, p, q)
				}
				got[q.String()] = true
			}
			for _, q := range all {
				moved := movedComponent(hasse.Components, p, q)
				want := moved || merged(p, q) || merged(q, p)
				if want && !moved {
					splits++
				}
				if got[q.String()] != want {
					t.Errorf("%s: from %s to %s: %v; want %v", kernel, p, q, !want, want)
				}
				delete(got, q.String())
			}
			for q := range got {
				t.Errorf("%s: from %s to %s, which is not in the space", kernel, p, q)
			}
		}
		t.Logf("%s: %d moves of several components", kernel, splits)
	}
}

// movedComponent says whether the partitions differ, but not when one of the
// components is left out.
func movedComponent(components [][]int, p, q space.Partition) bool {
	return !slices.Equal(p, q) && slices.ContainsFunc(components, func(component []int) bool {
		return slices.Equal(without(p, component), without(q, component))
	})
}

func without(p space.Partition, statements []int) space.Partition {
	var rest space.Partition
	for i, class := range p {
		if !slices.Contains(statements, i) {
			rest = append(rest, class)
		}
	}
	return rest.Normalise()
}

// merged says whether q has two consecutive classes of p in one.
func merged(p, q space.Partition) bool {
	for k := range p.Count() - 1 {
		united := slices.Clone(p)
		for i, class := range p {
			if class > k {
				united[i]--
			}
		}
		if slices.Equal(united, q) {
			return true
		}
	}
	return false
}

// Of many independent statements a class has a number of splits that nobody
// can list; what is asked for first comes soon.
func TestMovesOfManyStatements(t *testing.T) {
	const n = 60
	p := make(space.Partition, n)
	count := 0
	for q, err := range Moves(independent{n: n}, p) {
		if err != nil {
			t.Fatal(err)
		}
		if q.Count() != 2 {
			t.Fatalf("%s is not a split of one class", q)
		}
		if count++; count == 2000 {
			break
		}
	}
	if count < 2000 {
		t.Errorf("only %d moves", count)
	}
}

// independent are all partitions of statements without dependences.
type independent struct {
	Partitions // not asked for the rest
	n          int
}

func (s independent) Contains(p space.Partition) (bool, error) { return true, p.Validate() }

func (s independent) Hasse() (h space.Hasse, err error) {
	for i := range s.n {
		h.Components = append(h.Components, []int{i})
	}
	return h, nil
}

// Steps along axes and moves of the partition are symmetric where no axis
// comes or goes, and stay in the space.
func TestNeighboursOfPoints(t *testing.T) {
	s := NewSpace(kernelSpace(t, "sc10/2mm"), sized(t, new(int)))
	steps := map[string]map[string]bool{}
	points := collect(t, s.All())
	for _, p := range points {
		text := mustText(t, s, p)
		steps[text] = map[string]bool{}
		for _, q := range collect(t, s.Neighbours(p)) {
			if ok, reason := s.Contains(q); !ok {
				t.Fatalf("%s has the neighbour %v, which is not in the space: %v", text, q, reason)
			}
			steps[text][mustText(t, s, q)] = len(p.Setting) == len(q.Setting)
		}
	}
	moves, ways := 0, 0
	for from, to := range steps {
		for q, sameAxes := range to {
			if _, back := steps[q][from]; sameAxes && !back {
				t.Errorf("%s is a neighbour of %s, but not the reverse", q, from)
			}
			if q[:7] != from[:7] {
				moves++
			} else {
				ways++
			}
		}
	}
	if moves == 0 || ways == 0 {
		t.Errorf("%d moves of partitions and %d steps along axes", moves, ways)
	}
}

func mustText(t *testing.T, s *Space, p Point) string {
	t.Helper()
	text, err := s.Text(p)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
