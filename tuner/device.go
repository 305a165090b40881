package tuner

import (
	"context"
	"errors"
	"time"

	"polytune/runner"
	"polytune/store"
	"polytune/tuner/stat"
)

// isOnDevice says whether kernels of variants run on a device.
func (r *Request) isOnDevice() bool { return r.Device.Kind != "" }

// startOfRanks is how long a launcher may take until all ranks run, on several nodes of a cluster.
const startOfRanks = 20 * time.Second

// startOfDevice is how much longer than on processors a run may take, since it opens a device
// and has a driver compile its kernels, as long as any compiler, or is started on several ranks.
func (r *Request) startOfDevice() time.Duration {
	switch {
	case r.Toolchain.Ranks.Number > 0:
		return startOfRanks
	case r.isOnDevice():
		return r.Settings.Limits.Build()
	}
	return 0
}

// memoryLimit bounds the address space of a run, of which drivers reserve as much as devices
// have: there is no bound with a device.
func (r *Request) memoryLimit() uint64 {
	if r.isOnDevice() {
		return 0
	}
	return r.Settings.Limits.Memory()
}

// compared is a timing whose samples are the part of the time that is compared: all of it or,
// of what ran kernels, that of these alone.
func (r *Request) compared(timing runner.Timing) (runner.Timing, error) {
	if r.On.Timing != store.KernelTiming || timing.Device == nil {
		return timing, nil
	}
	seconds := make([]float64, len(timing.Device))
	for k, times := range timing.Device {
		if seconds[k] = times.Kernel; !(times.Kernel > 0) {
			return timing, &runner.RunError{Kind: runner.Invalid, Detail: "no kernel ran, whose time could be compared"}
		}
	}
	timing.Seconds = seconds
	return timing, nil
}

// told is an error where energy is compared and nothing has told it of a sample.
func (r *Request) told(timing runner.Timing) error {
	if !r.On.IsObjective() || len(timing.Joules) > 0 && timing.Joules[0] > 0 {
		return nil
	}
	return &runner.RunError{Kind: runner.Invalid, Detail: "the counters of energy did not move, or could not be read, while it ran; the setting " +
		"measurement.sample_seconds says how long it runs at least"}
}

// isLost is a *runner.DeviceLostError where a run failed and the device is there no longer.
func (s *session) isLost(ctx context.Context, err error) error {
	if !s.request.isOnDevice() || !errors.As(err, new(*runner.RunError)) || ctx.Err() != nil {
		return nil
	}
	return s.request.Device.StillThere(ctx, s.request.Toolchain)
}

// DeviceSeconds are the times that a device's driver tells of a variant, over all its samples:
// medians with their intervals where Certainty is store.Bounded.
type DeviceSeconds struct {
	Kernel, Transfer store.Estimate
	Certainty        store.Certainty
}

// place is that of a sample.
type place struct{ round, position int }

// deviceTimes are those of a variant's samples.
type deviceTimes map[place]store.DeviceTimes

// summary is what they say; nil for nothing.
func (t deviceTimes) summary() *DeviceSeconds {
	var kernel, transfer []float64
	for _, times := range t {
		kernel, transfer = append(kernel, times.Kernel), append(transfer, times.Transfer)
	}
	first, err := stat.MedianInterval(kernel, confidence)
	if err != nil {
		return nil
	}
	second, err := stat.MedianInterval(transfer, confidence)
	if err != nil {
		return nil
	}
	seconds := &DeviceSeconds{Kernel: estimate(first), Transfer: estimate(second), Certainty: store.Raced}
	if first.Coverage >= store.FullCoverage {
		seconds.Certainty = store.Bounded
	}
	return seconds
}
