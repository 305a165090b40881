package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"polytune/configs"
	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/pipeline/harness"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/schedule/command"
	"polytune/space"
	"polytune/store"
	"polytune/target/gpu"
	"polytune/tuner"
)

// checks compares candidates with the original.
type checks struct {
	target  *pipeline.Target
	builder *runner.Builder
	// toolchain is the compiler of the host.
	toolchain runner.Toolchain
	requests  []runner.RunRequest
	// references are the original's dumps, one for each request.
	references []string
	jobs       int
	// devices are those that kernels run on; one that is nothing where there are none.
	devices []runner.Device
	// tolerance is for variants that do reductions in another order, and orders compares these.
	tolerance runner.Tolerance
	orders    tuner.Orders
	// ranks are the ways to start programs on several ranks, none for programs without.
	ranks []runner.Ranks
}

func newChecks(ctx context.Context, o *Options, t *pipeline.Target, settings configs.Settings, machine runner.Machine, values []map[string]int) (*checks, error) {
	toolchain, err := findToolchain(ctx, t, settings)
	if err != nil {
		return nil, err
	}
	subject, err := harness.Subject(&o.Target, t)
	if err != nil {
		return nil, err
	}
	jobs := settings.JobsOn(machine.Cores)
	builder, err := runner.NewBuilder(runner.BuilderOptions{
		Subject: subject, Toolchain: toolchain, Jobs: jobs, Limit: settings.Limits.Build(), CUDA: gpu.Compiler(settings),
	})
	if err != nil {
		return nil, err
	}
	c := &checks{target: t, builder: builder, toolchain: toolchain, jobs: jobs, devices: []runner.Device{{}}, tolerance: tuner.Tolerance(settings.Verification),
		orders: tuner.Orders{Builder: builder, Source: t.Reference(), Sums: runner.Sums{Terms: harness.Terms(t, t.Whole)}}}
	if t.IsOnRanks() {
		if c.ranks, err = ranksOf(&o.Target.Ranks, settings); err != nil {
			builder.Close()
			return nil, err
		}
	}
	for _, v := range values {
		c.requests = append(c.requests, runner.RunRequest{Params: v, Scalars: t.Scalars(), Threads: machine.Cores,
			Limit: settings.Limits.Run(0), Memory: settings.Limits.Memory()})
	}
	if err := c.original(ctx); err != nil {
		builder.Close()
		return nil, err
	}
	return c, nil
}

// findDevices finds the devices of these names, if the target's kernels run on some.
func (c *checks) findDevices(ctx context.Context, told io.Writer, settings configs.Settings) error {
	if !c.target.IsOnDevice() {
		return nil
	}
	finder := runner.DeviceFinder{Toolchain: c.toolchain, CUDA: gpu.Compiler(settings), Note: func(text string) {
		fmt.Fprintf(told, "tune: %s: %s\n", c.target.Name, text)
	}}
	c.devices = nil
	for _, name := range settings.Devices() {
		device, err := finder.Find(ctx, c.target.On.Name(), name)
		if err != nil {
			return err
		}
		c.devices = append(c.devices, device)
	}
	return nil
}

// original builds the original and keeps what it computes at each size.
func (c *checks) original(ctx context.Context) error {
	binary, err := c.builder.Build(ctx, runner.Job{Source: string(c.target.Reference()), Check: true})
	if err != nil {
		return fmt.Errorf("the original does not build: %w", err)
	}
	for i, request := range c.requests {
		if harness.IsReordered(c.target, c.target.Whole, runner.Device{}) {
			request.Tolerance = c.tolerance
		}
		path := filepath.Join(c.builder.Work(), fmt.Sprintf("original-%d.dump", i))
		if err := runner.DumpReference(ctx, binary, request, path); err != nil {
			return fmt.Errorf("the original at %s: %w", c.target.SizeText(request.Params), err)
		}
		c.references = append(c.references, path)
	}
	return nil
}

// run checks all candidates, several at a time, each distinct one once. It is an error where none
// can have the shape of tiles that is asked for.
func (c *checks) run(ctx context.Context, candidates []candidate) (*Report, error) {
	results, shapeless := make([][]Result, len(candidates)), make([]error, len(candidates))
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(c.jobs)
	for i, candidate := range candidates {
		if first := c.firstLike(candidates, i); first < i {
			continue
		}
		group.Go(func() error {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			var err error
			results[i], err = c.check(ctx, candidate, i)
			if variant.HasNoShape(err) {
				shapeless[i], results[i], err = err, []Result{c.failed(candidate, variant.Variant{}, err)}, nil
			}
			return cmp.Or(ctx.Err(), err)
		})
	}
	if err := group.Wait(); err != nil {
		return nil, err
	}
	report, missing := &Report{Kernel: c.target.Name, Checks: []Result{}}, 0
	for i := range candidates {
		if shapeless[c.firstLike(candidates, i)] != nil {
			missing++
		}
		report.Checks = append(report.Checks, results[c.firstLike(candidates, i)]...)
	}
	if missing == len(candidates) && missing > 0 {
		return nil, shapeless[0]
	}
	for _, r := range report.Checks {
		if r.Status == store.OK {
			report.OK++
		} else {
			report.Failed++
		}
	}
	return report, nil
}

// NestText is the structure at all levels, "" when there is one.
func NestText(n space.Nest) string {
	if len(n) == 1 {
		return ""
	}
	return n.String()
}

// firstLike is the first candidate with the partition of candidate i.
func (c *checks) firstLike(candidates []candidate, i int) int {
	return slices.IndexFunc(candidates, func(o candidate) bool { return o.Nest.Compare(candidates[i].Nest) == 0 })
}

// check builds one candidate and compares it at every size. The error is none of the candidate's,
// or that it cannot have the shape of tiles that is asked for.
func (c *checks) check(ctx context.Context, candidate candidate, number int) (all []Result, err error) {
	var v variant.Variant
	switch {
	case candidate.tooHard != nil:
		v, candidate.Nest, err = variant.AsInSource(ctx, candidate.Target, candidate.tooHard)
	case candidate.refused != nil:
		err = candidate.refused
	case candidate.filled != nil:
		if v, err = variant.Replay(ctx, candidate.Target, candidate.filled.Recipe); err != nil {
			err = candidate.filled.Explain(ctx, err)
		}
	default:
		v, err = variant.Of(ctx, candidate.Target, candidate.Nest, candidate.Options)
	}
	if errors.As(err, new(*usage.Error)) || variant.HasNoShape(err) {
		return nil, err
	}
	if err != nil {
		return []Result{c.failed(candidate, v, err)}, nil
	}
	made := programs{}
	defer func() {
		for _, p := range made {
			if p.failure == nil {
				err = cmp.Or(err, c.builder.Discard(p.binary))
			}
		}
	}()
	for k, device := range c.devices {
		program := c.program(ctx, made, device, &v)
		var results []Result
		if c.ranks != nil {
			results, err = c.checkOnRanks(ctx, candidate, v, program, number)
		} else {
			results, err = c.checkOn(ctx, device, candidate, v, program, number*len(c.devices)+k)
		}
		if err != nil {
			return nil, err
		}
		all = append(all, results...)
	}
	return all, nil
}

// programs are the executables of a candidate, one for all devices that run the same.
type programs map[runner.Device]program

// program is an executable, or why there is none.
type program struct {
	binary  runner.Binary
	failure error
}

// program is a variant's executable for a device.
func (c *checks) program(ctx context.Context, made programs, device runner.Device, v *variant.Variant) program {
	if p, is := made[device.Built()]; is {
		return p
	}
	job := v.Job(device)
	job.Check = true
	binary, err := c.builder.Build(ctx, job)
	made[device.Built()] = program{binary, err}
	return made[device.Built()]
}

// checkOn compares one candidate at every size on a device. For one that runs nothing it is enough
// that its compiler takes the kernels.
func (c *checks) checkOn(ctx context.Context, device runner.Device, candidate candidate, v variant.Variant, program program, number int) (results []Result, err error) {
	status := tuner.StatusOf(program.failure)
	if program.failure != nil && status == "" {
		return nil, program.failure
	}
	results = c.all(candidate, v, cmp.Or(status, store.OK), program.failure)
	tolerance := c.toleranceOf(&v, device)
	for k := range results {
		if v.Device != nil {
			results[k].Device = device.String()
		}
		if status != "" || v.Device != nil && !device.Runs() {
			continue
		}
		results[k].Tolerance = tolerance.Double
		if err = c.compareAt(ctx, &results[k], program.binary, device, number, k, tolerance); err != nil {
			return nil, err
		}
		results[k].Detail = cmp.Or(results[k].Detail, v.Note(), harness.RoundedNote(device, c.target.Whole, tolerance))
	}
	return results, nil
}

// toleranceOf is what a variant may differ by, in what depends on the order of reductions or on
// functions of the device.
func (c *checks) toleranceOf(v *variant.Variant, device runner.Device) runner.Tolerance {
	program := c.target.Whole
	if command.Reassociates(v.Text) {
		program = program.Reassociated()
	}
	if !harness.IsReordered(c.target, program, device) {
		return runner.Tolerance{}
	}
	tolerance := c.tolerance
	tolerance.Of = harness.Reordered(c.target, program, device)
	return tolerance
}

// modelsFault is said of a schedule of the models' own that its proof refuses.
const modelsFault = "the models made this schedule, and its proof refuses it: a fault of polytune's, not of the program; tune bug packs what a report needs. tune and tune transform take simpler loops instead"

// failed is the result of a candidate of which there is no program, at any size.
func (c *checks) failed(candidate candidate, v variant.Variant, err error) Result {
	result := Result{Partition: candidate.Nest.Partition(), Nest: NestText(candidate.Nest), Recipe: v.Text, Sizes: map[string]int{}, Status: store.CodegenFailed, Detail: err.Error()}
	if errors.As(err, &result.Refusal) || variant.IsIllegal(err) {
		result.Status = store.Illegal
	}
	if byModels := candidate.filled == nil && candidate.refused == nil; byModels && variant.IsIllegal(err) && !candidate.Options.Stencil.IsAsked() {
		result.Detail += "\n" + modelsFault
	}
	return result
}

// all is one result of the status for every size.
func (c *checks) all(candidate candidate, v variant.Variant, status store.Status, err error) []Result {
	results := make([]Result, len(c.requests))
	for k, request := range c.requests {
		results[k] = Result{Partition: candidate.Nest.Partition(), Nest: NestText(candidate.Nest), Recipe: v.Text, Sizes: request.Params, Status: status}
		if err != nil {
			results[k].Detail = err.Error()
		}
	}
	return results
}

// compareAt runs the binary of a candidate at size k, compares its data with the original's, and
// fills in the result.
func (c *checks) compareAt(ctx context.Context, result *Result, binary runner.Binary, device runner.Device, number, k int, tolerance runner.Tolerance) error {
	path := filepath.Join(c.builder.Work(), fmt.Sprintf("variant-%d-%d.dump", number, k))
	counted := path + ".accesses"
	note, err := c.difference(ctx, binary, device, k, path, counted, tolerance)
	if err != nil {
		result.Status, result.Detail, err = outcomeOf(err)
		return err
	}
	result.Status, result.Detail = store.OK, note
	result.Global, err = runner.ReadAccesses(counted)
	return err
}

// difference runs a binary at size k, with accesses counted into a file where the device can; the
// error says where its data is not the reference's, bit for bit or within a tolerance, and the note
// where rounding explains that.
func (c *checks) difference(ctx context.Context, binary runner.Binary, device runner.Device, k int, path, counted string, tolerance runner.Tolerance) (note string, err error) {
	defer os.Remove(path)
	request := c.requests[k]
	if request.Device = device; device.Kind != "" {
		request.Memory = 0
	}
	if err := runner.Dump(ctx, binary, request.Counting(counted), path); err != nil {
		return "", err
	}
	return c.orders.Compare(ctx, c.requests[k], c.references[k], path, tolerance)
}

// outcomeOf is the status and the detail that a difference gives a program, or the error that
// is none of the program's.
func outcomeOf(err error) (store.Status, string, error) {
	status := tuner.StatusOf(err)
	if status == "" {
		return "", "", err
	}
	return status, err.Error(), nil
}
