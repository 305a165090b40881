package language

import (
	"fmt"
	"slices"
	"strings"

	"polytune/algorithm"
	"polytune/internal/pattern"
	"polytune/isl"
)

// sets reads the domains, and finds reads outside of them and before what they read.
func (f *function) sets(c *isl.Context) error {
	f.context = c.ReadSet(f.parameters() + "{ : " + strings.Join(f.atLeastOne(), " and ") + " }")
	for _, computation := range f.computations {
		f.readDomain(c, computation)
	}
	if err := f.problems.asError(); err != nil {
		return err
	}
	for _, v := range f.order {
		if err := f.shapeOf(c, v); err != nil {
			return err
		}
	}
	if err := f.problems.asError(); err != nil {
		return err
	}
	for _, computation := range f.computations {
		if err := f.checkReads(c, computation); err != nil {
			return err
		}
	}
	f.checkResult()
	for _, v := range f.order {
		if v.replaced != nil {
			if err := f.checkPlace(c, v); err != nil {
				return err
			}
		}
	}
	return f.problems.asError()
}

// parameters begins texts of isl's over sizes.
func (f *function) parameters() string { return "[" + strings.Join(f.Sizes, ", ") + "] -> " }

// atLeastOne are the conditions on sizes.
func (f *function) atLeastOne() []string {
	conditions := []string{"0 = 0"}
	for _, size := range f.Sizes {
		conditions = append(conditions, size+" >= 1")
	}
	return conditions
}

// domainText is all that may be in the conditions of a domain.
var domainText = pattern.New(`^[\w\s<>=!+*/%(),:-]*$`)

// aWord is a name in a domain.
var aWord = pattern.New(`[A-Za-z_]\w*`)

func (f *function) readDomain(c *isl.Context, of *computation) {
	conditions := strings.NewReplacer("&&", " and ", "||", " or ", "==", "=").Replace(of.Domain)
	if strings.TrimSpace(conditions) == "" {
		conditions = "0 = 0"
	}
	for _, name := range aWord.FindAllString(conditions, -1) {
		if !islWords[name] && !slices.Contains(of.Iterators, name) && !slices.Contains(f.Sizes, name) && !strings.Contains(conditions, "exists") {
			f.problems.add(of.At, "the domain of %s names %s, which is no iterator and no size; there are %s", of.statement, name, strings.Join(slices.Concat(of.Iterators, f.Sizes), " "))
			return
		}
	}
	if !domainText.MatchString(conditions) {
		f.problems.add(of.At, "the domain of %s, %q, has characters that no condition has; write 0 <= i < N and 0 <= j < M", of.statement, of.Domain)
		return
	}
	of.domain = c.ReadSet(fmt.Sprintf("%s{ %s[%s] : %s }", f.parameters(), of.statement, strings.Join(of.Iterators, ", "), conditions)).IntersectParams(f.context).Coalesce()
	if err := c.Err(); err != nil {
		f.problems.add(of.At, "the domain of %s, %q, cannot be read: %v; write 0 <= i < N and 0 <= j < M", of.statement, of.Domain, reason(err))
		return
	}
	for k, name := range of.Iterators {
		above, _ := of.domain.HasUpperBound(k)
		below, _ := of.domain.HasLowerBound(k)
		if !above || !below {
			f.problems.add(of.At, "the iterator %s of %s has no end; write 0 <= %s < N", name, of.statement, name)
		}
	}
}

// reason is what isl says, without places in isl.
func reason(err error) string {
	text, _, _ := strings.Cut(err.Error(), "\n")
	text, _, _ = strings.Cut(text, " (isl_")
	return text
}

// relation is the relation between the iterations of a computation and the elements that an
// expression names; subscripts that are not affine may have any value. nil where the conditions can
// never hold together.
func (f *function) relation(c *isl.Context, of *computation, element string, subscripts []algorithm.Expr, when []string) (m *isl.Map, exact []bool) {
	combinations := []piece{{}}
	var values []string
	exact = make([]bool, len(subscripts))
	for k, e := range subscripts {
		name := fmt.Sprintf("tune_%d", k)
		values = append(values, name)
		pieces := f.affine(e)
		if pieces == nil || len(pieces)*len(combinations) > mostPieces {
			continue
		}
		exact[k] = true
		var next []piece
		for _, before := range combinations {
			for _, p := range pieces {
				next = append(next, piece{when: slices.Concat(before.when, p.when, []string{name + " = " + p.value})})
			}
		}
		combinations = next
	}
	iterators := strings.Join(of.Iterators, ", ")
	for _, p := range combinations {
		conditions := strings.Join(slices.Concat([]string{"0 = 0"}, p.when, when), " and ")
		part := c.ReadMap(fmt.Sprintf("%s{ %s[%s] -> %s[%s] : %s }", f.parameters(), of.statement, iterators, element, strings.Join(values, ", "), conditions))
		if m == nil {
			m = part
		} else {
			m = m.Union(part)
		}
	}
	return m.IntersectDomain(of.domain), exact
}

// read is a value that an expression reads under affine conditions.
type read struct {
	algorithm.Expr
	when []string
}

// reads are the values with subscripts that a computation reads.
func (f *function) reads(of *computation) (list []read) {
	var when []string
	if of.where.Op != "" {
		list = f.readsOf(of.where, nil)
		when = f.known(nil, of.where)
	}
	for _, e := range of.Written {
		list = append(list, f.readsOf(e, when)...)
	}
	return append(list, f.readsOf(of.Value, when)...)
}

// known adds a condition to those that hold, where it is affine.
func (f *function) known(when []string, condition algorithm.Expr) []string {
	if text := f.condition(condition); text != "" {
		return append(slices.Clone(when), "("+text+")")
	}
	if condition.Op == "&&" {
		return f.known(f.known(when, condition.Args[0]), condition.Args[1])
	}
	return when
}

func (f *function) readsOf(e algorithm.Expr, when []string) (list []read) {
	if v := f.values[e.Text]; v != nil && (e.Op == algorithm.OpCall || e.Op == algorithm.OpName) && v.Kind != algorithm.KindConstant {
		list = append(list, read{e, when})
	}
	for k, a := range e.Args {
		inside := when
		switch {
		case e.Op == algorithm.OpSelect && k == 1, e.Op == "&&" && k == 1:
			inside = f.known(when, e.Args[0])
		case e.Op == algorithm.OpSelect && k == 2, e.Op == "||" && k == 1:
			inside = f.known(when, algorithm.Not(e.Args[0]))
		}
		list = append(list, f.readsOf(a, inside)...)
	}
	return list
}

// elements are those that a value has.
func (f *function) elements(c *isl.Context, v *value) *isl.Set {
	if v.made != nil {
		return v.made.domain.SetTupleName(v.Name)
	}
	names, conditions := f.box(v.Extents)
	return c.ReadSet(fmt.Sprintf("%s{ %s[%s] : %s }", f.parameters(), v.Name, strings.Join(names, ", "), conditions))
}

// box has the names of dimensions and the conditions of subscripts below extents, those that are
// affine.
func (f *function) box(extents []algorithm.Expr) (names []string, conditions string) {
	all := []string{"0 = 0"}
	for k, e := range extents {
		name := fmt.Sprintf("tune_%d", k)
		names = append(names, name)
		all = append(all, "0 <= "+name)
		if p := f.affine(e); len(p) == 1 {
			all = append(all, name+" < "+p[0].value)
		}
	}
	return names, strings.Join(all, " and ")
}

// checkReads notes the reads of a computation outside of what is read, and in front of it.
func (f *function) checkReads(c *isl.Context, of *computation) error {
	for _, r := range f.reads(of) {
		v := f.values[r.Text]
		m, exact := f.relation(c, of, v.Name, r.Args, r.when)
		elements := f.elements(c, v)
		for k, is := range exact {
			if !is {
				elements = elements.Eliminate(k, 1)
			}
		}
		outside := m.Subtract(of.domain.MapTo(elements))
		text, is, err := f.example(c, outside.Domain())
		if err != nil {
			return err
		}
		if is {
			what := "the domain of " + v.Name
			if v.made == nil {
				what = "the input " + v.Name
			}
			f.problems.add(f.place(of.At, r.Expr), "%s reads %v outside of %s: %s; make its domain smaller, or choose by select", of.statement, r.Expr, what, text)
			continue
		}
		if v.made != nil {
			if err := f.checkOrder(c, of, v, r, m); err != nil {
				return err
			}
		}
	}
	if of.Kind == algorithm.KindUpdate {
		return f.checkWritten(c, of)
	}
	return nil
}

// checkWritten notes what an update writes outside of the domain of what it updates, or in front of
// it.
func (f *function) checkWritten(c *isl.Context, of *computation) error {
	var when []string
	if of.where.Op != "" {
		when = f.known(nil, of.where)
	}
	m, exact := f.relation(c, of, of.of.Name, of.written(), when)
	elements := f.elements(c, of.of)
	for k, is := range exact {
		if !is {
			elements = elements.Eliminate(k, 1)
		}
	}
	text, is, err := f.example(c, m.Subtract(of.domain.MapTo(elements)).Domain())
	if err != nil {
		return err
	}
	if is {
		f.problems.add(of.At, "%s updates %v outside of the domain of %s: %s", of.statement, algorithm.Expr{Op: algorithm.OpCall, Text: of.of.Name, Args: of.written()}, of.of.Name, text)
		return nil
	}
	if of.of.made == nil {
		return nil
	}
	return f.checkOrder(c, of, of.of, read{Expr: algorithm.Expr{Op: algorithm.OpCall, Text: of.of.Name, Args: of.written()}}, m)
}

// time is the relation between the iterations of a computation and their times.
func (f *function) time(c *isl.Context, of *computation) *isl.Map {
	length := 2
	for _, other := range f.computations {
		length = max(length, 2+len(other.Iterators))
	}
	values := []string{fmt.Sprint(of.group)}
	values = append(values, of.Iterators[:of.shared]...)
	values = append(values, fmt.Sprint(of.member))
	values = append(values, of.Iterators[of.shared:]...)
	for len(values) < length {
		values = append(values, "0")
	}
	return c.ReadMap(fmt.Sprintf("{ %s[%s] -> [%s] }", of.statement, strings.Join(of.Iterators, ", "), strings.Join(values, ", "))).IntersectDomain(of.domain)
}

// later are the pairs of times of which the first is not before the second.
func later(c *isl.Context, length int) *isl.Map {
	var a, b []string
	for k := range length {
		a, b = append(a, fmt.Sprintf("a%d", k)), append(b, fmt.Sprintf("b%d", k))
	}
	var cases []string
	for k := range length {
		var equal []string
		for before := range k {
			equal = append(equal, a[before]+" = "+b[before])
		}
		cases = append(cases, strings.Join(append(equal, a[k]+" > "+b[k]), " and "))
	}
	var equal []string
	for k := range length {
		equal = append(equal, a[k]+" = "+b[k])
	}
	return c.ReadMap(fmt.Sprintf("{ [%s] -> [%s] : %s }", strings.Join(a, ", "), strings.Join(b, ", "), strings.Join(append(cases, strings.Join(equal, " and ")), " or ")))
}

// checkOrder notes a read of a value that is not there yet.
func (f *function) checkOrder(c *isl.Context, of *computation, v *value, r read, elements *isl.Map) error {
	reading, defining := f.time(c, of), f.time(c, v.made)
	times := elements.ApplyRange(defining.SetTupleName(isl.DimIn, v.Name))
	wrong := reading.ApplyRange(later(c, reading.Dim(isl.DimOut)).Reverse()).Intersect(times)
	text, is, err := f.example(c, wrong.Domain())
	if err != nil || !is {
		return err
	}
	advice := fmt.Sprintf("declare %s in front of %s", v.Name, of.statement)
	switch {
	case v.made == of:
		advice = "iterations are done in the order of the iterators; write those that it reads so that they come first"
	case slices.ContainsFunc(f.reads(v.made), func(r read) bool { return r.Text == of.of.Name }):
		advice = "both read each other, a cycle without an order: where each iteration of a loop does one after the other, write Together with its iterator"
	}
	f.problems.add(f.place(of.At, r.Expr), "%s reads %v before it is computed: %s; %s", of.statement, r.Expr, text, advice)
	return nil
}

// checkPlace notes a read of an input whose element has another value already.
func (f *function) checkPlace(c *isl.Context, input *value) error {
	writer := input.replaced.made
	for _, of := range f.computations {
		for _, r := range f.reads(of) {
			if r.Text != input.Name {
				continue
			}
			elements, _ := f.relation(c, of, input.replaced.Name, r.Args, r.when)
			writing, reading := f.time(c, writer), f.time(c, of)
			times := elements.ApplyRange(writing.SetTupleName(isl.DimIn, input.replaced.Name))
			after := later(c, reading.Dim(isl.DimOut))
			if of == writer {
				after = after.Subtract(c.ReadMap("{ [" + numbered(reading.Dim(isl.DimOut)) + "] -> [" + numbered(reading.Dim(isl.DimOut)) + "] }"))
			}
			text, is, err := f.example(c, reading.ApplyRange(after).Intersect(times).Domain())
			if err != nil {
				return err
			}
			if is {
				f.problems.add(f.place(of.At, r.Expr), "%s reads %v, whose place %s has taken by then (%v): %s; give %s an Output of its own", of.statement, r.Expr, writer.statement, input.replaced.place.At, text, writer.statement)
			}
		}
	}
	return nil
}

func numbered(count int) string {
	names := make([]string, count)
	for k := range names {
		names[k] = fmt.Sprintf("a%d", k)
	}
	return strings.Join(names, ", ")
}

// example is an iteration of a set and the sizes for which it is there, the small ones first.
func (f *function) example(c *isl.Context, set *isl.Set) (text string, is bool, err error) {
	if empty, err := set.IsEmpty(); err != nil || empty {
		return "", false, err
	}
	for _, most := range []int{2, 4, 8, 16, 64, 1 << 20} {
		conditions := []string{"0 = 0"}
		for _, size := range f.Sizes {
			conditions = append(conditions, fmt.Sprintf("%s <= %d", size, most))
		}
		small := set.IntersectParams(c.ReadSet(f.parameters() + "{ : " + strings.Join(conditions, " and ") + " }"))
		if empty, err := small.IsEmpty(); err != nil || empty && most < 1<<20 {
			if err != nil {
				return "", false, err
			}
			continue
		}
		if empty, _ := small.IsEmpty(); !empty {
			set = small
		}
		break
	}
	return exampleText(set.Sample().String()), true, c.Err()
}

// exampleText writes "[N, M] -> { by[i = 1, j = 0] : N = 3 and M = 3 }" for people.
func exampleText(text string) string {
	_, body, found := strings.Cut(text, "{")
	if !found {
		return text
	}
	instance, sizes, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(body), "}"), ":")
	instance = strings.TrimSpace(instance)
	if sizes = strings.TrimSpace(sizes); sizes == "" {
		return "for example " + instance
	}
	return "for example " + instance + " with " + sizes
}
