package scop

import (
	"fmt"
	"slices"
	"strings"
)

// Array is an array or, with no extents, a scalar. Each member of a struct
// that the region accesses by itself is an array of its own: p[i].v is the
// element i of an array p_v.
type Array struct {
	// Name is unique in the program and one that isl can read. It is the name
	// of the C variable unless isl cannot hold that, or the array is a member.
	Name string
	// Variable is the C variable that holds the elements; "" means Name.
	Variable string
	// Path is how C writes an element, with [] in the place of each
	// subscript, such as "p[].pos.x" or "s[].u[][]" for s->u[i][j]; ""
	// means the variable with its subscripts behind it.
	Path string
	// Linear says that in C the array has one subscript, which counts rows: the
	// element [i][j] of extents "" and "m" is p[i * m + j]. All references stay in their rows.
	Linear bool
	// LinearAt is the dimension of a linear array whose one subscript in C counts rows. The lengths of
	// these are the extents behind it, and then come those of further subscripts in C.
	LinearAt int
	// Rows is the name that the statements' texts have for a linear array's rows, so that they
	// write p_rows[i][j] for that element; code with these texts defines it. References whose
	// subscripts the model does not know name the variable. It is "" where all do.
	Rows string
	// Type is the C type of one element.
	Type string
	// Size is the number of bytes of one element.
	Size int
	// Extents are C expressions, outermost first; "" where unknown.
	Extents []string
	// Span is a C expression for the number of elements, or rows, up to the last one that updates
	// which data decide touch, where the outermost extent is unknown; "" where nothing says it.
	Span string
	// Passed is a C expression for the number of elements of the arrays that all calls of the
	// function pass for this one, where its extent is unknown and data decide which elements are
	// written; "" where nothing says it.
	Passed string
	// Local says that the array is declared inside the region, so that its
	// contents are dead before and after it.
	Local bool
	// Argument says that the array is an argument of the function.
	Argument bool
	// Elsewhere says that the elements may be parts of another variable, to which a pointer leads.
	Elsewhere bool
	// Renamable says that the mentions of the statements are all places of their texts
	// that name the array, and that nothing else in the region leads to its elements.
	Renamable bool
	// Temporary says that the array is renamable, and that nothing looks at its contents
	// after the region or leads to its elements.
	Temporary bool
	// Members are the numbers in an element whose type is a struct; nil for
	// other types, and where they cannot be told apart.
	Members []Member
}

// Spelling is the array as people who know the C source would name it:
// "p.v" for the elements p[i].v.
func (a *Array) Spelling() string { return strings.ReplaceAll(a.path(), "[]", "") }

// Element is the C text of the element with these subscripts. With fewer
// subscripts than extents it is the array that the next one belongs to.
func (a *Array) Element(subscripts []string) string {
	text := a.path()
	for _, s := range subscripts {
		text = strings.Replace(text, "[]", "["+s+"]", 1)
	}
	text, _, _ = strings.Cut(text, "[]")
	return text
}

// Reference is Element in C: the one subscript of a linear array is computed.
func (a *Array) Reference(subscripts []string) string {
	if !a.Linear || len(subscripts) < len(a.Extents) {
		return a.Element(subscripts)
	}
	index := subscripts[a.LinearAt]
	for d := a.LinearAt + 1; d < a.behindRows(); d++ {
		index = fmt.Sprintf("(%s) * (%s) + %s", index, a.Extents[d], subscripts[d])
	}
	if a.Path != "" {
		return a.Element(slices.Concat(subscripts[:a.LinearAt], []string{index}, subscripts[a.behindRows():]))
	}
	return fmt.Sprintf("%s[%s]", a.Variable, index)
}

// behindRows is the first dimension of a linear array behind those of its rows.
func (a *Array) behindRows() int {
	return a.LinearAt + 1 + len(a.Extents) - max(1, strings.Count(a.Path, "[]"))
}

// IsColumn says whether a dimension counts what is in the rows of a linear array.
func (a *Array) IsColumn(dimension int) bool {
	return a.Linear && dimension > a.LinearAt && dimension < a.behindRows()
}

// ExtentsInC are the extents without those of the rows of a linear array.
func (a *Array) ExtentsInC() []string {
	if !a.Linear {
		return a.Extents
	}
	return slices.Concat(a.Extents[:a.LinearAt+1], a.Extents[a.behindRows():])
}

// DimensionsOf is how many dimensions a linear array has for its first ones in C, no fewer than
// these and the one that counts rows.
func (a *Array) DimensionsOf(inC int) int { return a.behindRows() - a.LinearAt - 1 + inC }

func (a *Array) path() string {
	if a.Path != "" {
		return a.Path
	}
	name := a.Variable
	if name == "" {
		name = a.Name
	}
	return name + strings.Repeat("[]", len(a.Extents))
}

// InTexts is the word by which the statements' texts name the array where all of its subscripts
// follow; "" where nothing is known of that.
func (a *Array) InTexts() string {
	switch {
	case a.Linear:
		return a.Rows
	case a.Variable == "":
		return a.Name
	}
	return a.Variable
}
