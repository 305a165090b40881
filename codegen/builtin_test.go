package codegen_test

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/codegen"
	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/schedule"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform"
)

// builtin is a built-in kernel on its way through the stages.
type builtin struct {
	context *isl.Context
	file    *frontend.File
	graph   *depend.Graph
}

func builtinOf(t testing.TB, b benchmarks.Benchmark) builtin {
	t.Helper()
	file, err := kerneltest.Parse(b.File, string(b.Source), b.Name)
	if err != nil {
		t.Fatal(err)
	}
	graph := kerneltest.Analyze(t, file.Regions[0].Program)
	return builtin{graph.Model.Context, file, graph}
}

// options are the same on every machine.
var options = transform.Options{CacheBytes: 48 << 10}

// partitions are those that a list of words such as "max,none" names.
func (b builtin) partitions(t testing.TB, words string) []space.Partition {
	t.Helper()
	s, err := space.New(b.graph, space.Options{})
	if err != nil {
		t.Fatal(err)
	}
	chosen, err := transform.Choose(s, b.graph, words, 1)
	if err != nil {
		t.Fatal(err)
	}
	return chosen
}

func (b builtin) recipe(t testing.TB, partition space.Partition, options transform.Options) schedule.Recipe {
	t.Helper()
	recipe, err := transform.Transform(b.graph, partition, options)
	if err != nil {
		t.Fatal(err)
	}
	return recipe
}

func (b builtin) code(t testing.TB, recipe schedule.Recipe) string {
	t.Helper()
	code, err := codegen.Program(b.graph, recipe, b.file.Unit(&b.file.Regions[0]))
	if err != nil {
		t.Fatal(err)
	}
	return string(code)
}

// fullVersions are the branches of the code for full tiles: the first branches
// of the ifs that have an else and compare sums with tile loops in them by <= alone, as
// guards of full tiles do. Their other branches are left out.
func fullVersions(code string) []string {
	lines := strings.Split(code, "\n")
	var versions []string
	for k := 0; k < len(lines); k++ {
		line := lines[k]
		indent := line[:len(line)-len(strings.TrimLeft(line, " "))]
		if !strings.HasPrefix(line[len(indent):], "if (") || !strings.HasSuffix(line, "{") || !tileVariable.MatchString(line) || otherComparison.MatchString(line) {
			continue
		}
		closes := func(l string) bool { return strings.HasPrefix(l, indent+"}") }
		end := k + 1 + slices.IndexFunc(lines[k+1:], closes)
		if lines[end] == indent+"} else {" {
			versions = append(versions, strings.Join(lines[k+1:end], "\n"))
			k = end + 1 + slices.IndexFunc(lines[end+1:], closes)
		}
	}
	return versions
}

var (
	tileVariable = regexp.MustCompile(`\bc[0-9]`)
	// otherComparison is any but <=.
	otherComparison = regexp.MustCompile(`>|==|!=|< `)
	loopHeader      = regexp.MustCompile(`for \(.*\)`)
)

// exceptions are the recipes whose tiles have no full version, or one with
// bounds that are not simple, and why.
var exceptions = map[string]string{
	"tiramisu/baryon max":  "a skewed loop of three iterations is shorter than a tile, so its bounds stay those of the loop",
	"tiramisu/baryon none": "likewise",
}

// Of every tiled band of the built-in kernels full tiles are told apart, and
// their loops have simple bounds, except where it is known that they do not.
func TestFullTiles(t *testing.T) {
	apart := options
	apart.Interleave = 1
	for number, b := range kerneltest.Some() {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			k := builtinOf(t, b)
			chosen := k.partitions(t, "max,none")
			for i, word := range []string{"max", "none"} {
				if i > 0 && (chosen[i].String() == chosen[0].String() || number%3 > 0 && !kerneltest.Long()) {
					continue
				}
				recipe := k.recipe(t, chosen[i], apart)
				text := recipe.Text(k.graph.Model.Program)
				if !strings.Contains(text, "separate") {
					continue
				}
				code := k.code(t, recipe)
				checkFullTiles(t, b.Name+" "+word, fullVersions(code), strings.Count(text, "separate"), code)
			}
		})
	}
}

func checkFullTiles(t *testing.T, name string, versions []string, bands int, code string) {
	t.Helper()
	bad := ""
	for _, header := range loopHeader.FindAllString(strings.Join(versions, "\n"), -1) {
		if strings.Contains(header, "tune_") {
			bad = header
		}
	}
	simple := len(versions) >= bands && bad == ""
	if reason, known := exceptions[name]; simple == known {
		t.Errorf("%s: %d full versions of %d bands, %q among the loops, exception %q\n%s", name, len(versions), bands, bad, reason, code)
	}
}

// benchmark measures one stage on each built-in kernel. prepare does what
// comes before, on a fresh graph, and returns the stage.
func benchmark(b *testing.B, prepare func(k builtin) func() error) {
	for _, kernel := range benchmarks.All() {
		b.Run(kernel.Name, func(b *testing.B) {
			for range b.N {
				b.StopTimer()
				stage := prepare(builtinOf(b, kernel))
				b.StartTimer()
				if err := stage(); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkDependences(b *testing.B) {
	benchmark(b, func(k builtin) func() error {
		return func() error {
			_, err := depend.Analyze(k.graph.Model)
			return err
		}
	})
}

func BenchmarkTransform(b *testing.B) {
	benchmark(b, func(k builtin) func() error {
		partition := k.partitions(b, "max")[0]
		return func() error {
			_, err := transform.Transform(k.graph, partition, options)
			return err
		}
	})
}

func BenchmarkProve(b *testing.B) {
	benchmark(b, func(k builtin) func() error {
		recipe := k.recipe(b, k.partitions(b, "max")[0], options)
		return func() error {
			_, _, err := recipe.Prove(k.graph)
			return err
		}
	})
}

func BenchmarkCodegen(b *testing.B) {
	benchmark(b, func(k builtin) func() error {
		recipe := k.recipe(b, k.partitions(b, "max")[0], options)
		_, tree, err := recipe.Prove(k.graph)
		if err != nil {
			b.Fatal(err)
		}
		return func() error {
			_, err := codegen.Generate(k.graph.Model, tree, codegen.Options{})
			return err
		}
	})
}

// One variant from its partition to C, proof included.
func BenchmarkVariant(b *testing.B) {
	benchmark(b, func(k builtin) func() error {
		partition := k.partitions(b, "max")[0]
		return func() error {
			recipe, err := transform.Transform(k.graph, partition, options)
			if err != nil {
				return err
			}
			_, err = codegen.Program(k.graph, recipe, k.file.Unit(&k.file.Regions[0]))
			return err
		}
	})
}
