package main

import (
	"fmt"
	"polytune/internal/usage"
	"slices"
	"strconv"
	"strings"
)

// sizes are the values of the kernel's parameters: those of the named size of
// a benchmark, overridden by the NAME=VALUE list. Each has one.
func (t *target) sizes(size, list string) (map[string]int, error) {
	values, err := t.givenSizes(size, list)
	if err != nil {
		return nil, err
	}
	return values, t.checkComplete(values, func(string) bool { return true })
}

// modelSizes are sizes for the models, for which integers that are used in computations alone need no value.
func (t *target) modelSizes(size, list string) (map[string]int, error) {
	values, err := t.givenSizes(size, list)
	if err != nil {
		return nil, err
	}
	return values, t.checkComplete(values, t.isParameter)
}

// isParameter says whether the region's loops or subscripts depend on a variable.
func (t *target) isParameter(name string) bool {
	return slices.Contains(t.region.Program.Parameters, name)
}

// givenSizes are those of sizes that somebody gave.
func (t *target) givenSizes(size, list string) (map[string]int, error) {
	values := map[string]int{}
	if t.benchmark != nil && size != "" {
		var err error
		if values, err = t.benchmark.Size(size); err != nil {
			return nil, err
		}
	}
	overrides, err := parseParameters(list)
	if err != nil {
		return nil, err
	}
	known := t.parameters()
	for name, value := range overrides {
		switch {
		case slices.Contains(known, name):
			values[name] = value
		case !slices.Contains(t.fileParameters, name):
			return nil, usage.Mistake(fmt.Errorf("%s has no size parameter %q; it has %s", t.name, name, strings.Join(known, ", ")))
		}
	}
	return values, nil
}

// checkComplete names the parameters that have no value yet and need one, and what to type.
// Variables that the program gives a value keep that.
func (t *target) checkComplete(values map[string]int, needed func(name string) bool) error {
	var missing, given []string
	names, optional := t.region.Program.Function.Sizes()
	for _, name := range names {
		value, ok := values[name]
		if !ok && (optional[name] || !needed(name)) {
			continue
		}
		if !ok {
			missing = append(missing, name)
			given = append(given, name+"=N")
			continue
		}
		given = append(given, fmt.Sprintf("%s=%d", name, value))
	}
	switch len(missing) {
	case 0:
		return nil
	case 1:
		return usage.Mistake(fmt.Errorf("the value of %s is missing; give it with --param %s", missing[0], strings.Join(given, ",")))
	}
	return usage.Mistake(fmt.Errorf("the values of %s are missing; give them with --param %s", strings.Join(missing, ", "), strings.Join(given, ",")))
}

// parameters are the names of the integers that a caller sets: arguments of
// the function, and file-scope variables that are parameters of the region.
func (t *target) parameters() []string {
	names, _ := t.region.Program.Function.Sizes()
	return names
}

// scalars are the values the benchmark's catalogue gives to floating-point
// arguments.
func (t *target) scalars() map[string]float64 {
	if t.benchmark == nil {
		return nil
	}
	return t.benchmark.Scalars
}

// parseParameters reads N=7,M=13.
func parseParameters(list string) (map[string]int, error) {
	values := map[string]int{}
	if list == "" {
		return values, nil
	}
	for _, item := range strings.Split(list, ",") {
		name, text, found := strings.Cut(item, "=")
		value, err := strconv.Atoi(text)
		if !found || err != nil || value < 0 {
			return nil, usage.Mistake(fmt.Errorf("parameters are written NAME=NUMBER,NAME=NUMBER with numbers from 0, not %q", item))
		}
		values[strings.TrimSpace(name)] = value
	}
	return values, nil
}
