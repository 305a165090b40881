package harness

import (
	"context"

	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/target/gpu"
	"polytune/tuner/stat"
)

// timeSamples is the number of timings whose median time is.
const timeSamples = 5

// Time builds a variant with the toolchain's flags and is the median of a few timings in seconds,
// on a device where the target has kernels. It waits for the right to time on this machine.
func Time(ctx context.Context, o *pipeline.Options, t *pipeline.Target, v variant.Variant, at Place, values map[string]int) (float64, error) {
	if err := CheckRunnable(t); err != nil {
		return 0, err
	}
	subject, err := Subject(o, t)
	if err != nil {
		return 0, err
	}
	device, err := TimingDevice(ctx, pipeline.DeviceOptions{}.On(o).Target, at.Toolchain, at.Settings)
	if err != nil {
		return 0, err
	}
	limits := at.Settings.Limits
	builder, err := runner.NewBuilder(runner.BuilderOptions{Subject: subject, Toolchain: at.Toolchain, Jobs: 1, Limit: limits.Build(), CUDA: gpu.Compiler(at.Settings)})
	if err != nil {
		return 0, err
	}
	defer builder.Close()
	binary, err := builder.Build(ctx, v.Job(device))
	if err != nil {
		return 0, err
	}
	lock, err := LockTiming(ctx, o.Told())
	if err != nil {
		return 0, err
	}
	defer lock.Unlock()
	if t.IsProgram {
		values = nil
	}
	timing, err := runner.Time(ctx, binary, runner.TimeRequest{Samples: timeSamples, Warmups: 1, RunRequest: timedOn(device, runner.RunRequest{
		Params: values, Scalars: t.Scalars(), Threads: at.Threads, CPUs: at.Machine.TimingCPUs(at.Threads),
		Limit: limits.Run(0), Memory: limits.Memory()}, at.Settings)})
	if err != nil {
		return 0, err
	}
	return stat.Median(timing.Seconds)
}
