package main

import (
	"context"

	"polytune/runner"
	"polytune/tuner/stat"
)

// timeSamples is the number of timings whose median time is.
const timeSamples = 5

// time builds a variant with the toolchain's flags and is the median of a few
// timings in seconds. It waits for the right to time on this machine.
func (o *targetOptions) time(ctx context.Context, t *target, v variant, at place, values map[string]int) (float64, error) {
	if err := t.checkRunnable(); err != nil {
		return 0, err
	}
	subject, err := o.subject(t)
	if err != nil {
		return 0, err
	}
	limits := at.settings.Limits
	builder, err := runner.NewBuilder(runner.BuilderOptions{Subject: subject, Toolchain: at.toolchain, Jobs: 1, Limit: limits.Build()})
	if err != nil {
		return 0, err
	}
	defer builder.Close()
	binary, err := builder.Build(ctx, runner.Job{Source: string(v.source)})
	if err != nil {
		return 0, err
	}
	lock, err := lockTiming(ctx, o.told())
	if err != nil {
		return 0, err
	}
	defer lock.Unlock()
	if t.isProgram {
		values = nil
	}
	timing, err := runner.Time(ctx, binary, runner.TimeRequest{Samples: timeSamples, Warmups: 1, RunRequest: runner.RunRequest{
		Params: values, Scalars: t.scalars(), Threads: at.threads, CPUs: at.machine.TimingCPUs(at.threads),
		Limit: limits.Run(0), Memory: limits.Memory()}})
	if err != nil {
		return 0, err
	}
	return stat.Median(timing.Seconds)
}
