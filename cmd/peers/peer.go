package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strconv"
	"strings"

	"polytune/runner"
	"polytune/target/openmp/omp"
)

// The names of polytune's own entries.
const (
	untuned = "untuned"
	// unordered is untuned code that adds in any order, as libraries do.
	unordered = "untuned-any-order"
	tuned     = "tuned"
)

// spec is a peer before it is known whether this machine has it.
type spec struct {
	name  string
	kind  kind
	about string
	// compilers are commands of which the first that is there is taken.
	compilers []string
	flags     []string
	// objects follow the object files on the linker's command line: the first
	// list that links is taken.
	objects [][]string
	// folder is a temporary one of such arguments, which the description leaves out.
	folder string
	// environment are entries for the runs, NAME=VALUE.
	environment []string
	// tool is a further program that is needed, "" for none.
	tool   string
	source maker
	// left says why the peer is left out by the user's wish, "" if it is not.
	left string
}

// peer is one that takes part.
type peer struct {
	entry
	toolchain runner.Toolchain
	objects   []string
	source    maker
}

// clangs are the names of clang, the newest first.
var clangs = func() (names []string) {
	for version := 25; version >= 11; version-- {
		names = append(names, "clang-"+strconv.Itoa(version))
	}
	return append(names, "clang")
}()

// gccs is the compiler whose code is the reference.
var gccs = []string{"gcc"}

var (
	optimised = []string{"-O3", "-march=native"}
	openMP    = append(slices.Clone(optimised), "-fopenmp")
	polly     = append(slices.Clone(openMP), "-mllvm", "-polly", "-mllvm", "-polly-parallel")
)

// plutoModes are the ways in which Pluto fuses, with its flags.
var plutoModes = []struct {
	name  string
	flags []string
}{
	{"pluto", nil},
	{"pluto-nofuse", []string{"--nofuse"}},
	{"pluto-maxfuse", []string{"--maxfuse"}},
	{"pluto-typedfuse", []string{"--typedfuse"}},
}

// allPeers are those that polytune is compared with, and polytune.
func allPeers(o options, avx512 bool) []spec {
	list := []spec{
		{name: reference, kind: compiler, about: "the source as it is", compilers: gccs, flags: optimised, source: asWritten},
		{name: "clang", kind: compiler, about: "the source as it is", compilers: clangs, flags: optimised, source: asWritten},
		{name: "graphite", kind: polyhedral, about: "gcc's polyhedral optimiser", compilers: gccs, source: asWritten,
			flags: append(slices.Clone(optimised), "-floop-parallelize-all", "-ftree-parallelize-loops="+strconv.Itoa(o.threads), "-fgraphite-identity")},
		{name: "polly", kind: polyhedral, about: "clang's polyhedral optimiser", compilers: clangs, flags: polly, source: asWritten},
		{name: "polly-told", kind: polyhedral, about: "the same, told the sizes and that arrays do not overlap", compilers: clangs, flags: polly, source: told},
	}
	for _, mode := range plutoModes {
		flags := append([]string{"--tile", "--parallel"}, mode.flags...)
		one := spec{name: mode.name, kind: polyhedral, about: "polycc " + strings.Join(flags, " "), compilers: gccs, flags: openMP,
			tool: "polycc", source: pluto("polycc", flags)}
		list = append(list, one, withClang(one))
	}
	plain := spec{name: untuned, kind: own, about: "tune transform, the model's choice without timing", compilers: gccs, flags: openMP, source: o.transform}
	anyOrder := spec{name: unordered, kind: own, about: "tune transform --reassociate, for kernels that libraries have", compilers: gccs, flags: openMP, source: o.inAnyOrder}
	best := spec{name: tuned, kind: own, about: "the best variant of " + o.tuningText(), compilers: gccs, flags: openMP, source: o.tune, left: o.tuningLeft()}
	return append(list, append(blasPeers(o.threads, avx512), plain, withClang(plain), anyOrder, best)...)
}

// withClang is a peer whose code another compiler gets.
func withClang(s spec) spec {
	s.name += "-clang"
	s.compilers = clangs
	return s
}

// blasPeers are the libraries. Those of distributions choose slow code on
// processors that are younger than they are, so they are told where the machine
// has AVX-512.
func blasPeers(threads int, avx512 bool) []spec {
	openblas := spec{name: "openblas", kind: library, about: "OpenBLAS", compilers: gccs, flags: optimised, source: withBLAS,
		objects: libraryFolders("openblas", "openblas-openmp", "openblas-pthread"), environment: []string{"OPENBLAS_NUM_THREADS=" + strconv.Itoa(threads)}}
	blis := spec{name: "blis", kind: library, about: "BLIS", compilers: gccs, flags: optimised, source: withBLAS,
		objects: libraryFolders("blis", "blis-openmp", "blis-pthread"), environment: []string{"BLIS_NUM_THREADS=" + strconv.Itoa(threads)}}
	if avx512 {
		openblas.environment = append(openblas.environment, "OPENBLAS_CORETYPE=SKYLAKEX")
		blis.environment = append(blis.environment, "BLIS_ARCH_TYPE=skx")
	}
	return []spec{openblas, blis}
}

// libraryFolders are the linker's arguments for a library: in the folders where
// Debian keeps its builds with threads, and wherever the linker looks.
func libraryFolders(name string, folders ...string) [][]string {
	var list [][]string
	for _, folder := range folders {
		path := "/usr/lib/" + multiarch() + "/" + folder
		list = append(list, []string{"-L" + path, "-Wl,-rpath," + path, "-l" + name})
	}
	return append(list, []string{"-l" + name})
}

// multiarch is the name of this machine's folder of libraries, "" where gcc has
// none.
func multiarch() string {
	text, err := exec.Command(gccs[0], "-print-multiarch").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// find looks for what a peer needs. Where something is missing, the entry says
// what, and there is no peer.
func (s *spec) find(ctx context.Context) (entry, *peer) {
	e := entry{Name: s.name, Kind: s.kind, About: s.about, Flags: strings.Join(s.flags, " "), Environment: s.environment, Missing: s.left}
	if e.Missing != "" {
		return e, nil
	}
	if s.tool != "" {
		if _, err := exec.LookPath(s.tool); err != nil {
			e.Missing = s.tool + " is not on PATH"
			return e, nil
		}
	}
	toolchain, objects, err := s.toolchain(ctx)
	if err != nil {
		e.Missing = firstLine(err.Error())
		return e, nil
	}
	e.Compiler = toolchain.Name + " " + toolchain.Version
	e.Flags = strings.ReplaceAll(strings.Join(append(slices.Clone(s.flags), objects...), " "), s.folder+"/", "")
	return e, &peer{entry: e, toolchain: toolchain, objects: objects, source: s.source}
}

// toolchain is the compiler with the first of the lists of objects that links.
func (s *spec) toolchain(ctx context.Context) (runner.Toolchain, []string, error) {
	command, err := firstOnPath(s.compilers)
	if err != nil {
		return runner.Toolchain{}, nil, err
	}
	objects := s.objects
	if len(objects) == 0 {
		objects = [][]string{nil}
	}
	var first error
	for _, list := range objects {
		t, err := runner.FindToolchain(ctx, runner.ToolchainSpec{
			Name: command, Command: command, Flags: s.flags, CheckFlags: []string{"-O1", "-ffp-contract=off"}, Libraries: append(slices.Clone(list), "-lm"), Runtime: omp.Runtime{},
		})
		if err == nil {
			return t, list, nil
		}
		if first == nil {
			first = err
		}
	}
	return runner.Toolchain{}, nil, first
}

// firstOnPath is the first of some commands that is on PATH.
func firstOnPath(commands []string) (string, error) {
	for _, c := range commands {
		if _, err := exec.LookPath(c); err == nil {
			return c, nil
		}
	}
	if len(commands) == 1 {
		return "", fmt.Errorf("%s is not on PATH", commands[0])
	}
	return "", errors.New("none of " + strings.Join(commands, ", ") + " is on PATH")
}

// firstLine is a message without what follows its first line.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
