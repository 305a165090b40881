package harness

import (
	"context"
	"errors"

	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/runner/counters"
	"polytune/target/gpu"
	"polytune/tuner/stat"
)

// timeSamples is the number of timings whose median time is, besideRounds that of rounds in which two
// programs are timed one after the other.
const timeSamples, besideRounds = 5, 9

// Time builds a variant with the toolchain's flags and is the median of a few timings in seconds,
// on a device where the target has kernels. It waits for the right to time on this machine.
func Time(ctx context.Context, o *pipeline.Options, t *pipeline.Target, v variant.Variant, at Place, values map[string]int) (float64, error) {
	device, err := TimingDevice(ctx, pipeline.DeviceOptions{}.On(o).Target, at.Toolchain, at.Settings)
	if err != nil {
		return 0, err
	}
	request := timeRequest(t, at, values, device)
	request.Samples = timeSamples
	seconds, err := timed(ctx, o, t, at, []runner.Job{v.Job(device)}, 1, request)
	if err != nil {
		return 0, err
	}
	return stat.Median(seconds[0])
}

// Beside builds a variant and the program that it is timed against, and is the seconds of both in a
// few rounds, in each of which they are timed one after the other.
func Beside(ctx context.Context, o *pipeline.Options, t *pipeline.Target, v variant.Variant, at Place, values map[string]int) (original, made []float64, err error) {
	device, err := TimingDevice(ctx, pipeline.DeviceOptions{}.On(o).Target, at.Toolchain, at.Settings)
	if err != nil {
		return nil, nil, err
	}
	request := timeRequest(t, at, values, device)
	request.Samples = 1
	seconds, err := timed(ctx, o, t, at, []runner.Job{{Source: string(t.UsersText())}, v.Job(device)}, besideRounds, request)
	if err != nil {
		return nil, nil, err
	}
	return seconds[0], seconds[1], nil
}

// timeRequest asks for timings behind a warm-up.
func timeRequest(t *pipeline.Target, at Place, values map[string]int, device runner.Device) runner.TimeRequest {
	limits := at.Settings.Limits
	if t.IsProgram {
		values = nil
	}
	return runner.TimeRequest{Warmups: 1, RunRequest: timedOn(device, runner.RunRequest{
		Params: values, Scalars: t.Scalars(), Threads: at.Threads, CPUs: at.Machine.TimingCPUs(at.Threads),
		Limit: limits.Run(0), Memory: limits.Memory()}, at.Settings)}
}

// countedCalls is how many calls of a function are counted.
const countedCalls = 3

// Counted builds a variant as Time does, and is what the processor's counters say of one execution
// of its region. The error is a *counters.UnavailableError where nothing can be counted.
func Counted(ctx context.Context, o *pipeline.Options, t *pipeline.Target, v variant.Variant, at Place, values map[string]int) (counts counters.Counts, err error) {
	perf, err := counters.Find(ctx)
	if err != nil {
		return counts, err
	}
	defer func() { err = errors.Join(err, perf.Close()) }()
	request, executions := timeRequest(t, at, values, runner.Device{}), countedCalls
	request.RunRequest = request.Under(perf.Words(), perf.Environment())
	request.Samples, request.Repetitions = 1, countedCalls
	if t.IsProgram {
		request.Warmups, request.Repetitions, executions = 0, 1, 1 // each is a run of perf
	}
	if _, err := timed(ctx, o, t, at, []runner.Job{v.Job(runner.Device{})}, 1, request); err != nil {
		return counts, err
	}
	return perf.Read(executions)
}

// timed builds programs and times each in each round; the seconds are by program.
func timed(ctx context.Context, o *pipeline.Options, t *pipeline.Target, at Place, jobs []runner.Job, rounds int, request runner.TimeRequest) ([][]float64, error) {
	if err := CheckRunnable(t); err != nil {
		return nil, err
	}
	subject, err := Subject(o, t)
	if err != nil {
		return nil, err
	}
	builder, err := runner.NewBuilder(runner.BuilderOptions{Subject: subject, Toolchain: at.Toolchain, Jobs: 1, Limit: at.Settings.Limits.Build(), CUDA: gpu.Compiler(at.Settings)})
	if err != nil {
		return nil, err
	}
	defer builder.Close()
	var binaries []runner.Binary
	for _, job := range jobs {
		binary, err := builder.Build(ctx, job)
		if err != nil {
			return nil, err
		}
		binaries = append(binaries, binary)
	}
	lock, err := LockTiming(ctx, o.Told())
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	seconds := make([][]float64, len(binaries))
	for range rounds {
		for k, binary := range binaries {
			timing, err := runner.Time(ctx, binary, request)
			if err != nil {
				return nil, err
			}
			seconds[k] = append(seconds[k], timing.Seconds...)
		}
	}
	return seconds, nil
}
