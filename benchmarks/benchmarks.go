// Package benchmarks holds the built-in kernels: for each a C file with one
// region between #pragma scop and #pragma endscop, and its problem sizes.
//
// A file defines two functions with the same parameters: kernel_NAME, which
// has the region, and kernel_NAME_init, which fills every array with data
// that depend on the sizes alone. The parameters are int sizes, then
// floating-point scalars, then arrays of any arithmetic type with all their
// extents written. Macros and further functions of a file have names no other
// file uses: the tests include all files in one.
//
// The suite polybench has the kernels of PolyBench/C 4.2.1 and its sizes
// (gramschmidt.c says why M and N are exchanged there); the
// suite sc10 has kernels of PolyBench 1.0 in the form measured by Pouchet et
// al., "Combined iterative and model-driven optimization in an automatic
// parallelization framework" (SC'10, figure 6), whose sizes are called large;
// the suite plutoplus has the periodic stencils, lattice Boltzmann simulations
// and shallow-water equations of the evaluation of Pluto+ (Bondhugula et al.,
// TOPLAS 38(3), 2016), whose sizes are called extralarge; the suite hex has the
// stencils of Grosser et al., "The promises of hybrid hexagonal/classical tiling
// for GPU" (INRIA report RR-8339, section 6), whose sizes are called large; the
// suite tiramisu has kernels in the manner of those of Baghdadi et al.,
// "Tiramisu: a polyhedral compiler for expressing fast and portable code"
// (CGO'19, section VI), whose sizes are called large.
//
// # Where to find what
//
//   - the sizes of a benchmark: catalogue.yaml; how one kernel is read of it: lookup.go
package benchmarks

import (
	"embed"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
)

// SizeNames are the names of the problem sizes every benchmark has, from the
// smallest to the largest.
var SizeNames = []string{"mini", "small", "medium", "large", "extralarge"}

// Benchmark is one built-in kernel.
type Benchmark struct {
	// Name is the suite and the kernel's name in it: "polybench/2mm".
	Name string
	// Title says in one line what the kernel computes.
	Title string
	// File is the path of the C file below this package: "polybench/2mm.c".
	File string
	// Source is the content of that file.
	Source []byte
	// Parameters are the int parameters of the kernel in the order of their
	// declaration.
	Parameters []string
	// Sizes maps each of SizeNames to the values of the Parameters.
	Sizes map[string]map[string]int
	// Scalars are the values of the kernel's floating-point parameters.
	Scalars map[string]float64
}

//go:embed catalogue.yaml */*.c
var files embed.FS

var catalogue = sync.OnceValue(func() []Benchmark {
	return intact(readCatalogue(files, "catalogue.yaml"))
})

// intact is what was read of the catalogue, which is built into the program: an error would be one
// of the build, which the tests of this package would find.
func intact[T any](read T, err error) T {
	if err != nil {
		panic("the catalogue built into this program is damaged: " + err.Error())
	}
	return read
}

// All returns every benchmark, suite by suite in the order in which Find
// searches them, and by name within a suite. The caller owns the result.
func All() []Benchmark {
	list := slices.Clone(catalogue())
	for i := range list {
		list[i] = list[i].clone()
	}
	return list
}

// Find returns the benchmark of that name: "polybench/2mm", or "2mm" for the
// first suite that has one. The error is a *NotFoundError.
func Find(name string) (Benchmark, error) {
	if item := findItem(name); item != "" {
		return intact(readItem(item)), nil
	}
	return Benchmark{}, &NotFoundError{Name: name, Nearest: nearest(name, catalogue())}
}

// Select returns the benchmarks that a list names, in its order and each once.
// Its items, with commas between them, are names as Find takes them, or names
// of suites for all of their benchmarks: "2mm,3mm" or "sc10". The error is a
// *NotFoundError.
func Select(list string) ([]Benchmark, error) {
	var chosen []Benchmark
	for name := range strings.SplitSeq(list, ",") {
		found, err := suiteOrOne(strings.TrimSpace(name))
		if err != nil {
			return nil, err
		}
		for _, b := range found {
			if !slices.ContainsFunc(chosen, func(c Benchmark) bool { return c.Name == b.Name }) {
				chosen = append(chosen, b)
			}
		}
	}
	return chosen, nil
}

func suiteOrOne(name string) ([]Benchmark, error) {
	var suite []Benchmark
	for _, b := range catalogue() {
		if b.Suite() == name {
			suite = append(suite, b.clone())
		}
	}
	if suite != nil {
		return suite, nil
	}
	one, err := Find(name)
	return []Benchmark{one}, err
}

// Suite is the part of the name before the slash, such as "polybench".
func (b *Benchmark) Suite() string {
	suite, _, _ := strings.Cut(b.Name, "/")
	return suite
}

// Kernel is the part of the name after the slash, such as "2mm".
func (b *Benchmark) Kernel() string {
	_, kernel, _ := strings.Cut(b.Name, "/")
	return kernel
}

// Function is the name of the C function with the region, such as
// "kernel_jacobi_2d".
func (b *Benchmark) Function() string {
	return "kernel_" + strings.ReplaceAll(b.Kernel(), "-", "_")
}

// InitFunction is the name of the C function that fills the arrays; it has
// the same parameters as Function.
func (b *Benchmark) InitFunction() string { return b.Function() + "_init" }

// Size returns the values of the parameters at one of SizeNames; any other
// name is an error that lists them. The caller owns the result.
func (b *Benchmark) Size(name string) (map[string]int, error) {
	values, ok := b.Sizes[name]
	if !ok {
		return nil, fmt.Errorf("benchmark %s has no size %q; the sizes are %s",
			b.Name, name, strings.Join(SizeNames, ", "))
	}
	return maps.Clone(values), nil
}

func (b *Benchmark) clone() Benchmark {
	c := *b
	c.Source = slices.Clone(b.Source)
	c.Parameters = slices.Clone(b.Parameters)
	c.Scalars = maps.Clone(b.Scalars)
	c.Sizes = make(map[string]map[string]int, len(b.Sizes))
	for size, values := range b.Sizes {
		c.Sizes[size] = maps.Clone(values)
	}
	return c
}
