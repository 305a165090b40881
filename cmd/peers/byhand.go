package main

import (
	"context"
	"embed"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"polytune/benchmarks"
)

// The names of entries for recipes that people have written.
const (
	byHand = "by-hand"
	// nests are the loops as they are written, with the threads and lanes of the recipe by hand.
	nests = "nests"
)

// handFiles are recipes that are only for comparison, and variants of built-in kernels:
// KERNEL-PEER.recipe, KERNEL.c, and KERNEL-PEER.c where a peer begins with another file.
//
//go:embed hand
var handFiles embed.FS

// dnnFiles are calls of oneDNN in the place of kernels' regions, and what they use.
//
//go:embed dnn
var dnnFiles embed.FS

// handPeers are those that recipes by hand are compared with, and these.
func handPeers(o options, avx512 bool) []spec {
	list := append([]spec{{name: reference, kind: compiler, about: "the source as it is", compilers: gccs, flags: optimised, source: asWritten}},
		blasPeers(o.threads, avx512)...)
	for _, form := range []struct{ name, about, macro string }{
		{"onednn", "oneDNN, pictures as they are", "dnnl_nchw"},
		{"onednn-any", "oneDNN, pictures brought into the form that it likes best, and back", "dnnl_format_tag_any"},
	} {
		list = append(list, spec{name: form.name, kind: library, about: form.about, compilers: gccs, flags: append(slices.Clone(optimised), "-DDNN_FORMAT="+form.macro),
			objects: libraryFolders("dnnl"), source: withDNN})
	}
	plain := spec{name: untuned, kind: own, about: "tune transform, the model's choice without timing", compilers: gccs, flags: openMP, source: o.transform}
	best := spec{name: tuned, kind: own, about: "the best variant of " + o.tuningText(), compilers: gccs, flags: openMP, source: o.tune, left: o.tuningLeft()}
	hand := spec{name: byHand, kind: own, about: "the recipe beside the kernel, such as benchmarks/tiramisu/nb.recipe", compilers: gccs, flags: openMP, source: o.byRecipe(byHand)}
	apart := spec{name: nests, kind: own, about: "the loops as written, with the same threads: cmd/peers/hand", compilers: gccs, flags: openMP, source: o.byRecipe(nests)}
	return append(list, plain, best, hand, apart)
}

// handSubjects are variants of built-in kernels that have recipes by hand, beside the kernels that
// are chosen.
func handSubjects(chosen []*subject, size string) (list []*subject, err error) {
	for _, s := range chosen {
		list = append(list, s)
		b := s.benchmark
		b.Name += "-local"
		if b.Source, err = handFiles.ReadFile("hand/" + b.Kernel() + ".c"); err != nil {
			continue
		}
		b.File = filepath.Base(b.Name) + ".c"
		variant, err := newSubject(b, size)
		if err != nil {
			return nil, err
		}
		list = append(list, variant)
	}
	return list, nil
}

// recipeOf is the text of a peer's recipe for a kernel; errNoOperation where there is none.
func recipeOf(b benchmarks.Benchmark, peer string) ([]byte, error) {
	text, err := handFiles.ReadFile("hand/" + b.Kernel() + "-" + peer + ".recipe")
	if peer == byHand {
		text, err = os.ReadFile(filepath.Join("benchmarks", b.Name+".recipe"))
	}
	if errors.Is(err, os.ErrNotExist) {
		return nil, errNoOperation
	}
	return text, err
}

// byRecipe makes the file that a peer's recipe makes of a kernel.
func (o options) byRecipe(peer string) maker {
	return func(ctx context.Context, s *subject) (string, error) {
		recipe, err := recipeOf(s.benchmark, peer)
		if err != nil {
			return "", err
		}
		source, err := handFiles.ReadFile("hand/" + s.benchmark.Kernel() + "-" + peer + ".c")
		if err != nil {
			source = s.benchmark.Source
		}
		folder, err := temporaryFolder()
		if err != nil {
			return "", err
		}
		defer os.RemoveAll(folder)
		for name, text := range map[string][]byte{"kernel.c": source, "kernel.recipe": recipe} {
			if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
				return "", err
			}
		}
		target, recipeFile := filepath.Join(folder, "kernel.c"), filepath.Join(folder, "kernel.recipe")
		if strings.Contains(string(recipe), "{") && s.isBuiltIn() {
			return o.filled(ctx, s, recipeFile)
		}
		return o.transformed(ctx, s, target, "--recipe", recipeFile)
	}
}

// filled is the file with the fastest of the programs that a built-in kernel's recipe with holes
// stands for.
func (o options) filled(ctx context.Context, s *subject, recipe string) (string, error) {
	return o.raced(ctx, recipe, "--bench", s.benchmark.Name, "--size", s.size)
}

// raced is the file with the fastest of the programs that a recipe with holes stands for, be it not
// known to be faster than the original: the table says how fast it is.
func (o options) raced(ctx context.Context, recipe string, target ...string) (string, error) {
	folder, err := temporaryFolder()
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(folder)
	common := append([]string{"--db", filepath.Join(folder, "holes.db")}, target...)
	race := append([]string{o.tuneCommand, "--only-recipes", "--recipe", recipe, "--effort", "quick", "--threads", strconv.Itoa(o.threads)}, common...)
	if o.tuningBudget > 0 {
		race = append(race, "--budget", o.tuningBudget.String())
	}
	if _, err := execute(ctx, "", o.tuningBudget+transformLimit, race, someWrong, interrupted); err != nil {
		return "", err
	}
	return execute(ctx, "", transformLimit, append(append([]string{o.tuneCommand, "emit", "-o", "-"}, common...), "--any"))
}

// withDNN is the kernel's file with calls of oneDNN as its region.
func withDNN(_ context.Context, s *subject) (string, error) {
	calls, err := dnnFiles.ReadFile("dnn/" + s.benchmark.Kernel() + ".c")
	if err != nil {
		return "", errNoOperation
	}
	layers, err := dnnFiles.ReadFile("dnn/dnn.h")
	if err != nil {
		return "", err
	}
	return string(layers) + s.replaced(string(calls)), nil
}

// isBuiltIn says whether tune has the kernel by its name.
func (s *subject) isBuiltIn() bool {
	_, err := benchmarks.Find(s.benchmark.Name)
	return err == nil
}
