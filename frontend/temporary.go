package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// markTemporaries finds the program's variables that the statements' texts can get under
// another name, the places that name them, and which of them are temporaries: those whose
// contents nobody looks at after the region.
func (x *extractor) markTemporaries(program *scop.Program) {
	for i := range program.Arrays {
		a := &program.Arrays[i]
		k := slices.IndexFunc(x.arrays, func(info *arrayInfo) bool { return info.Name == a.Name })
		a.Renamable = x.isRenamable(program, x.arrays[k])
		a.Temporary = a.Renamable && x.isDeadBehind(x.arrays[k]) && (isRead(program, a) || x.allocated(x.arrays[k].declarator) == nil)
	}
	x.keepResults(program)
	x.measureTemporaries(program)
	for i := range program.Statements {
		s := &program.Statements[i]
		s.Mentions = mentionsOf(program, s)
	}
}

// keepResults has the memory that the function takes for itself be looked at behind the region where
// nothing else of what that writes is: programs that only show how fast something is print no results.
func (x *extractor) keepResults(program *scop.Program) {
	isResult := func(s scop.Statement) bool {
		return slices.ContainsFunc(s.Accesses, func(a scop.Access) bool {
			array := program.Array(a.Array)
			return a.Write && array != nil && !array.Temporary && !array.Local
		})
	}
	if slices.ContainsFunc(program.Statements, isResult) {
		return
	}
	for k := range program.Arrays {
		a := &program.Arrays[k]
		i := slices.IndexFunc(x.arrays, func(info *arrayInfo) bool { return info.Name == a.Name })
		a.Temporary = a.Temporary && x.allocated(x.arrays[i].declarator) == nil
	}
}

// measureTemporaries finds out how many elements temporaries have whose memory the function takes.
func (x *extractor) measureTemporaries(program *scop.Program) {
	for k := range program.Arrays {
		a := &program.Arrays[k]
		i := slices.IndexFunc(x.arrays, func(info *arrayInfo) bool { return info.Name == a.Name })
		if d := x.arrays[i].declarator; a.Temporary && !a.Linear && len(a.Extents) > 0 && a.Extents[0] == "" && x.allocated(d) != nil {
			a.Extents[0] = x.allocatedFor(d)
		}
	}
}

// isRead says whether a statement reads an array: what is only written is what a region is for.
func isRead(program *scop.Program, array *scop.Array) bool {
	return slices.ContainsFunc(program.Statements, func(s scop.Statement) bool {
		return slices.ContainsFunc(s.Accesses, func(a scop.Access) bool { return a.Array == array.Name && !a.Write })
	})
}

// isRenamable says that the array is a variable of arithmetic type by itself,
// that nothing in the region leads to it by another way, and that no macro of the region names it.
func (x *extractor) isRenamable(program *scop.Program, a *arrayInfo) bool {
	d := a.declarator
	element, _ := x.arrayShape(d.Type())
	switch {
	case a.Path != "" || a.Variable != a.Name || len(program.ArraysOf(a.Variable)) != 1:
		return false
	case !isNumberType(element) || d.Type().Kind() == cc.Ptr && !isArrayArgument(d) && x.allocated(d) == nil || element.Attributes().IsVolatile():
		return false
	case d.AddressTaken() || x.facts.isIterator(d):
		return false
	case !x.isOneVariable(a) || a.Linear && namesVariable(program, a):
		return false
	}
	for _, l := range x.between(x.bounds.start, x.bounds.end) {
		if l.kind == identifier && x.hides(x.of(l), d.Name()) != "" && !x.pastesOthers(l, d.Name()) {
			return false
		}
	}
	return true
}

// isDeadBehind says that nothing reads what the region leaves in the array, as far as
// its name leads to it. Variables that outlive a call are read by whoever knows them.
func (x *extractor) isDeadBehind(a *arrayInfo) bool {
	d := a.declarator
	if memory := x.allocated(d); memory != nil {
		return memory.isForRegionAlone(x, d)
	}
	if d.StorageDuration() != cc.Automatic || isArrayArgument(d) || !a.Local && x.readLater(d) != nil {
		return false
	}
	return d.Type().Kind() != cc.Array || !x.isNamedOutside(d)
}

// isOneVariable says that the array's name means nothing else in the texts of
// the statements: further variables of that name are the region's own, which
// get another name or share the memory of this one.
func (x *extractor) isOneVariable(a *arrayInfo) bool {
	for d := range x.facts.named[a.Variable] {
		isOwn := slices.ContainsFunc(x.locals, func(l localVariable) bool { return l.declarator == d })
		if d != a.declarator && !isOwn {
			return false
		}
	}
	return true
}

// isNamedOutside says that the function names a variable in front of the region
// or behind it, where a pointer to an array may begin.
func (x *extractor) isNamedOutside(d *cc.Declarator) (is bool) {
	x.visitFunction(func(n cc.Node) {
		if p, ok := n.(*cc.PrimaryExpression); ok && variableOf(p) == d {
			offset := p.Token.Position().Offset
			is = is || !x.inFile(p) || offset < x.bounds.start || offset >= x.bounds.end
		}
	})
	return is
}

// mentionsOf are the places in a statement's text that name a renamable array.
func mentionsOf(program *scop.Program, s *scop.Statement) []scop.Mention {
	var list []scop.Mention
	source, previous := []byte(s.Source), ""
	for _, l := range scan(source) {
		word := string(source[l.start:l.end])
		isUse := slices.ContainsFunc(s.Uses, func(u scop.Use) bool { return u.Offset == l.start })
		a := slices.IndexFunc(program.Arrays, func(a scop.Array) bool { return a.Renamable && a.InTexts() == word })
		if l.kind == identifier && !isUse && a >= 0 && !slices.Contains([]string{".", "->", "struct", "union", "enum"}, previous) {
			list = append(list, scop.Mention{Offset: l.start, Array: program.Arrays[a].Name})
		}
		previous = word
	}
	return list
}
