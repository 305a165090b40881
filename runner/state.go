package runner

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// roundTripBatches are timed, of so many round trips each; the median of
	// the batches counts.
	roundTripBatches = 9
	roundTrips       = 500
	// roundTripLimit bounds the probe where the two threads do not run at the
	// same time, as on busy processors: they spin as long, and even 2 µs for each
	// trip, across sockets, make 9 ms.
	roundTripLimit = 25 * time.Millisecond
)

// errNoRoundTrip says that a probe has no result: the two threads did not run at
// the same time, or not where they should.
var errNoRoundTrip = errors.New("the round trip of a cache line could not be timed")

// State is what a look at the processors of the timings shows. What is 0 could not
// be found out.
type State struct {
	// RoundTrip is the time in seconds in which a cache line goes from the first
	// of the processors to the last and back.
	RoundTrip float64 `json:"round_trip,omitempty"`
	// Frequency is that of the first one's clock while it works, in Hz, as the
	// system reports it; most virtual machines do not.
	Frequency float64 `json:"frequency,omitempty"`
}

// Look finds out the state of the processors of the timings, in a few
// milliseconds. Hosts move the processors of virtual machines, which changes the
// round trip several times over, and with it the time of parallel programs; heat
// and other cores change the clock. The error is that of ctx.
func Look(ctx context.Context, cpus []int) (State, error) { return look(ctx, os.DirFS("/"), cpus) }

func look(ctx context.Context, root fs.FS, cpus []int) (state State, err error) {
	if err := ctx.Err(); err != nil || len(cpus) == 0 {
		return State{}, err
	}
	first, last := cpus[0], cpus[len(cpus)-1]
	readClock := func() { state.Frequency = Frequency(root, first) }
	if first != last && runtime.GOMAXPROCS(0) >= 2 {
		state.RoundTrip = roundTrip(first, last, readClock)
	} else if Frequency(root, first) > 0 {
		// A processor without work may be at another frequency.
		_ = onProcessor(first, func() error {
			for end := time.Now().Add(soloWork); time.Now().Before(end); {
			}
			readClock()
			return nil
		})
	}
	return state, ctx.Err()
}

// soloWork is for how long a processor works before its clock is looked at.
const soloWork = 5 * time.Millisecond

// Frequency is the present frequency of a processor's clock in Hz, 0 where the
// system does not report it.
func Frequency(root fs.FS, cpu int) float64 {
	kilohertz, err := strconv.ParseFloat(readText(root, fmt.Sprintf("sys/devices/system/cpu/cpu%d/cpufreq/scaling_cur_freq", cpu)), 64)
	if err != nil || kilohertz <= 0 || math.IsInf(kilohertz, 0) {
		return 0
	}
	return 1000 * kilohertz
}

// roundTrip is the time in seconds in which a cache line goes from one processor
// to another one and back, the median of several batches; 0 where it cannot be
// found out. afterwards is called on the first processor while it is still warm.
func roundTrip(first, second int, afterwards func()) float64 {
	var table pingPong
	deadline := time.Now().Add(roundTripLimit)
	answered := make(chan error, 1)
	go func() {
		err := onProcessor(second, func() error { return table.answer(deadline) })
		if err != nil {
			table.done.Store(true)
		}
		answered <- err
	}()
	var batches []float64
	err := onProcessor(first, func() (err error) {
		batches, err = table.ask(deadline)
		afterwards()
		return err
	})
	table.done.Store(true)
	if errors.Join(err, <-answered) != nil || len(batches) == 0 {
		return 0
	}
	slices.Sort(batches)
	return batches[len(batches)/2]
}

// pingPong is a ball that two threads play to each other, alone in its cache
// line (of up to 128 bytes): odd numbers are questions, even ones answers.
type pingPong struct {
	_    [128]byte
	ball atomic.Uint64
	_    [120]byte
	done atomic.Bool
}

// ask plays all batches and gives the seconds of one round trip in each.
func (p *pingPong) ask(deadline time.Time) (batches []float64, err error) {
	number := uint64(0)
	for range roundTripBatches {
		start := time.Now()
		for range roundTrips {
			p.ball.Store(number + 1)
			if !p.await(number+2, deadline) {
				return nil, errNoRoundTrip
			}
			number += 2
		}
		batches = append(batches, time.Since(start).Seconds()/roundTrips)
	}
	return batches, nil
}

// answer plays every ball back.
func (p *pingPong) answer(deadline time.Time) error {
	for number := uint64(0); number < 2*roundTrips*roundTripBatches; number += 2 {
		if !p.await(number+1, deadline) {
			return errNoRoundTrip
		}
		p.ball.Store(number + 2)
	}
	return nil
}

// await spins until the ball has a number; false when that takes too long.
func (p *pingPong) await(number uint64, deadline time.Time) bool {
	for spins := 1; p.ball.Load() != number; spins++ {
		if spins%4096 == 0 && (p.done.Load() || time.Now().After(deadline)) {
			return false
		}
	}
	return true
}

// onProcessor does something in a thread of its own on one processor. The thread
// ends with it.
func onProcessor(cpu int, f func() error) error {
	result := make(chan error, 1)
	go func() {
		runtime.LockOSThread()
		var mask unix.CPUSet
		mask.Set(cpu)
		if err := unix.SchedSetaffinity(0, &mask); err != nil {
			result <- fmt.Errorf("pinning to processor %d: %w", cpu, err)
			return
		}
		result <- f()
	}()
	return <-result
}
