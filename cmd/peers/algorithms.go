package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"polytune/frontend"
	"polytune/scop"
)

// The names of entries for algorithms in Go beside the same kernels in C, each with the recipe that
// stands beside the kernel.
const (
	fromC  = "from-c"
	fromGo = "from-go"
)

// algorithmPeers are the two, and the C as it is.
func algorithmPeers(o options) []spec {
	return []spec{
		{name: reference, kind: compiler, about: "the source as it is", compilers: gccs, flags: optimised, source: asWritten},
		{name: fromC, kind: own, about: "tune transform of benchmarks/tiramisu/NAME.c", compilers: gccs, flags: openMP, source: o.fromC},
		{name: fromGo, kind: own, about: "tune transform of examples/algorithms/NAME", compilers: gccs, flags: openMP, source: o.fromGo},
	}
}

// choices are holes in recipes.
var choices = regexp.MustCompile(`\{([^,{}]*)[^{}]*\}`)

// firstOf is a kernel's recipe with the first choice of each hole.
func firstOf(s *subject) (string, error) {
	text, err := recipeOf(s.benchmark, byHand)
	return choices.ReplaceAllString(string(text), "$1"), err
}

// fromC is what becomes of a kernel's file.
func (o options) fromC(ctx context.Context, s *subject) (string, error) {
	recipe, err := firstOf(s)
	if err != nil {
		return "", err
	}
	return o.withRecipe(ctx, s, recipe, "--bench", s.benchmark.Name)
}

// fromGo is what becomes of the algorithm that a kernel is, in front of a function that calls it.
func (o options) fromGo(ctx context.Context, s *subject) (string, error) {
	folder := filepath.Join("examples", "algorithms", s.benchmark.Kernel())
	if _, err := os.Stat(folder); err != nil {
		return "", errNoOperation
	}
	recipe, err := firstOf(s)
	if err != nil {
		return "", err
	}
	plain, err := execute(ctx, "", transformLimit, []string{o.tuneCommand, "transform", folder, "--naive", "-o", "-"})
	if err != nil {
		return "", err
	}
	file, err := frontend.Parse(s.benchmark.Kernel()+".c", []byte(plain), frontend.Options{})
	if err != nil {
		return "", err
	}
	p := file.Regions[0].Program
	made, err := o.withRecipe(ctx, s, namedBy(recipe, p.StatementNames()), folder)
	if err != nil {
		return "", err
	}
	var arguments []string
	for _, a := range p.Function.Arguments {
		name := a.Name
		if other, is := otherNames[name]; is {
			name = other
		}
		if !slices.ContainsFunc(s.region.Program.Function.Arguments, func(k scop.Argument) bool { return k.Name == name }) {
			return "", fmt.Errorf("%s has no argument %s, which the algorithm in Go has", s.benchmark.Name, name)
		}
		arguments = append(arguments, name)
	}
	return made + s.replaced(fmt.Sprintf("    %s(%s);\n", p.Function.Name, strings.Join(arguments, ", "))), nil
}

// otherNames are those of a kernel for what algorithms cannot call so: first is a word of recipes.
var otherNames = map[string]string{"one": "first", "two": "second"}

// numbered are statements by their numbers, as recipes beside kernels have them.
var numbered = regexp.MustCompile(`\bS(\d+)\b`)

// namedBy is a recipe with the names of statements.
func namedBy(recipe string, names []string) string {
	return numbered.ReplaceAllStringFunc(recipe, func(word string) string {
		if k, err := strconv.Atoi(word[1:]); err == nil && k < len(names) {
			return names[k]
		}
		return word
	})
}

// withRecipe is what tune transform makes of a target with a recipe.
func (o options) withRecipe(ctx context.Context, s *subject, recipe string, target ...string) (string, error) {
	folder, err := temporaryFolder()
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	path := filepath.Join(folder, "kernel.recipe")
	if err := os.WriteFile(path, []byte(recipe), 0o600); err != nil {
		return "", err
	}
	return o.transformed(ctx, s, append(slices.Clone(target), "--recipe", path)...)
}

const algorithmsIntroduction = `
## Algorithms in Go

What becomes of the programs of %[1]sexamples/algorithms/%[1]s beside what becomes of the same kernels in C, with the
recipes beside these, of which holes have their first choice. Made by %[1]smake peers-algorithms%[1]s of
[peers-algorithms.json](peers-algorithms.json).

- Date: %[2]s, polytune %[3]s
- Machine: %[4]s
- Size %[5]s, %[6]d threads%[8]s. Times are %[9]s, in seconds.
%[7]s

`

// algorithmsSection is the part of the page about algorithms in Go, as Markdown.
func (d *data) algorithmsSection() string {
	var w strings.Builder
	fmt.Fprintf(&w, algorithmsIntroduction, "`", d.Date, d.Source, d.Machine.text(), d.Size, d.Threads, d.disturbances(), d.environment(), d.statistic())
	times := func(k *kernel) (float64, bool) {
		c, _ := d.time(k, fromC)
		own, _ := d.time(k, fromGo)
		return over(c, own)
	}
	fmt.Fprintf(&w, "| kernel | %s | %s | %s | times as fast from Go as from C |\n|---|---:|---:|---:|---:|\n", reference, fromC, fromGo)
	for i := range d.Kernels {
		k := &d.Kernels[i]
		ratio := ""
		if !d.isBusy() {
			ratio = ratioText(times(k))
		}
		fmt.Fprintf(&w, "| %s | %s | %s | %s | %s |\n", k.short(), d.cell(k, reference), d.cell(k, fromC), d.cell(k, fromGo), ratio)
	}
	if mean, count := d.mean(times); count > 0 && !d.isBusy() {
		fmt.Fprintf(&w, "| **geometric mean of %d** | | | | **%.2f** |\n", count, mean)
	}
	d.writeFailures(&w)
	return w.String()
}
