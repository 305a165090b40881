package check

import (
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"polytune/benchmarks"
	"polytune/internal/kerneltest"
	"polytune/internal/pipelinetest"
	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/schedule"
	"polytune/schedule/command"
)

// badInputModels are how the long test makes variants of every kernel: with tiles so
// small that loops of few iterations have full ones, and with settings of the axes.
var badInputModels = []func(*pipeline.ModelOptions){
	func(o *pipeline.ModelOptions) { o.Tile = "4,6,5,3" },
	func(o *pipeline.ModelOptions) { o.Point = "registers=off" },
	func(o *pipeline.ModelOptions) { o.Point = "pack=off" },
	func(o *pipeline.ModelOptions) { o.Point = "separate=off" },
	func(o *pipeline.ModelOptions) { o.Point = "vector=off" },
	func(o *pipeline.ModelOptions) { o.Point = "interleave=off" },
	func(o *pipeline.ModelOptions) { o.Point = "tile=untiled" },
	func(o *pipeline.ModelOptions) { o.Point = "tile=wide" },
	func(o *pipeline.ModelOptions) { o.Point = "model=pluto+" },
}

// badInputKernels are those that differ most in what the models make of them: copies of blocks,
// phases and triangles, sums, vectors that overlap, pieces, loops that count down; gemm's has the
// largest int.
var badInputKernels = []string{
	"polybench/gemm", "polybench/cholesky", "polybench/gemver", "polybench/durbin", "polybench/jacobi-2d", "polybench/nussinov",
}

// hugeSizes are parameters that can be the largest int, beside others that are 0. With
// those of the other kernels arrays would not fit into memory, or the original itself would
// count that far.
var hugeSizes = map[string]string{
	"polybench/2mm": "NL", "polybench/3mm": "NL", "polybench/gemm": "NJ", "polybench/doitgen": "NQ",
	"polybench/symm": "N", "polybench/syr2k": "M", "polybench/syrk": "M", "polybench/trmm": "N",
}

// TestBadInput runs what the models make of every kernel at sizes that loops do not like: none,
// one, smaller than a tile, multiples of the variant's tile sizes and one more or less, and the
// largest int; with more threads than iterations, and with arrays that begin anywhere but at a
// cache line, as they do in all checked runs. Code in which a sum or product of ints does not fit
// stops. The short test has badInputKernels, the long one all of PolyBench, with more models and
// partitions.
func TestBadInput(t *testing.T) {
	t.Parallel()
	models, partitions := []func(*pipeline.ModelOptions){func(*pipeline.ModelOptions) {}}, "smart"
	if kerneltest.Long() {
		models, partitions = append(models, badInputModels...), "smart,max,none"
	}
	for _, b := range benchmarks.All() {
		if !strings.HasPrefix(b.Name, "polybench/") || !kerneltest.Long() && !slices.Contains(badInputKernels, b.Name) {
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			for _, model := range models {
				o := Options{Partition: partitions, Target: pipeline.Options{Bench: b.Name, Privatize: true}, Model: pipeline.SessionModel}
				model(&o.Model)
				checkBadInput(t, &o, nil, func(v variant.Variant, names []string) []map[string]int {
					return badSizes(v, names, hugeSizes[b.Name])
				})
			}
		})
	}
}

// TestLargestIterators runs loops that end at the largest int, where the ends of tiles
// are beyond it.
func TestLargestIterators(t *testing.T) {
	t.Parallel()
	models := append(slices.Clone(badInputModels), func(*pipeline.ModelOptions) {})
	step := 1
	if !kerneltest.Long() {
		models, step = append(models[:1], models[len(models)-1]), 3
	}
	for _, model := range models {
		o := Options{Partition: "smart", Target: pipeline.Options{Privatize: true}, Model: pipeline.SessionModel}
		model(&o.Model)
		checkBadInput(t, &o, []string{filepath.Join("testdata", "largest-iterators.c")}, func(v variant.Variant, names []string) []map[string]int {
			var sizes []map[string]int
			for n := 0; n < 40; n += step {
				sizes = append(sizes, map[string]int{"begin": math.MaxInt32 - n, "end": math.MaxInt32})
			}
			return sizes
		})
	}
}

// checkBadInput checks the variants that the options ask for, at sizes that depend
// on the variant.
func checkBadInput(t *testing.T, o *Options, args []string, sizes func(v variant.Variant, names []string) []map[string]int) {
	t.Helper()
	machine := pipelinetest.Somewhere().Machine
	machine.Vector = runner.Vector{Set: "AVX2", Bits: 256, Registers: 16}
	targets, err := o.Target.All(args)
	if err == nil {
		err = variant.ExpandWherePays(t.Context(), &o.Target, io.Discard, targets, &o.Model, machine)
	}
	if err != nil {
		t.Fatal(err)
	}
	candidates, err := o.candidates(t.Context(), targets[0], machine)
	if err != nil {
		t.Fatal(err)
	}
	names := targets[0].Parameters()
	for _, c := range candidates {
		v, err := variant.Of(t.Context(), c.Target, c.Nest, c.Options)
		if err != nil {
			t.Fatal(err)
		}
		checks, err := newChecks(t.Context(), o, targets[0], pipelinetest.StrictSettings(t), machine, sizes(v, names))
		if err != nil {
			t.Fatal(err)
		}
		checks.checkVariant(t, v, o.Model)
		checks.builder.Close()
	}
}

// checkVariant builds a variant and runs it at all sizes of the checks: with many threads
// and with few.
func (c *checks) checkVariant(t *testing.T, v variant.Variant, model pipeline.ModelOptions) {
	t.Helper()
	binary, err := c.builder.Build(t.Context(), runner.Job{Source: string(v.Source), Check: true})
	if err != nil {
		t.Fatalf("%v\n%s", err, v.Source)
	}
	for k := range c.requests {
		request := &c.requests[k]
		request.Env, request.Threads, request.Limit = []string{"OMP_WAIT_POLICY=passive"}, 3, time.Minute
		if slices.Max(slices.Collect(maps.Values(request.Params))) < 6 {
			request.Threads = 16
		}
		path := filepath.Join(c.builder.Work(), "variant.dump")
		if _, err := c.difference(t.Context(), binary, runner.Device{}, k, path, "", runner.Tolerance{}); err != nil {
			t.Errorf("%+v, %s, %d threads: %v\n%s", model, pipeline.ParametersText(request.Params), request.Threads, err, v.Text)
		}
	}
}

// badSizes are the values of the named parameters that a variant is checked at; huge is one
// that can be the largest int, or "".
func badSizes(v variant.Variant, names []string, huge string) []map[string]int {
	var sizes []map[string]int
	add := func(size func(k int) int) {
		values := map[string]int{}
		for k, name := range names {
			values[name] = max(0, size(k))
		}
		if !slices.ContainsFunc(sizes, func(other map[string]int) bool { return maps.Equal(other, values) }) {
			sizes = append(sizes, values)
		}
	}
	for n := range 6 {
		add(func(int) int { return n })
		add(func(k int) int { return (n + k) % 6 })
	}
	largest := 36
	if kerneltest.Long() {
		largest = 130
	}
	for _, size := range tileSizesOf(v.Recipe) {
		if size > largest {
			continue
		}
		add(func(int) int { return size })
		add(func(k int) int { return size + k%3 - 1 })
		add(func(k int) int { return size + (k+2)%3 - 1 })
	}
	if huge != "" {
		add(func(k int) int {
			if names[k] == huge {
				return math.MaxInt32
			}
			return 0
		})
	}
	return sizes
}

// tileSizesOf are the sizes of tiles and register blocks of a recipe, and twice these.
func tileSizesOf(recipe schedule.Recipe) []int {
	var sizes []int
	add := func(list []int64) {
		for _, size := range list {
			sizes = append(sizes, int(size), 2*int(size))
		}
	}
	for _, c := range recipe {
		switch c := c.(type) {
		case command.Tile:
			add(c.Sizes)
		case command.Registers:
			add(c.Sizes)
		}
	}
	slices.Sort(sizes)
	return slices.Compact(sizes)
}
