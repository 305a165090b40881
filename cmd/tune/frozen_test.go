package main

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"polytune/benchmarks"
	"polytune/configs"
	"polytune/internal/kerneltest"
	"polytune/runner"
	"polytune/transform"
)

var update = flag.Bool("update", false, "write the golden files anew")

// frozenCase is the name of the case whose text TestFrozen writes to frozenText; scripts/frozen
// shows with it what differs between two commits.
var (
	frozenCase = flag.String("frozen-case", "", "write the recipe and the code of this `case` of TestFrozen")
	frozenText = flag.String("frozen-text", "", "the `file` that they are written to")
)

// frozenMachines are those that code is frozen for: without vectors, with AVX2, with AVX-512.
var frozenMachines = map[string]runner.Vector{"plain": {}, "avx2": {Bits: 256, Registers: 16}, "avx512": {Bits: 512, Registers: 32}}

// frozenPartitions are the partitions that code is frozen for.
var frozenPartitions = []string{"smart", "max", "none"}

// frozen is one program, partition and machine.
type frozen struct{ program, partition, machine string }

func (f frozen) String() string { return f.program + " " + f.partition + " " + f.machine }

// isShort says whether the case is one of a short test, with what the file of hashes has: each
// program has one machine there and the partition smart; each fourth kernel whose loops no other
// one has has another partition, too, if that gives another text. The other machines and partitions
// are left to the long test, and so are kernels with nearly the loops of another one: they took half
// of the time.
func (f frozen) isShort(hashes map[string]string) bool {
	sum := fnv.New32()
	io.WriteString(sum, f.program)
	number := int(sum.Sum32() >> 1)
	machines, others := []string{"avx2", "avx512", "plain"}, []string{"max", "none"}
	if f.machine != machines[number%len(machines)] {
		return false
	}
	hasOwnLoops, smart := kerneltest.HasOwnLoops(f.program), frozen{f.program, "smart", f.machine}
	if !hasOwnLoops || f.program == "polybench/cholesky" { // which is in phases as lu is, for seconds
		return false
	}
	return f.partition == "smart" || f.partition == others[number/len(machines)%len(others)] && number/8%4 == 0 &&
		hashes[f.String()] != hashes[smart.String()]
}

// frozenCases are all benchmarks and saved programs of the fuzzer, with all partitions and
// machines.
func frozenCases(t *testing.T) (cases []frozen) {
	t.Helper()
	var programs []string
	for _, b := range benchmarks.All() {
		programs = append(programs, b.Name)
	}
	saved, err := filepath.Glob(filepath.Join("..", "fuzz", "testdata", "programs", "*.c"))
	if err != nil || len(saved) == 0 {
		t.Fatalf("no saved programs: %v", err)
	}
	for _, program := range append(programs, saved...) {
		for _, partition := range frozenPartitions {
			for _, machine := range []string{"plain", "avx2", "avx512"} {
				cases = append(cases, frozen{strings.TrimPrefix(filepath.ToSlash(program), "../"), partition, machine})
			}
		}
	}
	return cases
}

// made is what becomes of a case.
type made struct {
	// text is the recipe and the code, or the error.
	text string
	// unaccounted is what unaccounted finds in it.
	unaccounted []string
	// taken are the strategies that are taken in the first region.
	taken []string
	// err is why there is no variant, nil where there is one.
	err error
}

// allMade has what was made, by case: each is made once for all tests.
var allMade sync.Map

// made is what becomes of the case.
func (f frozen) made(t *testing.T) made {
	once, _ := allMade.LoadOrStore(f, sync.OnceValue(func() made { return f.make(t, nil) }))
	return once.(func() made)()
}

// make transforms the program of the case, with more arguments.
func (f frozen) make(t *testing.T, more []string) made {
	o, set := &transformOptions{}, pflag.NewFlagSet("", pflag.ContinueOnError)
	o.flags(set)
	arguments := append([]string{"--partition", f.partition}, more...)
	if strings.HasSuffix(f.program, ".c") {
		arguments = append(arguments, filepath.Join("..", f.program))
	} else {
		arguments = append(arguments, "--bench", f.program)
	}
	if err := set.Parse(arguments); err != nil {
		return made{text: err.Error(), err: err}
	}
	o.Threads = 4
	machine := runner.Machine{Cores: 4, CPUs: []int{0, 1, 2, 3}, Siblings: [][]int{{0}, {1}, {2}, {3}}, Architecture: "amd64", Vector: frozenMachines[f.machine],
		Caches: []runner.Cache{
			{Level: 1, Kind: "Data", Size: 32 << 10, Line: 64, Associativity: 8, SharedBy: []int{0}},
			{Level: 2, Kind: "Unified", Size: 1 << 20, Line: 64, Associativity: 16, SharedBy: []int{0}},
			{Level: 3, Kind: "Unified", Size: 32 << 20, Line: 64, Associativity: 16, SharedBy: []int{0, 1, 2, 3}},
		}}
	targets, err := o.Targets(t.Context(), io.Discard, set.Args(), machine, configs.Settings{})
	if err != nil {
		return made{text: err.Error(), err: err}
	}
	done, err := o.TransformAll(t.Context(), targets, machine)
	if err != nil {
		return made{text: err.Error(), err: err}
	}
	var text strings.Builder
	var lacks []string
	for _, d := range done {
		text.WriteString(d.Variant.Text)
		lacks = append(lacks, unaccounted(d)...)
	}
	text.Write(done[0].Variant.Source)
	return made{text.String(), lacks, transform.TakenIn(done[0].Variant.Explanation.Decisions), nil}
}

// hash is what TestFrozen keeps of a text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:8])
}

// TestFrozen compares the recipes and the code of all benchmarks and saved programs of the fuzzer
// with those that testdata/frozen/hashes has, a line for each: a change of the architecture changes
// none of them. "scripts/frozen CASE" shows the two texts of one that differs; -update accepts what
// is there now.
func TestFrozen(t *testing.T) {
	t.Parallel()
	cases := frozenCases(t)
	if *frozenCase != "" {
		writeFrozen(t, cases)
		return
	}
	if !*update {
		cases = frozenShort(t, cases)
	}
	now := make([]string, len(cases))
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for i, f := range cases {
		group.Go(func() error {
			now[i] = hash(f.made(t).text)
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	if *update {
		var lines strings.Builder
		for i, f := range cases {
			fmt.Fprintf(&lines, "%s %s\n", now[i], f)
		}
		if err := errors.Join(os.MkdirAll(filepath.Dir(frozenHashes), 0o777), os.WriteFile(frozenHashes, []byte(lines.String()), 0o666)); err != nil {
			t.Fatal(err)
		}
		return
	}
	want := readFrozen(t)
	for i, f := range cases {
		if now[i] != want[f.String()] {
			t.Errorf("%s: %s, want %s; see scripts/frozen '%s'", f, now[i], want[f.String()], f)
		}
	}
}

// frozenShort are those of the cases that are made where there is no time for all.
func frozenShort(t *testing.T, cases []frozen) []frozen {
	t.Helper()
	if kerneltest.Long() {
		return cases
	}
	hashes := readFrozen(t)
	return slices.DeleteFunc(cases, func(f frozen) bool { return !f.isShort(hashes) })
}

// frozenHashes is the file of hashes.
var frozenHashes = filepath.Join("testdata", "frozen", "hashes")

// readFrozen reads the hashes, by case.
func readFrozen(t *testing.T) map[string]string {
	t.Helper()
	file, err := os.Open(frozenHashes)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	hashes := map[string]string{}
	lines := bufio.NewScanner(file)
	for lines.Scan() {
		sum, name, _ := strings.Cut(lines.Text(), " ")
		hashes[name] = sum
	}
	return hashes
}

// writeFrozen writes the text of the case that -frozen-case names.
func writeFrozen(t *testing.T, cases []frozen) {
	t.Helper()
	for _, f := range cases {
		if f.String() == *frozenCase {
			if err := os.WriteFile(*frozenText, []byte(f.made(t).text), 0o666); err != nil {
				t.Fatal(err)
			}
			return
		}
	}
	t.Fatalf("no case %q; testdata/frozen/hashes has them", *frozenCase)
}
