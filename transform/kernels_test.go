package transform

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/mark"
	"polytune/space"
)

var update = flag.Bool("update", false, "write the golden files anew")

// fixed are the options of all tests: the tile sizes of the goldens must not
// depend on the machine.
var fixed = Options{CacheBytes: 48 << 10, Interleave: 1}

// programOf reads the first region of a C file.
func programOf(t testing.TB, name string, source []byte) *scop.Program {
	t.Helper()
	file, err := kerneltest.Parse(name+".c", string(source), name)
	if err != nil {
		t.Fatal(err)
	}
	return file.Regions[0].Program
}

// graphOf reads a C file and analyses its first region.
func graphOf(t testing.TB, name string, source []byte) *depend.Graph {
	t.Helper()
	return kerneltest.Analyze(t, programOf(t, name, source))
}

func spaceOf(t testing.TB, g *depend.Graph) *space.Space {
	t.Helper()
	s, err := space.New(g, space.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// chosen is the partition that a word such as "max" or "0-1-1" names.
func chosen(t testing.TB, g *depend.Graph, word string) space.Partition {
	t.Helper()
	list, err := Choose(spaceOf(t, g), g, word, 1)
	if err != nil {
		t.Fatal(err)
	}
	return list[0]
}

// recipeOf is the text of the recipe for a partition, without what it says of small nests:
// TestShortLoops and the golden files are about that. In short tests one recipe of each form is
// proven, in long ones all.
func recipeOf(t testing.TB, g *depend.Graph, partition space.Partition, options Options) string {
	t.Helper()
	recipe, err := Transform(g, partition, options)
	if err != nil {
		t.Fatal(err)
	}
	text := recipe.Text(g.Model.Program)
	if _, known := provenForms.LoadOrStore(form{g.Model.Program, digits.ReplaceAllString(text, "0")}, true); known && !kerneltest.Long() {
		return withoutGrain(text)
	}
	if _, _, err := recipe.Prove(g); err != nil {
		t.Fatalf("%s: %v\n%s", partition, err, text)
	}
	return withoutGrain(text)
}

// form is a recipe for a program but for its numbers, such as sizes of tiles.
type form struct {
	program *scop.Program
	text    string
}

// provenForms are those of which a recipe has been proven.
var provenForms sync.Map

var digits = regexp.MustCompile(`[0-9]+`)

// checkTexts reports what a recipe lacks of the texts that it should have, and has of others.
func checkTexts(t *testing.T, about, recipe string, wants, lacks []string) {
	t.Helper()
	for _, want := range wants {
		if !strings.Contains(recipe, want) {
			t.Errorf("%s: no %q in\n%s", about, want, recipe)
		}
	}
	for _, lack := range lacks {
		if strings.Contains(recipe, lack) {
			t.Errorf("%s: %q in\n%s", about, lack, recipe)
		}
	}
}

var grainLine = regexp.MustCompile(`(?m)^threads \S+ from \d+ of .*\n`)

// withoutGrain is the text of a recipe without the lines that are about small nests.
func withoutGrain(recipe string) string { return grainLine.ReplaceAllString(recipe, "") }

// provenRecipe is the recipe for a partition, and its schedule tree.
func provenRecipe(t testing.TB, g *depend.Graph, partition space.Partition, options Options) (schedule.Recipe, mark.Schedule) {
	t.Helper()
	recipe, err := Transform(g, partition, options)
	if err != nil {
		t.Fatal(err)
	}
	_, tree, err := recipe.Prove(g)
	if err != nil {
		t.Fatalf("%s: %v\n%s", partition, err, recipe.Text(g.Model.Program))
	}
	return recipe, tree
}

// Every built-in kernel's recipes for three partitions stand in a golden
// file; each is proven, and parses to the same text and schedule tree. The
// short test has the kernels with loops of their own.
func TestGolden(t *testing.T) {
	for _, b := range kerneltest.Some() {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			g := graphOf(t, b.Name, b.Source)
			var text strings.Builder
			partitions, err := Choose(spaceOf(t, g), g, "max,smart,none", 1)
			if err != nil {
				t.Fatal(err)
			}
			recipes := map[string]string{}
			for k, word := range []string{"max", "smart", "none"} {
				p := partitions[k]
				if _, known := recipes[p.String()]; !known {
					recipe, tree := provenRecipe(t, g, p, fixed)
					recipes[p.String()] = recipe.Text(g.Model.Program)
					checkRoundTrip(t, g.Model, recipe, tree)
				}
				fmt.Fprintf(&text, "# %s: %s\n%s", word, p, recipes[p.String()])
			}
			compareGolden(t, strings.ReplaceAll(b.Name, "/", "-")+".recipe", text.String())
		})
	}
}

func compareGolden(t *testing.T, name, got string) {
	t.Helper()
	golden := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(golden, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the recipes differ from %s:\n%s", golden, got)
	}
}

// checkRoundTrip parses a recipe's text and compares text and schedule tree of
// what was read with the original's.
func checkRoundTrip(t *testing.T, m *scop.Model, recipe schedule.Recipe, tree mark.Schedule) {
	t.Helper()
	text := recipe.Text(m.Program)
	again, err := command.Parse(m.Program, text)
	if err != nil {
		t.Fatal(err)
	}
	if again.Text(m.Program) != text {
		t.Errorf("%s\nread back as\n%s", text, again.Text(m.Program))
	}
	replayed, err := again.Replay(m.Program)
	if err != nil {
		t.Fatal(err)
	}
	lowered := replayed.Schedule(m)
	if equal, err := tree.Tree.PlainIsEqual(lowered.Tree); err != nil || !equal || fmt.Sprint(*tree.Marks) != fmt.Sprint(*lowered.Marks) {
		t.Errorf("the tree read back differs (%v):\n%s", err, text)
	}
}
