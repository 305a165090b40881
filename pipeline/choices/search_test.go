package choices

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/schedule/feature"
	"polytune/space"
	"polytune/tuner/search"
)

// spaceOf is the space in which a session on a benchmark searches.
func spaceOf(t *testing.T, bench string) *SearchSpace {
	t.Helper()
	targets, err := (&pipeline.Options{Bench: bench, Privatize: true}).All(nil)
	if err != nil {
		t.Fatal(err)
	}
	machine, err := runner.Detect("test")
	if err != nil {
		t.Fatal(err)
	}
	p, err := NewProbe(t.Context(), targets[0], machine)
	if err != nil {
		t.Fatal(err)
	}
	partitions, _, err := p.SessionPartitions(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	s, err := p.NewSearchSpace(t.Context(), partitions, 2)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// expectPoint checks that a point belongs to the space, with the text that its
// setting has.
func expectPoint(t *testing.T, s *SearchSpace, p search.Point) {
	t.Helper()
	model, setting, err := s.read(p)
	if err != nil || model == nil {
		t.Fatalf("%s is no point: %v", p, err)
	}
	if text := model.Text(setting); text != p.Setting {
		t.Errorf("%s has the setting %q", p, text)
	}
	at, err := variant.At(t.Context(), s.target, space.Nest{p.Partition}, p.Setting, s.base)
	if err != nil || at.Target == nil {
		t.Errorf("%s cannot be generated: %v", p, err)
	}
}

func TestSearchSpace(t *testing.T) {
	s := spaceOf(t, "polybench/2mm")
	first := search.Point{Partition: s.partitions[0]}
	neighbours, err := s.Neighbours(t.Context(), first)
	if err != nil {
		t.Fatal(err)
	}
	other := 0
	for _, p := range neighbours {
		expectPoint(t, s, p)
		if !slices.Equal(p.Partition, first.Partition) {
			other++
		}
	}
	var settings []string
	for _, p := range neighbours[:3] {
		settings = append(settings, p.Setting)
	}
	if want := []string{"tile=wide", "tile=half", "tile=untiled"}; !slices.Equal(settings, want) || other != nearPartitions {
		t.Errorf("neighbours begin with %q, and %d are other partitions", settings, other)
	}
	random := rand.New(rand.NewPCG(1, 1))
	seen := map[string]bool{}
	draws := 8
	if kerneltest.Long() {
		draws = 20
	}
	for range draws {
		a, err := s.Random(t.Context(), random)
		if err != nil {
			t.Fatal(err)
		}
		expectPoint(t, s, a)
		seen[a.String()] = true
		b, err := s.Random(t.Context(), random)
		if err != nil {
			t.Fatal(err)
		}
		child, err := s.Cross(t.Context(), random, a, b)
		if err != nil {
			t.Fatal(err)
		}
		expectPoint(t, s, child)
		if text := child.Partition.String(); text != a.Partition.String() && text != b.Partition.String() {
			t.Errorf("%s is a child of %s and %s", child, a, b)
		}
		tiled, err := s.Retile(t.Context(), random, first)
		if err != nil {
			t.Fatal(err)
		}
		expectPoint(t, s, tiled)
		for word := range strings.FieldsSeq(tiled.Setting) {
			if axis, _, _ := strings.Cut(word, "="); !search.IsTileAxis(axis) {
				t.Errorf("%s differs from %s in more than tiles", tiled, first)
			}
		}
	}
	if len(seen) < draws*3/4 {
		t.Errorf("%d draws gave %d points", draws, len(seen))
	}
	points := 0
	for p, err := range s.All(t.Context()) {
		if err != nil {
			t.Fatal(err)
		}
		if points++; points == 50 {
			expectPoint(t, s, p)
			break
		}
	}
	if strange, err := s.Neighbours(t.Context(), search.Point{Partition: s.partitions[0], Setting: "nonsense=1"}); err != nil || len(strange) > 0 {
		t.Errorf("neighbours of no point: %v, %v", strange, err)
	}
}

func TestSearchFeatures(t *testing.T) {
	s := spaceOf(t, "polybench/gemm")
	p := s.partitions[0]
	list, err := s.Features(t.Context(), []search.Point{{Partition: p}, {Partition: p, Setting: "tile=untiled"}, {Partition: p, Setting: "nonsense=1"}})
	if err != nil {
		t.Fatal(err)
	}
	tiled := slices.Index(feature.Names, "tiled")
	if len(list[0]) != len(feature.Names) || len(list[1]) != len(feature.Names) || list[2] != nil || list[0][tiled] <= list[1][tiled] {
		t.Errorf("features %v", list)
	}
}
