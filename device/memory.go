package device

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/depend"
)

// Array is an array of the program in the device's memory: its elements one behind the other, the
// last subscript running fastest.
type Array struct {
	*scop.Array
	// Extents are its dimensions, in C; none for a single element.
	Extents []string
	// In says that elements are copied to the device in front of the region, Out that they are
	// copied back behind it.
	In, Out bool
	// Inside says that the host has no such array: the device alone has it, unless statements on
	// the host use it, too.
	Inside bool
	// HostAlone says that no kernel uses it: what statements on the host change in it has to be
	// restored where the device fails.
	HostAlone bool
	// Constant says that kernels have it in memory for constants.
	Constant bool
	// SecondOf is the array whose second grid it is, nil for others.
	SecondOf *Array
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

// arraysOf are the arrays that the kernels of a program need in the device's memory, by their
// names: all that they use but private variables of theirs, and variables that no kernel writes,
// which they get as values.
func arraysOf(g *depend.Graph, code loopir.Code) (map[string]*Array, error) {
	program, all := g.Model.Program, map[string]*Array{}
	uses := usesOf(program, code)
	for i := range program.Arrays {
		array := &program.Arrays[i]
		isSaved := uses.changed[array.Name] && len(array.Extents) > 0
		isUsed := uses.used[array.Name] && !uses.private[array.Name] && (len(array.Extents) > 0 || uses.written[array.Name])
		if !isUsed && (!isSaved || array.Local) {
			continue
		}
		extents, err := extentsOf(g.Model, array)
		if err != nil && !isUsed {
			continue
		}
		if err != nil {
			return nil, err
		}
		a := &Array{Array: array, Extents: extents, Inside: array.Local && !uses.declared[array.Name], HostAlone: !isUsed}
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

// hostAlone are the expanded arrays that statements on the host alone access, by their names.
func hostAlone(m *scop.Model, code loopir.Code) (map[string]*Array, error) {
	uses, alone := usesOf(m.Program, code), map[string]*Array{}
	for _, e := range m.Program.Expansions {
		if uses.used[e.Name] || !uses.changed[e.Name] {
			continue
		}
		extents, err := expandedExtents(m, e)
		if err != nil {
			return nil, err
		}
		alone[e.Name] = &Array{Array: m.Program.Array(e.Name), Extents: extents, Inside: true, HostAlone: true}
	}
	return alone, nil
}

// uses says what kernels do with arrays, by their names: which they use, and write; which are
// private variables that kernels alone declare; and which variables of the region are declared in
// front of all of it. Statements on the host change the elements of some.
type uses struct{ used, written, private, declared, changed map[string]bool }

func usesOf(program *scop.Program, code loopir.Code) uses {
	u := uses{used: map[string]bool{}, written: map[string]bool{}, private: map[string]bool{}, declared: map[string]bool{}, changed: map[string]bool{}}
	outside := hostDeclarations(code)
	for _, private := range program.Privates() {
		u.private[private.Name] = !outside[private.Declaration]
	}
	for _, local := range program.Locals {
		if _, isPrivate := u.private[local.Name]; !isPrivate {
			u.declared[local.Name] = true
		}
	}
	outsideOfKernels(code, func(s loopir.Stmt) {
		if run, is := s.(*loopir.Run); is {
			for _, access := range run.Statement.Statement.Accesses {
				u.changed[access.Array] = u.changed[access.Array] || access.Write
			}
		}
		kernel, is := s.(*loopir.Kernel)
		if !is {
			return
		}
		for _, r := range loopir.Runs(kernel.Body) {
			for _, access := range r.Statement.Statement.Accesses {
				u.used[access.Array] = true
				u.written[access.Array] = u.written[access.Array] || access.Write
			}
		}
	})
	return u
}

// hostDeclarations are the declarations of private variables that stand outside of kernels.
func hostDeclarations(code loopir.Code) map[string]bool {
	found := map[string]bool{}
	outsideOfKernels(code, func(s loopir.Stmt) {
		if private, is := s.(*loopir.Private); is {
			found[private.Declaration] = true
		}
	})
	return found
}

// outsideOfKernels visits all statements of some code but for what kernels have inside.
func outsideOfKernels(code loopir.Code, visit func(loopir.Stmt)) {
	for _, s := range code {
		visit(s)
		if _, is := s.(*loopir.Kernel); is {
			continue
		}
		for _, body := range loopir.Bodies(s) {
			outsideOfKernels(*body, visit)
		}
	}
}

// isWritten says whether statements write an array.
func isWritten(program *scop.Program, array string) bool {
	return slices.ContainsFunc(program.Statements, func(s scop.Statement) bool {
		return slices.ContainsFunc(s.Accesses, func(a scop.Access) bool { return a.Array == array && a.Write })
	})
}

// extentsOf are the dimensions of an array in C. The outermost one of a pointer is as long as the
// region uses it.
func extentsOf(m *scop.Model, array *scop.Array) ([]string, error) {
	for _, e := range m.Program.Expansions {
		if e.Name == array.Name {
			return expandedExtents(m, e)
		}
	}
	if array.Path != "" && !isMember(array) && array.Path != array.Variable+strings.Repeat("[]", len(array.Extents)) {
		return nil, fmt.Errorf("devices do not have members of structs, as %s, that are arrays or behind pointers", array.Spelling())
	}
	for _, argument := range m.Program.Function.Arguments {
		if argument.Name == cmp.Or(array.Variable, array.Name) && argument.Pointers > 0 {
			return nil, fmt.Errorf("the rows of %s are behind pointers", array.Spelling())
		}
	}
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

// expandedExtents are the dimensions of an expanded array in C.
func expandedExtents(m *scop.Model, e scop.Expansion) (extents []string, err error) {
	build := isl.NewAstBuild(m.Parameters)
	for _, extent := range e.Extents {
		extents = append(extents, newWords(m.Program).text(expressionOf(build.ExprFromPwAff(m.Context.ReadPwAff(extent)))))
	}
	return extents, m.Context.Err()
}

// isMember says whether an array is a number in each struct of an array of these, which has all the
// subscripts.
func isMember(array *scop.Array) bool {
	member, is := strings.CutPrefix(array.Path, array.Variable+strings.Repeat("[]", len(array.Extents))+".")
	return is && array.Variable != "" && !strings.ContainsAny(member, "[]->")
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

// isNeeded says whether the device needs elements of an array as they are in front of the region:
// some instance reads one that no instance has certainly written before, or not all elements are
// certainly written, so that those copied back would not be what they were.
func isNeeded(g *depend.Graph, a *Array) (bool, error) {
	whole, known := a.elements(g.Model)
	for i := range g.Model.Statements {
		s := &g.Model.Statements[i]
		for k, access := range s.Statement.Accesses {
			if access.Array != a.Name || !access.Read {
				continue
			}
			first := s.Accesses[k]
			if known { // data may decide which element, but not that it is another array's
				first = first.Intersect(first.Domain().MapTo(whole))
			}
			for _, d := range slices.Concat(g.Dependences, g.Relaxed) {
				source := &g.Model.Statements[d.Source]
				if d.Kind == depend.RAW && d.Target == i && d.TargetAccess == k && !source.Statement.Accesses[d.SourceAccess].May {
					first = first.Subtract(d.Relation.Reverse().ApplyRange(source.Accesses[d.SourceAccess]))
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
	return m.Within(a.Name, a.Extents)
}

// isNumber says whether an extent is a number.
func isNumber(extent string) bool {
	_, err := strconv.ParseUint(extent, 10, 62)
	return err == nil
}
