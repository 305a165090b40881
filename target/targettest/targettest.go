// Package targettest is the suite that each target passes.
package targettest

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"polytune/configs"
	"polytune/internal/kerneltest"
	"polytune/internal/quicklink"
	"polytune/loopir"
	"polytune/pipeline"
	"polytune/pipeline/harness"
	"polytune/runner"
	"polytune/schedule"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/target"
	"polytune/transform"
)

// machine is one of four cores with vectors of four doubles.
var machine = runner.Machine{Cores: 4, CPUs: []int{0, 1, 2, 3}, Siblings: [][]int{{0}, {1}, {2}, {3}}, Architecture: "amd64",
	Vector: runner.Vector{Set: "AVX2", Bits: 256, Registers: 16}}

// kernels have sums, stencils in wavefronts, loops that are triangular, and several classes of
// statements.
var kernels = []string{"polybench/gemm", "polybench/jacobi-1d", "polybench/trmm", "polybench/bicg"}

// points are settings of the models that each kernel is transformed with: in short tests one of the
// two, in turns, except where nothing is compiled.
var points = []struct {
	name string
	set  func(*transform.Options)
}{
	{"models", func(*transform.Options) {}},
	{"tiles", func(o *transform.Options) {
		o.Tile = transform.Tiling{Sizes: []int64{4, 6, 5}}
		o.Device.Tiles, o.Device.Threads = map[int][]int64{1: {4}, 2: {4, 6}, 3: {4, 6, 5}}, map[int][]int64{1: {3}, 2: {2, 3}, 3: {2, 3, 5}}
	}},
}

// sizeOf is the value of parameter k of a kernel: different, no multiple of a tile, and large
// enough for full blocks of registers.
func sizeOf(k int) int { return []int{13, 18, 9, 17, 11}[k%5] }

// Run checks that the target describes machines, refuses what is not legal, and makes code of what
// is that leaves what the program leaves: built and run, or run as it is.
func Run(t *testing.T, on target.Target) {
	described := on.Describe(machine)
	if on.Name() == "" || described.Threads < 1 || len(described.Caches) == 0 || described.Caches[0] < 1 {
		t.Fatalf("target %q describes a machine as %+v", on.Name(), described)
	}
	if len(on.Passes()) == 0 {
		t.Fatalf("target %s has no passes", on.Name())
	}
	t.Run("illegal", func(t *testing.T) { refuses(t, on) })
	for k, kernel := range kernels {
		t.Run(filepath.Base(kernel), func(t *testing.T) {
			s := subjectOf(t, on, kernel)
			for p, point := range points {
				if on.Name() != "interpreter" && !kerneltest.Long() && p != k%len(points) {
					continue
				}
				options := transform.Options{Device: &transform.Device{}, CacheBytes: described.Caches[0], Vector: described.Vector, Grain: 8}
				options.Run.Threads = described.Threads
				point.set(&options)
				if err := s.check(t, options); err != nil {
					t.Errorf("%s: %v", point.name, err)
				}
			}
		})
	}
}

// subject is a kernel for a target.
type subject struct {
	// on prints the code that is checked.
	on      target.Target
	options *pipeline.Options
	region  *pipeline.Target
	params  map[string]int
	built   *built
}

func subjectOf(t *testing.T, on target.Target, kernel string) *subject {
	t.Helper()
	s := &subject{on: on, options: &pipeline.Options{Bench: kernel, Privatize: true, On: on}, params: map[string]int{}}
	regions, err := s.options.All(nil)
	if err != nil {
		t.Fatal(err)
	}
	s.region = regions[0]
	for k, name := range s.region.Parameters() {
		s.params[name] = sizeOf(k)
	}
	return s
}

// refuses checks that there is no code of a schedule that is not legal.
func refuses(t *testing.T, on target.Target) {
	s := subjectOf(t, on, "polybench/jacobi-1d")
	at, recipe, err := s.region.ReadRecipe("classes {S0} {S1}\nband c0 S0[t, i] -> [t, i]\nband c1 S1[t, i] -> [t, i]\n")
	if err != nil {
		t.Fatal(err)
	}
	err = at.WithGraph(t.Context(), func(g *depend.Graph) error {
		code, err := on.Print(g, recipe, at.Unit)
		if code.Text != nil || code.Run != nil {
			t.Error("there is code of a schedule that is not legal")
		}
		return err
	})
	if !errors.As(err, new(*depend.Violation)) {
		t.Errorf("a schedule that is not legal: %v", err)
	}
}

// check compares the models' code of the subject with the original.
func (s *subject) check(t *testing.T, options transform.Options) error {
	nests, err := s.region.Choose(t.Context(), "smart", 1)
	if err != nil {
		return err
	}
	return s.region.WithGraph(t.Context(), func(g *depend.Graph) error {
		recipe, err := s.recipe(g, space.Nest{nests[0].Partition()}, options)
		if err != nil {
			return err
		}
		code, err := s.on.Print(g, recipe, s.region.Unit)
		switch {
		case err != nil:
			return err
		case code.Run != nil:
			return s.compareRuns(g, code)
		}
		return s.compareBuilds(t, code)
	})
}

// recipe is the models' for processors, or for devices.
func (s *subject) recipe(g *depend.Graph, nest space.Nest, options transform.Options) (schedule.Recipe, error) {
	if !s.region.IsOnDevice() {
		return transform.TransformNest(g, nest, options)
	}
	recipe, _, err := transform.OnDevice(g, nest, options)
	return recipe, err
}

// compareRuns runs code that is no text, in all ways, and the original's.
func (s *subject) compareRuns(g *depend.Graph, code target.Code) error {
	values := map[string]int64{}
	for name, value := range s.params {
		values[name] = int64(value)
	}
	_, recipe, err := transform.Original(g.Model)
	if err != nil {
		return err
	}
	original, err := s.region.On.Print(g, recipe, s.region.Unit)
	if err != nil {
		return err
	}
	want, err := original.Run(values, loopir.Machine{})
	if err != nil {
		return err
	}
	for _, way := range loopir.Ways {
		got, err := code.Run(values, way)
		if err != nil {
			return err
		}
		if where := difference(want, got); where != "" {
			return fmt.Errorf("backwards %v, alone %v: %s", way.Backwards, way.Alone, where)
		}
	}
	return nil
}

// difference says where what code leaves is not what it should leave; "" where it is.
func difference(want, got map[string]uint64) string {
	first := ""
	for element, value := range want {
		if got[element] != value && (first == "" || element < first) {
			first = element
		}
	}
	if first == "" && len(got) != len(want) {
		return fmt.Sprintf("%d elements are written instead of %d", len(got), len(want))
	}
	return first
}

// built is what compiles the subject's programs with the target's compiler, and the path of the
// data that the original leaves.
type built struct {
	builder  *runner.Builder
	original string
}

// build builds and runs the original, once for all code of the subject. Only results count, so that
// nothing is optimised.
func (s *subject) build(t *testing.T) (*built, error) {
	if s.built != nil {
		return s.built, nil
	}
	settings, err := configs.Builtin()
	if err != nil {
		return nil, err
	}
	spec := s.region.On.Toolchains(settings)[0]
	spec.CheckFlags = append(slices.Clone(spec.CheckFlags), "-O0")
	spec.Libraries = append(quicklink.Options(), spec.Libraries...)
	toolchain, err := runner.FindToolchain(t.Context(), spec)
	if err != nil {
		return nil, err
	}
	subject, err := harness.Subject(s.options, s.region)
	if err != nil {
		return nil, err
	}
	builder, err := runner.NewBuilder(runner.BuilderOptions{Subject: subject, Toolchain: toolchain, Jobs: 1, Limit: settings.Limits.Build()})
	if err != nil {
		return nil, err
	}
	t.Cleanup(func() { builder.Close() })
	original, err := s.dump(t.Context(), builder, runner.Job{Source: string(s.region.Reference())}, "original")
	if err != nil {
		return nil, fmt.Errorf("the original: %w", err)
	}
	s.built = &built{builder, original}
	return s.built, nil
}

// compareBuilds builds and runs the code's text, with the target's compiler, and compares the data
// with the original's bit for bit. Kernels run on all devices that stand in for one, or on what a
// driver has.
func (s *subject) compareBuilds(t *testing.T, code target.Code) error {
	b, err := s.build(t)
	if err != nil {
		return err
	}
	for _, device := range s.devices(t) {
		job := runner.Job{Source: string(code.Text)}
		if code.Device != nil {
			job.Device = &runner.DeviceSource{Text: string(code.Device.Text), Device: device}
		}
		variant, err := s.dump(t.Context(), b.builder, job, "variant")
		if err != nil {
			return fmt.Errorf("%s: %w", device, err)
		}
		if err := runner.Compare(b.original, variant); err != nil {
			return fmt.Errorf("%s: %w", device, err)
		}
	}
	return nil
}

// devices are those that the target's programs run on here: none, and a line in the test's output,
// where what they need is missing.
func (s *subject) devices(t *testing.T) []runner.Device {
	drivers, _ := filepath.Glob("/etc/OpenCL/vendors/*.icd")
	_, err := exec.LookPath("g++")
	switch {
	case !s.region.IsOnDevice():
		return []runner.Device{{}}
	case s.region.On.Name() == "opencl" && len(drivers) == 0:
		t.Log("skipped: no driver of OpenCL; apt install pocl-opencl-icd ocl-icd-libopencl1")
		return nil
	case s.region.On.Name() == "opencl":
		return []runner.Device{{Kind: runner.OpenCLDevice}}
	case err != nil:
		t.Log("skipped: no g++, which the emulation of CUDA needs; apt install g++")
		return nil
	}
	return []runner.Device{{Kind: runner.Emulation}, {Kind: runner.Emulation, Name: "reverse"}, {Kind: runner.Emulation, Name: "random"}}
}

// dump builds a program and gives the path of the data that it leaves. The builder keeps the
// program, which several devices run.
func (s *subject) dump(ctx context.Context, builder *runner.Builder, job runner.Job, name string) (string, error) {
	job.Check = true
	binary, err := builder.Build(ctx, job)
	if err != nil {
		return "", err
	}
	path, request := filepath.Join(builder.Work(), name), runner.RunRequest{Params: s.params, Threads: machine.Cores}
	if job.Device != nil {
		request.Device = job.Device.Device
	}
	return path, runner.Dump(ctx, binary, request, path)
}
