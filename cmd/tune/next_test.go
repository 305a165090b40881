package main

import (
	"slices"
	"strings"
	"testing"
)

// A command to repeat has no log of its own, and all other words: values of other flags, and what
// stands behind "--", are no flags.
func TestWithoutFlag(t *testing.T) {
	t.Parallel()
	root := newRootCommand()
	again, _, err := root.Find([]string{"again"})
	if err != nil || again.ParseFlags(nil) != nil || root.ParseFlags(nil) != nil {
		t.Fatal(err)
	}
	for words, want := range map[string]string{
		"tune a.c --log l --budget 1h":            "tune a.c --budget 1h",
		"tune --log=l a.c --log m":                "tune a.c",
		"tune a.c --run-args --log --json":        "tune a.c --run-args --log --json",
		"tune -I --log --privatize --log l b.c":   "tune -I --log --privatize b.c",
		"tune -Iinclude --log l -D N=4":           "tune -Iinclude -D N=4",
		"tune a.c -- --log l":                     "tune a.c -- --log l",
		"tune a.c --expand 1GiB --log":            "tune a.c --expand 1GiB",
		"tune again a.c --log l --min-speedup 2":  "tune again a.c --min-speedup 2",
		"tune again a.c --no-such --log l --json": "tune again a.c --no-such --json",
	} {
		flags := root.Flags()
		if strings.HasPrefix(words, "tune again") {
			flags = again.Flags()
		}
		if got := withoutFlag(flags, strings.Fields(words), "log"); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%s: %s, want %s", words, strings.Join(got, " "), want)
		}
	}
}
