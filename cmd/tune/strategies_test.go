package main

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/internal/kerneltest"
	"polytune/transform"
)

// servedMachines are those of TestFrozen that the table of the strategies is about.
var servedMachines = []string{"avx2", "avx512"}

// TestServed compares the strategies that the built-in benchmarks take with the table of tune
// strategies. Short tests look at those that TestFrozen makes anyway.
func TestServed(t *testing.T) {
	t.Parallel()
	var lines []string
	for _, b := range benchmarks.All() {
		for _, machine := range servedMachines {
			f := frozen{b.Name, "smart", machine}
			if !*update && len(frozenShort(t, []frozen{f})) == 0 {
				continue
			}
			taken := f.made(t).taken
			lines = append(lines, strings.TrimSpace(fmt.Sprintf("%s %s: %s", b.Name, machine, strings.Join(taken, " "))))
			if want, known := transform.Taken(b.Name, machine); !*update && (!known || !slices.Equal(taken, want)) {
				t.Errorf("%s with %s takes %v; the table has %v (known: %v); -update writes it anew", b.Name, machine, taken, want, known)
			}
		}
	}
	if len(lines) < 10 {
		t.Errorf("only %d kernels were looked at", len(lines))
	}
	if *update {
		if err := os.WriteFile(filepath.Join("..", "..", "transform", "served.txt"), []byte(strings.Join(lines, "\n")+"\n"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// A strategy that is left out is taken nowhere, and what the others do instead is legal: each of
// them, in a kernel that takes it by default.
func TestWithout(t *testing.T) {
	t.Parallel()
	tried := 0
	for _, s := range transform.Strategies {
		serves := transform.Serves(s.Name)
		if len(serves) == 0 {
			continue
		}
		machine := "avx2"
		if taken, _ := transform.Taken(serves[0], machine); !slices.Contains(taken, s.Name) {
			machine = "avx512"
		}
		tried++
		t.Run(s.Name, func(t *testing.T) {
			t.Parallel()
			without := frozen{serves[0], "smart", machine}.make(t, []string{"--without", s.Name})
			if without.err != nil {
				t.Fatalf("%s without %s: %v", serves[0], s.Name, without.err)
			}
			if slices.Contains(without.taken, s.Name) {
				t.Errorf("%s takes %s, which is left out", serves[0], s.Name)
			}
		})
	}
	if tried < 10 {
		t.Errorf("only %d strategies were left out", tried)
	}
}

// TestServesOthers are programs of other fields, a folder for each strategy that few built-in
// benchmarks take: each of them takes it, and is another program without it. What it gains there is
// in docs/decisions/0001-strategies.md, measured by scripts/serves. A short test has one of each.
func TestServesOthers(t *testing.T) {
	t.Parallel()
	all, err := os.ReadDir(filepath.Join("..", "..", "transform", "testdata", "serves"))
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, entry := range all {
		if !entry.IsDir() {
			continue
		}
		strategy := entry.Name()
		programs, err := filepath.Glob(filepath.Join("..", "..", "transform", "testdata", "serves", strategy, "*.c"))
		if err != nil || len(programs) < 2 {
			t.Errorf("%s has %d programs, not two or more (%v)", strategy, len(programs), err)
		}
		for k, program := range programs {
			if tried++; k > 0 && !kerneltest.Long() {
				continue
			}
			t.Run(strategy+"/"+filepath.Base(program), func(t *testing.T) {
				t.Parallel()
				served(t, strategy, program)
			})
		}
	}
	if tried < 8 {
		t.Errorf("only %d programs were found", tried)
	}
}

// served checks that a program takes a strategy, with what its first lines say of its run.
func served(t *testing.T, strategy, program string) {
	t.Helper()
	text, err := os.ReadFile(program)
	if err != nil {
		t.Fatal(err)
	}
	_, run, _ := strings.Cut(string(text), "// tune: ")
	run, _, _ = strings.Cut(run, "\n")
	f := frozen{strings.TrimPrefix(filepath.ToSlash(program), "../"), "smart", "avx512"}
	arguments := []string{"--param", strings.ReplaceAll(run, " ", ",")}
	with, without := f.make(t, arguments), f.make(t, append(arguments, "--without", strategy))
	switch {
	case with.err != nil || without.err != nil:
		t.Errorf("%v; without %s: %v", with.err, strategy, without.err)
	case !slices.Contains(with.taken, strategy):
		t.Errorf("it takes %v, and not %s", with.taken, strategy)
	case with.text == without.text:
		t.Errorf("it is the same without %s", strategy)
	}
}
