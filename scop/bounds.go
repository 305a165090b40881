package scop

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"polytune/internal/pattern"
	"polytune/isl"
)

// AccessedExtents are the least extents that hold all elements an array's references touch: for
// each dimension, of which a linear array has one in C, the greatest subscript plus one, as a C
// expression over the program's parameters with the macros min, max and floord; 0 where nothing is
// touched. A dimension is "" when subscripts that depend on data leave it open, or when the extent
// depends on a parameter that known, which gets its C expression, refuses.
func (m *Model) AccessedExtents(array *Array, known func(parameter string) bool) ([]string, error) {
	touched := m.touchedOf(array)
	extents := make([]string, len(array.Extents))
	if touched == nil {
		return extents, nil
	}
	for d := range extents {
		var err error
		isKnown := func(parameter string) bool { return known(m.Program.Spelling(parameter)) }
		if extents[d], err = accessedExtent(touched, d, isKnown); err != nil {
			return nil, fmt.Errorf("the extent of %s: %w", array.Name, err)
		}
		extents[d] = m.Program.InC(extents[d])
	}
	if array.Linear {
		columns := make([]string, len(extents))
		if m.Program.Assumed != "" {
			copy(columns, extents)
		}
		rows := m.linearExtent(array, extents[array.LinearAt], columns, known)
		extents = slices.Concat(extents[:array.LinearAt], []string{rows}, extents[array.behindRows():])
	}
	return extents, m.Context.Err()
}

// touchedOf are the elements of an array that the statements touch, nil for none.
func (m *Model) touchedOf(array *Array) *isl.Set {
	var touched *isl.Set
	for i := range m.Statements {
		s := &m.Statements[i]
		for k := range s.Statement.Accesses {
			if s.Statement.Accesses[k].Array != array.Name {
				continue
			}
			elements := m.withinOpen(m.Touched(s, k), &s.Statement.Accesses[k])
			if touched != nil {
				elements = touched.Union(elements)
			}
			touched = elements
		}
	}
	return touched
}

// OpenExtent is the extent of a dimension that nothing but data bounds, where whoever chooses the
// data can see to it.
const OpenExtent = 512

// withinOpen are the elements with the open subscripts less than OpenExtent, if it is known how
// these depend on data, or else less than what bounds them by their own arithmetic.
func (m *Model) withinOpen(elements *isl.Set, access *Access) *isl.Set {
	below := OpenExtent
	if access.Datum.Factor == 0 {
		below = access.Datum.Below
	}
	if below == 0 {
		return elements
	}
	var names, conditions []string
	for d := range elements.Dim(isl.DimSet) {
		names = append(names, fmt.Sprintf("x%d", d))
		if bounded, err := elements.HasUpperBound(d); err == nil && !bounded {
			conditions = append(conditions, fmt.Sprintf("0 <= x%d < %d", d, below))
		}
	}
	if len(conditions) == 0 {
		return elements
	}
	return elements.Intersect(m.Context.ReadSet(fmt.Sprintf("{ %s[%s] : %s }", access.Array, strings.Join(names, ", "), strings.Join(conditions, " and "))))
}

// ElementsAt is the number of elements that the first dimensions of an array have room for when its
// extents are the least ones that hold all elements touched at the given values of the parameters,
// math.MaxInt32 for more. It is an error where subscripts that depend on data leave an extent open.
func (m *Model) ElementsAt(array *Array, dimensions int, values map[string]int) (int64, error) {
	start := m.Context.Mark()
	defer m.Context.Release(start)
	touched := m.touchedOf(array)
	if touched == nil {
		return 0, m.Context.Err()
	}
	touched = At(touched, values)
	if empty, err := touched.IsEmpty(); err != nil || empty {
		return 0, err
	}
	count := int64(1)
	for d := range dimensions {
		line := touched.ProjectOut(isl.DimSet, d+1, touched.Dim(isl.DimSet)-d-1).ProjectOut(isl.DimSet, 0, d)
		if bounded, err := line.HasUpperBound(0); err != nil || !bounded {
			return 0, errors.Join(err, fmt.Errorf("the subscripts of %s may be any", array.Name))
		}
		last, known := line.Lexmax().Point()
		if !known {
			return 0, errors.Join(m.Context.Err(), fmt.Errorf("the subscripts of %s are not known", array.Name))
		}
		if extent := max(0, last[0]+1, m.rowLengthAt(array, d, values)); extent == 0 || count <= math.MaxInt32/extent {
			count *= extent
		} else {
			count = math.MaxInt32
		}
	}
	return count, m.Context.Err()
}

// rowLengthAt is the length in C, at the parameters' values, of the rows that a dimension of a
// linear array has; 0 for others.
func (m *Model) rowLengthAt(array *Array, dimension int, values map[string]int) int64 {
	if !array.IsColumn(dimension) {
		return 0
	}
	length, err := evaluate(m.Program.inNames(array.Extents[dimension]), values)
	if err != nil || !length.IsInt64() {
		return 0
	}
	return length.Int64()
}

// Touched are the elements that a statement's reference, by its number, touches in the user's file,
// also with parameters that the program does not assume: the region is run as it is written then.
func (m *Model) Touched(s *StatementModel, reference int) *isl.Set {
	if m.Program.Assumed == "" {
		return s.Accesses[reference].Range()
	}
	return m.Context.ReadMap(s.Statement.Accesses[reference].Relation).IntersectDomain(m.Context.ReadSet(s.Statement.Domain)).Range()
}

// linearExtent is the extent in C of a linear array with so many rows. Those with columns that are
// not "" may be shorter than these, and run into each other.
func (m *Model) linearExtent(array *Array, rows string, columns []string, known func(parameter string) bool) string {
	if rows == "" {
		return ""
	}
	product := "(" + rows + ")"
	for d := array.LinearAt + 1; d < array.behindRows(); d++ {
		extent := array.Extents[d]
		for _, name := range identifierText.FindAllString(m.Program.inNames(extent), -1) {
			if !known(m.Program.Spelling(name)) {
				return ""
			}
		}
		if columns[d] != "" {
			extent = "max(" + extent + ", " + columns[d] + ")"
		}
		product += " * (" + extent + ")"
	}
	return product
}

// InC is the text of an expression of isl's over the parameters with their C
// expressions in the place of their names.
func (p *Program) InC(expression string) string {
	return identifierText.ReplaceAllStringFunc(expression, p.Spelling)
}

// inNames is the text of a C expression with the names of parameters in the place of what C calls
// them, where that is no name.
func (p *Program) inNames(expression string) string {
	spelled := slices.SortedFunc(maps.Keys(p.Spellings), func(a, b string) int { return len(p.Spellings[b]) - len(p.Spellings[a]) })
	for _, parameter := range spelled {
		expression = strings.ReplaceAll(expression, p.Spellings[parameter], parameter)
	}
	return expression
}

// identifierText finds the identifiers in an expression.
var identifierText = pattern.New(`[A-Za-z_][A-Za-z0-9_]*`)

// ParameterValues are values by parameter, from those by C expression.
func (p *Program) ParameterValues(values map[string]int) map[string]int {
	own := map[string]int{}
	values = p.Function.derive(values)
	for name, value := range values {
		if identifierText.FindString(name) == name && Representable(name) && p.Spelling(name) == name {
			own[name] = value
		}
	}
	for _, parameter := range p.Parameters {
		if value, ok := values[p.Spelling(parameter)]; ok {
			own[parameter] = value
		}
	}
	return own
}

// universeOf are all values of parameters, in isl's notation.
func universeOf(parameters []string) string {
	return fmt.Sprintf("[%s] -> { : }", strings.Join(parameters, ", "))
}

// accessedExtent is the least extent of a dimension that holds all elements, in the notation of isl's
// C; "" for none that parameters which are known would bound.
func accessedExtent(touched *isl.Set, dimension int, known func(string) bool) (string, error) {
	if bounded, err := touched.HasUpperBound(dimension); !bounded || err != nil {
		return "", err
	}
	extent := touched.DimMax(dimension).AddConstant(1).AtLeastZero()
	isKnown, err := involvesOnly(extent, known)
	if err != nil {
		return "", err
	}
	if !isKnown {
		touched = withoutParameters(touched, known)
		if bounded, err := touched.HasUpperBound(dimension); !bounded || err != nil {
			return "", err
		}
		extent = touched.DimMax(dimension).AddConstant(1).AtLeastZero()
	}
	// isl wants the parameters of the value in what expressions are built for, and no others.
	var parameters []string
	for k := range extent.Dim(isl.DimParam) {
		parameters = append(parameters, extent.DimName(isl.DimParam, k))
	}
	return isl.NewAstBuild(touched.Context().ReadSet(universeOf(parameters))).ExprFromPwAff(extent).String(), nil
}

// involvesOnly says whether a value depends on known parameters alone.
func involvesOnly(value *isl.PwAff, known func(string) bool) (bool, error) {
	for k := range value.Dim(isl.DimParam) {
		involved, err := value.InvolvesParameter(k)
		if err != nil || involved && !known(value.DimName(isl.DimParam, k)) {
			return false, err
		}
	}
	return true, nil
}

// withoutParameters is the set for any values of the parameters that are not known.
func withoutParameters(set *isl.Set, known func(string) bool) *isl.Set {
	for k := set.Dim(isl.DimParam) - 1; k >= 0; k-- {
		if !known(set.DimName(isl.DimParam, k)) {
			set = set.ProjectOut(isl.DimParam, k, 1)
		}
	}
	return set
}

// OpenSubscript is a dimension that some reference subscripts with a value that depends on data, so
// that it may be anything.
type OpenSubscript struct {
	// Array is the array's name.
	Array     string
	Dimension int
	Datum     Datum
}

// OpenSubscripts are those of all references, by the names of the arrays, each once.
func (m *Model) OpenSubscripts() (open []OpenSubscript, err error) {
	for i := range m.Statements {
		s := &m.Statements[i]
		for k := range s.Statement.Accesses {
			access := &s.Statement.Accesses[k]
			array := m.Program.Array(access.Array)
			if !access.May || array == nil {
				continue
			}
			elements := s.Accesses[k].Range()
			for d := range array.Extents {
				bounded, err := elements.HasUpperBound(d)
				if err != nil {
					return nil, fmt.Errorf("the subscripts of %s: %w", array.Name, err)
				}
				if found := (OpenSubscript{array.Name, d, Datum{Factor: access.Datum.Factor, Offset: access.Datum.Offset}}); !bounded && !slices.Contains(open, found) {
					open = append(open, found)
				}
			}
		}
	}
	slices.SortStableFunc(open, func(a, b OpenSubscript) int { return cmp.Compare(a.Array, b.Array) })
	return open, m.Context.Err()
}

// valuesText is the set of these parameter values in isl's notation.
func valuesText(values map[string]int) string {
	names := slices.Sorted(maps.Keys(values))
	conditions := make([]string, len(names))
	for k, name := range names {
		conditions[k] = fmt.Sprintf("%s = %d", name, values[name])
	}
	return fmt.Sprintf("[%s] -> { : %s }", strings.Join(names, ", "), strings.Join(conditions, " and "))
}

// At is the part of a set that there is at the parameters' values, without parameters. Those
// without a value may have any.
func At(set *isl.Set, values map[string]int) *isl.Set {
	set = set.IntersectParams(set.Context().ReadSet(valuesText(values)))
	return set.ProjectOut(isl.DimParam, 0, set.Dim(isl.DimParam))
}

// Contains says whether a set of parameter values has a point with the given
// ones. Parameters without a value may have any.
func Contains(set *isl.Set, values map[string]int) (bool, error) {
	ctx := set.Context()
	mark := ctx.Mark()
	defer ctx.Release(mark)
	empty, err := set.IntersectParams(ctx.ReadSet(valuesText(values))).IsEmpty()
	return !empty && err == nil, err
}
