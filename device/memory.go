package device

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

// Array is an array of the program in the device's memory: its elements one behind the other, the last subscript running fastest.
type Array struct {
	*scop.Array
	// Extents are its dimensions, in C; none for a single element.
	Extents []string
	// In says that elements are copied to the device in front of the region, Out that they are copied back behind it.
	In, Out bool
	// Constant says that kernels have it in memory for constants.
	Constant bool
}

// ConstantName is the name of an array in memory for constants that a program declares.
func (a *Array) ConstantName() string { return "tune_constant_" + a.Name }

// ElementType is the C type of the array's elements.
func (a *Array) ElementType() string { return elementType(a.Array) }

// Count is the number of the array's elements, in C.
func (a *Array) Count() string { return strings.Join(append([]string{"1"}, a.Extents...), " * ") }

// Transfer is what is copied of an array.
type Transfer struct {
	Array string `json:"array"`
	In    bool   `json:"in"`
	Out   bool   `json:"out"`
}

// arraysOf are the arrays that a device needs for the program's statements, by their names: all but private variables, and variables that are only read, which
// kernels get as values.
func arraysOf(g *depend.Graph) (map[string]*Array, error) {
	program, all := g.Model.Program, map[string]*Array{}
	for i := range program.Arrays {
		array := &program.Arrays[i]
		isPrivate := slices.ContainsFunc(program.Privates(), func(p scop.Private) bool { return p.Name == array.Name })
		if isPrivate || len(array.Extents) == 0 && !isWritten(program, array.Name) {
			continue
		}
		extents, err := extentsOf(g.Model, array)
		if err != nil {
			return nil, err
		}
		a := &Array{Array: array, Extents: extents}
		if !array.Local {
			a.Out = isWritten(program, array.Name)
			if a.In, err = isNeeded(g, a); err != nil {
				return nil, err
			}
		}
		all[array.Name] = a
	}
	return all, nil
}

// isWritten says whether statements write an array.
func isWritten(program *scop.Program, array string) bool {
	return slices.ContainsFunc(program.Statements, func(s scop.Statement) bool {
		return slices.ContainsFunc(s.Accesses, func(a scop.Access) bool { return a.Array == array && a.Write })
	})
}

// extentsOf are the dimensions of an array in C. The outermost one of a pointer is as long as the region uses it.
func extentsOf(m *scop.Model, array *scop.Array) ([]string, error) {
	extents := slices.Clone(array.Extents)
	for d, extent := range extents {
		switch {
		case extent != "":
		case d > 0:
			return nil, fmt.Errorf("nobody knows how long the rows of %s are", array.Spelling())
		default:
			used, err := usedRows(m, array.Name)
			if err != nil {
				return nil, fmt.Errorf("nobody knows how long %s is: declare it with its extent, such as double %s[n]; %w", array.Spelling(), array.Spelling(), err)
			}
			extents[0] = used
		}
	}
	return extents, nil
}

// usedRows is one more than the largest first subscript of an array, in C.
func usedRows(m *scop.Model, array string) (string, error) {
	var all *isl.Set
	for i := range m.Statements {
		for k, access := range m.Statements[i].Statement.Accesses {
			if access.Array != array {
				continue
			}
			elements := m.Statements[i].Accesses[k].Range()
			if all == nil {
				all = elements
			} else {
				all = all.Union(elements)
			}
		}
	}
	if bounded, err := all.HasUpperBound(0); err != nil || !bounded {
		return "", fmt.Errorf("its largest subscript depends on data")
	}
	if negative, err := all.Intersect(m.Context.ReadSet(fmt.Sprintf("{ %s[%s] : i0 < 0 }", array, subscriptNames(all.Dim(isl.DimSet))))).IsEmpty(); err != nil || !negative {
		return "", fmt.Errorf("it has negative subscripts")
	}
	build := isl.NewAstBuild(m.Parameters)
	return newWords(m.Program).text(expressionOf(build.ExprFromPwAff(all.DimMax(0).Extended().AddConstant(1).AtLeastZero()))), m.Context.Err()
}

func subscriptNames(count int) string {
	names := make([]string, count)
	for k := range names {
		names[k] = fmt.Sprintf("i%d", k)
	}
	return strings.Join(names, ", ")
}

// isNeeded says whether the device needs elements of an array as they are in front of the region: some instance reads one that no instance has certainly written
// before, or not all elements are certainly written, so that those copied back would not be what they were.
func isNeeded(g *depend.Graph, a *Array) (bool, error) {
	for i := range g.Model.Statements {
		s := &g.Model.Statements[i]
		for k, access := range s.Statement.Accesses {
			if access.Array != a.Name || !access.Read {
				continue
			}
			first := s.Accesses[k].Domain()
			for _, d := range slices.Concat(g.Dependences, g.Relaxed) {
				if d.Kind == depend.RAW && d.Target == i && d.TargetAccess == k && !g.Model.Statements[d.Source].Statement.Accesses[d.SourceAccess].May {
					first = first.Subtract(d.Relation.Range())
				}
			}
			if none, err := first.IsEmpty(); err != nil || !none {
				return true, err
			}
		}
	}
	if !a.Out {
		return false, nil
	}
	whole, known := a.elements(g.Model)
	if !known {
		return true, nil
	}
	for i := range g.Model.Statements {
		s := &g.Model.Statements[i]
		for k, access := range s.Statement.Accesses {
			if access.Array == a.Name && access.Write && !access.May {
				whole = whole.Subtract(s.Accesses[k].Range())
			}
		}
	}
	none, err := whole.IntersectParams(g.Model.Parameters).IsEmpty()
	return !none, err
}

// elements are those of the array; known is false where its extents are no affine expressions.
func (a *Array) elements(m *scop.Model) (all *isl.Set, known bool) {
	var conditions []string
	for d, extent := range a.Extents {
		if _, err := scop.ParseRow(extent, nil, m.Program.Parameters); err != nil {
			return nil, false
		}
		conditions = append(conditions, fmt.Sprintf("0 <= i%d < %s", d, extent))
	}
	where := ""
	if len(conditions) > 0 {
		where = " : " + strings.Join(conditions, " and ")
	}
	return m.Context.ReadSet(fmt.Sprintf("%s{ %s[%s]%s }", m.Program.ParametersText(), a.Name, subscriptNames(len(a.Extents)), where)), true
}

// isNumber says whether an extent is a number.
func isNumber(extent string) bool {
	_, err := strconv.ParseUint(extent, 10, 62)
	return err == nil
}
