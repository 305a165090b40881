package codegen

import (
	"fmt"
	"strings"

	"polytune/scop"
)

// defineRows defines the names that the statements' texts have for the rows of arrays with one
// subscript:
//
//	#define a_rows ((__typeof__(*a) (*)[m]) a)
//
// It is a macro and no variable, so that the length of a row is asked for where there is an element
// of one, and is positive: C gives arrays of other lengths no meaning. And wherever another
// variable has the name of the array, as the copy of a thread, its rows are meant. Elements keep
// their type, so that nothing changes for aliases.
func (n *place) defineRows() {
	named := map[string]bool{}
	for i := range n.model.Program.Statements {
		scop.Walk(n.model.Program.Statements[i].Value, func(e scop.Expr) bool {
			if element, ok := e.(*scop.Ref); ok {
				named[element.Name] = true
			}
			return true
		})
	}
	for i := range n.model.Program.Arrays {
		a := &n.model.Program.Arrays[i]
		if a.Rows == "" || !named[a.Rows] {
			continue
		}
		if n.macros == nil {
			n.macros = map[string]macro{}
		}
		n.macros["rows "+a.Rows] = macro{a.Rows, []string{fmt.Sprintf("#define %s ((__typeof__(*%s) (*)%s) %[2]s)", a.Rows, a.Element(nil), rowType(a))}}
	}
}

// rowType is what stands behind the name of an array, or a pointer to one of its rows, for all
// extents but the first.
func rowType(a *scop.Array) string {
	var text strings.Builder
	for _, extent := range a.Extents[1:] {
		text.WriteString("[" + extent + "]")
	}
	return text.String()
}
