package harness

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/runner"
)

// GivenValues are the values of --param for the parameters of a whole program, and the names of the
// parameters that it says nothing of.
func GivenValues(t *pipeline.Target, list string) (values map[string]int, missing []string, err error) {
	if values, err = pipeline.ParseParameters(list); err != nil {
		return nil, nil, err
	}
	program := t.Unit.Program
	var names []string
	for _, parameter := range program.Parameters {
		name := program.Spelling(parameter)
		names = append(names, name)
		if _, given := values[name]; !given {
			missing = append(missing, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(values)) {
		if !slices.Contains(names, name) && !t.HasElsewhere(name) {
			return nil, nil, usage.Mistake(fmt.Errorf("%s has no parameter %q; it has %s", t.Name, name, strings.Join(names, ", ")))
		}
	}
	return values, missing, nil
}

// ValuesInRun runs a whole program and says what expressions are in the region's last execution.
func ValuesInRun(ctx context.Context, o *pipeline.Options, t *pipeline.Target, expressions []string, at Place) ([]int64, error) {
	subject, err := Subject(o, t)
	if err != nil {
		return nil, err
	}
	program, isProgram := subject.Harness.(*runner.Program)
	if !isProgram {
		return nil, fmt.Errorf("%s is not run as a program", t.Name)
	}
	lock, err := LockTiming(ctx, o.Told())
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	limits := at.Settings.Limits
	return program.Values(ctx, runner.BuilderOptions{Subject: subject, Toolchain: at.Toolchain, Jobs: 1, Limit: limits.Build()}, expressions,
		runner.RunRequest{Threads: at.Threads, CPUs: at.Machine.TimingCPUs(at.Threads), Limit: limits.Run(0), Memory: limits.Memory()})
}
