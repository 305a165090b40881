package main

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"polytune/internal/shellwords"
)

// example is a command of a page and what it prints there.
type example struct {
	page    string
	command string
	output  string
}

// pages are those with examples.
var pages = []string{"README.md", "docs/commands.md", "docs/programs.md", "docs/space.md", "docs/gpu.md", "docs/schedules-of-others.md", "docs/algorithms.md", "docs/layers.md", "docs/ranks.md"}

// TestPages runs the commands of the pages' blocks marked as "console" and
// compares what they print, but for the sizes of register blocks, which depend on the
// machine. Those that are not about "tune" are left alone.
func TestPages(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var examples []example
	for _, page := range pages {
		text, err := os.ReadFile("../../" + page)
		if err != nil {
			t.Fatal(err)
		}
		examples = append(examples, consoleExamples(page, string(text))...)
		writeFiles(t, folder, string(text))
	}
	if len(examples) < 8 {
		t.Fatalf("only %d examples", len(examples))
	}
	for _, e := range examples {
		t.Run(e.command, func(t *testing.T) {
			c, stdout, stderr := tuneCommand(folder, words(t, e.command)[1:]...)
			if err := c.Run(); err != nil {
				t.Fatalf("%v: %s", err, stderr)
			}
			if withoutRegisters(stdout.String()) != withoutRegisters(e.output) {
				t.Errorf("%s says\n%s\nbut it is\n%s", e.page, e.output, stdout)
			}
		})
	}
}

// registerSizes are those of a command "registers": as many as the machine's registers hold.
var registerSizes = regexp.MustCompile(`(registers [a-z0-9. ]+) by [0-9 ]+(.*) lanes [0-9]+`)

func withoutRegisters(recipe string) string { return registerSizes.ReplaceAllString(recipe, "$1$2") }

// words splits a command as a shell does.
func words(t *testing.T, command string) []string {
	t.Helper()
	list, err := shellwords.Split(command)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// shownFile is a file that a page shows: "This is `NAME`:" and a block of C or Go.
var shownFile = regexp.MustCompile("(?s)This is `([a-z.]+)`:\n\n```(?:c|go)\n(.*?)```")

func writeFiles(t *testing.T, folder, text string) {
	t.Helper()
	for _, m := range shownFile.FindAllStringSubmatch(text, -1) {
		if err := os.WriteFile(filepath.Join(folder, m[1]), []byte(m[2]), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// consoleExamples are the examples in the blocks that begin with ```console.
func consoleExamples(page, text string) []example {
	var examples []example
	inside := false
	for line := range strings.Lines(text) {
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case strings.HasPrefix(line, "```"):
			inside = strings.HasPrefix(line, "```console")
		case inside && isCommand:
			examples = append(examples, example{page: page, command: strings.TrimSpace(command)})
		case inside && len(examples) > 0:
			examples[len(examples)-1].output += line
		}
	}
	kept := examples[:0]
	for _, e := range examples {
		if strings.HasPrefix(e.command, "tune ") {
			kept = append(kept, e)
		}
	}
	return kept
}

// TestSpaceTable compares the table of the SC'10 paper's kernels in docs/space.md
// with what "tune space" prints for them. The paper's counts, which stand
// there too, are those of mode sc10.
func TestSpaceTable(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/space.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(text), "\n| kernel | loops |")
	table, _, _ = strings.Cut(table, "\n\n")
	var shown []string
	for _, line := range strings.Split(table, "\n")[2:] {
		c := strings.Fields(strings.ReplaceAll(line, "|", " "))
		if len(c) != 9 || c[6] != c[7] {
			t.Fatalf("not nine columns with the paper's count beside the same one in mode sc10: %q", line)
		}
		shown = append(shown, strings.Join([]string{"sc10/" + c[0], c[1], c[2], c[3], c[4], c[5], c[8], c[7]}, " "))
	}
	c, stdout, stderr := tuneCommand(t.TempDir(), "space", "--bench", "sc10")
	if err := c.Run(); err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	var computed []string
	for _, line := range strings.Split(strings.TrimSpace(stdout.String()), "\n")[1:] {
		computed = append(computed, strings.Join(strings.Fields(line), " "))
	}
	if !slices.Equal(shown, computed) {
		t.Errorf("docs/space.md says\n%s\nbut it is\n%s", strings.Join(shown, "\n"), strings.Join(computed, "\n"))
	}
}

// TestSchedulingPage follows the recipes of docs/scheduling-language.md whose outcome is shown:
// the message for one that is illegal, and the code of a whole one.
func TestSchedulingPage(t *testing.T) {
	t.Parallel()
	text := readPage(t, "docs/scheduling-language.md")
	folder := t.TempDir()
	transform := func(recipe string) (stdout, stderr string) {
		if err := os.WriteFile(filepath.Join(folder, "page.recipe"), []byte(recipe), 0o600); err != nil {
			t.Fatal(err)
		}
		c, out, messages := tuneCommand(folder, "transform", "--bench", "gemm", "--recipe", "page.recipe")
		c.Run()
		return out.String(), messages.String()
	}
	recipe, message := shownAfter(t, text, "## How a recipe is judged", "text")
	if _, got := transform(recipe + "parallel c1.1\n"); got != message {
		t.Errorf("the page has\n%s\nbut it is\n%s", message, got)
	}
	recipe, code := shownAfter(t, text, "## A whole recipe", "c")
	if got, messages := transform(recipe); !strings.Contains(withoutIndent(got), withoutIndent(code)) {
		t.Errorf("the page has\n%s\nbut it is\n%s\n%s", code, got, messages)
	}
}

// shownAfter are the indented block behind a heading and the fenced one in that language
// behind it.
func shownAfter(t *testing.T, text, heading, language string) (indented, fenced string) {
	t.Helper()
	_, text, _ = strings.Cut(text, "\n"+heading+"\n")
	blocks := regexp.MustCompile("(?s)\n\n((?:    [^\n]*\n)+).*?```" + language + "\n(.*?)```").FindStringSubmatch(text)
	if blocks == nil {
		t.Fatalf("no recipe and no block of %s behind %q", language, heading)
	}
	return blocks[1], blocks[2]
}

// withoutIndent are the lines without the blanks in front of them.
func withoutIndent(code string) string {
	return regexp.MustCompile(`(?m)^ +`).ReplaceAllString(code, "")
}
