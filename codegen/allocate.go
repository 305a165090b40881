package codegen

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// allocation is the code around the loops of a program with expanded arrays, or with
// buffers that threads share.
type allocation struct {
	// declarations give the arrays memory, condition says that they all have
	// some, and release gives it back.
	declarations, release []string
	condition             string
}

// allocate prints the allocation of the program's expanded arrays, within the
// limit in bytes that the program sets; nil for a program without any.
//
// Memory comes from the compilers' built-in functions, so that the user's file
// need not include stdlib.h. Bytes are summed in floating point, which cannot
// overflow.
func (n *nodes) allocate(taken map[string]bool) *allocation {
	program := n.model.Program
	if len(program.Expansions) == 0 {
		return n.withShared(nil)
	}
	sum := "tune_bytes"
	for taken[sum] {
		sum += "_"
	}
	a := &allocation{}
	var sizes, names []string
	for _, e := range program.Expansions {
		element := program.Array(e.Name).Type
		declarator, elements := "*"+e.Name, ""
		for d, extent := range n.extents(e) {
			elements += " * " + positive(extent.within(unary))
			switch {
			case d == 1:
				declarator = "(" + declarator + ")[" + extent.code + "]"
			case d > 1:
				declarator += "[" + extent.code + "]"
			}
		}
		names, sizes = append(names, e.Name), append(sizes, fmt.Sprintf("(double) sizeof(%s)%s", element, elements))
		a.declarations = append(a.declarations, fmt.Sprintf("%s %s = %s <= %d ? __builtin_malloc(sizeof(%s)%s) : 0;",
			element, declarator, sum, program.ExpansionLimit, element, elements))
		a.release = append(a.release, fmt.Sprintf("__builtin_free(%s);", e.Name))
	}
	a.declarations = slices.Insert(a.declarations, 0, fmt.Sprintf("const double %s = %s;", sum, strings.Join(sizes, " + ")))
	a.condition = strings.Join(names, " && ")
	return n.withShared(a)
}

// withShared adds memory for the buffers that threads share, at addresses that begin a
// cache line.
func (n *nodes) withShared(a *allocation) *allocation {
	if len(n.shared) == 0 {
		return a
	}
	if a == nil {
		a = &allocation{}
	}
	var names []string
	if a.condition != "" {
		names = []string{a.condition}
	}
	for _, p := range n.shared {
		memory := n.fresh(p.buffer + "_memory")
		bytes := fmt.Sprintf("%d * sizeof(%s)", p.elements, p.element)
		if p.extent != nil {
			iterations := operation(isl.OpMax, (&fullTile{}).expressionOf(p.extent), integer(1))
			bytes += " * " + n.expression(iterations).within(unary)
		}
		a.declarations = append(a.declarations,
			fmt.Sprintf("char *%s = (char *) __builtin_malloc(%s + 64);", memory, bytes),
			fmt.Sprintf("%[1]s *const %[2]s = (%[1]s *) (%[3]s + 63 - ((__UINTPTR_TYPE__) %[3]s + 63) %% 64);", p.element, p.buffer, memory))
		names = append(names, memory)
		a.release = append(a.release, fmt.Sprintf("__builtin_free(%s);", memory))
	}
	a.condition = strings.Join(names, " && ")
	return a
}

// extents are the extents of an expanded array as C texts, those of tiles where it is
// contracted.
func (n *nodes) extents(e scop.Expansion) []text {
	build := isl.NewAstBuild(n.model.Parameters)
	texts := make([]text, len(e.Extents))
	for d, extent := range e.Extents {
		texts[d] = n.expression(expressionOf(build.ExprFromPwAff(n.model.Context.ReadPwAff(extent))))
	}
	for _, side := range n.contractions[e.Name].Sides {
		texts[side.Dimension] = n.expression(integer(side.Size))
	}
	return texts
}
