package scop

import "slices"

// Privates are the local variables that statements access and that have an
// object for each iteration of one loop or more.
func (p *Program) Privates() []Private {
	var list []Private
	for _, local := range p.Locals {
		private := Private{Local: local}
		for s := range p.Statements {
			if local.Loops > 0 && p.mentions(&p.Statements[s], local) {
				private.Statements = append(private.Statements, s)
			}
		}
		if len(private.Statements) > 0 {
			list = append(list, private)
		}
	}
	return list
}

// mentions says whether a statement accesses the variable or a member of it.
func (p *Program) mentions(s *Statement, local Local) bool {
	return slices.ContainsFunc(s.Accesses, func(a Access) bool { return p.LocalOf(a.Array) == local.Name })
}

// LocalOf is the name of the local variable that holds the array, or "".
func (p *Program) LocalOf(array string) string {
	a := p.Array(array)
	switch {
	case a == nil || !a.Local:
		return ""
	case a.Variable == "":
		return a.Name
	}
	return a.Variable
}

// PrivateLoops is the number of loops each iteration of which has an object of
// its own behind the array; 0 for arrays that are the same everywhere.
func (p *Program) PrivateLoops(array string) int {
	name := p.LocalOf(array)
	for _, local := range p.Locals {
		if name != "" && local.Name == name {
			return local.Loops
		}
	}
	return 0
}
