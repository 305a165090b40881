package tuner

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"polytune/runner"
	"polytune/store"
)

// plan says how often one timed process calls the function.
type plan struct{ repetitions, warmups int }

func (p plan) calls() int { return p.repetitions + p.warmups }

// warm is the plan of so many repetitions: a short function is called once
// before, as is every one with kernels, which a driver may compile then; another long one
// warms up by itself.
func (c *clock) warm(repetitions int) plan {
	if repetitions > 1 || c.request.isOnDevice() {
		return plan{max(repetitions, 1), 1}
	}
	return plan{1, 0}
}

// clock times programs, all in the same way.
type clock struct {
	request *Request
	cpus    []int
	random  *rand.Rand
	// overhead is the time per call that a process spends outside the timed
	// function, as the original showed it.
	overhead time.Duration
	// outside measures how long programs run; nil for nobody who wants to know.
	outside *meter
	// hush keeps the tuner itself still during a run, and gives what ends that.
	hush func() (end func())
}

func newClock(request *Request, hush func() (end func())) *clock {
	return &clock{
		request: request, hush: hush, cpus: request.Machine.TimingCPUs(request.threads()),
		random: rand.New(rand.NewPCG(request.Seed, 0)),
	}
}

// time runs a program once and gives one sample. The environment gets a random
// length, so that no variant profits from where that puts the stack (Mytkowicz
// et al., Producing wrong data without doing anything obviously wrong, ASPLOS
// 2009).
func (c *clock) time(ctx context.Context, binary runner.Binary, p plan, limit time.Duration) (runner.Timing, error) {
	return c.directed(ctx, binary, p, limit, "")
}

// directed is time with operations that are rounded in a direction.
func (c *clock) directed(ctx context.Context, binary runner.Binary, p plan, limit time.Duration, direction runner.Direction) (runner.Timing, error) {
	defer c.hush()()
	defer c.outside.begin()()
	environment := []string{"TUNE_PADDING=" + strings.Repeat("x", c.random.IntN(4096))}
	if c.request.isOnDevice() {
		environment = append(environment, "TUNE_GPU_TIMES=1")
	}
	timing, err := runner.Time(ctx, binary, runner.TimeRequest{
		RunRequest: runner.RunRequest{
			Params: c.request.Params, Scalars: c.request.Scalars, Threads: c.request.threads(), CPUs: c.cpus,
			Limit: limit + c.request.startOfDevice(), Memory: c.request.memoryLimit(), Rounding: direction, Env: environment, Device: c.request.Device,
			Energy: c.request.Energy,
		},
		Samples: 1, Repetitions: p.repetitions, Warmups: p.warmups,
	})
	if err != nil {
		return timing, err
	}
	return c.request.compared(timing)
}

// calibrationAttempts bounds the runs that look for the right repetitions.
const calibrationAttempts = 4

// calibrate times a program with as many repetitions as one sample needs, and
// gives their number. limit bounds a run by its number of calls. When a run
// with more repetitions takes too long because the machine is disturbed, the
// one before it counts.
func (c *clock) calibrate(ctx context.Context, binary runner.Binary, limit func(calls int) time.Duration) (runner.Timing, int, error) {
	timing, err := c.time(ctx, binary, c.warm(1), limit(c.warm(1).calls()))
	repetitions := 1
	for attempt := 1; err == nil && attempt < calibrationAttempts; attempt++ {
		wall := busy(timing) / time.Duration(c.warm(repetitions).calls())
		if timing.Device != nil { // most of it is the driver's beginning
			wall = c.overhead + time.Duration(timing.Seconds[0]*float64(time.Second))
		}
		better := c.repetitions(timing.Seconds[0], repetitions, wall)
		if better <= repetitions {
			break
		}
		longer, err := c.time(ctx, binary, c.warm(better), limit(c.warm(better).calls()))
		if isTimeout(err) {
			break
		}
		if err != nil {
			return runner.Timing{}, 0, err
		}
		timing, repetitions = longer, better
	}
	if err == nil {
		err = c.request.told(timing)
	}
	return timing, repetitions, err
}

// busy is how long the process of a timing was at work: where others use the processors, it waits
// for them, and what waits says nothing of how many calls are affordable.
func busy(timing runner.Timing) time.Duration {
	return min(timing.Wall, timing.Usage.User+timing.Usage.System)
}

// isTimeout says that a run reached its limit.
func isTimeout(err error) bool {
	var run *runner.RunError
	return errors.As(err, &run) && run.Kind == runner.Timeout
}

const (
	// calibrationAim is how much longer than needed a sample is planned, and
	// calibrationSlack what is accepted.
	calibrationAim   = 1.2
	calibrationSlack = 0.8
	// overheadFactor bounds the duration of a process relative to that of its
	// sample, for functions much shorter than the filling of their arrays.
	overheadFactor = 20
)

// repetitions is how many calls, of so many seconds and so much time of the
// process each, make a sample long enough; current are kept if they do.
func (c *clock) repetitions(seconds float64, current int, wall time.Duration) int {
	if c.suffices(seconds, current) {
		return current
	}
	sample := c.request.Settings.Measurement.SampleSeconds
	wanted := math.Ceil(calibrationAim * sample / seconds)
	affordable := overheadFactor * sample / max(wall.Seconds(), 1e-9)
	return max(int(min(wanted, affordable, 1e8)), 1)
}

// suffices says that so many calls of so many seconds are as long as a sample has to be.
func (c *clock) suffices(seconds float64, calls int) bool {
	return seconds*float64(calls) >= calibrationSlack*c.request.Settings.Measurement.SampleSeconds
}

// note learns the overhead from a run of the original.
func (c *clock) note(timing runner.Timing, p plan) {
	calls := time.Duration(p.calls())
	inside := time.Duration(timing.Seconds[0] * float64(time.Second))
	c.overhead = max(timing.Wall/calls-inside, 0)
}

// cap limits a run of so many calls, when the best known call takes so many
// seconds: to factor times that, but not below the floor of the settings. With
// no known time it is the settings' maximum.
func (c *clock) cap(best, factor float64, calls int) time.Duration {
	limits := c.request.Settings.Limits
	limits.RunFactor = factor
	if best <= 0 {
		return limits.Run(0)
	}
	perCall := time.Duration(best * float64(time.Second))
	return limits.Run(max(perCall*time.Duration(calls), 1)) + 2*c.overhead*time.Duration(calls)
}

// sample is a timing as the store keeps it.
func sample(timing runner.Timing, round, position int) store.Sample {
	var device *store.DeviceTimes
	if timing.Device != nil {
		device = &store.DeviceTimes{Kernel: timing.Device[0].Kernel, Transfer: timing.Device[0].Transfer}
	}
	joules := 0.0
	if len(timing.Joules) > 0 {
		joules = timing.Joules[0]
	}
	return store.Sample{
		Round: round, Position: position, Seconds: timing.Seconds[0], Device: device, Joules: joules,
		Counters: &store.Counters{
			VoluntarySwitches: timing.Usage.VoluntarySwitches, InvoluntarySwitches: timing.Usage.InvoluntarySwitches,
			MinorFaults: timing.Usage.MinorFaults, MajorFaults: timing.Usage.MajorFaults,
			MaxRSS: int64(timing.PeakMemory), Elapsed: timing.Wall.Seconds(), Stolen: timing.Stolen.Seconds(),
		},
	}
}
