package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"polytune/internal/usage"
	"polytune/runner"
	"polytune/scop"
)

// accessed are the extents that the region's references need of the arrays
// behind pointers, where the declarations leave them out, or give too little.
// An array that the region does not use gets one element, and the user is told.
// The given extents, by name, are the user's own.
func (t *target) accessed(given map[string][]string, w io.Writer) (map[string][]string, error) {
	function := t.region.Program.Function
	accessed := map[string][]string{}
	err := t.withModel(func(m *scop.Model) error {
		overrun := t.overrunArrays(m)
		for _, a := range function.Data() {
			override, isGiven := given[a.Name]
			switch {
			case !function.IsPointer(a.Name):
			case isGiven && len(override) != len(a.Extents):
				return usage.Mistake(fmt.Errorf("--extent %s needs %d expressions, one for each dimension", a.Name, len(a.Extents)))
			case isGiven, !slices.Contains(a.Extents, "") && !slices.ContainsFunc(t.region.Program.ArraysOf(a.Name), func(x *scop.Array) bool { return overrun[x] }):
			default:
				var err error
				if accessed[a.Name], err = t.accessedExtents(m, a, w); err != nil {
					return err
				}
			}
		}
		return t.unknownNames(given)
	})
	return accessed, err
}

// unknownNames refuses extents of what is no array behind a pointer.
func (t *target) unknownNames(given map[string][]string) error {
	for name := range given {
		if !t.region.Program.Function.IsPointer(name) {
			return usage.Mistake(fmt.Errorf("--extent: %s has no array argument and no pointer %q", t.region.Function, name))
		}
	}
	return nil
}

// accessedExtents are what the region's references need of an array where its
// declaration gives nothing, or too little.
func (t *target) accessedExtents(m *scop.Model, a scop.Argument, w io.Writer) ([]string, error) {
	arrays := t.region.Program.ArraysOf(a.Name)
	if len(arrays) == 0 {
		fmt.Fprintf(w, "tune: warning: %s: the region does not use %s, which gets one element; --extent %s=N gives it more\n", t.region.Function, a.Name, a.Name)
		return withDefault(a.Extents, "1"), nil
	}
	accessed, err := t.extentsOfAll(m, arrays, len(a.Extents))
	if err != nil {
		return nil, err
	}
	all := make([]string, len(a.Extents))
	for d, declared := range a.Extents {
		if declared == "" && accessed[d] == "" {
			return nil, t.unknownExtent(a.Name, d)
		}
		if declared == "" || d == 0 {
			all[d] = accessed[d]
		}
	}
	return all, nil
}

// extentsOfAll are the first extents that the references to any of the arrays
// need, which are the members of one array of structs; "" where one is open.
func (t *target) extentsOfAll(m *scop.Model, arrays []*scop.Array, count int) ([]string, error) {
	all := make([]string, count)
	for i, array := range arrays {
		accessed, err := m.AccessedExtents(array, t.isSize)
		if err != nil {
			return nil, err
		}
		for d := range all {
			switch {
			case i == 0:
				all[d] = accessed[d]
			case all[d] == "" || accessed[d] == "":
				all[d] = ""
			case all[d] != accessed[d]:
				all[d] = fmt.Sprintf("max(%s, %s)", all[d], accessed[d])
			}
		}
	}
	return all, nil
}

func withDefault(extents []string, value string) []string {
	all := slices.Clone(extents)
	for d := range all {
		if all[d] == "" {
			all[d] = value
		}
	}
	return all
}

func (t *target) isSize(name string) bool { return slices.Contains(t.parameters(), name) }

// unknownExtent names the first reference that leaves an extent open.
func (t *target) unknownExtent(array string, dimension int) error {
	place := t.file.Path
	for i := range t.region.Program.Statements {
		for _, a := range t.region.Program.Statements[i].Accesses {
			if a.Line > 0 && slices.Contains(t.region.Program.ArraysOf(array), t.region.Program.Array(a.Array)) {
				return fmt.Errorf("%s:%d:%d: how large %s is cannot be told from this subscript, which depends on data or on a local variable; declare the extent, as in double %s[n], or give it with --extent %s",
					place, a.Line, a.Column, array, array, exampleExtent(array, dimension))
			}
		}
	}
	return fmt.Errorf("the extent of %s is unknown; give it with --extent %s", array, exampleExtent(array, dimension))
}

func exampleExtent(array string, dimension int) string {
	return array + "=" + strings.Repeat("N,", dimension) + "N"
}

// withModel runs f on the target's polyhedral model in an isl context of its
// own.
func (t *target) withModel(f func(*scop.Model) error) error {
	ctx, _, end := limitedContext(context.Background(), attemptLimits.of(t.region.Program), nil)
	defer end()
	model, err := t.region.Program.Model(ctx)
	if err != nil {
		return err
	}
	return f(model)
}

// overruns are the references that leave their arrays for some values. A
// region for which they take too long to find is taken to have none: they are
// only warned of.
func (t *target) overruns(m *scop.Model) []scop.Overrun {
	var found []scop.Overrun
	var err error
	if exceeded := m.Context.Within(overrunOperations, func() { found, err = m.Overruns() }); exceeded || err != nil {
		m.Context.TakeErr()
		return nil
	}
	return found
}

// overrunOperations bounds isl's work for the search for overruns.
const overrunOperations = 2_000_000

// overrunArrays holds the arrays whose first dimension is overrun.
func (t *target) overrunArrays(m *scop.Model) map[*scop.Array]bool {
	arrays := map[*scop.Array]bool{}
	for _, o := range t.overruns(m) {
		if o.Dimension == 0 && !o.Below {
			arrays[t.region.Program.Array(o.Array)] = true
		}
	}
	return arrays
}

// warnOverruns tells of the references that leave their arrays at the given
// sizes, each place once.
func (t *target) warnOverruns(w io.Writer, sizes []map[string]int) error {
	return t.withModel(func(m *scop.Model) error {
		for _, values := range sizes {
			possible, err := scop.Contains(m.Parameters, t.region.Program.ParameterValues(values))
			if err != nil {
				return err
			}
			if !possible {
				fmt.Fprintf(w, "tune: warning: %s\n", t.outsideContext(values))
			}
		}
		seen := map[string]bool{}
		for _, o := range t.overruns(m) {
			for _, values := range sizes {
				subscript, happens, err := o.At(t.region.Program.ParameterValues(values))
				if err != nil {
					return err
				}
				text := t.overrunText(o, subscript, values)
				if place := fmt.Sprint(o.Line, o.Column, o.Dimension); happens && !seen[place] {
					seen[place] = true
					fmt.Fprintf(w, "tune: warning: %s\n", text)
				}
			}
		}
		return nil
	})
}

// outsideContext says why the region's model does not hold for sizes.
func (t *target) outsideContext(values map[string]int) string {
	program := t.region.Program
	if program.Assumed != "" {
		return fmt.Sprintf("%s: with %s the code runs the region as it is written: other code is only right for %s", t.region.Function, parametersText(values), program.Context)
	}
	return fmt.Sprintf("%s: the extents of its arrays do not allow %s: the region is taken to run only for %s", t.region.Function, parametersText(values), program.Context)
}

func (t *target) overrunText(o scop.Overrun, subscript int64, values map[string]int) string {
	limit := "but is declared with " + o.Extent + " elements there"
	if o.Below {
		limit = "which is in front of the array"
	}
	at := ""
	if len(values) > 0 {
		at = " at " + parametersText(values)
	}
	return fmt.Sprintf("%s:%d:%d: out of bounds%s: subscript %d of %s reaches %d, %s", t.file.Path, o.Line, o.Column, at, o.Dimension+1, t.region.Program.Array(o.Array).Spelling(), subscript, limit)
}

// isBehindPointer says that an array of the program lies behind a pointer, so
// that the driver allocates it.
func (t *target) isBehindPointer(array string) bool {
	program := t.region.Program
	return slices.ContainsFunc(program.Function.Data(), func(a scop.Argument) bool {
		return program.Function.IsPointer(a.Name) && slices.Contains(program.ArraysOf(a.Name), program.Array(array))
	})
}

// subscripts are the dimensions that the region subscripts with data, and the
// arrays whose integers may be such subscripts: those that it reads and does
// not write.
func (t *target) subscripts() (dimensions []runner.Subscript, indices []string, err error) {
	program := t.region.Program
	err = t.withModel(func(m *scop.Model) error {
		open, err := m.OpenSubscripts()
		for _, name := range sortedKeys(open) {
			for _, d := range open[name] {
				dimensions = append(dimensions, runner.Subscript{Array: cmp.Or(program.Array(name).Variable, name), Dimension: d})
			}
		}
		return err
	})
	if len(dimensions) == 0 {
		return nil, nil, err
	}
	written := map[string]bool{}
	for i := range program.Statements {
		for _, a := range program.Statements[i].Accesses {
			written[a.Array] = written[a.Array] || a.Write
		}
	}
	for i := range program.Arrays {
		if a := &program.Arrays[i]; !written[a.Name] {
			indices = append(indices, a.Spelling())
		}
	}
	return dimensions, indices, err
}
