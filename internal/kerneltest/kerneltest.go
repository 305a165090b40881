// Package kerneltest gives tests the built-in kernels as the front end reads them,
// and their dependences. A test fails where one of them cannot be had.
//
// # Where to find what
//
//   - kernels and their dependences for tests: kerneltest.go
package kerneltest

import (
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	"polytune/benchmarks"
	"polytune/frontend"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/split"
)

// text is what a file is read from.
type text struct{ path, source, kernel string }

// read are the files that Parse has read, each of them once.
var read sync.Map

// parsed has the programs of these files.
var parsed sync.Map

// Parse is what the front end makes of a file. All tests of a package have the same one for the
// same text, and change nothing in it.
func Parse(path, source, kernel string) (*frontend.File, error) {
	once, _ := read.LoadOrStore(text{path, source, kernel}, sync.OnceValues(func() (*frontend.File, error) {
		file, err := frontend.Parse(path, []byte(source), frontend.Options{KernelName: kernel})
		if err == nil {
			for _, r := range file.Regions {
				parsed.Store(r.Program, true)
			}
		}
		return file, err
	}))
	return once.(func() (*frontend.File, error))()
}

// File is the file of a built-in kernel, such as "polybench/2mm", as Parse reads it.
func File(t testing.TB, name string) *frontend.File {
	t.Helper()
	b, err := benchmarks.Find(name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := Parse(b.File, string(b.Source), b.Name)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return file
}

// Graph is the dependence graph of a built-in kernel's first region, as Analyze has it.
func Graph(t testing.TB, name string) *depend.Graph {
	t.Helper()
	return Analyze(t, File(t, name).Regions[0].Program)
}

// Split is the dependence graph of a built-in kernel whose statements have
// been split.
func Split(t testing.TB, name string) *depend.Graph {
	t.Helper()
	g := Graph(t, name)
	found, err := split.Find(g)
	if err != nil {
		t.Fatal(err)
	}
	program, err := split.Program(g.Model.Program, found.Cuts)
	if err != nil {
		t.Fatal(err)
	}
	cut, err := split.Graph(g, program)
	if err != nil {
		t.Fatal(err)
	}
	return cut
}

// Fresh is Graph for a test that wants to know what computations take: nothing is known of the
// kernel yet.
func Fresh(t testing.TB, name string) *depend.Graph {
	t.Helper()
	return analyzeAnew(t, File(t, name).Regions[0].Program)
}

// Analyze is the dependence graph of a program, in an isl context that no other test uses as long
// as this one runs. For programs that Parse has read it may be one that an earlier test had, with
// what was found out about the program's model: most of what tests take was finding that out again.
func Analyze(t testing.TB, p *scop.Program) *depend.Graph {
	t.Helper()
	if _, isShared := parsed.Load(p); !isShared {
		return analyzeAnew(t, p)
	}
	use := use{t, p}
	if graph, isHere := used.Load(use); isHere {
		return graph.(*depend.Graph)
	}
	graph := left.take(p)
	if graph == nil {
		graph = AnalyzeIn(t, isl.NewContext(), p)
	}
	used.Store(use, graph)
	t.Cleanup(func() {
		used.Delete(use)
		left.put(graph, t.Failed())
	})
	return graph
}

// use is that of a program by a test, which has one graph for it, however often it asks; a test
// whose parts run in parallel asks in each of them.
type use struct {
	t       testing.TB
	program *scop.Program
}

// used are the graphs that tests have now.
var used sync.Map

func analyzeAnew(t testing.TB, p *scop.Program) *depend.Graph {
	t.Helper()
	ctx := isl.NewContext()
	t.Cleanup(ctx.Close)
	return AnalyzeIn(t, ctx, p)
}

// left are the graphs that tests have left, by their programs.
var left = graphs{of: map[*scop.Program][]*depend.Graph{}}

type graphs struct {
	sync.Mutex
	of map[*scop.Program][]*depend.Graph
}

// mostObjects is how many isl objects a context may have for another test: they stay until it is
// closed.
const mostObjects = 200_000

// take is a graph of a program that no test uses now, or nil.
func (g *graphs) take(p *scop.Program) *depend.Graph {
	g.Lock()
	defer g.Unlock()
	of := g.of[p]
	if len(of) == 0 {
		return nil
	}
	last := len(of) - 1
	g.of[p] = of[:last]
	return of[last]
}

// put leaves a graph for other tests, but none that a test failed with.
func (g *graphs) put(graph *depend.Graph, failed bool) {
	ctx := graph.Model.Context
	if failed || ctx.Err() != nil || ctx.Mark() > mostObjects {
		ctx.Close()
		return
	}
	ctx.SetMaxOperations(0)
	g.Lock()
	defer g.Unlock()
	g.of[graph.Model.Program] = append(g.of[graph.Model.Program], graph)
}

// AnalyzeIn is Analyze in a context of the caller's.
func AnalyzeIn(t testing.TB, ctx *isl.Context, p *scop.Program) *depend.Graph {
	t.Helper()
	model, err := p.Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	graph, err := depend.Analyze(model)
	if err != nil {
		t.Fatal(err)
	}
	return graph
}

// Long says whether tests may take long: with POLYTUNE_LONG.
func Long() bool { return os.Getenv("POLYTUNE_LONG") != "" }

// similar are kernels with the kernels whose loops and dependences are nearly theirs: one product
// more or less, a dimension more, other coefficients. The suite sc10, which has kernels of
// PolyBench in an older form, is not among them.
var similar = map[string]string{
	"polybench/3mm": "polybench/2mm", "polybench/covariance": "polybench/correlation", "polybench/syrk": "polybench/syr2k",
	"polybench/mvt": "polybench/gemver", "polybench/jacobi-1d": "polybench/jacobi-2d", "polybench/ludcmp": "polybench/lu",
	"hex/heat-3d": "hex/heat-2d", "hex/gradient-3d": "hex/gradient-2d", "hex/laplacian-2d": "hex/heat-2d",
	"hex/laplacian-3d": "hex/heat-2d", "plutoplus/heat-2dp": "plutoplus/heat-1dp", "plutoplus/heat-3dp": "plutoplus/heat-1dp",
	"plutoplus/lbm-ldc-d3q27": "plutoplus/lbm-ldc-d2q9", "plutoplus/lbm-ldc-d2q9-mrt": "plutoplus/lbm-ldc-d2q9",
	"plutoplus/lbm-fpc-d2q9": "plutoplus/lbm-ldc-d2q9", "plutoplus/lbm-poiseuille-d2q9": "plutoplus/lbm-ldc-d2q9",
	"tiramisu/sgemm": "polybench/gemm", "tiramisu/gaussian": "tiramisu/edge-detector", "tiramisu/conv": "tiramisu/conv2d",
}

// HasOwnLoops says whether no other built-in kernel has nearly the loops of this one.
func HasOwnLoops(name string) bool {
	return similar[name] == "" && !strings.HasPrefix(name, "sc10/")
}

// Some are the built-in kernels for tests that take long for each: all of them in long tests, else
// those that have loops of their own.
func Some() []benchmarks.Benchmark {
	return slices.DeleteFunc(benchmarks.All(), func(b benchmarks.Benchmark) bool { return !Long() && !HasOwnLoops(b.Name) })
}
