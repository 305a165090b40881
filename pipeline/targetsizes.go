package pipeline

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"polytune/internal/usage"
)

// SizeText names the size of a checked run.
func (t *Target) SizeText(values map[string]int) string {
	if t.IsProgram {
		return t.RunSize()
	}
	return ParametersText(values)
}

// ParametersText prints N=7 M=13, in alphabetical order.
func ParametersText(values map[string]int) string {
	words := make([]string, 0, len(values))
	for _, name := range slices.Sorted(maps.Keys(values)) {
		words = append(words, fmt.Sprintf("%s=%d", name, values[name]))
	}
	return strings.Join(words, " ")
}

// Sizes are the values of the kernel's parameters: those of the named size of
// a benchmark, overridden by the NAME=VALUE list. Each has one.
func (t *Target) Sizes(size, list string) (map[string]int, error) {
	values, err := t.givenSizes(size, list)
	if err != nil {
		return nil, err
	}
	return values, t.checkComplete(values, func(string) bool { return true })
}

// ModelSizes are sizes for the models, for which integers that are used in computations alone need
// no value.
func (t *Target) ModelSizes(size, list string) (map[string]int, error) {
	values, err := t.givenSizes(size, list)
	if err != nil {
		return nil, err
	}
	return values, t.checkComplete(values, t.isParameter)
}

// isParameter says whether the region's loops or subscripts depend on a variable that is no part of
// data.
func (t *Target) isParameter(name string) bool {
	return slices.Contains(t.Unit.Program.Parameters, name) && !t.Unit.Program.Function.IsHeld(name)
}

// givenSizes are those of sizes that somebody gave.
func (t *Target) givenSizes(size, list string) (map[string]int, error) {
	values := map[string]int{}
	if t.Benchmark != nil && size != "" {
		var err error
		if values, err = t.Benchmark.Size(size); err != nil {
			return nil, err
		}
	}
	overrides, err := ParseParameters(list)
	if err != nil {
		return nil, err
	}
	known := t.Parameters()
	for name, value := range overrides {
		switch {
		case slices.Contains(known, name):
			values[name] = value
		case !t.HasElsewhere(name):
			return nil, failure{usage.Mistake(fmt.Errorf("%s has no size parameter %q; %s", t.Name, name, t.parametersText(known))), t.Name}
		}
	}
	return values, nil
}

// HasElsewhere says that another region of the command has a parameter of this name.
func (t *Target) HasElsewhere(name string) bool {
	return slices.Contains(t.FileParameters, name) || slices.Contains(t.ForeignParameters, name)
}

// parametersText says which parameters there are.
func (t *Target) parametersText(known []string) string {
	text := "it has " + strings.Join(known, ", ")
	if len(known) == 0 {
		text = "it has none, so that --param has nothing to say of it"
	}
	others := slices.DeleteFunc(slices.Concat(t.FileParameters, t.ForeignParameters), func(name string) bool { return slices.Contains(known, name) })
	if slices.Sort(others); len(others) > 0 {
		text += "; other regions have " + strings.Join(slices.Compact(others), ", ")
	}
	return text
}

// checkComplete names the parameters that have no value yet and need one, and what to type.
// Variables that the program gives a value keep that.
func (t *Target) checkComplete(values map[string]int, needed func(name string) bool) error {
	var missing, given []string
	names, optional := t.Unit.Program.Function.Sizes()
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
		return t.Failed(usage.Mistake(fmt.Errorf("the value of %s is missing; give it with --param %s", missing[0], strings.Join(given, ","))))
	}
	return t.Failed(usage.Mistake(fmt.Errorf("the values of %s are missing; give them with --param %s", strings.Join(missing, ", "), strings.Join(given, ","))))
}

// Parameters are the names of the integers that a caller sets: arguments of the function,
// file-scope variables that are parameters of the region, and such parameters in its data.
func (t *Target) Parameters() []string {
	names, _ := t.Unit.Program.Function.Sizes()
	return names
}

// Scalars are the values the benchmark's catalogue gives to floating-point
// arguments.
func (t *Target) Scalars() map[string]float64 {
	if t.Benchmark == nil {
		return nil
	}
	return t.Benchmark.Scalars
}

// ParseParameters reads N=7,M=13.
func ParseParameters(list string) (map[string]int, error) {
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
