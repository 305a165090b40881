package harness

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"

	"polytune/frontend"
	"polytune/internal/pattern"
	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/pipeline/limit"
	"polytune/runner"
	"polytune/scop"
)

// accessed are the extents that the region's references need of the arrays
// behind pointers, where the declarations leave them out, or give too little.
// An array that the region does not use gets one element, and the user is told.
// The given extents, by name, are the user's own.
func accessed(t *pipeline.Target, given map[string][]string, w io.Writer) (map[string][]string, error) {
	function := t.Unit.Program.Function
	accessed := map[string][]string{}
	err := withModel(t, func(m *scop.Model) error {
		overrun := overrunArrays(t, m)
		for _, a := range function.Data() {
			override, isGiven := given[a.Name]
			switch {
			case !function.IsPointer(a.Name):
			case isGiven && len(override) != len(a.Extents):
				return usage.Mistake(fmt.Errorf("--extent %s needs %d expressions, one for each dimension", a.Name, len(a.Extents)))
			case isGiven, !slices.Contains(a.Extents, "") && !slices.ContainsFunc(t.Unit.Program.ArraysOf(a.Name), func(x *scop.Array) bool { return overrun[x] }):
			default:
				var err error
				if accessed[a.Name], err = accessedExtents(t, m, a, w); err != nil {
					return err
				}
			}
		}
		return unknownNames(t, given)
	})
	return accessed, err
}

// unknownNames refuses extents of what is no array behind a pointer, of the region's function or of
// another one in the file that has regions.
func unknownNames(t *pipeline.Target, given map[string][]string) error {
	for name := range given {
		isPointer := func(r frontend.Region) bool { return r.Program != nil && r.Program.Function.IsPointer(name) }
		if !t.Unit.Program.Function.IsPointer(name) && (t.File == nil || !slices.ContainsFunc(t.File.Regions, isPointer)) {
			return usage.Mistake(fmt.Errorf("--extent: %s has no array argument and no pointer %q", t.Region.Function, name))
		}
	}
	return nil
}

// accessedExtents are what the region's references need of an array where its
// declaration gives nothing, or too little.
func accessedExtents(t *pipeline.Target, m *scop.Model, a scop.Argument, w io.Writer) ([]string, error) {
	arrays, views := t.Unit.Program.ArraysOf(a.Name), t.Unit.Program.Function.ViewsOf(a.Name)
	views = slices.DeleteFunc(views, func(v scop.View) bool { return len(t.Unit.Program.ArraysOf(v.Variable)) == 0 })
	parameters := elementsOfParameters(t.Unit.Program, a)
	if t.Unit.Program.Function.HoldsIn(a.Name) {
		parameters = slices.Repeat([]int{1}, len(a.Extents))
	}
	if len(arrays) == 0 && len(views) == 0 {
		if parameters == nil {
			fmt.Fprintf(w, "tune: warning: %s: the region does not use %s, which gets one element; --extent %s=N gives it more\n", t.Region.Function, a.Name, a.Name)
		}
		return withAtLeast(withDefault(a.Extents, "1"), parameters), nil
	}
	accessed, err := extentsOfAll(t, m, a.Name, arrays, len(a.Extents))
	if err != nil {
		return nil, err
	}
	for _, view := range views {
		elements, err := elementsInView(t, m, a, view)
		switch {
		case err != nil:
			return nil, err
		case elements == "":
			return nil, unknownView(t, a, view)
		case accessed[0] != "":
			elements = fmt.Sprintf("max(%s, %s)", accessed[0], elements)
		}
		accessed[0] = elements
	}
	all := make([]string, len(a.Extents))
	for d, declared := range a.Extents {
		if declared == "" && accessed[d] == "" {
			return nil, unknownExtent(t, a)
		}
		if declared == "" || d == 0 {
			all[d] = accessed[d]
		}
	}
	return withAtLeast(all, parameters), nil
}

// elementsInView is how many first elements of an argument the references through a view of it
// need; "" where that is open.
func elementsInView(t *pipeline.Target, m *scop.Model, a scop.Argument, view scop.View) (string, error) {
	arrays := t.Unit.Program.ArraysOf(view.Variable)
	inside := view.Size
	var declared []string
	for _, array := range arrays {
		if array.Linear || array.Path == "" {
			declared = array.ExtentsInC()
		}
	}
	accessed, err := extentsOfAll(t, m, view.Variable, arrays, max(1, len(declared)))
	if err != nil || accessed[0] == "" || view.OfSize == 0 {
		return "", err
	}
	bytes := fmt.Sprintf("(%s) * %d", accessed[0], inside)
	for _, extent := range declared[min(1, len(declared)):] {
		bytes += " * (" + extent + ")"
	}
	row := fmt.Sprint(view.OfSize)
	for _, extent := range a.Extents[1:] {
		row += " * (" + extent + ")"
	}
	for _, name := range identifiers.FindAllString(bytes+row+view.Offset, -1) {
		if !isSize(t, name) && !slices.Contains([]string{"min", "max", "floord"}, name) {
			return "", nil
		}
	}
	return fmt.Sprintf("(%s + (%s) * %d + %s - 1) / (%s)", bytes, view.Offset, view.OfSize, row, row), nil
}

// identifiers finds the names in an expression.
var identifiers = pattern.New(`[A-Za-z_][A-Za-z0-9_]*`)

// unknownView says that the memory behind a view of an argument cannot be told.
func unknownView(t *pipeline.Target, a scop.Argument, view scop.View) error {
	return fmt.Errorf("%s: how large %s is cannot be told from the references to %s, which leads into it; give it with --extent %s",
		t.File.Path, a.Name, view.Variable, exampleExtent(a))
}

// extentsOfAll are the first extents of named data that the references to any of the arrays
// need, which are the members of one array of structs; "" where one is open.
func extentsOfAll(t *pipeline.Target, m *scop.Model, name string, arrays []*scop.Array, count int) ([]string, error) {
	all := make([]string, count)
	for i, array := range arrays {
		accessed, err := m.AccessedExtents(array, func(name string) bool { return isSize(t, name) })
		if err != nil {
			return nil, err
		}
		accessed = accessed[array.DimensionsBefore(name):]
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

func isSize(t *pipeline.Target, name string) bool {
	return slices.Contains(t.Parameters(), name) || t.Unit.Program.Function.IsDerived(name)
}

// unknownExtent names the first reference that leaves an extent of an argument open.
func unknownExtent(t *pipeline.Target, argument scop.Argument) error {
	place, array := t.File.Path, argument.Name
	advice := fmt.Sprintf("declare the extent, as in %s %s[n], or give it with --extent %s", argument.Type, array, exampleExtent(argument))
	if len(argument.Extents) > 1 {
		advice = "give the extents with --extent " + exampleExtent(argument)
	}
	for i := range t.Unit.Program.Statements {
		s := &t.Unit.Program.Statements[i]
		for _, a := range s.Accesses {
			if a.Line > 0 && slices.Contains(t.Unit.Program.ArraysOf(array), t.Unit.Program.Array(a.Array)) {
				cause := "whose value is no sum of iterators and sizes, or is up to data or to a function that gets the pointer"
				if unset := unsetParameters(t, s, &a); len(unset) > 0 {
					cause = fmt.Sprintf("which depends on %s: the driver gives that small numbers, if %s_init does not set it", strings.Join(unset, " and "), t.Region.Function)
				}
				return fmt.Errorf("%s:%d:%d: how large %s is cannot be told from this subscript, %s; %s", place, a.Line, a.Column, array, cause, advice)
			}
		}
	}
	return fmt.Errorf("the extent of %s is unknown; give it with --extent %s", array, exampleExtent(argument))
}

// unsetParameters are the members and elements that a reference of a statement depends on, and that
// are no sizes which a caller sets.
func unsetParameters(t *pipeline.Target, s *scop.Statement, a *scop.Access) (unset []string) {
	program := t.Unit.Program
	_, domain, _ := strings.Cut(s.Domain, "->")
	_, relation, _ := strings.Cut(a.Relation, "->")
	mentioned := identifiers.FindAllString(domain+relation, -1)
	for _, name := range program.Parameters {
		spelling := program.Spelling(name)
		if !isSize(t, spelling) && spelling != name && (slices.Contains(mentioned, name) || slices.Contains(program.Array(a.Array).Extents, spelling)) {
			unset = append(unset, spelling)
		}
	}
	return unset
}

func exampleExtent(a scop.Argument) string {
	return a.Name + "=" + strings.Join(slices.Repeat([]string{"N"}, len(a.Extents)), ",")
}

// withModel runs f on the target's polyhedral model in an isl context of its
// own.
func withModel(t *pipeline.Target, f func(*scop.Model) error) error {
	ctx, _, end := limit.Context(context.Background(), limit.Attempt.Of(t.Unit.Program), nil)
	defer end()
	model, err := t.Unit.Program.Model(ctx)
	if err != nil {
		return err
	}
	return f(model)
}

// overruns are the references that leave their arrays for some values. A
// region for which they take too long to find is taken to have none: they are
// only warned of.
func overruns(t *pipeline.Target, m *scop.Model) []scop.Overrun {
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
func overrunArrays(t *pipeline.Target, m *scop.Model) map[*scop.Array]bool {
	arrays := map[*scop.Array]bool{}
	for _, o := range overruns(t, m) {
		if o.Dimension == 0 && !o.Below {
			arrays[t.Unit.Program.Array(o.Array)] = true
		}
	}
	return arrays
}

// WarnOverruns tells of the references that leave their arrays at the given
// sizes, each place once.
func WarnOverruns(t *pipeline.Target, w io.Writer, sizes []map[string]int) error {
	return withModel(t, func(m *scop.Model) error {
		for _, values := range sizes {
			possible, err := scop.Contains(m.Parameters, t.Unit.Program.ParameterValues(values))
			if err != nil {
				return err
			}
			if !possible {
				fmt.Fprintf(w, "tune: warning: %s\n", outsideContext(t, values))
			}
		}
		promise := promiseOf(t.Unit.Program, m)
		for _, values := range sizes {
			if !promise.isKept(values) {
				fmt.Fprintf(w, "tune: warning: %s: the program says that %s cannot be: it is taken to run only for %s\n",
					t.Region.Function, pipeline.ParametersText(values), t.Unit.Program.Promised)
			}
		}
		seen := map[string]bool{}
		for _, o := range overruns(t, m) {
			for _, values := range sizes {
				subscript, happens, err := o.At(t.Unit.Program.ParameterValues(values))
				if err != nil {
					return err
				}
				text := overrunText(t, o, subscript, values)
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
func outsideContext(t *pipeline.Target, values map[string]int) string {
	program := t.Unit.Program
	if program.Assumed != "" {
		return fmt.Sprintf("%s: with %s the code runs the region as it is written: other code is only right for %s", t.Region.Function, pipeline.ParametersText(values), program.Context)
	}
	return fmt.Sprintf("%s: the extents of its arrays do not allow %s: the region is taken to run only for %s", t.Region.Function, pipeline.ParametersText(values), program.Context)
}

func overrunText(t *pipeline.Target, o scop.Overrun, subscript int64, values map[string]int) string {
	limit := "but is declared with " + o.Extent + " elements there"
	if o.Below {
		limit = "which is in front of the array"
	}
	at := ""
	if len(values) > 0 {
		at = " at " + pipeline.ParametersText(values)
	}
	return fmt.Sprintf("%s:%d:%d: out of bounds%s: subscript %d of %s reaches %d, %s", t.File.Path, o.Line, o.Column, at, o.Dimension+1, t.Unit.Program.Array(o.Array).Spelling(), subscript, limit)
}

// isBehindPointer says that an array of the program lies behind a pointer, so
// that the driver allocates it.
func isBehindPointer(t *pipeline.Target, array string) bool {
	program := t.Unit.Program
	return slices.ContainsFunc(program.Function.Data(), func(a scop.Argument) bool {
		return program.Function.IsPointer(a.Name) && slices.Contains(program.ArraysOf(a.Name), program.Array(array))
	})
}

// subscriptOf is a dimension of an array as one of the data that the array is part of.
func subscriptOf(program *scop.Program, o scop.OpenSubscript) runner.Subscript {
	array, name := program.Array(o.Array), o.Array
	if a := dataOf(program, array); a != nil {
		name = a.Name
	}
	return runner.Subscript{Array: name, Dimension: o.Dimension - array.DimensionsBefore(name), Factor: max(1, o.Datum.Factor), Offset: o.Datum.Offset}
}

// subscripts are the dimensions that the region subscripts with data, and the
// arrays whose integers may be such subscripts: those that it reads and does
// not write.
func subscripts(t *pipeline.Target) (dimensions []runner.Subscript, indices []string, err error) {
	program := t.Unit.Program
	err = withModel(t, func(m *scop.Model) error {
		open, err := m.OpenSubscripts()
		for _, o := range open {
			dimensions = append(dimensions, subscriptOf(program, o))
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
