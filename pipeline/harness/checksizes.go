package harness

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"polytune/pipeline"
	"polytune/scop"
)

// CheckSizes are the values at which variants are compared with the original
// bit for bit: one around the size of a tile, no two parameters equal and no
// multiple of a tile size among them, a tiny one, and where there are few loops one
// large enough for several threads. Where the region's
// references would leave their arrays at these, others near are taken. It is
// an error when there are none.
func CheckSizes(t *pipeline.Target) (chosen []map[string]int, err error) {
	err = withModel(t, func(m *scop.Model) error {
		all := overruns(t, m)
		// Arrays that are overrun at their end are made larger.
		fixed := slices.DeleteFunc(slices.Clone(all), func(o scop.Overrun) bool {
			return o.Dimension == 0 && !o.Below && isBehindPointer(t, o.Array)
		})
		for _, happens := range []happening{withFilled, certainly} {
			for _, overruns := range [][]scop.Overrun{all, fixed} {
				if chosen = chooseSizes(t, m, overruns, happens); chosen != nil {
					return nil
				}
			}
		}
		return noSizes(t, fixed)
	})
	return chosen, err
}

// happening says whether an overrun is to be avoided at values of parameters.
type happening func(o scop.Overrun, values map[string]int) (bool, error)

// certainly is for overruns that happen whatever members and elements hold that are parameters.
func certainly(o scop.Overrun, values map[string]int) (bool, error) {
	_, happens, err := o.At(values)
	return happens, err
}

// withFilled is for overruns that happen for some of the numbers that the driver may fill such
// members and elements with.
func withFilled(o scop.Overrun, values map[string]int) (bool, error) {
	return o.CanHappen(values, leastFilled, greatestFilled)
}

// leastFilled and greatestFilled are the integers that the driver fills data with.
const leastFilled, greatestFilled = 1, 4

// noSizes says what is in the way of small sizes.
func noSizes(t *pipeline.Target, overruns []scop.Overrun) error {
	values := map[string]int{}
	for k, name := range t.Parameters() {
		values[name] = 37 + 14*k
	}
	for _, o := range overruns {
		subscript, happens, err := o.At(t.Unit.Program.ParameterValues(values))
		if err == nil && happens {
			return fmt.Errorf("no small sizes were found at which all references stay within their arrays, so that variants could be compared with the original: %s",
				overrunText(t, o, subscript, values))
		}
	}
	return errors.New("no small sizes were found that the region may be run with, so that variants could be compared with the original; give sizes with --param to tune check")
}

// checkBytes is what arrays may take where results are compared, if there are sizes with which they
// take less: at 37, those of six dimensions are gigabytes.
const checkBytes = 1 << 28

// stackBytes is what the function's own arrays may take at chosen sizes: half of the stack that a
// process usually gets.
const stackBytes = 1 << 22

// threadBytes is what arrays may take at the sizes that give several threads enough to do.
const threadBytes = 1 << 24

// chooseSizes are a larger and a tiny set of sizes at which some statement runs and no overrun
// happens that counts, or nil, with few instances of statements where that can be, and one for
// several threads where that takes little memory.
func chooseSizes(t *pipeline.Target, m *scop.Model, overruns []scop.Overrun, happens happening) (chosen []map[string]int) {
	promise := promiseOf(t.Unit.Program, m)
	parameters, greatest := t.Parameters(), func(size string) int { return greatest(t, size) }
	inBounds := func(values map[string]int) bool {
		if !slices.ContainsFunc(m.Statements, func(s scop.StatementModel) bool {
			runs, err := scop.Contains(s.Domain.Params(), t.Unit.Program.ParameterValues(values))
			return runs && err == nil
		}) {
			return false
		}
		return promise.isKept(values) && !leavesRows(t, m, values) && !slices.ContainsFunc(overruns, func(o scop.Overrun) bool {
			happens, err := happens(o, t.Unit.Program.ParameterValues(values))
			return happens || err != nil
		})
	}
	fitsStack := func(values map[string]int) bool {
		taken, err := t.Unit.Program.Function.Stack(values)
		return err != nil || taken <= stackBytes
	}
	bytes := func(values map[string]int) (int64, error) { return bytesAt(t, m, values) }
	fit := func(values map[string]int) bool {
		taken, err := bytes(values)
		if err == nil && taken > checkBytes || !fitsStack(values) || !inBounds(values) {
			return false
		}
		count, err := instancesAt(m, t.Unit.Program.ParameterValues(values))
		return err != nil || count <= checkInstances
	}
	for _, bases := range [][]int{{37, 61, 23, 19, 13, 7}, {3, 5, 2, 1}} {
		sizes := firstInBounds(parameters, greatest, bases, promise.next, fit)
		if sizes == nil {
			sizes = firstInBounds(parameters, greatest, bases, promise.next, inBounds)
		}
		if sizes != nil && !slices.ContainsFunc(chosen, sameSizes(sizes)) {
			chosen = append(chosen, sizes)
		}
	}
	if len(chosen) == 0 {
		return nil
	}
	large := firstInBounds(parameters, greatest, basesForThreads(t.Unit.Program), promise.next, func(values map[string]int) bool {
		taken, err := bytes(values)
		_, unknown := t.Unit.Program.Function.Stack(values)
		return err == nil && unknown == nil && taken <= threadBytes && fitsStack(values) && inBounds(values)
	})
	if large != nil && !slices.ContainsFunc(chosen, sameSizes(large)) {
		chosen = append(chosen, large)
	}
	return chosen
}

// leavesRows says whether rows of a variable that has one subscript in C reach behind it at the
// values: what their lengths are tells nothing of that.
func leavesRows(t *pipeline.Target, m *scop.Model, values map[string]int) bool {
	program := t.Unit.Program
	for _, a := range program.Function.Data() {
		if program.Function.IsPointer(a.Name) {
			continue
		}
		for _, array := range program.ArraysOf(a.Name) {
			declared, known := declaredLength(a, array)
			if !array.Linear || !known {
				continue
			}
			count, err := m.ElementsAt(array, len(array.Extents), program.ParameterValues(values))
			if err == nil && count > declared {
				return true
			}
		}
	}
	return false
}

// declaredLength is the number of elements of a variable, or of a member of one, with one extent
// that is a number.
func declaredLength(a scop.Argument, array *scop.Array) (count int64, known bool) {
	extents := a.Extents
	for _, member := range a.Members {
		if array.Path == a.Name+member.Path+"[]" && len(member.Extents) == 1 {
			extents = []string{strconv.Itoa(member.Extents[0])}
		}
	}
	if len(extents) != 1 {
		return 0, false
	}
	count, err := strconv.ParseInt(extents[0], 10, 64)
	return count, err == nil
}

// bytesAt is the memory of all array arguments at the values: what their declarations say, or else
// what the region's references need.
func bytesAt(t *pipeline.Target, m *scop.Model, values map[string]int) (bytes int64, err error) {
	program := t.Unit.Program
	function := program.Function
	function.Arguments = slices.DeleteFunc(slices.Clone(function.Arguments), func(a scop.Argument) bool { return slices.Contains(a.Extents, "") })
	if bytes, err = function.Bytes(program, values); err != nil {
		return 0, err
	}
	for _, a := range program.Function.Data() {
		if !slices.Contains(a.Extents, "") {
			continue
		}
		arrays := program.ArraysOf(a.Name)
		for _, view := range program.Function.ViewsOf(a.Name) {
			arrays = append(arrays, program.ArraysOf(view.Variable)...)
		}
		for _, array := range arrays {
			if inner := dataOf(program, array); inner != nil && inner.Name != a.Name {
				continue
			}
			dimensions, size := len(array.Extents), array.Size
			if a.Members != nil && array.Path != "" {
				size = a.Size
				dimensions = len(a.Extents)
				if array.Linear && array.LinearAt < len(a.Extents) {
					dimensions = array.DimensionsOf(dimensions)
				}
			}
			count, err := m.ElementsAt(array, dimensions, program.ParameterValues(values))
			if err != nil {
				return 0, err
			}
			bytes += count * int64(size)
		}
	}
	return bytes, nil
}

// basesForThreads are values with which programs of few nested loops have enough to do for several
// threads, as transform.Options.Grain says, and whose squares are ints; nil for those of three
// loops and more, which the other values are enough for.
func basesForThreads(p *scop.Program) []int {
	depth := 0
	for i := range p.Statements {
		depth = max(depth, p.Statements[i].Depth())
	}
	return map[int][]int{1: {40009}, 2: {257}}[depth]
}

// greatest is the greatest value that a size's type is sure to hold, as far as
// that matters for small sizes.
func greatest(t *pipeline.Target, size string) int {
	function := t.Unit.Program.Function
	arguments := slices.Clone(function.Arguments)
	for _, v := range function.Variables {
		arguments = append(arguments, v.Argument)
	}
	for _, h := range function.Held {
		arguments = append(arguments, h.Argument)
	}
	for _, a := range arguments {
		switch {
		case a.Name != size:
		case a.Type == "_Bool":
			return 1
		case strings.HasSuffix(a.Type, "char"):
			return 127
		case strings.Contains(a.Type, "short") || strings.Contains(a.Type, "int16"):
			return 1<<15 - 1
		}
	}
	return 1 << 20
}

// firstInBounds tries sizes that begin with each of the bases in turn: growing from parameter to
// parameter, falling, and all equal; next are those from some on that keep what the program says.
func firstInBounds(parameters []string, greatest func(string) int, bases []int, next func(map[string]int) map[string]int, inBounds func(map[string]int) bool) map[string]int {
	for _, base := range bases {
		step := 14
		if base < 14 {
			step = 1
		}
		for _, slope := range []int{step, -step, 0} {
			sizes := map[string]int{}
			for k, name := range parameters {
				first := base
				if slope < 0 {
					first = base + step*(len(parameters)-1)
				}
				sizes[name] = min(first+slope*k, greatest(name))
			}
			if sizes = next(sizes); sizes != nil && inBounds(sizes) {
				return sizes
			}
		}
	}
	return nil
}

func sameSizes(sizes map[string]int) func(map[string]int) bool {
	return func(other map[string]int) bool {
		return pipeline.ParametersText(other) == pipeline.ParametersText(sizes)
	}
}
