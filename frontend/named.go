package frontend

import (
	"fmt"
	"slices"

	"polytune/internal/pattern"
	"polytune/scop"
)

// ownName are the names that statements and loops have without the user's help, and isl's words.
var ownName = pattern.New(`^(?:[Sc]\d+|and|or|not|exists|mod|floor|ceil|min|max|implies|true|false|root)$`)

// nameStatements gives the statements the names that the region's pragma has for people.
func (x *extractor) nameStatements(program *scop.Program) error {
	names := x.bounds.statements
	refused := func(message, advice string) error {
		return ErrorList{{x.bounds.pragma, "#pragma scop", message, advice}}
	}
	if len(names) == 0 {
		return nil
	}
	if len(names) != len(program.Statements) {
		return refused(fmt.Sprintf("#pragma scop names %d statements, and the region has %d", len(names), len(program.Statements)), "name each of them, in their order")
	}
	for k, name := range names {
		switch {
		case ownName.MatchString(name):
			return refused(fmt.Sprintf("no statement can have the name %s", name), "choose another one: S0, c0 and their like are polytune's, and isl has words of its own")
		case slices.Contains(names[:k], name):
			return refused(fmt.Sprintf("two statements have the name %s", name), "give each a name of its own")
		}
		program.Statements[k].Spelled = name
	}
	return nil
}
