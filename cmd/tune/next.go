package main

import (
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"polytune/internal/shellwords"
	"polytune/pipeline"
	"polytune/session"
)

// carriedFlags say which result is meant: commands about it need those that its session had.
var carriedFlags = []string{"config", "db", "function", "region", "include", "define", "build-flags", "assume-no-alias", "assume-pure",
	"target", "timing", "size", "param", "run-args", "privatize", "reassociate", "extent", "init", "ranks", "cc", "threads"}

// nextCommands are what one types when the session of a region has ended, with the flags of the
// session that they have, too: what the variant does, or what is in the way where there is none, the
// program with it, or a longer search, and the report.
func nextCommands(c *cobra.Command, t *pipeline.Target, isOriginal bool) []string {
	name := path.Base(pipeline.KernelName(t.Path))
	target := []string{t.Path}
	if t.Benchmark != nil {
		name, target = path.Base(t.Benchmark.Name), []string{"--bench", t.Benchmark.Name}
		if bench := c.Flag("bench").Value.String(); path.Base(bench) == name {
			target[1] = bench
		}
	}
	explain, write := slices.Concat(target, []string{"--best"}), slices.Concat([]string{"emit"}, target, []string{"-o", name + ".best.c"})
	if isOriginal {
		explain, write = target, slices.Concat(target, []string{"--effort", "full", "--budget", "1h"})
	}
	return []string{
		nextCommand(c, slices.Concat([]string{"explain"}, explain), t.ForeignParameters),
		nextCommand(c, write, t.ForeignParameters),
		nextCommand(c, []string{"report", "-o", "report.html"}, nil),
	}
}

// nextCommand is a command of these words and of the flags of another one that it needs, without
// values of the foreign parameters.
func nextCommand(c *cobra.Command, words, foreign []string) string {
	next, _, err := c.Root().Find(words)
	if err != nil {
		return ""
	}
	words = append([]string{"tune"}, words...)
	isAboutAll := next.Name() == "report"
	c.Flags().Visit(func(f *pflag.Flag) {
		switch {
		case !slices.Contains(carriedFlags, f.Name) || next.Flag(f.Name) == nil || isAboutAll && f.Name != "db" && f.Name != "config":
		case f.NoOptDefVal != "":
			words = append(words, "--"+f.Name+"="+f.Value.String())
		default:
			for _, value := range valuesOf(f) {
				if f.Name == "param" {
					value = withoutParameters(value, foreign)
				}
				if value != "" {
					words = append(words, "--"+f.Name, value)
				}
			}
		}
	})
	return shellwords.Line(words)
}

// repeating is a line to type that does again what a command does, without the log that this once has.
func repeating(c *cobra.Command) string {
	return session.CommandLine(withoutFlag(c.Flags(), os.Args, "log"), os.Environ())
}

// withoutFlag are the words of a command line with these flags without one of them, which has a value.
func withoutFlag(flags *pflag.FlagSet, words []string, name string) (kept []string) {
	for len(words) > 0 && words[0] != "--" {
		f, count := flagAt(flags, words)
		if f == nil || f.Name != name {
			kept = append(kept, words[:count]...)
		}
		words = words[count:]
	}
	return append(kept, words...)
}

// flagAt is the flag that the first of some words is, nil for none, and how many of them it is with
// its value. A word that is several flags of one letter is the last of them.
func flagAt(flags *pflag.FlagSet, words []string) (f *pflag.Flag, count int) {
	long, isLong := strings.CutPrefix(words[0], "--")
	letters, isShort := strings.CutPrefix(words[0], "-")
	hasValue := false
	switch {
	case isLong:
		long, _, hasValue = strings.Cut(long, "=")
		f = flags.Lookup(long)
	case isShort:
		for k := range len(letters) {
			if f = flags.ShorthandLookup(letters[k : k+1]); f == nil || f.NoOptDefVal == "" {
				hasValue = k+1 < len(letters)
				break
			}
		}
	}
	if f == nil || hasValue || f.NoOptDefVal != "" || len(words) == 1 {
		return f, 1
	}
	return f, 2
}

// withoutParameters is a list of NAME=NUMBER without those that have one of the names.
func withoutParameters(list string, names []string) string {
	items := slices.DeleteFunc(strings.Split(list, ","), func(item string) bool {
		name, _, _ := strings.Cut(item, "=")
		return slices.Contains(names, strings.TrimSpace(name))
	})
	return strings.Join(items, ",")
}

// valuesOf are what a flag was given.
func valuesOf(f *pflag.Flag) []string {
	switch v := f.Value.(type) {
	case repeated:
		return *v.list
	case pflag.SliceValue:
		return v.GetSlice()
	}
	return []string{f.Value.String()}
}
