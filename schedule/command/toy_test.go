package command

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
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
func (c toy) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	n.Loops[place].Marks = n.Loops[place].Marks.With(mark.Simdlen{Lanes: c.Lanes})
	return nil
}

// withToy are all commands and the toy.
func withToy() schedule.Language {
	language := maps.Clone(All)
	language.Add(schedule.Spec{
		Syntax:  "toy LOOP [quick] lanes COUNT",
		Doc:     "a toy",
		Example: "toy c0.1 lanes 4",
		New:     func() schedule.Command { return toy{} },
		Random:  schedule.Chosen[toy],
		Say: func(l *schedule.Loop, _ schedule.Telling) []schedule.Phrase {
			if m, is := mark.Of[mark.Simdlen](l.Marks); is {
				return schedule.Say(schedule.Copies, fmt.Sprintf("with %d toys", m.Lanes))
			}
			return nil
		},
		Without: func(m mark.Mark) string {
			if _, is := m.(mark.Simdlen); is {
				return "without toys"
			}
			return ""
		},
	})
	return language
}

// A new command is its type with a Spec: lines are read and written, messages say how, chance chooses it, its mark is in the
// schedule tree, and explanations have its phrases.
func TestToyCommand(t *testing.T) {
	language := withToy()
	g := kerneltest.Graph(t, "polybench/mvt")
	const text = "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nband c1 permutable S1[i, j] -> [i, j]\ntoy c0.2 quick lanes 4\ntoy c1.1 lanes 8\n"
	recipe, err := language.Parse(g.Model.Program, text)
	if err != nil || recipe.Text(g.Model.Program) != text {
		t.Fatalf("read as %s (%v)", recipe.Text(g.Model.Program), err)
	}
	if c := recipe[3].(toy); c != (toy{"c0.2", true, 4}) {
		t.Errorf("read as %+v", c)
	}
	tree, proven, err := recipe.Prove(g)
	if err != nil || !strings.Contains(proven.String(), `mark: "simdlen 8 c1.1"`) {
		t.Errorf("%v in %s", err, proven)
	}
	if _, err := language.Parse(g.Model.Program, "toy c0.2 slow lanes 4"); err == nil || !strings.Contains(err.Error(), "a toy is written: toy LOOP [quick] lanes COUNT; for example toy c0.1 lanes 4") {
		t.Errorf("got %v", err)
	}
	for loop, want := range map[*schedule.Loop]string{tree.Classes[0].Loops[1]: "with 4 toys", tree.Classes[0].Loops[0]: ""} {
		if got := strings.Join(language.Say(loop, schedule.Telling{}), ", "); got != want {
			t.Errorf("of %s is said %q, want %q", loop.Name, got, want)
		}
	}
	if got := language.Without(mark.Simdlen{}); got != "without toys" {
		t.Errorf("got %q", got)
	}
	if c := schedule.Chosen[toy](rand.New(rand.NewPCG(1, 1)), tree); len(c) != 1 || c[0].Apply(tree) != nil {
		t.Errorf("chance chooses %v", c)
	}
}
