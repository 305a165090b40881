package runner

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// ExecutionsError says that a variant's program does not execute the region as
// often as the original's.
type ExecutionsError struct {
	Expected, Got uint64
	// Fused says that the compiler may have fused operations, so that a loop around the region that
	// ends when results converge may take more or fewer steps.
	Fused bool
}

// Error gives both numbers.
func (e *ExecutionsError) Error() string {
	text := fmt.Sprintf("wrong result: the program executes the region %d times, the original %d times", e.Got, e.Expected)
	if e.Fused {
		text += "; where that is up to when results converge, how the compiler rounds may decide it: with -ffp-contract=off in --build-flags both round alike, " +
			"and a number that is another one then is wrong"
	}
	return text
}

// programReport is the JSON that the watching part writes of a timed run.
type programReport struct {
	timeReport
	Executions  uint64  `json:"executions"`
	LargestRead float64 `json:"largest_read"`
}

// time runs the program as often as asked. A sample is the mean time that the
// executions of the region take together in one run. The first call of all
// counts the executions; then the data of the last one is looked at.
func (p *Program) time(ctx context.Context, binary Binary, request TimeRequest) (Timing, error) {
	p.running.Lock()
	defer p.running.Unlock()
	r := programTimer{program: p, binary: binary, request: request, deadline: time.Now().Add(request.Limit)}
	if p.executions == 0 {
		report, err := r.run(ctx)
		if err != nil {
			return Timing{}, err
		}
		p.executions = report.Executions
		r.deadline = time.Now().Add(request.Limit)
	}
	for range max(request.Warmups, 0) {
		if _, err := r.run(ctx); err != nil {
			return Timing{}, err
		}
	}
	r.timing = Timing{}
	for range max(request.Samples, 1) {
		sample, joules, device := 0.0, 0.0, DeviceTimes{}
		repetitions := float64(max(request.Repetitions, 1))
		hasDevice := false
		for range max(request.Repetitions, 1) {
			report, err := r.run(ctx)
			if err != nil {
				return Timing{}, err
			}
			sample += report.Seconds[0] / repetitions
			joules = addJoules(joules, report.Joules, repetitions)
			for _, times := range report.device() {
				device.Kernel += times.Kernel / repetitions
				device.Transfer += times.Transfer / repetitions
				hasDevice = true
			}
		}
		if hasDevice {
			r.timing.Device = append(r.timing.Device, device)
		}
		r.timing.Seconds, r.timing.Joules = append(r.timing.Seconds, sample), append(r.timing.Joules, max(joules, 0))
	}
	return r.timing, nil
}

// addJoules adds what one of several runs took, by which their mean is made; one that does not tell
// leaves a sum that tells nothing.
func addJoules(sum float64, run []float64, runs float64) float64 {
	if len(run) == 0 || run[0] <= 0 || sum < 0 {
		return -1
	}
	return sum + run[0]/runs
}

// programTimer is one call of Program.time.
type programTimer struct {
	program  *Program
	binary   Binary
	request  TimeRequest
	deadline time.Time
	timing   Timing
}

// run runs the program once and adds what it used to the timing.
func (r *programTimer) run(ctx context.Context) (programReport, error) {
	request := r.request.RunRequest
	if request.Limit > 0 {
		request.Limit = max(time.Until(r.deadline), time.Millisecond)
	}
	var report programReport
	outcome, err := r.program.run(ctx, r.binary, request, "time", r.program.options.Arguments, func(path string) error {
		if err := readReport(path, &report); err != nil {
			return err
		}
		return checkSamples(report.Seconds, 1)
	})
	switch {
	case err != nil:
		return report, r.atLimit(err)
	case r.program.executions != 0 && report.Executions != r.program.executions:
		return report, &ExecutionsError{r.program.executions, report.Executions, true}
	}
	r.timing.Fingerprints, r.timing.LargestRead = report.Arrays, report.LargestRead
	r.timing.PeakMemory = max(r.timing.PeakMemory, report.PeakKiB<<10)
	r.timing.Wall += outcome.Wall
	r.timing.Usage.add(outcome.Usage)
	return report, nil
}

// atLimit names the whole limit in the error of a run that had only its rest.
func (r *programTimer) atLimit(err error) error {
	var failure *RunError
	if errors.As(err, &failure) && failure.Kind == Timeout {
		failure.Limit = r.request.Limit
	}
	return err
}

// dump runs the program and keeps what each execution of the region left.
func (p *Program) dump(ctx context.Context, binary Binary, request RunRequest, path string) error {
	p.running.Lock()
	defer p.running.Unlock()
	request.Env = append(zeroedMemory(), request.Env...)
	_, err := p.run(ctx, binary, request, "dump", p.options.CheckArguments, moveTo(path))
	return err
}

// zeroedMemory has glibc fill memory with zeros when it is allocated: elements
// that the program never gives a value, but might, are the same in all
// programs then, whatever else was allocated before.
func zeroedMemory() []string {
	tunables := "glibc.malloc.perturb=255:glibc.malloc.tcache_count=0"
	if own := os.Getenv("GLIBC_TUNABLES"); own != "" {
		tunables = own + ":" + tunables
	}
	return []string{"GLIBC_TUNABLES=" + tunables}
}

// reference dumps what the original leaves, and makes sure that a second run
// leaves the same.
func (p *Program) reference(ctx context.Context, binary Binary, request RunRequest, path string) error {
	if err := p.dump(ctx, binary, request, path); err != nil {
		return err
	}
	again := path + ".again"
	defer os.Remove(again)
	if err := p.dump(ctx, binary, request, again); err != nil {
		return err
	}
	if err := CompareWithin(path, again, request.Tolerance); err != nil {
		return fmt.Errorf("two runs of the program do not leave the same, so that variants cannot be compared with it (%w); "+
			"give all data a value before it is used, and draw random numbers from a fixed seed", err)
	}
	return nil
}

// run runs the program once in one of the two tasks of the watching part.
func (p *Program) run(ctx context.Context, binary Binary, request RunRequest, task string, arguments []string, read func(path string) error) (Outcome, error) {
	return runForResult(ctx, binary, request.Limit, func(result string) Command {
		environment := slices.Concat(os.Environ(), binary.environment, request.environmentOf(binary))
		return Command{
			Argv: request.argv(binary.Path, arguments...), Dir: p.options.Dir,
			Env:   append(environment, watchEnvironment(task, result, p.executions)...),
			Limit: request.Limit, Memory: request.Memory, CPUs: request.CPUs,
		}
	}, p.explain, func(result string) error {
		if err := p.complaint(result); err != nil {
			return err
		}
		return read(result)
	})
}

// explain gives a failure the complaint of the watching part.
func (p *Program) explain(failure *RunError, result string) {
	if failure.Kind != Crashed || failure.ExitCode != exitWatch {
		return
	}
	if err := p.complaint(result); err != nil {
		failure.Kind, failure.Detail = Invalid, err.Error()
	}
}

// complaint is what the watching part left in place of a result, or nil.
func (p *Program) complaint(result string) error {
	file, err := os.Open(result)
	if err != nil {
		return err
	}
	defer file.Close()
	text := make([]byte, 1024)
	n, _ := io.ReadFull(file, text)
	if message, found := strings.CutPrefix(string(text[:n]), watchError+" "); found {
		return fmt.Errorf("%s:%d: %s", p.path, p.lineAt(p.start), message)
	}
	return nil
}
