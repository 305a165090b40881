package harness

import (
	"context"
	"fmt"
	"strings"

	"polytune/configs"
	"polytune/runner"
	"polytune/target/gpu"
)

// TimingDevice is the device, which the settings name, that kernels of a target are timed on;
// nothing for processors, whose target is "". The error is a *runner.NoDeviceError where there is
// none.
func TimingDevice(ctx context.Context, target string, toolchain runner.Toolchain, settings configs.Settings) (runner.Device, error) {
	if target == "" {
		return runner.Device{}, nil
	}
	names := settings.Devices()
	if len(names) > 1 {
		return runner.Device{}, fmt.Errorf("kernels are timed on one device, not on %s", strings.Join(names, " and "))
	}
	finder := finderOf(toolchain, settings)
	return finder.Real(ctx, target, names[0])
}

func finderOf(toolchain runner.Toolchain, settings configs.Settings) runner.DeviceFinder {
	return runner.DeviceFinder{Toolchain: toolchain, CUDA: gpu.Compiler(settings)}
}

// MostShared are the bytes of shared memory that a GPU gives blocks which ask for all of it; 0 for
// what is none.
func MostShared(ctx context.Context, device runner.Device, toolchain runner.Toolchain, settings configs.Settings) int64 {
	finder := finderOf(toolchain, settings)
	return finder.MostShared(ctx, device)
}

// timedOn makes a request one that runs kernels on a device, which is opened and given its kernels
// first: as long as a compiler may take. Drivers reserve as many addresses as devices have memory.
func timedOn(device runner.Device, request runner.RunRequest, settings configs.Settings) runner.RunRequest {
	if device.Kind != "" {
		request.Device, request.Memory = device, 0
		request.Limit += settings.Limits.Build()
	}
	return request
}
