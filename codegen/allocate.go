package codegen

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

// allocate prints the allocation of the program's expanded arrays, within the limit in bytes that
// the program sets, and of the buffers that threads share; nil for a program without any.
//
// All have one piece of memory. C libraries give large pieces back to the system where several of
// equal sizes are freed one after the other, and each call then waits for new pages: Horner's
// scheme for 100,003 points with two arrays took 3.2 ms on two threads of a virtual AMD Zen 5, and
// 0.3 without new pages (glibc 2.36).
//
// Bytes are summed in floating point, which cannot
// overflow.
func (n *memories) allocate() *loopir.Heap {
	expanded, sum := n.expandedStretches()
	h := &loopir.Heap{Stretches: slices.Concat(expanded, n.storedStretches(), n.sharedStretches(), n.copyStretches())}
	if len(h.Stretches) == 0 {
		return nil
	}
	for name, of := range map[*string]string{&h.Total: "tune_total", &h.Unit: "tune_unit", &h.Memory: "tune_memory", &h.Begin: "tune_begin", &h.Advise: "tune_advise"} {
		*name = n.fresh(of)
	}
	if len(expanded) > 0 {
		h.Sum, h.Bytes, h.Limit = sum, n.fresh("tune_bytes"), n.model.Program.Room.Bytes
	}
	if len(n.owns) > 0 {
		h.Threads = n.fresh("tune_threads")
	}
	for k := range h.Stretches {
		s := &h.Stretches[k]
		s.Size = cmp.Or(s.Size, n.fresh(fmt.Sprintf("tune_size%d", k)))
	}
	return h
}

// expandedStretches are those of the program's expanded arrays, and the sum of their bytes as a
// floating-point number in C.
func (n *memories) expandedStretches() (stretches []loopir.Stretch, sum string) {
	var sizes []string
	for _, e := range n.model.Program.Expansions {
		if n.isOnStack(e) {
			continue
		}
		s := n.shapeOf(e)
		if n.contractions[e.Name].Own {
			s = n.ownStretch(e.Name, s.Bytes)
		}
		size := "(double) " + s.Bytes
		if s.EachThread {
			size += " * " + n.fresh("tune_threads")
		}
		stretches, sizes = append(stretches, s), append(sizes, size)
	}
	return stretches, strings.Join(sizes, " + ")
}

// storedStretches are those of arrays whose elements are at other places.
func (n *memories) storedStretches() (stretches []loopir.Stretch) {
	for _, s := range n.model.Program.Storages {
		array, extents := n.model.Program.Array(s.Name), n.extentsOf(s.Extents)
		if array == nil || isSmall(array, extents) {
			continue
		}
		stretches = append(stretches, stretchOf(array, extents))
	}
	return stretches
}

// storedOnStack are the others of these, which are small: variables of the code.
func (n *memories) storedOnStack() (code loopir.Code) {
	for _, s := range n.model.Program.Storages {
		array, extents := n.model.Program.Array(s.Name), n.extentsOf(s.Extents)
		if array == nil || !isSmall(array, extents) {
			continue
		}
		unused := isOnlyWritten(n.model.Program, array.Name)
		if len(extents) == 0 && len(array.Members) == 0 {
			code = append(code, scalarOf(array, unused))
			continue
		}
		a := &loopir.Alloc{Name: array.Name, Type: array.Type, Unused: unused}
		for _, extent := range extents {
			a.Extents = append(a.Extents, extent.code)
		}
		code = append(code, a)
	}
	return code
}

// scalarOf declares one number. It has a value because compilers do not see that loops which write it
// run where it is read.
func scalarOf(array *scop.Array, unused bool) loopir.Stmt {
	return &loopir.Private{Declaration: array.Type + " " + array.Name, Unused: unused, Value: "0"}
}

// isSmall says whether an array has so few bytes, by its extents in C, that it may be on the stack.
func isSmall(array *scop.Array, extents []text) bool {
	bytes := array.Size
	for _, extent := range extents {
		elements, err := strconv.Atoi(extent.code)
		if err != nil || elements > depend.MaxPrivateBytes {
			return false
		}
		if bytes *= max(1, elements); bytes > depend.MaxPrivateBytes {
			return false
		}
	}
	return true
}

// ownStretch is memory of which each thread has so many bytes of an array.
func (n *memories) ownStretch(array, bytes string) loopir.Stretch {
	own := n.memoryOf(array)
	return loopir.Stretch{Name: own.first, Type: "char", Constant: true, Bytes: bytes, Size: own.size, EachThread: true}
}

// shapeOf is an expanded array's stretch, that of one thread where each has its own.
func (n *memories) shapeOf(e scop.Expansion) loopir.Stretch {
	return stretchOf(n.model.Program.Array(e.Name), n.extents(e))
}

// stretchOf is the stretch of an array with these extents.
func stretchOf(array *scop.Array, extents []text) loopir.Stretch {
	s := loopir.Stretch{Name: array.Name, Type: array.Type, Bytes: fmt.Sprintf("sizeof(%s)", array.Type)}
	for d, extent := range extents {
		if extent.code != "1" {
			s.Bytes += " * " + positive(extent.within(unary))
		}
		if d > 0 {
			s.Rows = append(s.Rows, extent.code)
		}
	}
	return s
}

// sharedStretches are those of the buffers that threads share.
func (n *memories) sharedStretches() (stretches []loopir.Stretch) {
	for _, p := range n.shared {
		bytes := fmt.Sprintf("%d * sizeof(%s)", p.elements, p.element)
		if p.extent != nil {
			iterations := loopir.Operation(isl.OpMax, (&fullTile{}).expressionOf(p.extent), loopir.Int(1))
			bytes += " * " + n.expression(iterations).within(unary)
		}
		stretches = append(stretches, loopir.Stretch{Name: p.buffer, Type: p.element, Constant: true, Bytes: bytes})
	}
	return stretches
}

// copyStretches are those of copies of arrays' elements.
func (n *memories) copyStretches() (stretches []loopir.Stretch) {
	for _, c := range n.heaped {
		bytes := fmt.Sprintf("sizeof(%s)", c.element())
		for _, extent := range c.extents {
			bytes += " * " + positive(extent.within(unary))
		}
		if c.layout != nil {
			bytes += " * " + positive(c.layout.tiles.within(unary))
		}
		s := loopir.Stretch{Name: c.name, Type: c.element(), Rows: c.rows(), Constant: true, Bytes: bytes}
		if c.Own {
			s = n.ownStretch(c.name, bytes)
		}
		stretches = append(stretches, s)
	}
	return stretches
}

// extents are the extents of an expanded array as C texts, those of tiles where it is
// contracted.
func (n *memories) extents(e scop.Expansion) []text {
	texts := n.extentsOf(e.Extents)
	for _, side := range n.contractions[e.Name].Sides {
		texts[side.Dimension] = n.expression(loopir.Int(side.Size))
	}
	return texts
}

// extentsOf are extents in isl's notation as C texts.
func (n *memories) extentsOf(extents []string) []text {
	build := isl.NewAstBuild(n.model.Parameters)
	texts := make([]text, len(extents))
	for d, extent := range extents {
		texts[d] = n.expression(loopir.FromISL(build.ExprFromPwAff(n.model.Context.ReadPwAff(extent))))
	}
	return texts
}
