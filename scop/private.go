package scop

import "slices"

// Privates are the local variables that statements access and that have an
// object for each iteration of one loop or more.
func (p *Program) Privates() []Private {
	var list []Private
	for _, local := range p.Locals {
		private := Private{Local: local}
		arrays := p.arraysOf(local)
		for s := range p.Statements {
			if p.Statements[s].accesses(arrays) {
				private.Statements = append(private.Statements, s)
			}
		}
		if len(private.Statements) > 0 {
			list = append(list, private)
		}
	}
	return list
}

// arraysOf are the arrays that a variable holds, itself or its members, which has an object for
// each iteration of some loop; none for others.
func (p *Program) arraysOf(local Local) (arrays []string) {
	for k := range p.Arrays {
		if name := p.Arrays[k].Name; local.Loops > 0 && p.LocalOf(name) == local.Name {
			arrays = append(arrays, name)
		}
	}
	return arrays
}

// accesses says whether a statement accesses one of some arrays.
func (s *Statement) accesses(arrays []string) bool {
	return len(arrays) > 0 && slices.ContainsFunc(s.Accesses, func(a Access) bool { return slices.Contains(arrays, a.Array) })
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
