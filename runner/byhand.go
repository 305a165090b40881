package runner

import (
	"slices"
	"strconv"
)

// Invocation is how somebody runs a harness' program by hand as it was timed.
type Invocation struct {
	// Arguments are those of the program, Environment is set for it, on top of the user's
	// own, and Dir is the folder to be in, "" for any.
	Arguments, Environment []string
	Dir                    string
}

// ByHand says how a program of a harness, with a runtime, is run so that it times itself. It writes
// a JSON document to the file result, whose entry "seconds" has the times. The word result is taken
// over as it is.
func ByHand(harness Harness, runtime Runtime, request TimeRequest, result string) Invocation {
	invocation := harness.byHand(runtimeOr(runtime), request, result)
	if request.Device.Kind != "" {
		invocation.Environment = append(append(invocation.Environment, request.Device.environment()...), requiredDevice, deviceTimes)
	}
	return invocation
}

// What has programs need their device, and tell how long kernels and transfers took.
const requiredDevice, deviceTimes = "TUNE_GPU_REQUIRED=1", "TUNE_GPU_TIMES=1"

// byHand passes everything in arguments.
func (d Driver) byHand(runtime Runtime, request TimeRequest, result string) Invocation {
	return Invocation{
		Arguments:   slices.Concat([]string{"time", result}, request.counts(), request.assignments()),
		Environment: runtime.Threads(request.Threads, request.CPUs),
	}
}

// byHand has the watching part time the region.
func (p *Program) byHand(runtime Runtime, request TimeRequest, result string) Invocation {
	return Invocation{
		Arguments: slices.Clone(p.options.Arguments), Dir: p.options.Dir,
		Environment: append(runtime.Threads(request.Threads, request.CPUs), watchEnvironment("time", result, 0)...),
	}
}

// byHand times nothing: whoever starts the program does.
func (p *WholeProgram) byHand(runtime Runtime, request TimeRequest, _ string) Invocation {
	return Invocation{Arguments: slices.Clone(p.options.Arguments), Dir: p.options.Dir, Environment: runtime.Threads(request.Threads, request.CPUs)}
}

// counts are the driver's arguments that say how often it calls its function.
func (r TimeRequest) counts() []string {
	return []string{strconv.Itoa(max(r.Samples, 1)), strconv.Itoa(max(r.Repetitions, 1)), strconv.Itoa(max(r.Warmups, 0))}
}

// watchEnvironment tells the watching part of a program what to do, where its result
// goes, and which execution of the region is the last; 0 where that is not known.
func watchEnvironment(task, result string, last uint64) []string {
	return []string{"POLYTUNE_TASK=" + task, "POLYTUNE_RESULT=" + result, "POLYTUNE_LAST=" + strconv.FormatUint(last, 10)}
}
