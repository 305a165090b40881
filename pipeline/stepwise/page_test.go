package stepwise

import (
	"context"
	"fmt"
	"os"
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
	for _, name := range []string{"nb", "gaussian", "sgemm", "conv"} {
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
	options := pipeline.Options{Bench: "tiramisu/" + name}
	target, err := options.One(nil)
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
