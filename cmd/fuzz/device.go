package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os/exec"
	"path/filepath"
	"slices"

	"polytune/configs"
	"polytune/internal/randomprogram"
	"polytune/isl"
	"polytune/pipeline"
	"polytune/pipeline/harness"
	"polytune/runner"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/target"
	"polytune/target/gpu"
	"polytune/transform"
)

// deviceCommands are those of devices alone.
var deviceCommands = []string{"block", "thread", "kernel", "barrier", "unroll"}

// deviceWords are what recipes of devices get by chance, barriers before the threads that need
// them.
var deviceWords = [][]string{
	{"kernel", "barrier", "barrier", "barrier", "thread", "thread"},
	{"tile", "block", "barrier", "barrier", "thread", "thread", "unroll"},
	{"tile", "kernel", "barrier", "barrier", "barrier", "thread", "unroll"},
	{"block", "thread", "barrier", "thread"},
}

// deviceShapes are sizes of tiles and numbers of threads by the number of loops that are blocks: so
// small that small arrays have several blocks, and the models'.
var deviceShapes = []*transform.Device{
	{Tiles: map[int][]int64{1: {4}, 2: {3, 4}, 3: {2, 3, 4}}, Threads: map[int][]int64{1: {3}, 2: {2, 3}, 3: {1, 2, 3}}},
	{Tiles: map[int][]int64{1: {7}, 2: {4, 8}, 3: {2, 2, 8}}, Threads: map[int][]int64{1: {8}, 2: {4, 4}, 3: {2, 2, 2}}},
	{},
}

// deviceSizes are those at which kernels are run.
var deviceSizes = []randomprogram.Size{{N: 0, M: 1}, {N: 2, M: 3}, {N: 9, M: 6}, {N: 12, M: 13}, {N: 33, M: 31}}

// checkKernels takes a program through the stages up to its structures, and runs so many kernels of
// these on devices.
func checkKernels(p *randomprogram.Program, limit int, r *report) error {
	s, err := prepared(p, r)
	if err != nil {
		return err
	}
	structures, err := s.structures(limit)
	if err != nil {
		return err
	}
	r.Kernels, err = s.onDevices(structures, limit)
	return err
}

// onDevices builds a few variants as kernels and compares them with the original: in CUDA by the
// emulation, with threads and blocks in three orders, and in OpenCL where there is a driver. It
// gives their number. Programs whose statements no device can run have none.
func (s *subject) onDevices(structures []structure, limit int) (count int, err error) {
	random, seen := draw(s.program.Seed, streamDevices), map[string]bool{}
	for k := range limit {
		if len(structures) == 0 {
			break
		}
		on, devices := devicesOf(random)
		if len(devices) == 0 {
			continue
		}
		code, recipe, err := s.kernels(on, structures[k%len(structures)], random)
		if isl.IsLimit(err) || errors.Is(err, errNoKernels) || seen[recipe] {
			continue
		}
		if err != nil {
			return count, err
		}
		seen[recipe] = true
		if err := s.compareOn(on, devices, code); err != nil {
			return count, failed{stageResult, fmt.Errorf("%s: %w\n%s%s", on.Name(), err, recipe, code.Device.Text), recipe}
		}
		count++
	}
	return count, nil
}

// emulations are the orders in which the emulation has threads and blocks.
var emulations = []runner.Device{{Kind: runner.Emulation}, {Kind: runner.Emulation, Name: "reverse"}, {Kind: runner.Emulation, Name: "random"}}

// devicesOf are a target that chance chooses, and where its programs run here; nothing where
// something is missing.
func devicesOf(random *rand.Rand) (gpu.Target, []runner.Device) {
	if random.IntN(3) == 0 {
		if drivers, _ := filepath.Glob("/etc/OpenCL/vendors/*.icd"); len(drivers) == 0 {
			return gpu.OpenCL, nil
		}
		return gpu.OpenCL, []runner.Device{{Kind: runner.OpenCLDevice}}
	}
	if _, err := exec.LookPath("g++"); err != nil {
		return gpu.CUDA, nil
	}
	return gpu.CUDA, emulations
}

// errNoKernels says that a program, or a recipe, has nothing for devices.
var errNoKernels = errors.New("there are no kernels")

// kernels is the code of a structure for devices, as the models have it, or with loops that chance
// shares.
func (s *subject) kernels(on gpu.Target, from structure, random *rand.Rand) (code target.Code, recipe string, err error) {
	options := transform.Options{CacheBytes: cacheBytes, Space: from.options, Device: deviceShapes[random.IntN(len(deviceShapes))]}
	err = s.within(func(g *depend.Graph) error {
		made, _, err := transform.OnDevice(g, from.nest, options)
		if err != nil {
			return s.failedVariant(stageTransform, from, options, "", err)
		}
		if random.IntN(2) == 0 {
			made = withKernels(g, made, random)
		}
		recipe = made.Text(s.target.Unit.Program)
		if !isLegal(g, made) {
			_, _, err := made.Prove(g)
			return s.failedVariant(stageSchedule, from, options, recipe, err)
		}
		if code, err = on.Print(g, made, s.target.Unit); err != nil {
			return errors.Join(errNoKernels, err)
		}
		return nil
	})
	return code, recipe, err
}

// withKernels is the order of a recipe with blocks and threads that chance chooses, and no more
// barriers than needed, where that is legal; else the recipe.
func withKernels(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	bare := slices.DeleteFunc(slices.Clone(recipe), func(c schedule.Command) bool {
		switch c.(type) {
		case command.Reassociate, command.Expand, command.Cut, command.Classes, command.Band, command.Split:
			return false
		}
		return true
	})
	with := proposed(g, bare, random, deviceWords[random.IntN(len(deviceWords))]...)
	if !has[command.Kernel](with) && !has[command.Block](with) {
		return recipe
	}
	for k := len(with) - 1; k >= 0; k-- {
		if _, is := with[k].(command.Barrier); is {
			if without := slices.Delete(slices.Clone(with), k, k+1); isLegal(g, without) {
				with = without
			}
		}
	}
	return with
}

// compareOn builds the original and a variant, the same program for all devices, and compares what
// they leave at each size.
func (s *subject) compareOn(on gpu.Target, devices []runner.Device, code target.Code) error {
	settings, err := configs.Builtin()
	if err != nil {
		return err
	}
	toolchain, err := runner.FindToolchain(context.Background(), on.Toolchains(settings)[0])
	if err != nil {
		return err
	}
	subject, err := harness.Subject(new(pipeline.Options), s.target)
	if err != nil {
		return err
	}
	builder, err := runner.NewBuilder(runner.BuilderOptions{Subject: subject, Toolchain: toolchain, Jobs: 1, Limit: settings.Limits.Build()})
	if err != nil {
		return err
	}
	defer builder.Close()
	original, err := builder.Build(context.Background(), runner.Job{Source: s.source, Check: true})
	if err != nil {
		return err
	}
	variant, err := builder.Build(context.Background(), runner.Job{Source: string(code.Text), Check: true, Device: &runner.DeviceSource{Text: string(code.Device.Text), Device: devices[0]}})
	if err != nil {
		return err
	}
	for _, size := range deviceSizes {
		if !slices.Contains(s.layout.Sizes, size) {
			continue
		}
		request := runner.RunRequest{Params: drivenBy(s.target.Unit.Program, size), Threads: 1, Limit: settings.Limits.Run(0)}
		want, got := filepath.Join(builder.Work(), "want"), filepath.Join(builder.Work(), "got")
		if err := runner.Dump(context.Background(), original, request, want); err != nil {
			return err
		}
		for _, device := range devices {
			request.Device = device
			if err := runner.Dump(context.Background(), variant, request, got); err != nil {
				return fmt.Errorf("%s at %+v: %w", device, size, err)
			}
			if err := runner.Compare(want, got); err != nil {
				return fmt.Errorf("%s at %+v: %w", device, size, err)
			}
		}
	}
	return nil
}

// drivenBy are the values that a program's driver takes, at a size, by their names in C: N, and D[0]
// for an element that nothing changes and that is all of D. Those of arrays that the driver fills have
// its numbers.
func drivenBy(p *scop.Program, size randomprogram.Size) map[string]int {
	values, known := map[string]int{}, map[string]int{"N": size.N, "M": size.M}
	names, _ := p.Function.Sizes()
	for _, name := range names {
		values[name] = 1
		if value, is := known[name]; is {
			values[name] = value
		}
	}
	return values
}
