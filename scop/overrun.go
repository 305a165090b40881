package scop

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
)

// Overrun is one dimension of a reference that leaves its array for some
// values of the parameters.
type Overrun struct {
	Array string
	// Line and Column are the place of the reference in the file, from 1.
	Line, Column int
	// Dimension is the subscript, from 0; Extent the array's, as declared.
	Dimension int
	Extent    string
	// Below says that the subscript becomes negative; otherwise it reaches
	// the extent.
	Below bool
	// When are the parameter values for which it happens.
	When *isl.Set
	// outside holds the elements outside of the array.
	outside *isl.Set
}

// Overruns are the references that certainly happen and leave what the array's declaration gives,
// also for parameter values that the context excludes. Extents that are not affine expressions of
// sizes are not looked at, nor are subscripts that depend on data.
func (m *Model) Overruns() ([]Overrun, error) {
	var found []Overrun
	for i := range m.Statements {
		s := &m.Statements[i]
		for k := range s.Statement.Accesses {
			access := &s.Statement.Accesses[k]
			array := m.Program.Array(access.Array)
			if access.May || array == nil {
				continue
			}
			elements := m.Context.ReadMap(access.Relation).IntersectDomain(m.Context.ReadSet(s.Statement.Domain)).Range()
			for d := range array.Extents {
				if array.IsColumn(d) && m.Program.Assumed != "" {
					// The code asks whether rows are long enough.
					continue
				}
				more, err := m.overrunsOf(array, access, elements, d)
				if err != nil {
					return nil, fmt.Errorf("the bounds of %s: %w", array.Name, err)
				}
				found = append(found, more...)
			}
		}
	}
	return found, m.Context.Err()
}

// overrunsOf looks at one dimension of a reference.
func (m *Model) overrunsOf(array *Array, access *Access, elements *isl.Set, dimension int) ([]Overrun, error) {
	var found []Overrun
	for _, below := range []bool{true, false} {
		condition := outsideName + " < 0"
		if !below {
			condition = outsideName + " >= " + array.Extents[dimension]
		}
		if !below && !m.Program.isAffineText(array.Extents[dimension]) {
			continue
		}
		limit := m.Context.ReadSet(m.outsideText(array, dimension, condition))
		if m.Context.TakeErr() != nil {
			continue
		}
		outside := elements.Intersect(limit).Coalesce()
		if empty, err := outside.IsEmpty(); empty || err != nil {
			if err != nil {
				return nil, err
			}
			continue
		}
		found = append(found, Overrun{Array: array.Name, Line: access.Line, Column: access.Column, Dimension: dimension,
			Extent: array.Extents[dimension], Below: below, When: outside.Params(), outside: outside})
	}
	return found, nil
}

// outsideName is the subscript in a condition of outsideText. It begins the
// names of the others, and must not be that of a size.
const outsideName = "tune_subscript"

// outsideText is the set of an array's elements whose subscript outsideName of
// one dimension meets the condition. The sizes of the function may occur in it.
func (m *Model) outsideText(array *Array, dimension int, condition string) string {
	names := slices.Clone(m.Program.Parameters)
	for _, a := range m.Program.Function.Arguments {
		if a.Role == Size && Representable(a.Name) && !slices.Contains(names, a.Name) {
			names = append(names, a.Name)
		}
	}
	subscripts := make([]string, len(array.Extents))
	for d := range subscripts {
		subscripts[d] = fmt.Sprintf("%s%d", outsideName, d)
	}
	subscripts[dimension] = outsideName
	return fmt.Sprintf("[%s] -> { %s[%s] : %s }", strings.Join(names, ", "), array.Name, strings.Join(subscripts, ", "), condition)
}

// isAffineText says that an extent's C text means the same to isl, whose
// division is exact, and that it is there.
func (p *Program) isAffineText(extent string) bool {
	return extent != "" && !strings.ContainsAny(extent, "/%<>=?&|~^!\"'[]{}.;:")
}

// CanHappen says whether the overrun happens at the given values for some of the values between two
// numbers of the parameters without one.
func (o Overrun) CanHappen(values map[string]int, low, high int) (bool, error) {
	ctx := o.When.Context()
	mark := ctx.Mark()
	defer ctx.Release(mark)
	when := o.When.IntersectParams(ctx.ReadSet(valuesText(values)))
	for k := range when.Dim(isl.DimParam) {
		if name := when.DimName(isl.DimParam, k); !hasKey(values, name) {
			when = when.IntersectParams(ctx.ReadSet(fmt.Sprintf("[%s] -> { : %d <= %s <= %d }", name, low, name, high)))
		}
	}
	empty, err := when.IsEmpty()
	return !empty && err == nil, err
}

// At says whether the overrun happens at the given values, and which subscript
// is the farthest outside, 0 where there is none such. Parameters without a
// value have one that nobody knows: then it must happen for all.
func (o Overrun) At(values map[string]int) (subscript int64, happens bool, err error) {
	ctx := o.outside.Context()
	mark := ctx.Mark()
	defer ctx.Release(mark)
	outside := o.outside.IntersectParams(ctx.ReadSet(valuesText(values)))
	if certain, err := holdsForAll(outside.Params(), values); !certain || err != nil {
		return 0, false, err
	}
	others := outside.Dim(isl.DimSet) - o.Dimension - 1
	line := outside.ProjectOut(isl.DimSet, o.Dimension+1, others).ProjectOut(isl.DimSet, 0, o.Dimension)
	line = line.ProjectOut(isl.DimParam, 0, line.Dim(isl.DimParam))
	farthest, bounded := line.Lexmax, line.HasUpperBound
	if o.Below {
		farthest, bounded = line.Lexmin, line.HasLowerBound
	}
	empty, err := line.IsEmpty()
	if err != nil || empty {
		return 0, false, err
	}
	if ok, err := bounded(0); err != nil || !ok {
		return 0, true, err
	}
	point, ok := farthest().Point()
	if err := ctx.Err(); err != nil || !ok {
		return 0, ok, err
	}
	return point[0], true, nil
}

// holdsForAll says whether a set of parameter values, those without a name in
// values left free, is not empty and holds all values of the free ones.
func holdsForAll(set *isl.Set, values map[string]int) (bool, error) {
	var free []string
	for k := set.Dim(isl.DimParam) - 1; k >= 0; k-- {
		if name := set.DimName(isl.DimParam, k); hasKey(values, name) {
			set = set.ProjectOut(isl.DimParam, k, 1)
		} else {
			free = append(free, name)
		}
	}
	return set.Context().ReadSet(fmt.Sprintf("[%s] -> { : }", strings.Join(free, ", "))).IsSubset(set)
}

func hasKey(values map[string]int, name string) bool {
	_, ok := values[name]
	return ok
}
