package codegen

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
)

// allocation is the code around the loops of a program with expanded arrays, or with
// buffers that threads share.
type allocation struct {
	// declarations give the arrays memory, at addresses that begin a cache line, condition says that there is
	// some, and release gives it back.
	declarations, release []string
	condition             string
}

// A stretch is memory for one array.
type stretch struct {
	// bytes is its size in C, before is the array's declaration up to its name's value, and pointer the type of that.
	bytes, before, pointer string
	// size is the name of its size, "" for any, and pieces says how often it is there, as " * threads", "" for once.
	size, pieces string
}

// allocate prints the allocation of the program's expanded arrays, within the
// limit in bytes that the program sets, and of the buffers that threads share; nil for a program without any.
//
// All have one piece of memory. C libraries give large pieces back to the system where several of equal sizes are freed one after the other, and each call then
// waits for new pages: Horner's scheme for 100,003 points with two arrays took 3.2 ms on two threads of a virtual AMD Zen 5, and 0.3 without new pages (glibc 2.36).
//
// Memory comes from the compilers' built-in functions, so that the user's file
// need not include stdlib.h. Bytes are summed in floating point, which cannot
// overflow.
func (n *nodes) allocate() *allocation {
	threads := n.fresh("tune_threads")
	expanded, sum := n.expandedStretches(threads)
	stretches := slices.Concat(expanded, n.sharedStretches(), n.copyStretches(threads))
	if len(stretches) == 0 {
		return nil
	}
	m := &piece{total: n.fresh("tune_total"), unit: n.fresh("tune_unit"), memory: n.fresh("tune_memory"), begin: n.fresh("tune_begin")}
	a := &allocation{condition: m.memory, release: []string{"__builtin_free(" + m.memory + ");"}}
	limit := ""
	if len(expanded) > 0 {
		bytes := n.fresh("tune_bytes")
		a.declarations = append(a.declarations, fmt.Sprintf("const double %s = %s;", bytes, sum))
		limit = fmt.Sprintf("%s > %d ? 0 : ", bytes, n.model.Program.Room.Bytes)
	}
	var sizes, pointers []string
	if len(n.owns) > 0 {
		a.declarations = append(threadsDeclaration(threads), a.declarations...)
	}
	for k, s := range stretches {
		size := cmp.Or(s.size, n.fresh(fmt.Sprintf("tune_size%d", k)))
		a.declarations = append(a.declarations, fmt.Sprintf("const unsigned long %s = (%s + %d) / %[4]d * %[4]d;", size, s.bytes, 2*cacheLine-1, cacheLine))
		pointers = append(pointers, fmt.Sprintf("%s = (%s) (%s);", s.before, s.pointer, strings.Join(append([]string{m.begin}, sizes...), " + ")))
		sizes = append(sizes, size+s.pieces)
	}
	a.declarations = append(a.declarations, m.declarations(sizes, limit)...)
	a.declarations = append(a.declarations, m.onLargePages(n.fresh("tune_advise"))...)
	a.declarations = append(a.declarations, pointers...)
	return a
}

// piece are the names of the region's memory in C: that it is allocated under, that of its first byte in use, of the bytes in use, and of
// what its first and last byte are aligned to.
type piece struct{ memory, begin, total, unit string }

// largePage is the size of the larger pages of x86, and of arm with pages of 4 KiB. Memory of leastOnLargePages bytes or more begins
// and ends with one: symm with 8.6 MB of arrays and buffers took 36 to 38 ms for the first calls of a process on two threads of a virtual AMD Zen 5 without larger pages, and takes 21 to 23
// with them: a new page takes such a machine some microseconds, and many pages are more than the processor keeps the addresses of.
const largePage, leastOnLargePages = 2 << 20, 1 << 20

// declarations allocate memory for stretches of some sizes behind a condition in C, which may be empty.
func (m *piece) declarations(sizes []string, limit string) []string {
	return []string{
		fmt.Sprintf("const unsigned long %s = %s;", m.total, strings.Join(sizes, " + ")),
		fmt.Sprintf("const unsigned long %s = %s < %d ? %d : %d;", m.unit, m.total, leastOnLargePages, cacheLine, largePage),
		fmt.Sprintf("char *const %s = %s(char *) __builtin_malloc(%s + 2 * %s);", m.memory, limit, m.total, m.unit),
		fmt.Sprintf("char *const %[1]s = %[2]s + (%[3]s - 1 - ((__UINTPTR_TYPE__) %[2]s + %[3]s - 1) %% %[3]s);", m.begin, m.memory, m.unit),
	}
}

// onLargePages asks Linux for larger pages, under a name for the function that the file's own cannot be taken for; the system
// may have none.
func (m *piece) onLargePages(function string) []string {
	return []string{
		"#ifdef __linux__",
		fmt.Sprintf(`extern int %s(void *, __SIZE_TYPE__, int) __asm__("madvise");`, function),
		fmt.Sprintf("if (%s && %s >= %d)", m.memory, m.total, leastOnLargePages),
		fmt.Sprintf("  %s(%s, (%[3]s + %[4]d - 1) / %[4]d * %[4]d, 14); /* MADV_HUGEPAGE */", function, m.begin, m.total, largePage),
		"#endif",
	}
}

// expandedStretches are those of the program's expanded arrays, and the sum of their bytes as a floating-point number in C. threads is the
// name of the number of threads.
func (n *nodes) expandedStretches(threads string) (stretches []stretch, sum string) {
	var sizes []string
	for _, e := range n.model.Program.Expansions {
		if n.isOnStack(e) {
			continue
		}
		s := n.shapeOf(e)
		if n.contractions[e.Name].Own {
			own := n.memoryOf(e.Name)
			s = stretch{s.bytes, "char *const " + own.first, "char *", own.size, " * " + threads}
		}
		stretches, sizes = append(stretches, s), append(sizes, "(double) "+s.bytes+s.pieces)
	}
	return stretches, strings.Join(sizes, " + ")
}

// shapeOf is an expanded array's stretch, that of one thread where each has its own.
func (n *nodes) shapeOf(e scop.Expansion) stretch {
	element := n.model.Program.Array(e.Name).Type
	behind, elements := "", ""
	for d, extent := range n.extents(e) {
		if extent.code != "1" {
			elements += " * " + positive(extent.within(unary))
		}
		if d > 0 {
			behind += "[" + extent.code + "]"
		}
	}
	s := stretch{bytes: fmt.Sprintf("sizeof(%s)%s", element, elements), before: element + " *" + e.Name, pointer: element + " *"}
	if behind != "" {
		s.before, s.pointer = fmt.Sprintf("%s (*%s)%s", element, e.Name, behind), fmt.Sprintf("%s (*)%s", element, behind)
	}
	return s
}

// sharedStretches are those of the buffers that threads share.
func (n *nodes) sharedStretches() (stretches []stretch) {
	for _, p := range n.shared {
		bytes := fmt.Sprintf("%d * sizeof(%s)", p.elements, p.element)
		if p.extent != nil {
			iterations := loopir.Operation(isl.OpMax, (&fullTile{}).expressionOf(p.extent), loopir.Int(1))
			bytes += " * " + n.expression(iterations).within(unary)
		}
		stretches = append(stretches, stretch{bytes: bytes, before: p.element + " *const " + p.buffer, pointer: p.element + " *"})
	}
	return stretches
}

// copyStretches are those of copies of arrays' elements. threads is the name of the number of threads.
func (n *nodes) copyStretches(threads string) (stretches []stretch) {
	for _, c := range n.heaped {
		bytes := fmt.Sprintf("sizeof(%s)", c.element())
		for _, extent := range c.extents {
			bytes += " * " + positive(extent.within(unary))
		}
		if c.layout != nil {
			bytes += " * " + positive(c.layout.tiles.within(unary))
		}
		s := stretch{bytes: bytes, before: c.pointer("const " + c.name), pointer: c.pointer("")}
		if c.Own {
			own := n.memoryOf(c.name)
			s = stretch{bytes, "char *const " + own.first, "char *", own.size, " * " + threads}
		}
		stretches = append(stretches, s)
	}
	return stretches
}

// extents are the extents of an expanded array as C texts, those of tiles where it is
// contracted.
func (n *nodes) extents(e scop.Expansion) []text {
	build := isl.NewAstBuild(n.model.Parameters)
	texts := make([]text, len(e.Extents))
	for d, extent := range e.Extents {
		texts[d] = n.expression(loopir.FromISL(build.ExprFromPwAff(n.model.Context.ReadPwAff(extent))))
	}
	for _, side := range n.contractions[e.Name].Sides {
		texts[side.Dimension] = n.expression(loopir.Int(side.Size))
	}
	return texts
}
