package byhand

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule/command"
	"polytune/scop/depend"
)

// TestSchedulesByHand proves the recipes that are written by hand for the programs of Figures 5 and 6
// of the Tiramisu paper: each begins with the program as it is written, and has 25 lines at most.
func TestSchedulesByHand(t *testing.T) {
	const most = 25
	programs, err := filepath.Glob("../../benchmarks/tiramisu/*.c")
	if err != nil || len(programs) != 12 {
		t.Fatalf("%d programs, %v", len(programs), err)
	}
	for _, program := range programs {
		name := strings.TrimSuffix(filepath.Base(program), ".c")
		t.Run(name, func(t *testing.T) {
			path := strings.TrimSuffix(program, ".c") + ".recipe"
			r, err := Open(path)
			if err != nil {
				t.Fatal(err)
			}
			if lines := r.Script.Lines; len(lines) > most || lines[0].Text != "original" {
				t.Errorf("%d lines, the first %q", len(lines), lines[0].Text)
			}
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			g := kerneltest.Graph(t, "tiramisu/"+name)
			for number := range 2 {
				prove(t, g, set.ReplaceAllString(string(text), fmt.Sprintf("$%d", number+1)))
			}
		})
	}
}

// set is a set of numbers in a recipe, of which the machine decides.
var set = regexp.MustCompile(`\{(\d+),(\d+)(?:,\d+)*\}`)

// prove proves a recipe without holes.
func prove(t *testing.T, g *depend.Graph, text string) {
	t.Helper()
	recipe, err := command.Parse(g.Model.Program, text)
	if err != nil {
		t.Fatal(err)
	}
	settled, _, err := recipe.Settled(g)
	if err != nil {
		t.Fatal(err)
	}
	if _, _, err := settled.Prove(g); err != nil {
		t.Error(err)
	}
}
