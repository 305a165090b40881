package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"
	"time"

	"polytune/runner/energy"
)

// RunRequest says how a binary is run.
type RunRequest struct {
	// Params are the values of the Size arguments, by name; all are needed.
	Params map[string]int
	// Scalars are the values of the Scalar arguments; those left out get
	// fixed values of the driver.
	Scalars map[string]float64
	// Threads is the number of threads; 0 means one for each of CPUs, or 1.
	Threads int
	// CPUs are the processors the run is pinned to, a thread on each;
	// empty for no pinning.
	CPUs []int
	// Waiting says that threads that wait leave their processors to others.
	Waiting bool
	// Limit is the wall-clock limit of the whole process; 0 for none.
	Limit time.Duration
	// Memory is the limit of the address space in bytes; 0 for none.
	Memory uint64
	// Env are further environment entries, NAME=VALUE.
	Env []string
	// Tolerance is what two runs of an original may differ by.
	Tolerance Tolerance
	// Rounding is the direction in which the region rounds; "" for the nearest number.
	Rounding Direction
	// Device is what kernels run on, nothing for programs without.
	Device Device

	// Energy is what the driver reads of the energy that is taken.
	Energy energy.Meter

	// under are the words in front of the program's own.
	under []string
}

// argv are the words of a run of a program with such arguments.
func (r RunRequest) argv(program string, arguments ...string) []string {
	return slices.Concat(r.under, []string{program}, arguments)
}

// Under is the request for a run under another program, which these words begin, with a further
// entry of the environment.
func (r RunRequest) Under(words []string, entry string) RunRequest {
	r.under, r.Env = words, append(slices.Clone(r.Env), entry)
	return r
}

// TimeRequest says how a binary is timed.
type TimeRequest struct {
	RunRequest
	// Samples is the number of timings; 0 means 1.
	Samples int
	// Repetitions is the number of calls whose mean is one sample; 0 means
	// 1. The data is initialised anew before each, outside the timed part.
	Repetitions int
	// Warmups is the number of calls before the first sample.
	Warmups int
}

// Timing is what a timed run reports.
type Timing struct {
	// Seconds are the samples, in order: the mean duration of one call.
	Seconds []float64
	// Device has, for each of the samples, what the driver of a device tells; nil where
	// nothing ran on one.
	Device []DeviceTimes
	// Joules are, for each of the samples, the energy that one call took: 0 where nothing has told
	// it, nil where nobody asked.
	Joules []float64
	// Fingerprints describe the array arguments after the last call.
	Fingerprints []Fingerprint
	// LargestRead is the largest magnitude that the region of a Program reads, where results may
	// depend on the order of sums; 0 elsewhere.
	LargestRead float64
	// PeakMemory is the largest resident set of the process in bytes; 0
	// where unknown.
	PeakMemory uint64
	Usage      Usage
	// Wall is the duration of the whole process, with its initialisation.
	Wall time.Duration
	// Stolen is the time that the host of a virtual machine took meanwhile from
	// the processors that the run is pinned to, their sum; 0 where unknown.
	Stolen time.Duration
}

// DeviceTimes are how long kernels ran and how long data went to the device and back, in
// seconds of one call.
type DeviceTimes struct{ Kernel, Transfer float64 }

// RunErrorKind says in which way a run failed.
type RunErrorKind string

// The ways in which a run fails.
const (
	// Crashed is an end by a signal or with an exit status of its own.
	Crashed RunErrorKind = "crashed"
	// Timeout is the wall-clock limit.
	Timeout RunErrorKind = "timeout"
	// Interrupted means that the tuner itself was told to stop.
	Interrupted RunErrorKind = "interrupted"
	// OutOfBounds is a write outside an array argument.
	OutOfBounds RunErrorKind = "out-of-bounds"
	// OutOfMemory means that the arrays did not fit.
	OutOfMemory RunErrorKind = "out-of-memory"
	// DeviceFailed means that the kernels could not run on the device.
	DeviceFailed RunErrorKind = "device-failed"
	// Invalid is a run without a usable result.
	Invalid RunErrorKind = "invalid"
)

// RunError says why a binary's run has no result.
type RunError struct {
	Kind     RunErrorKind
	Signal   syscall.Signal
	ExitCode int
	// Limit is the wall-clock limit the run had.
	Limit time.Duration
	// Detail is what is wrong, for Kinds OutOfBounds, OutOfMemory, DeviceFailed, Invalid.
	Detail string
	// Where says which ranks of a program on several ones have failed, "" where nobody knows.
	Where string
	// Stderr is the beginning of the program's messages.
	Stderr []byte
}

// Error says what happened in one line, then quotes the program's messages.
func (e *RunError) Error() string {
	text := excerpt(e.Stderr)
	if text != "" {
		text = ":\n" + text
	}
	if e.Where != "" {
		text = " (" + e.Where + ")" + text
	}
	switch e.Kind {
	case Timeout:
		if e.Where != "" {
			return fmt.Sprintf("the run took more than %v and was killed (%s)", e.Limit, e.Where)
		}
		return fmt.Sprintf("the run took more than %v and was killed", e.Limit)
	case Interrupted:
		return "the run was interrupted"
	case Crashed:
		if e.Signal != 0 {
			return fmt.Sprintf("the run was ended by signal %d (%v)%s", e.Signal, e.Signal, text)
		}
		return fmt.Sprintf("the run ended with exit status %d%s", e.ExitCode, text)
	case DeviceFailed:
		return "the device failed: " + e.Detail
	default:
		return fmt.Sprintf("the run is %s: %s", e.Kind, e.Detail)
	}
}

// Time runs a binary and returns its samples. Failures of the program are of
// type *RunError, or *NoSpaceError where the disk is full. A sample that is not
// a positive finite number makes the whole run Invalid.
func Time(ctx context.Context, binary Binary, request TimeRequest) (Timing, error) {
	system := os.DirFS("/")
	before := stolenTime(system, request.CPUs)
	timing, err := binary.harness.time(ctx, binary, request)
	if err != nil {
		return Timing{}, BlameSpace(filepath.Dir(binary.Path), err)
	}
	timing.Stolen = max(stolenTime(system, request.CPUs)-before, 0)
	return timing, nil
}

// Dump runs a binary once and writes all it computes to a file, for Compare.
// Failures of the program are as those of Time.
func Dump(ctx context.Context, binary Binary, request RunRequest, path string) error {
	return BlameSpace(filepath.Dir(binary.Path), dumpOn(ctx, binary, request, path))
}

// DumpReference is Dump for the original, whose result those of variants are
// compared with: it fails when the original does not compute the same twice.
func DumpReference(ctx context.Context, binary Binary, request RunRequest, path string) error {
	return BlameSpace(filepath.Dir(binary.Path), binary.harness.reference(ctx, binary, request, path))
}

// time has the driver time its function as often as asked.
func (d Driver) time(ctx context.Context, binary Binary, request TimeRequest) (Timing, error) {
	var report timeReport
	command := driverCommand(binary, request.RunRequest, "time", request.counts()...)
	outcome, err := runForResult(ctx, binary, request.Limit, command, driverFailure, func(path string) error {
		if err := readReport(path, &report); err != nil {
			return err
		}
		return checkSamples(report.Seconds, max(request.Samples, 1))
	})
	if err != nil {
		return Timing{}, err
	}
	return Timing{
		Seconds: report.Seconds, Device: report.device(), Joules: report.Joules, Fingerprints: report.Arrays, PeakMemory: report.PeakKiB << 10,
		Usage: outcome.Usage, Wall: outcome.Wall,
	}, nil
}

// dump has the driver write all its arrays after one call.
func (d Driver) dump(ctx context.Context, binary Binary, request RunRequest, path string) error {
	_, err := runForResult(ctx, binary, request.Limit, driverCommand(binary, request, "dump"), driverFailure, moveTo(path))
	return err
}

// reference is a dump: the driver gives every call the same data.
func (d Driver) reference(ctx context.Context, binary Binary, request RunRequest, path string) error {
	return d.dump(ctx, binary, request, path)
}

// driverCommand runs the driver in one of its modes, with its result file.
func driverCommand(binary Binary, request RunRequest, mode string, counts ...string) func(result string) Command {
	return func(result string) Command {
		argv := append(request.argv(binary.Path, mode, result), counts...)
		environment := request.environmentOf(binary)
		if request.Memory > 0 {
			environment = append(environment, fmt.Sprintf("TUNE_MEMORY_LIMIT=%d", request.Memory))
		}
		return Command{
			Argv: append(argv, request.assignments()...), Dir: filepath.Dir(binary.Path), Env: environment,
			Limit: request.Limit, Memory: request.Memory, CPUs: request.CPUs,
		}
	}
}

// moveTo keeps a result file at a path.
func moveTo(path string) func(result string) error {
	return func(result string) error {
		if err := os.Rename(result, path); err != nil {
			return fmt.Errorf("the program's result cannot be moved: %w", err)
		}
		return nil
	}
}

// timeReport is the JSON that a harness writes of a timed run.
type timeReport struct {
	Seconds  []float64     `json:"seconds"`
	PeakKiB  uint64        `json:"peak_kib"`
	Arrays   []Fingerprint `json:"arrays"`
	Kernel   []float64     `json:"kernel_seconds"`
	Transfer []float64     `json:"transfer_seconds"`
	Joules   []float64     `json:"joules"`
}

// device are the times of a device, nil where the report has none.
func (r timeReport) device() (times []DeviceTimes) {
	for k := range min(len(r.Kernel), len(r.Transfer)) {
		times = append(times, DeviceTimes{r.Kernel[k], r.Transfer[k]})
	}
	return times
}

// readReport reads a report, or one that has more.
func readReport(path string, report any) error {
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, report)
	}
	if err != nil {
		return fmt.Errorf("the program's result cannot be read: %w", err)
	}
	return nil
}

func checkSamples(samples []float64, wanted int) error {
	if len(samples) != wanted {
		return fmt.Errorf("%d samples where %d were asked for", len(samples), wanted)
	}
	for i, s := range samples {
		if !(s > 0) || math.IsInf(s, 0) {
			return fmt.Errorf("sample %d took %v seconds; a time is a positive number", i+1, s)
		}
	}
	return nil
}

// runForResult runs a command that leaves a result file next to the binary,
// which read gets to see. When the program fails, explain may find out more
// about it, from its exit status or what there is of a result.
func runForResult(ctx context.Context, binary Binary, limit time.Duration, command func(result string) Command,
	explain func(failure *RunError, result string), read func(path string) error) (Outcome, error) {
	file, err := os.CreateTemp(filepath.Dir(binary.Path), "result-")
	if err != nil {
		return Outcome{}, fmt.Errorf("no file for the program's result: %w", err)
	}
	result := file.Name()
	file.Close()
	defer os.Remove(result)
	outcome, err := Execute(ctx, command(result))
	if err != nil {
		return Outcome{}, err
	}
	if failure := runFailure(outcome, limit); failure != nil {
		explain(failure, result)
		return outcome, failure
	}
	if status, err := os.Stat(result); err != nil || status.Size() == 0 {
		return outcome, invalid(errors.New("the program ended without a result"), outcome)
	}
	return outcome, invalid(read(result), outcome)
}

// invalid is the *RunError of a result that is of no use, or nil.
func invalid(err error, outcome Outcome) error {
	if err == nil {
		return nil
	}
	return &RunError{Kind: Invalid, Detail: err.Error(), Stderr: outcome.Stderr}
}

// runFailure is the failure of an outcome that is not OK, or nil.
func runFailure(o Outcome, limit time.Duration) *RunError {
	if o.OK() {
		return nil
	}
	failure := &RunError{Kind: Crashed, Signal: o.Signal, ExitCode: o.ExitCode, Limit: limit, Stderr: o.Stderr, Detail: excerpt(o.Stderr)}
	switch {
	case o.TimedOut:
		failure.Kind = Timeout
	case o.Interrupted:
		failure.Kind = Interrupted
	case deviceWords(o.Stderr) != "":
		failure.Kind, failure.Detail = DeviceFailed, deviceWords(o.Stderr)
	}
	return failure
}

// driverFailure knows the driver's own exit statuses.
func driverFailure(failure *RunError, _ string) {
	if failure.Kind != Crashed {
		return
	}
	switch failure.ExitCode {
	case exitOutOfBounds:
		failure.Kind = OutOfBounds
	case exitMemory:
		failure.Kind = OutOfMemory
	case exitUsage, exitOutput:
		failure.Kind = Invalid
	}
}

// assignments are the NAME=VALUE arguments of the driver, in a fixed order.
func (r RunRequest) assignments() []string {
	var list []string
	for name, value := range r.Params {
		list = append(list, fmt.Sprintf("%s=%d", name, value))
	}
	for name, value := range r.Scalars {
		list = append(list, name+"="+strconv.FormatFloat(value, 'g', -1, 64))
	}
	slices.Sort(list)
	return list
}
