package frontend

import (
	"fmt"

	"modernc.org/cc/v4"
)

// Matrices are often arrays of pointers to their rows: double **a. Where pointers are known to lead
// to different memory, so are rows, and a[i][j] is an element of an array of two dimensions, which
// is reached through the pointers. The region cannot change these: it assigns no pointers.

// rowsConstruct is what errors about arrays of pointers are about: there is one for each array.
const rowsConstruct = "array of pointers"

// behindPointers is arrayShape of a variable or member on the way to v, with the dimensions of rows
// that pointers lead to.
func (x *extractor) behindPointers(v lvalue, t cc.Type) (element cc.Type, extents []string) {
	element, extents = x.arrayShape(t)
	for element.Kind() == cc.Ptr && x.areRowsApart(v) {
		var inner []string
		element, inner = x.arrayShape(element)
		extents = append(extents, inner...)
	}
	return element, extents
}

// hasPointedRows says whether v is an element of an array of pointers to rows.
func (x *extractor) hasPointedRows(v lvalue) bool {
	element, _ := x.arrayShape(v.variable.Type())
	return element.Kind() == cc.Ptr && x.areRowsApart(v)
}

// areRowsApart says whether pointers on the way to v lead to memory of their own: somebody says so,
// or v's variable is an array of pointers, such as double *a[3], that the region uses with constant
// numbers of rows only, which are taken to be different arrays, with a warning.
func (x *extractor) areRowsApart(v lvalue) bool {
	if x.bounds.noAlias {
		return true
	}
	if !x.isPointerList(v.variable) {
		return false
	}
	for _, w := range x.facts.accessed[v.variable] {
		if len(w.subscripts) < 2 || w.subscripts[0] == nil {
			return false
		}
		if _, ok := constantValue(w.subscripts[0]); !ok {
			return false
		}
	}
	warning := x.errorAt(v.variable, "pointer", fmt.Sprintf("the pointers in %s are taken to point to different arrays", v.variable.Name()),
		"say so by --assume-no-alias or #pragma scop "+assumeNoAlias)
	x.warnOnce(warning)
	return true
}

// isPointerList says whether a variable is declared as an array of so many pointers.
func (x *extractor) isPointerList(d *cc.Declarator) bool {
	element, extents := x.arrayShape(d.Type())
	return element.Kind() == cc.Ptr && len(extents) == 1 && extents[0] != ""
}

// rowsAdvice is what to do about an array of pointers of that name.
func rowsAdvice(name string, element cc.Type) string {
	of := typeName(element.(*cc.PointerType).Elem())
	return fmt.Sprintf("declare it as an array of arrays or as %s (*%s)[M]; say #pragma scop %s or --assume-no-alias if its rows are different arrays; or, where they are one behind the other, view them as an array in front of the region, as in %s (*rows)[m] = (void *) %s[0]",
		of, name, assumeNoAlias, of, name)
}
