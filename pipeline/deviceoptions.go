package pipeline

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/store"
)

// TotalTiming is the word for the time of all that a region does.
const TotalTiming = "total"

// DeviceOptions say what of the time of kernels is compared.
type DeviceOptions struct {
	// Timing is TotalTiming, as "" is, or store.KernelTiming.
	Timing string
	// Objective is TimeObjective, as "" is, store.EnergyObjective or store.EDPObjective.
	Objective string
}

// TimeObjective is the word for results that are compared by time.
const TimeObjective = "time"

// Objectives are the words for what results may be compared by.
var Objectives = []string{TimeObjective, store.EnergyObjective, store.EDPObjective}

// On is what results are for that were timed so for a target, on any of its devices, or on its ranks.
func (o DeviceOptions) On(target *Options) store.On {
	if target.IsOnRanks() {
		return store.On{Target: target.On.Name()}
	}
	if !target.IsOnDevice() {
		return store.On{Timing: o.timing()}
	}
	return store.On{Target: target.On.Name(), Timing: o.timing()}
}

// timing is what the store calls the part of the time that is compared.
func (o DeviceOptions) timing() string {
	switch {
	case o.Timing == store.KernelTiming:
		return store.KernelTiming
	case o.Objective == TimeObjective:
		return ""
	}
	return o.Objective
}

// Check refuses what is no part of the time, and what processors do not have.
func (o DeviceOptions) Check(target *Options) error {
	switch {
	case o.Timing != "" && o.Timing != TotalTiming && o.Timing != store.KernelTiming:
		return fmt.Errorf("--timing is %s or %s, not %q", TotalTiming, store.KernelTiming, o.Timing)
	case o.Timing == store.KernelTiming && !target.IsOnDevice():
		return errors.New("--timing kernel is for targets with kernels: --target opencl or --target cuda")
	case !slices.Contains(Objectives, o.Objective) && o.Objective != "":
		return fmt.Errorf("--objective is %s, not %q", strings.Join(Objectives, ", "), o.Objective)
	case o.Timing == store.KernelTiming && o.Objective != "" && o.Objective != TimeObjective:
		return errors.New("the energy of kernels alone is not known: leave out --timing kernel, or --objective")
	case target.IsOnRanks() && o.timing() != "":
		return errors.New("the energy of programs on several ranks is not known; leave out --objective")
	}
	return nil
}
