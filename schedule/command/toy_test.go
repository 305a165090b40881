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

// unproven is a mark that claims something of which nobody has a proof.
type unproven struct{ mark.Private }

func (unproven) String() string { return "toys" }

// Apply asks for lanes, and with quick for what nobody has proven.
func (c toy) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	n.Loops[place].Marks = n.Loops[place].Marks.With(mark.Simdlen{Lanes: c.Lanes})
	if c.Quick {
		n.Loops[place].Marks = n.Loops[place].Marks.With(unproven{})
	}
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
				return schedule.Say(schedule.AboutCopies, fmt.Sprintf("with %d toys", m.Lanes))
			}
			return nil
		},
		Without: func(m mark.Mark) string {
			if _, is := m.(unproven); is {
				return "without toys"
			}
			return ""
		},
	})
	return language
}

// A new command is its type with a Spec: lines are read and written, messages say how, chance
// chooses it, its mark is in the schedule tree, and explanations have its phrases.
func TestToyCommand(t *testing.T) {
	language := withToy()
	g := kerneltest.Graph(t, "polybench/mvt")
	const start = "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nband c1 permutable S1[i, j] -> [i, j]\n"
	const text = start + "toy c0.2 lanes 4\ntoy c1.1 lanes 8\n"
	recipe, err := language.Parse(g.Model.Program, text)
	if err != nil || recipe.Text(g.Model.Program) != text {
		t.Fatalf("read as %s (%v)", recipe.Text(g.Model.Program), err)
	}
	if c := recipe[3].(toy); c != (toy{"c0.2", false, 4}) {
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
	if got := language.Without(unproven{}); got != "without toys" {
		t.Errorf("got %q", got)
	}
	if c := schedule.Chosen[toy](rand.New(rand.NewPCG(1, 1)), tree); len(c) != 1 || c[0].Apply(tree) != nil {
		t.Errorf("chance chooses %v", c)
	}
}

// What a command claims of a loop has to be proven: a mark that the proof does not know is an
// error, and so is a command that only another language has.
func TestToyClaims(t *testing.T) {
	g := kerneltest.Graph(t, "polybench/mvt")
	const text = "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nband c1 permutable S1[i, j] -> [i, j]\ntoy c0.2 quick lanes 4\n"
	recipe, err := withToy().Parse(g.Model.Program, text)
	if err != nil || recipe.Text(g.Model.Program) != text {
		t.Fatalf("read as %s (%v)", recipe.Text(g.Model.Program), err)
	}
	if _, _, err := recipe.Prove(g); err == nil || !strings.Contains(err.Error(), `nothing proves what the mark "toys" claims`) {
		t.Errorf("got %v", err)
	}
	if _, err := Parse(g.Model.Program, text); err == nil || !strings.Contains(err.Error(), `there is no command "toy"`) {
		t.Errorf("got %v", err)
	}
}
