package schedule

import (
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/scop/mark"
)

// toy is a command as a new one is written: a type, its Spec, and what it does.
//
//	toy LOOP lanes COUNT
type toy struct {
	Loop  string
	Quick bool
	Lanes int64
}

// Apply asks for lanes.
func (c toy) Apply(t *Tree) error {
	n, place, err := t.loop(c.Loop)
	if err != nil {
		return err
	}
	n.Loops[place].Marks = n.Loops[place].Marks.With(mark.Simdlen{Lanes: c.Lanes})
	return nil
}

// A new command is its type with a Spec: lines are read and written, messages say how, chance chooses it, and its mark is in the
// schedule tree.
func TestToyCommand(t *testing.T) {
	s := register(Spec{Syntax: "toy LOOP [quick] lanes COUNT", Doc: "a toy", Example: "toy c0.1 lanes 4", New: func() Command { return toy{} }})
	defer func() {
		delete(specs, s.word)
		for kind, other := range byType {
			if other == s {
				delete(byType, kind)
			}
		}
	}()
	g := kerneltest.Graph(t, "polybench/mvt")
	const text = "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nband c1 permutable S1[i, j] -> [i, j]\ntoy c0.2 quick lanes 4\ntoy c1.1 lanes 8\n"
	recipe, err := Parse(g.Model.Program, text)
	if err != nil || recipe.Text(g.Model.Program) != text {
		t.Fatalf("read as %s (%v)", recipe.Text(g.Model.Program), err)
	}
	if c := recipe[3].(toy); c != (toy{"c0.2", true, 4}) {
		t.Errorf("read as %+v", c)
	}
	_, proven, err := recipe.Prove(g)
	if err != nil || !strings.Contains(proven.String(), `mark: "simdlen 8 c1.1"`) {
		t.Errorf("%v in %s", err, proven)
	}
	if _, err := Parse(g.Model.Program, "toy c0.2 slow lanes 4"); err == nil || !strings.Contains(err.Error(), "a toy is written: toy LOOP [quick] lanes COUNT; for example toy c0.1 lanes 4") {
		t.Errorf("got %v", err)
	}
}
