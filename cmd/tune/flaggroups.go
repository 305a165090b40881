package main

import (
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// flagGroup are flags that several commands have together; the help shows them under one title.
type flagGroup struct {
	// name is that of docs/commands.md.
	name  string
	title string
	flags []string
}

// flagGroups are those of docs/commands.md, in the order of the help.
var flagGroups = []flagGroup{
	{"target", "Which program, and how it is read", []string{"bench", "function", "region", "include", "define", "build-flags", "assume-no-alias", "assume-pure"}},
	{"space", "Which partitions", []string{"mode", "max-peel", "signed", "together", "apart", "before", "cut"}},
	{"program", "Temporaries, and tiles of the source", []string{"untile", "privatize", "expand", "inplace"}},
	{"pieces", "Splitting of statements", []string{"iss", "no-iss"}},
	{"model", "What is decided instead of the models", []string{"model", "coefficient-bound", "tile", "point", "second-level", "degrees", "diamond", "full-diamond", "no-diamond", "hexagon", "without"}},
	{"data", "Data of functions without main", []string{"extent", "init"}},
	{"compiler", "Compilers", []string{"cc", "jobs"}},
	{"ranks", "Ranks of MPI", []string{"ranks", "gather", "communicator"}},
}

// groupsOf are the groups of which a command has all flags.
func groupsOf(c *cobra.Command) (list []flagGroup) {
	for _, g := range flagGroups {
		if !slices.ContainsFunc(g.flags, func(name string) bool { return c.LocalFlags().Lookup(name) == nil }) {
			list = append(list, g)
		}
	}
	return list
}

// flagsText describes the flags of a command: its own, then those of each group under its title.
func flagsText(c *cobra.Command) string {
	own, text, grouped := pflag.NewFlagSet("", pflag.ContinueOnError), "", map[string]bool{}
	for _, g := range groupsOf(c) {
		set := pflag.NewFlagSet("", pflag.ContinueOnError)
		for _, name := range g.flags {
			set.AddFlag(c.LocalFlags().Lookup(name))
			grouped[name] = true
		}
		text += "\n\n" + g.title + ":\n" + trimmedUsages(set)
	}
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !grouped[f.Name] {
			own.AddFlag(f)
		}
	})
	return trimmedUsages(own) + text
}

// trimmedUsages are the lines about the flags of a set.
func trimmedUsages(set *pflag.FlagSet) string { return strings.TrimRight(set.FlagUsages(), " \n") }

// showGroups has the help of all commands show flags in groups.
func showGroups(root *cobra.Command) {
	usual := root.UsageFunc()
	root.SetUsageFunc(func(c *cobra.Command) error {
		w := c.OutOrStderr()
		var text strings.Builder
		c.SetOut(&text)
		err := usual(c)
		c.SetOut(w)
		if err != nil {
			return err
		}
		_, err = io.WriteString(w, strings.Replace(text.String(), trimmedUsages(c.LocalFlags()), flagsText(c), 1))
		return err
	})
}
