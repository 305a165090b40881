package stepwise

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/pipeline"
)

// TestSchedulesPage says the recipes of docs/schedules-by-hand.md line by line, and finds each line
// there, with the loops behind it.
func TestSchedulesPage(t *testing.T) {
	text, err := os.ReadFile("../../docs/schedules-by-hand.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"nb", "gaussian", "gaussian-local", "sgemm", "conv"} {
		t.Run(name, func(t *testing.T) {
			_, section, has := strings.Cut(string(text), fmt.Sprintf("\n## tiramisu/%s\n", name))
			if !has {
				t.Fatal("the page has no such section")
			}
			section, _, _ = strings.Cut(section, "\n## ")
			for _, block := range blocksOf(t, name) {
				before, behind, has := strings.Cut(section, block)
				if !has {
					t.Fatalf("the page does not have, behind what stands in front of it:\n%s", block)
				}
				if strings.Contains(before, "```text") {
					t.Errorf("the page has loops in front of\n%s", block)
				}
				section = behind
			}
		})
	}
}

// blocksOf are, for each line of a program's recipe, the line and the loops behind it, as the page has
// them.
func blocksOf(t *testing.T, name string) (blocks []string) {
	t.Helper()
	options, files := pipeline.Options{Bench: "tiramisu/" + name}, []string(nil)
	if program, isLocal := strings.CutSuffix(name, "-local"); isLocal {
		options, files = pipeline.Options{}, []string{withLocalRows(t, program)}
	}
	target, err := options.One(files)
	if err != nil {
		t.Fatal(err)
	}
	recipe, err := os.ReadFile("../../benchmarks/tiramisu/" + name + ".recipe")
	if err != nil {
		t.Fatal(err)
	}
	s := New(target, Options{Threads: 8})
	for line := range strings.Lines(string(recipe)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		step := s.Do(context.Background(), line)
		if step.Failed {
			t.Fatalf("%s: %s", line, step.Error)
		}
		block := "`" + step.Command + "`"
		if !step.Legal {
			block += "\n\n(not legal so far)"
		}
		blocks = append(blocks, block, "```text\n"+step.Nest+"\n```\n")
	}
	return blocks
}

// withLocalRows is a file of a program with the picture between its passes declared in the function,
// as the page says.
func withLocalRows(t *testing.T, program string) string {
	t.Helper()
	text, err := os.ReadFile("../../benchmarks/tiramisu/" + program + ".c")
	if err != nil {
		t.Fatal(err)
	}
	source, _, _ := strings.Cut(string(text), "void kernel_"+program+"_init")
	const rows = "float rows[ROWS][COLUMNS][3]"
	local := strings.NewReplacer(rows+", ", "", "int i, j, c;", "int i, j, c;\n    "+rows+";").Replace(source)
	if strings.Count(local, rows) != 1 {
		t.Fatal("the program has other rows")
	}
	path := filepath.Join(t.TempDir(), program+".c")
	if err := os.WriteFile(path, []byte(local), 0o666); err != nil {
		t.Fatal(err)
	}
	return path
}
