package language

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/algorithm"
	"polytune/isl"
)

// function is an algorithm whose names and types are right.
type function struct {
	*algorithm.Description
	problems Problems
	// values are what expressions can name, by name, and order are they as they are declared.
	values map[string]*value
	order  []*value
	// computations are what is done, in its order.
	computations []*computation
	externs      map[string]*algorithm.Declaration
	schedule     *algorithm.Declaration
	// files are those of the user's that messages have been about.
	files map[string]*goFile
	// context are the sizes that there are: at least 1.
	context *isl.Set
}

// value is an input, a constant, or what a computation makes.
type value struct {
	*algorithm.Declaration
	// made is the computation that defines it, nil for inputs and constants.
	made *computation
	// output and place are the Output and InPlace of it, nil for none; replaced is the value that
	// takes the place of an input, nil for none.
	output, place *algorithm.Declaration
	replaced      *value
	// updates is the number of updates.
	updates int
	// shape is that of its array.
	shape
}

// dimensions is the number of subscripts.
func (v *value) dimensions() int {
	if v.made != nil {
		return len(v.made.Iterators)
	}
	return len(v.Extents)
}

// isResult says whether the caller gets what becomes of the value: it is an output, takes the place of
// an input, or is an input that is updated.
func (v *value) isResult() bool {
	return v.output != nil || v.place != nil || v.made == nil && v.updates > 0
}

// computation is one that defines a value, or updates it.
type computation struct {
	*algorithm.Declaration
	// statement is the name that it has in recipes.
	statement string
	of        *value
	// where is the condition under which it is done, of no operation for always.
	where algorithm.Expr
	// group is the number of the computations that share loops, in front of shared iterators, and
	// member the number in that.
	group, member, shared int
	// domain has its iterations.
	domain *isl.Set
}

// written are the subscripts of what it writes.
func (c *computation) written() []algorithm.Expr {
	if c.Written != nil {
		return c.Written
	}
	list := make([]algorithm.Expr, c.of.dimensions())
	for k := range list {
		list[k] = algorithm.Name(c.Iterators[k])
	}
	return list
}

// check finds out what a description says, and everything that is wrong with it but sets.
func check(d *algorithm.Description) (*function, error) {
	f := &function{Description: d, values: map[string]*value{}, externs: map[string]*algorithm.Declaration{}}
	if why := badFunction(d.Name); why != "" {
		f.problems.add(d.At, "the function %q %s", d.Name, why)
	}
	for k, name := range d.Sizes {
		f.checkName(d.At, "the size", name)
		if slices.Contains(d.Sizes[:k], name) || name == d.Name {
			f.problems.add(d.At, "the name %s is there twice", name)
		}
	}
	for k := range d.Declarations {
		f.declare(&d.Declarations[k])
	}
	if err := f.problems.asError(); err != nil {
		return nil, err
	}
	if len(f.computations) == 0 {
		f.problems.add(d.At, "%s computes nothing; declare a Computation", d.Name)
	}
	for _, v := range f.order {
		f.checkValue(v)
	}
	for _, c := range f.computations {
		f.checkComputation(c)
	}
	return f, f.problems.asError()
}

// checkResult notes that nobody gets what is computed.
func (f *function) checkResult() {
	if !slices.ContainsFunc(f.order, (*value).isResult) {
		last := f.computations[len(f.computations)-1]
		f.problems.add(last.At, "nobody gets what %s computes; declare Output(%q, …)", f.Name, last.of.Name)
	}
}

func (f *function) checkName(at algorithm.Position, what, name string) {
	if why := badName(name); why != "" {
		f.problems.add(at, "%s %q %s", what, name, why)
	}
}

// declare takes one declaration.
func (f *function) declare(d *algorithm.Declaration) {
	if d.Problem != "" {
		f.problems.add(d.At, "%s", d.Problem)
		return
	}
	switch d.Kind {
	case algorithm.KindInput, algorithm.KindConstant:
		f.define(&value{Declaration: d})
	case algorithm.KindComputation:
		v := &value{Declaration: d}
		v.made = &computation{Declaration: d, statement: d.Name, of: v, group: len(f.computations)}
		f.define(v)
		f.computations = append(f.computations, v.made)
	case algorithm.KindUpdate:
		f.update(d)
	case algorithm.KindWhere:
		f.where(d)
	case algorithm.KindOutput:
		if v := f.computed(d, "Output"); v != nil && v.output == nil {
			v.output = d
		} else if v != nil {
			f.problems.add(d.At, "%s is an output already, by %v", d.Name, v.output.At)
		}
	case algorithm.KindInPlace:
		f.inPlace(d)
	case algorithm.KindExtern:
		f.extern(d)
	case algorithm.KindTogether:
		f.together(d)
	case algorithm.KindSchedule:
		if f.schedule != nil {
			f.problems.add(d.At, "there is a schedule already, by %v; a function has one", f.schedule.At)
		}
		f.schedule = d
	default:
		f.problems.add(d.At, "%q is no declaration that this tune knows; the program was built with another version of package algorithm", d.Kind)
	}
}

// define notes a new name.
func (f *function) define(v *value) {
	f.checkName(v.At, "the name", v.Name)
	if other := f.values[v.Name]; other != nil {
		f.problems.add(v.At, "%s is defined twice, first by %v; give it another name, or write Update for further values", v.Name, other.At)
		return
	}
	if slices.Contains(f.Sizes, v.Name) || v.Name == f.Name || f.externs[v.Name] != nil {
		f.problems.add(v.At, "the name %s is there twice", v.Name)
		return
	}
	if !isType(v.Type) {
		f.problems.add(v.At, "%q is no type; write algorithm.Float32 and its like", v.Type)
	}
	f.values[v.Name] = v
	f.order = append(f.order, v)
}

// computed is the computation that a declaration names, nil with a problem for none.
func (f *function) computed(d *algorithm.Declaration, method string) *value {
	v := f.values[d.Name]
	if v == nil || v.made == nil {
		f.problems.add(d.At, "%s(%q): there is no computation of that name in front of it%s", method, d.Name, f.those())
		return nil
	}
	return v
}

// those lists the computations.
func (f *function) those() string {
	var names []string
	for _, c := range f.computations {
		names = append(names, c.statement)
	}
	if len(names) == 0 {
		return ""
	}
	return "; there are " + strings.Join(names, " ")
}

func (f *function) update(d *algorithm.Declaration) {
	v := f.values[d.Name]
	if v == nil || v.Kind != algorithm.KindInput || len(v.Extents) == 0 {
		v = f.computed(d, "Update")
	}
	if v == nil {
		return
	}
	switch {
	case v.replaced != nil:
		f.problems.add(d.At, "%s takes the place of %s; update that", v.replaced.Name, d.Name)
	case d.Written == nil && len(d.Iterators) < v.dimensions():
		f.problems.add(d.At, "the update of %s has %d iterators, and %s has %d dimensions; write as many iterators first, or %s[i]: %s(…)",
			d.Name, len(d.Iterators), d.Name, v.dimensions(), d.Name, d.Name)
	case d.Written != nil && len(d.Written) != v.dimensions():
		f.problems.add(d.At, "%s has %d dimensions, and %d subscripts are written", d.Name, v.dimensions(), len(d.Written))
	}
	v.updates++
	c := &computation{Declaration: d, statement: fmt.Sprintf("%s_%d", d.Name, v.updates), of: v, group: len(f.computations)}
	f.computations = append(f.computations, c)
}

// named is the computation or update of that name, nil for none.
func (f *function) named(name string) *computation {
	for _, c := range f.computations {
		if c.statement == name {
			return c
		}
	}
	return nil
}

func (f *function) where(d *algorithm.Declaration) {
	c := f.named(d.Name)
	switch {
	case c == nil:
		f.problems.add(d.At, "Where(%q): there is no computation of that name in front of it%s", d.Name, f.those())
	case c.where.Op != "":
		f.problems.add(d.At, "%s has a condition already; join both by and", d.Name)
	default:
		c.where = d.Value
	}
}

func (f *function) inPlace(d *algorithm.Declaration) {
	v, input := f.computed(d, "InPlace"), f.values[d.Of]
	switch {
	case v == nil:
	case input == nil || input.Kind != algorithm.KindInput || len(input.Extents) == 0:
		f.problems.add(d.At, "InPlace(%q, %q): %s is no input with extents", d.Of, d.Name, d.Of)
	case input.replaced != nil:
		f.problems.add(d.At, "%s takes the place of %s already", input.replaced.Name, d.Of)
	case v.place != nil:
		f.problems.add(d.At, "%s takes the place of %s already", d.Name, v.place.Of)
	case input.Type != v.Type || len(input.Extents) != v.dimensions():
		f.problems.add(d.At, "%s is %s with %d subscripts, and %s is %s with %d; both have to be alike to share an array",
			d.Of, input.Type, len(input.Extents), d.Name, v.Type, v.dimensions())
	default:
		v.place, input.replaced = d, v
	}
}

func (f *function) extern(d *algorithm.Declaration) {
	f.checkName(d.At, "the function", d.Name)
	for _, t := range append(slices.Clone(d.Arguments), d.Type) {
		if !isType(t) {
			f.problems.add(d.At, "%q is no type", t)
		}
	}
	if header := strings.Trim(d.Header, "<>"); header == "" || strings.ContainsAny(header, "\"<>\n\\") {
		f.problems.add(d.At, "%q is no header; write \"act.h\", or \"<act.h>\" for one of the system", d.Header)
	}
	if f.externs[d.Name] != nil || f.values[d.Name] != nil {
		f.problems.add(d.At, "the name %s is there twice", d.Name)
	}
	f.externs[d.Name] = d
}

// together has computations share loops.
func (f *function) together(d *algorithm.Declaration) {
	first := -1
	for k, name := range d.Names {
		c := f.named(name)
		at := slices.Index(f.computations, c)
		switch {
		case c == nil:
			f.problems.add(d.At, "Together: there is no computation %s in front of it%s", name, f.those())
			return
		case k > 0 && at != first+k:
			f.problems.add(d.At, "Together: %s is not declared right behind %s", name, d.Names[k-1])
			return
		case c.shared > 0:
			f.problems.add(d.At, "Together: %s shares loops already", name)
			return
		}
		if k == 0 {
			first = at
		}
		shared := slices.Index(c.Iterators, d.Name) + 1
		if shared == 0 {
			f.problems.add(d.At, "Together: %s has no iterator %s", name, d.Name)
			return
		}
		if other := f.computations[first]; k > 0 && !slices.Equal(other.Iterators[:other.shared], c.Iterators[:shared]) {
			f.problems.add(d.At, "Together: %s and %s have other iterators down to %s; give them the same names", d.Names[0], name, d.Name)
			return
		}
		c.group, c.member, c.shared = first, k, shared
	}
}

// checkValue looks at extents and constants.
func (f *function) checkValue(v *value) {
	for _, extent := range v.Extents {
		f.checkExtent(v.At, v.Name, extent)
	}
	if v.output != nil {
		for _, extent := range v.output.Extents {
			f.checkExtent(v.output.At, v.Name, extent)
		}
		if v.place != nil {
			f.problems.add(v.output.At, "%s is in the array of %s; it needs no Output", v.Name, v.place.Of)
		} else if n := max(v.dimensions(), 1); len(v.output.Extents) != v.dimensions() {
			f.problems.add(v.output.At, "%s has %d dimensions, and its output %d extents", v.Name, n, len(v.output.Extents))
		}
	}
	if v.Kind == algorithm.KindConstant {
		scope := &scope{function: f, at: v.At, constant: true}
		if t := scope.typed(v.Value); t != "" {
			scope.assignable(v.Value, t, v.Type, v.Name)
		}
	}
}

// checkExtent has an extent be a number over sizes.
func (f *function) checkExtent(at algorithm.Position, name string, extent algorithm.Expr) {
	scope := &scope{function: f, at: at, extent: true}
	if t := scope.typed(extent); t != "" && !isInteger(t) {
		f.problems.add(at, "the extent %v of %s is no integer", extent, name)
	}
}

// checkComputation looks at iterators, types and names.
func (f *function) checkComputation(c *computation) {
	for k, name := range c.Iterators {
		f.checkName(c.At, "the iterator", name)
		if slices.Contains(c.Iterators[:k], name) || slices.Contains(f.Sizes, name) || f.values[name] != nil || f.externs[name] != nil || name == f.Name {
			f.problems.add(c.At, "the iterator %s of %s has the name of something else; give it another one", name, c.statement)
		}
	}
	if c.Kind == algorithm.KindUpdate && f.values[c.statement] != nil {
		f.problems.add(c.At, "the update is called %s, as the one of %v is; give that another name", c.statement, f.values[c.statement].At)
	}
	scope := &scope{function: f, at: c.At, iterators: c.Iterators}
	if t := scope.typed(c.Value); t != "" {
		scope.assignable(c.Value, t, c.of.Type, c.of.Name)
	}
	for _, e := range c.Written {
		if t := scope.typed(e); t != "" && !isInteger(t) {
			f.problems.add(c.At, "the subscript %v of %s is no integer", e, c.Name)
		}
	}
	if c.where.Op != "" {
		scope.typed(c.where)
		if c.Kind == algorithm.KindComputation && c.of.output == nil && c.of.place == nil {
			f.problems.add(c.At, "%s has no value where its condition does not hold; give it one everywhere first, and write Update with the condition, or select", c.Name)
		}
	}
}

// names are those of all values, sorted.
func (f *function) names() []string { return slices.Sorted(maps.Keys(f.values)) }
