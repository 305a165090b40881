package main

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"polytune/internal/shellwords"
)

// parses says whether tune would take a command's words: there is such a command, and it has the
// flags. Flags without values at the end are fine: pages name them so.
func parses(t *testing.T, line string) {
	t.Helper()
	words, err := shellwords.Split(line)
	if err != nil {
		t.Errorf("%s: %v", line, err)
		return
	}
	c, rest, err := newRootCommand().Find(words[1:])
	if err != nil {
		t.Errorf("%s: %v", line, err)
		return
	}
	if err := c.ParseFlags(rest); err != nil && !strings.Contains(err.Error(), "needs an argument") {
		t.Errorf("%s: %v", line, err)
	}
}

// TestShownCommands reads the commands of the pages for newcomers as tune would.
func TestShownCommands(t *testing.T) {
	t.Parallel()
	shown := regexp.MustCompile("(?m)^tune [^\n]*$|`(tune [^`\n]*)`")
	checked := 0
	for _, page := range []string{"how-do-i", "coming-from", "features", "editors"} {
		for _, m := range shown.FindAllStringSubmatch(readPage(t, "docs/"+page+".md"), -1) {
			line := m[0]
			if m[1] != "" {
				line = m[1]
			}
			parses(t, line)
			checked++
		}
	}
	if checked < 50 {
		t.Errorf("%d commands were checked", checked)
	}
}

// TestFeatures checks the table of features: each of ours names a command, and what is said of others
// cites a page that is listed.
func TestFeatures(t *testing.T) {
	t.Parallel()
	const head = "| feature | polytune | Pluto | PoCC | Polly | PPCG | Tiramisu | Halide | Exo | TVM | Kernel Tuner | Optuna | AN5D |"
	text := readPage(t, "docs/features.md")
	cited := regexp.MustCompile(`^(?:yes|no) (\[\d+\])$`)
	for _, row := range tableRows(t, "features.md", head) {
		if !strings.HasPrefix(row[1], "`tune") {
			t.Errorf("%s: ours names no command", row[0])
		}
		for _, cell := range row[2:] {
			m := cited.FindStringSubmatch(cell)
			if cell != "?" && (m == nil || !strings.Contains(text, "\n- "+m[1]+": https://")) {
				t.Errorf("%s: %q cites nothing that is listed", row[0], cell)
			}
		}
	}
}

// TestExampleWorkflow checks that the example gives the action what it asks for.
func TestExampleWorkflow(t *testing.T) {
	t.Parallel()
	var action struct {
		Inputs map[string]struct{ Required bool }
	}
	var example struct {
		Jobs map[string]struct {
			Steps []struct {
				Uses string
				With map[string]string
			}
		}
	}
	for path, into := range map[string]any{"action": &action, "example": &example} {
		text, err := os.ReadFile("../../packaging/action/" + path + ".yml")
		if err != nil {
			t.Fatal(err)
		}
		if err := yaml.Unmarshal(text, into); err != nil {
			t.Fatal(err)
		}
	}
	for _, job := range example.Jobs {
		with := job.Steps[len(job.Steps)-1].With
		for name := range with {
			if _, is := action.Inputs[name]; !is {
				t.Errorf("the action has no input %s", name)
			}
		}
		if with["targets"] == "" || !action.Inputs["targets"].Required {
			t.Error("the example has no targets")
		}
	}
}
