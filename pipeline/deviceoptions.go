package pipeline

import (
	"errors"
	"fmt"

	"polytune/store"
)

// TotalTiming is the word for the time of all that a region does.
const TotalTiming = "total"

// DeviceOptions say what of the time of kernels is compared.
type DeviceOptions struct {
	// Timing is TotalTiming, as "" is, or store.KernelTiming.
	Timing string
}

// On is what results are for that were timed so for a target, on any of its devices, or on its ranks.
func (o DeviceOptions) On(target *Options) store.On {
	if target.IsOnRanks() {
		return store.On{Target: target.On.Name()}
	}
	if !target.IsOnDevice() {
		return store.On{}
	}
	return store.On{Target: target.On.Name(), Timing: o.timing()}
}

// timing is what the store calls the part of the time that is compared.
func (o DeviceOptions) timing() string {
	if o.Timing == store.KernelTiming {
		return store.KernelTiming
	}
	return ""
}

// Check refuses what is no part of the time, and what processors do not have.
func (o DeviceOptions) Check(target *Options) error {
	switch {
	case o.Timing != "" && o.Timing != TotalTiming && o.Timing != store.KernelTiming:
		return fmt.Errorf("--timing is %s or %s, not %q", TotalTiming, store.KernelTiming, o.Timing)
	case o.Timing == store.KernelTiming && !target.IsOnDevice():
		return errors.New("--timing kernel is for targets with kernels: --target opencl or --target cuda")
	}
	return nil
}
