package transform

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// What temporaries cost the built-in kernels that have some inside loops: for
// the program as it is written, with private copies, and with expanded arrays,
// the temporaries whose elements are used again between iterations, and the
// loops of the partition smart. "p" is a loop that carries no
// dependence, "-" one that does, "[ ]" a band, "T" a tiled one.
func TestTemporaries(t *testing.T) {
	long := os.Getenv("POLYTUNE_LONG") != ""
	for _, b := range benchmarks.All() {
		if !long && !slices.Contains([]string{"polybench/durbin", "polybench/gramschmidt", "polybench/ludcmp", "polybench/symm"}, b.Name) {
			continue // it has none, or is one of those that take longer
		}
		file := kerneltest.File(t, b.Name)
		written := file.Regions[0].Program
		if !hasTemporaryInLoop(written) {
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			m := kerneltest.Analyze(t, written).Model
			private, _, err := depend.Privatize(m, file.Regions[0].Names)
			if err != nil {
				t.Fatal(err)
			}
			expanded, err := depend.Expand(m, file.Regions[0].Names, scop.Room{Bytes: 1 << 30})
			if err != nil {
				t.Fatal(err)
			}
			var text strings.Builder
			for k, p := range []*scop.Program{written, private, expanded} {
				g := kerneltest.Analyze(t, p)
				fmt.Fprintf(&text, "%s: %s\n  %s\n", []string{"written", "private", "expanded"}[k], usedAgain(t, g, written), loopsOf(t, g, "smart"))
			}
			compareGolden(t, strings.ReplaceAll(b.Name, "/", "-")+".temporaries", text.String())
		})
	}
}

// hasTemporaryInLoop says whether a statement in a loop writes a temporary.
func hasTemporaryInLoop(p *scop.Program) bool {
	return slices.ContainsFunc(p.Statements, func(s scop.Statement) bool {
		return s.Depth() > 0 && slices.ContainsFunc(s.Accesses, func(a scop.Access) bool { return a.Write && p.Array(a.Array).Temporary })
	})
}

// usedAgain are the temporaries, or what became of them, with a false
// dependence between iterations of a loop, and the deepest number of loops
// outside of which there is none.
func usedAgain(t testing.TB, g *depend.Graph, written *scop.Program) string {
	t.Helper()
	outermost := map[string]int{}
	for _, d := range g.Dependences {
		name := g.Model.Statements[d.Source].Statement.Accesses[d.SourceAccess].Array
		a := written.Array(name)
		if d.Kind == depend.RAW || d.Depth == 0 || a != nil && !a.Temporary {
			continue
		}
		apart := d.Relation
		for k := range d.Depth {
			apart = apart.Equate(isl.DimIn, k, isl.DimOut, k)
		}
		if within, err := d.Relation.IsSubset(apart); err != nil {
			t.Fatal(err)
		} else if !within && (outermost[name] == 0 || d.Depth < outermost[name]) {
			outermost[name] = d.Depth
		}
	}
	var words []string
	for name, depth := range outermost {
		words = append(words, fmt.Sprintf("%s by loop %d", name, depth))
	}
	slices.Sort(words)
	return strings.Join(words, ", ")
}

// loopsOf are the loops of the recipe for the partition that the word names.
func loopsOf(t testing.TB, g *depend.Graph, word string) string {
	t.Helper()
	recipe, _ := provenRecipe(t, g, chosen(t, g, word), fixed)
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		t.Fatal(err)
	}
	facts, err := FactsOf(g, tree)
	if err != nil {
		t.Fatal(err)
	}
	var classes []string
	for _, class := range tree.Classes {
		classes = append(classes, bandsText(class, facts))
	}
	return strings.Join(classes, " | ")
}

// bandsText are the bands of a node, then those of its parts.
func bandsText(n *schedule.Node, facts map[string]LoopFacts) string {
	var words []string
	band, tiled, last := "", "", -1
	flush := func() {
		if band != "" {
			words = append(words, tiled+"["+band+"]")
		}
		band, tiled = "", ""
	}
	for _, l := range n.Loops {
		if l.Band != last {
			flush()
		}
		last = l.Band
		switch {
		case l.Level > 0:
			tiled = "T"
		case facts[l.Name].Parallel:
			band += "p"
		default:
			band += "-"
		}
	}
	flush()
	for _, part := range n.Parts {
		if s := bandsText(part, facts); s != "" {
			words = append(words, "("+s+")")
		}
	}
	return strings.Join(words, " ")
}
