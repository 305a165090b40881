package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"polytune/internal/usage"
	"polytune/runner"
)

// programValues are the values of a whole program's parameters: those of --param, and others as the program has
// them where it is run anyway.
func (o *explainOptions) programValues(ctx context.Context, t *target, at place) (map[string]int, error) {
	values, missing, err := t.givenValues(o.params)
	if err != nil || len(missing) == 0 {
		return values, err
	}
	if !o.best && !o.run {
		return nil, usage.Mistake(fmt.Errorf("say what the values of %s are in the run that is meant: --param %s=N; or use --run, which runs the program to see them",
			strings.Join(missing, ", "), strings.Join(missing, "=N,")))
	}
	found, err := o.target.valuesInRun(ctx, t, missing, at)
	if err != nil {
		return nil, fmt.Errorf("the values of %s, which --param %s=N says without running the program: %w", strings.Join(missing, ", "), strings.Join(missing, "=N,"), err)
	}
	for k, name := range missing {
		values[name] = int(found[k])
	}
	return values, nil
}

// givenValues are the values of --param for the parameters of a whole program, and the names of the
// parameters that it says nothing of.
func (t *target) givenValues(list string) (values map[string]int, missing []string, err error) {
	if values, err = parseParameters(list); err != nil {
		return nil, nil, err
	}
	program := t.region.Program
	var names []string
	for _, parameter := range program.Parameters {
		name := program.Spelling(parameter)
		names = append(names, name)
		if _, given := values[name]; !given {
			missing = append(missing, name)
		}
	}
	for _, name := range sortedKeys(values) {
		if !slices.Contains(names, name) && !slices.Contains(t.fileParameters, name) {
			return nil, nil, usage.Mistake(fmt.Errorf("%s has no parameter %q; it has %s", t.name, name, strings.Join(names, ", ")))
		}
	}
	return values, missing, nil
}

// valuesInRun runs a whole program and says what expressions are in the region's last execution.
func (o *targetOptions) valuesInRun(ctx context.Context, t *target, expressions []string, at place) ([]int64, error) {
	subject, err := o.subject(t)
	if err != nil {
		return nil, err
	}
	program, isProgram := subject.Harness.(*runner.Program)
	if !isProgram {
		return nil, fmt.Errorf("%s is not run as a program", t.name)
	}
	lock, err := lockTiming(ctx, o.told())
	if err != nil {
		return nil, err
	}
	defer lock.Unlock()
	limits := at.settings.Limits
	return program.Values(ctx, runner.BuilderOptions{Subject: subject, Toolchain: at.toolchain, Jobs: 1, Limit: limits.Build()}, expressions,
		runner.RunRequest{Threads: at.threads, CPUs: at.machine.TimingCPUs(at.threads), Limit: limits.Run(0), Memory: limits.Memory()})
}
