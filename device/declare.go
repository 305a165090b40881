package device

import (
	"fmt"
	"slices"
	"strings"

	"polytune/scop"
	"polytune/scop/depend"
)

// bytesOf is the number of bytes of an array, in C.
func bytesOf(a *Array) string {
	size := fmt.Sprintf("%dul", a.Size)
	for _, extent := range a.Extents {
		size += " * tune_max((long) (" + extent + "), 0)"
	}
	return size
}

// strideOf is the number of bytes from one element to the next, in C: those of numbers in structs
// lie apart.
func strideOf(a *Array) string {
	if isMember(a.Array) {
		return "sizeof(" + a.Variable + strings.Repeat("[0]", len(a.Extents)) + ")"
	}
	return fmt.Sprintf("%dul", a.Size)
}

// placeOf is where the host has an array, in C; 0 where the device alone has it.
func (h *host) placeOf(a *Array) string {
	switch {
	case a.Inside && !h.touched[a.Name]:
		return "0"
	case isMember(a.Array):
		return "&" + strings.ReplaceAll(a.Path, "[]", "[0]")
	case len(a.Extents) == 0:
		return "&" + a.Spelling()
	}
	return a.Spelling()
}

// declarations are those in front of the host's code, conditions what has to hold so that the
// device is used, each with " && " behind it, and after what is done where it was not, in front of
// the region as it is written: variables that no kernel has are as they were.
func (h *host) declarations() (declarations, conditions, after string) {
	line := func(format string, args ...any) {
		declarations += h.unit.Indent + "  " + fmt.Sprintf(format, args...) + "\n"
	}
	for _, local := range h.unit.Program.Locals {
		if a := h.arrays[local.Name]; a == nil || !a.Inside || h.touched[local.Name] {
			if h.isDeclared(local) {
				line("%s;", local.Declaration)
			}
		}
	}
	for _, e := range h.unit.Program.Expansions {
		a := h.alone[e.Name]
		if a == nil && h.touched[e.Name] {
			a = h.arrays[e.Name]
		}
		if a == nil {
			continue
		}
		rows := ""
		for _, extent := range a.Extents[min(1, len(a.Extents)):] {
			rows += "[" + extent + "]"
		}
		line("%[1]s (*const %[2]s)%[3]s __attribute__((cleanup(%[4]s_release))) = __builtin_malloc(%[5]s + 1);", unqualified(a.Type), e.Name, rows, prefix, bytesOf(a))
		conditions += e.Name + " && "
	}
	for _, array := range h.saved {
		line("const %s tune_saved_%s = %s;", unqualified(array.Type), array.Name, array.Spelling())
		after += fmt.Sprintf("%s    %s = tune_saved_%s;\n", h.unit.Indent, array.Spelling(), array.Name)
	}
	return declarations, conditions, after
}

// isDeclared says whether a variable of the region's own is one for all of it, or private outside
// of kernels.
func (h *host) isDeclared(local scop.Local) bool {
	isPrivate := slices.ContainsFunc(h.unit.Program.Privates(), func(p scop.Private) bool { return p.Name == local.Name })
	return !isPrivate || h.onHost[local.Declaration]
}

// changedVariables are those without subscripts, and not the region's own, that statements on the
// host write, that no kernel uses otherwise than by its value, and whose values in front of the
// region some statement reads: where none does, the region as it is written sets them anew.
func changedVariables(g *depend.Graph, onDevice map[string]*Array) (list []*scop.Array, err error) {
	program := g.Model.Program
	for i := range program.Arrays {
		array := &program.Arrays[i]
		isChanged := slices.ContainsFunc(program.Statements, func(s scop.Statement) bool {
			return slices.ContainsFunc(s.Accesses, func(a scop.Access) bool { return a.Array == array.Name && a.Write })
		})
		if !isChanged || array.Local || len(array.Extents) > 0 || onDevice[array.Name] != nil || strings.Contains(array.Path, "[") {
			continue
		}
		isRead, err := isNeeded(g, &Array{Array: array})
		if err != nil {
			return nil, err
		}
		if isRead {
			list = append(list, array)
		}
	}
	return list, nil
}
