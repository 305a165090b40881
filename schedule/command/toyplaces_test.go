package command

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"strings"
	"testing"

	"polytune/codegen"
	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// toyHint is a hint that no code knows.
type toyHint struct {
	mark.Dynamic
	Text string
}

func (m toyHint) String() string { return strings.TrimSpace(m.Text + " " + m.Loop) }

// toyGrid gives several loops, of tiles or points, a mark each: toygrid LOOPS by SIZES [to
// near|far|nowhere].
type toyGrid struct {
	Loops  []string
	Sizes  []int64
	Memory string
}

func (c toyGrid) Apply(t *schedule.Tree) error {
	if len(c.Sizes) != len(c.Loops) {
		return fmt.Errorf("%d sizes for %d loops", len(c.Sizes), len(c.Loops))
	}
	n, first, err := t.Chain(c.Loops)
	if err != nil {
		return err
	}
	for k, size := range c.Sizes {
		l := n.Loops[first+k]
		l.Marks = l.Marks.With(toyHint{Text: strings.TrimSpace(fmt.Sprint("grid ", k, " ", size, " ", c.Memory))})
	}
	return nil
}

// toyRest gives a node a mark, whether it has loops or not: toyrest before|after NODE.
type toyRest struct {
	After bool
	Node  string
}

func (c toyRest) Apply(t *schedule.Tree) error {
	n, err := t.Node(c.Node)
	if err != nil {
		return err
	}
	n.Marks = n.Marks.With(toyHint{Text: fmt.Sprint("rest ", c.After)})
	return nil
}

// toyNear asks in each iteration of a loop for something of the tiles around: toynear LOOP.
type toyNear struct{ Loop string }

func (c toyNear) Apply(t *schedule.Tree) error {
	n, place, err := t.Loop(c.Loop)
	if err != nil {
		return err
	}
	n.Loops[place].Ask(c)
	return nil
}

func (toyNear) Stands() schedule.Standing { return schedule.WithCopies }

// Marks have the coordinates of the tiles around, for each statement of the loop.
func (toyNear) Marks(at *schedule.Place) []mark.Mark {
	text := "near"
	for _, l := range at.Around {
		for s := range at.Tree.Program.Statements {
			if _, runs := l.Terms[0].Rows[s]; runs && l.Level > 0 {
				text += fmt.Sprintf(" %s@%d", at.Tree.Program.Statements[s].Name, at.Coordinate(l, s))
			}
		}
	}
	return []mark.Mark{toyHint{mark.Dynamic{Loop: at.Loop.Name}, text}}
}

func withToyPlaces() schedule.Language {
	language := maps.Clone(All)
	for _, s := range []schedule.Spec{
		{Syntax: "toygrid LOOPS by SIZES [to near|far|nowhere]", New: func() schedule.Command { return toyGrid{} }, Random: schedule.Chosen[toyGrid]},
		{Syntax: "toyrest before|after NODE", New: func() schedule.Command { return toyRest{} }, Random: schedule.Chosen[toyRest]},
		{Syntax: "toynear LOOP", New: func() schedule.Command { return toyNear{} }, Random: schedule.Chosen[toyNear]},
	} {
		s.Doc, s.Example, s.Say = "a toy", s.Syntax, schedule.Silent
		language.Add(s)
	}
	return language
}

// placesStart is a recipe for gemm in tiles, with toys at several loops, at nodes with and without
// loops, and inside of tiles.
const placesStart = `classes {S0 S1}
band c0 permutable S0[i, j] -> [i, j]; S1[i, k, j] -> [i, j]
split c0 {S0} {S1}
band c0_1 S1[i, k, j] -> [k]
tile c0.1 c0.2 by 32 16
`

// Marks may stand at several loops of a band, those of tiles too, at nodes, and be made of tile
// coordinates; what they are made of may be one of several words. A command needs no place but its
// file for that.
func TestToyPlaces(t *testing.T) {
	const text = placesStart + "toygrid c0.1t c0.2t by 4 8\ntoygrid c0.1 c0.2 by 2 3 to far\ntoyrest after c0_0\ntoyrest before c0_1\ntoynear c0.2t\n"
	language, g := withToyPlaces(), kerneltest.Graph(t, "polybench/gemm")
	recipe, err := language.Parse(g.Model.Program, text)
	if err != nil || recipe.Text(g.Model.Program) != text {
		t.Fatalf("read as %s (%v)", recipe.Text(g.Model.Program), err)
	}
	_, proven, err := recipe.Prove(g)
	if err != nil {
		t.Fatal(err)
	}
	rest := proven.String()
	for _, want := range []string{"grid 0 4 c0.1t", "grid 1 8 c0.2t", "near S0@0 S1@0 S0@1 S1@1 c0.2t", "grid 0 2 far c0.1", "grid 1 3 far c0.2", "rest true", "rest false"} {
		_, behind, has := strings.Cut(rest, fmt.Sprintf("mark: %q", want))
		if !has {
			t.Fatalf("no mark %q behind the others in\n%s", want, proven)
		}
		rest = behind
	}
	plain, err := Parse(g.Model.Program, placesStart)
	if err != nil {
		t.Fatal(err)
	}
	unit := scop.Unit{Program: g.Model.Program, Place: func(code string) []byte { return []byte(code) }}
	want, err := codegen.Program(g, plain, unit)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := codegen.Program(g, recipe, unit); err != nil || loopsOf(got) != loopsOf(want) {
		t.Errorf("got\n%s\n(%v), want\n%s", got, err, want)
	}
}

// loopsOf is code without the comments in front of it.
func loopsOf(code []byte) string {
	text := string(code)
	return text[max(0, strings.Index(text, "for (")):]
}

// A word that is none of several is an error, and so are brackets that begin with no word.
func TestToyChoices(t *testing.T) {
	language := withToyPlaces()
	if _, err := language.Parse(gemm(), "toygrid c0.1 by 2 to heaven"); err == nil || !strings.Contains(err.Error(), "[to near|far|nowhere]") {
		t.Errorf("got %v", err)
	}
	recipe, err := language.Parse(gemm(), placesStart)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := recipe.Replay(gemm())
	if err != nil {
		t.Fatal(err)
	}
	chosen := map[string]bool{}
	for seed := range uint64(100) {
		for _, c := range schedule.Chosen[toyGrid](rand.New(rand.NewPCG(seed, 1)), tree) {
			chosen[c.(toyGrid).Memory] = true
		}
	}
	if len(chosen) != 4 {
		t.Errorf("chance has chosen %v", chosen)
	}
	defer func() {
		if failure := recover(); failure == nil || !strings.Contains(fmt.Sprint(failure), "brackets begin with no word") {
			t.Errorf("got %v", failure)
		}
	}()
	language.Add(schedule.Spec{Syntax: "toyrest [before|after] NODE", New: func() schedule.Command { return toyRest{} }})
}

// Parts with marks of their own are not fused: the node that they become has no place for them.
func TestToyFused(t *testing.T) {
	const text = `classes {S0} {S1}
band c0 permutable S0[i, j] -> [i, j]
band c1 permutable S1[i, j] -> [i, j]
`
	g := kerneltest.Graph(t, "polybench/mvt")
	recipe, err := withToyPlaces().Parse(g.Model.Program, text+"toyrest after c0\nfuse c0 c1\n")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := recipe.Replay(g.Model.Program); err == nil || !strings.Contains(err.Error(), "fuse before loops are tiled or marked") {
		t.Errorf("got %v", err)
	}
}
