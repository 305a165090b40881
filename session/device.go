package session

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"polytune/configs"
	"polytune/internal/exit"
	"polytune/pipeline/harness"
	"polytune/runner"
	"polytune/runner/energy"
	"polytune/store"
	"polytune/tuner"
)

// running is what variants run on, and how their results are compared.
type running struct {
	On           store.On
	Device       runner.Device
	Energy       energy.Meter
	verification configs.Verification
}

// running is that of the run, behind findDevice.
func (r *Run) running() running { return running{r.On, r.Device, r.Energy, r.Settings.Verification} }

// findDevice finds the device of the run, if its target has any, and says which it is.
func (r *Run) findDevice(ctx context.Context) error {
	o := r.Options
	r.On = o.Device.On(&o.Target)
	switch {
	case o.Target.IsOnRanks():
		r.On.Device = ranksText(r.Toolchains)
		return nil
	case !o.Target.IsOnDevice():
		return r.findEnergy()
	}
	var err error
	if r.Device, err = harness.TimingDevice(ctx, r.On.Target, r.Toolchains[0], r.Settings); err != nil {
		return err
	}
	r.On.Device = r.Device.Name
	fmt.Fprintf(o.Target.Told(), "tune: kernels run on device %s\n", r.Device.Name)
	return r.findEnergy()
}

// findEnergy finds what the machine tells of energy. That it tells nothing matters where energy is
// what is compared.
func (r *Run) findEnergy() error {
	meter, err := energy.Find(r.Settings.Measurement.Powercap)
	if err != nil && r.On.IsObjective() {
		return err
	}
	if err == nil && r.Device.Kind == runner.CUDADevice {
		meter.GPU = r.Device.Name
	}
	r.Energy = meter
	return nil
}

// ranksText are the numbers of ranks of toolchains: "1, 2 ranks".
func ranksText(toolchains []runner.Toolchain) string {
	numbers := make([]string, len(toolchains))
	for k, t := range toolchains {
		numbers[k] = strconv.Itoa(t.Ranks.Number)
	}
	return strings.Join(numbers, ", ") + " ranks"
}

// bestCPU is the best variant for processors that the database knows of a request's kernel; nil
// where it knows none, and where that is what was asked for.
func (r *Run) bestCPU(ctx context.Context, request *tuner.Request) (*store.Best, error) {
	if r.On.Target == "" || request == nil {
		return nil, nil
	}
	list, err := r.DB.Best(ctx, store.BestQuery{KernelID: request.KernelID, Size: request.Size, Machine: r.Machine.ID})
	if err != nil || len(list) == 0 {
		return nil, err
	}
	return &list[0], nil
}

// ended is the error of a session: one whose device is lost goes on when it is back.
func ended(err error) error {
	if errors.As(err, new(*runner.DeviceLostError)) {
		return &exit.With{Status: exit.Interrupted, Err: fmt.Errorf("%w; the same command again resumes", err)}
	}
	return err
}
