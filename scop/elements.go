package scop

import (
	"fmt"
	"strings"

	"polytune/isl"
)

// Within are the elements of an array with some extents in C; known is false where these are no
// sums of parameters.
func (m *Model) Within(array string, extents []string) (all *isl.Set, known bool) {
	var names, conditions []string
	for d, extent := range extents {
		if _, err := ParseRow(extent, nil, m.Program.Parameters); err != nil {
			return nil, false
		}
		names = append(names, fmt.Sprint("tune_i", d))
		conditions = append(conditions, fmt.Sprintf("0 <= %s < %s", names[d], extent))
	}
	where := ""
	if len(conditions) > 0 {
		where = " : " + strings.Join(conditions, " and ")
	}
	return m.Context.ReadSet(fmt.Sprintf("%s{ %s[%s]%s }", m.Program.ParametersText(), array, strings.Join(names, ", "), where)), true
}

// Declared are the elements that an array has by its declaration; known is false where nobody says.
func (m *Model) Declared(name string) (all *isl.Set, known bool) {
	for _, e := range m.Program.Expansions {
		if e.Name == name {
			return nil, false
		}
	}
	array := m.Program.Array(name)
	if array == nil || array.Linear || array.Path != "" {
		return nil, false
	}
	return m.Within(name, array.Extents)
}

// There are the elements of an array that there certainly are: those that it has by its
// declaration, and others that the region reads, whatever the declaration says: of an array of n
// rows the second one, where n may be 1. known is false where nobody says what the array has.
func (m *Model) There(name string) (all *isl.Set, known bool) {
	declared, known := m.Declared(name)
	if !known {
		return nil, false
	}
	all = declared
	for s := range m.Statements {
		for k, access := range m.Statements[s].Statement.Accesses {
			if access.Array == name && access.Read && !access.May {
				read := m.Statements[s].Accesses[k].IntersectDomain(m.Statements[s].Domain).Range()
				all = all.Union(read.IntersectParams(m.Parameters).Subtract(declared))
			}
		}
	}
	return all.Coalesce(), true
}
