package main

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"polytune/internal/exit"
)

func TestSplitOwnFlags(t *testing.T) {
	set := pflag.NewFlagSet("cc", pflag.ContinueOnError)
	set.String("db", "", "")
	set.BoolP("help", "h", false, "")
	for _, c := range []struct{ args, own, words string }{
		{"-c x.c", "", "-c x.c"},
		{"-- -c x.c", "", "-c x.c"},
		{"-- -- x.c", "", "-- x.c"},
		{"--db a.db -c --db b", "--db a.db", "-c --db b"},
		{"--db=a.db -- --db b", "--db=a.db", "--db b"},
		{"--version", "", "--version"},
		{"--help", "--help", ""},
		{"-h", "-h", ""},
		{"db", "", "db"},
		{"--db", "--db", ""},
		{"", "", ""},
	} {
		own, words := splitOwnFlags(set, strings.Fields(c.args))
		if strings.Join(own, " ") != c.own || strings.Join(words, " ") != c.words {
			t.Errorf("%s: %q and %q", c.args, own, words)
		}
	}
}

// TestHelp checks that the help of every command has its sections, and that
// its examples are command lines that parse.
func TestHelp(t *testing.T) {
	t.Parallel()
	root := newRootCommand()
	commands := append([]*cobra.Command{root}, root.Commands()...)
	if len(commands) < 9 {
		t.Fatalf("only %d commands", len(commands))
	}
	for _, c := range commands {
		words := append(strings.Fields(c.CommandPath())[1:], "--help")
		var stdout, stderr bytes.Buffer
		if status := run(words, &stdout, &stderr); status != exit.OK || stderr.Len() > 0 {
			t.Errorf("%s --help: exit status %d, %s", c.CommandPath(), status, &stderr)
		}
		for _, section := range []string{"EXIT STATUS\n  0 ", "Usage:\n  tune", "Examples:\n  tune "} {
			if !strings.Contains(stdout.String(), section) {
				t.Errorf("%s --help has no %q", c.CommandPath(), section)
			}
		}
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: short description %q", c.CommandPath(), c.Short)
		}
		checkExamples(t, c)
	}
}

// checkExamples lets the command parse the flags of its examples.
func checkExamples(t *testing.T, c *cobra.Command) {
	for line := range strings.Lines(c.Example) {
		line, _, _ = strings.Cut(line, "|")
		found, rest, err := newRootCommand().Find(words(t, line)[1:])
		if err != nil || found.Name() != c.Name() {
			t.Errorf("example %q is none of %s", line, c.CommandPath())
			continue
		}
		if err := found.ParseFlags(rest); err != nil {
			t.Errorf("example %q: %v", line, err)
		}
	}
}

// TestGuarded has a bug become an error.
func TestGuarded(t *testing.T) {
	t.Parallel()
	err := exit.Guarded(func() error {
		var list []int
		return fmt.Errorf("%d", list[3])
	})
	if err == nil || !strings.Contains(err.Error(), "internal error: runtime error: index out of range [3]") || !strings.Contains(err.Error(), "help_test.go") {
		t.Errorf("error %v", err)
	}
}
