package codegen

import (
	"fmt"
	"slices"
	"strings"

	"polytune/internal/ctext"
	"polytune/loopir"
)

// block prints a program: a block of C, whole lines.
func (p *printer) block(s *loopir.Program, options Options) string {
	inside, conditions := p.lines(s.Code), p.conditions(s)
	before := privateLines(s)
	if s.Heap != nil {
		before = append(before, append(heapLines(s.Heap), agreementLines(p.runtime)...)...)
	}
	depth := 1
	if conditions != "" {
		depth, before = 2, append(before, "if ("+conditions+") {")
	}
	var b strings.Builder
	emit := func(depth int, lines ...string) {
		for _, code := range lines {
			if code != "" {
				code = options.Indent + strings.Repeat("  ", depth) + code
			}
			b.WriteString(code + "\n")
		}
	}
	emit(0, comment(options.Header)...)
	for h, name := range p.helpers {
		if p.needed[h] {
			emit(0, "#define "+name+helper(h).definition())
		}
	}
	definitions, undefined := p.macrosText()
	emit(0, slices.Concat(definitions, options.Before, []string{"{"})...)
	emit(1, slices.Concat(options.Declarations, p.typedefs, before)...)
	for _, l := range inside {
		emit(l.depth+depth, l.code)
	}
	emit(depth, options.After...)
	if conditions != "" {
		emit(1, "} else {")
		b.WriteString(strings.TrimRight(options.Original, ctext.Blank) + "\n")
		emit(1, "}")
	}
	if s.Heap != nil {
		emit(1, "__builtin_free("+s.Heap.Memory+");")
	}
	emit(0, "}")
	for h, name := range p.helpers {
		if p.needed[h] {
			emit(0, "#undef "+name)
		}
	}
	emit(0, undefined...)
	return b.String()
}

// privateLines are the declarations that the block begins with, and mentions of unused variables.
func privateLines(s *loopir.Program) (lines []string) {
	for _, local := range s.Locals {
		lines = append(lines, privateLine(local.(*loopir.Private)).code)
	}
	for _, name := range s.Unused {
		lines = append(lines, "(void) "+name+";")
	}
	return lines
}

// conditions are those under which the code runs and not the original, "" for always.
func (p *printer) conditions(s *loopir.Program) string {
	var list []string
	if s.Assumed != nil {
		list = append(list, p.expression(s.Assumed).within(unary))
	}
	for _, guard := range s.Guards {
		list = append(list, p.expression(guard).code)
	}
	if s.Heap != nil {
		list = append(list, agreed(p.runtime, s.Heap.Memory))
	}
	return strings.Join(list, " && ")
}

// largePage is the size of the larger pages of x86, and of arm with pages of 4 KiB. Memory of
// leastOnLargePages bytes or more begins and ends with one: symm with 8.6 MB of arrays and buffers
// took 36 to 38 ms for the first calls of a process on two threads of a virtual AMD Zen 5 without
// larger pages, and takes 21 to 23 with them: a new page takes such a machine some microseconds,
// and many pages are more than the processor keeps the addresses of.
const largePage, leastOnLargePages = 2 << 20, 1 << 20

// heapLines allocate memory. It comes from the compilers' built-in functions, so that the user's
// file need not include stdlib.h.
func heapLines(h *loopir.Heap) (lines []string) {
	if h.Threads != "" {
		lines = threadsDeclaration(h.Threads)
	}
	limit := ""
	if h.Sum != "" {
		lines = append(lines, fmt.Sprintf("const double %s = %s;", h.Bytes, h.Sum))
		limit = fmt.Sprintf("%s > %d ? 0 : ", h.Bytes, h.Limit)
	}
	var sizes, pointers []string
	for _, s := range h.Stretches {
		lines = append(lines, fmt.Sprintf("const unsigned long %s = (%s + %d) / %[4]d * %[4]d;", s.Size, s.Bytes, 2*cacheLine-1, cacheLine))
		name := s.Name
		if s.Constant {
			name = "const " + name
		}
		place := strings.Join(append([]string{h.Begin}, sizes...), " + ")
		pointers = append(pointers, fmt.Sprintf("%s = (%s) (%s);", pointerTo(s.Type, name, s.Rows), pointerTo(s.Type, "", s.Rows), place))
		size := s.Size
		if s.EachThread {
			size += " * " + h.Threads
		}
		sizes = append(sizes, size)
	}
	return slices.Concat(lines, pieceLines(h, sizes, limit), largePageLines(h), pointers)
}

// pieceLines allocate the piece behind a condition in C, which may be empty.
func pieceLines(h *loopir.Heap, sizes []string, limit string) []string {
	return []string{
		fmt.Sprintf("const unsigned long %s = %s;", h.Total, strings.Join(sizes, " + ")),
		fmt.Sprintf("const unsigned long %s = %s < %d ? %d : %d;", h.Unit, h.Total, leastOnLargePages, cacheLine, largePage),
		fmt.Sprintf("char *const %s = %s(char *) __builtin_malloc(%s + 2 * %s);", h.Memory, limit, h.Total, h.Unit),
		fmt.Sprintf("char *const %[1]s = %[2]s + (%[3]s - 1 - ((__UINTPTR_TYPE__) %[2]s + %[3]s - 1) %% %[3]s);", h.Begin, h.Memory, h.Unit),
	}
}

// largePageLines ask Linux for larger pages, under a name for the function that the file's own
// cannot be taken for; the system may have none.
func largePageLines(h *loopir.Heap) []string {
	return []string{
		"#ifdef __linux__",
		fmt.Sprintf(`extern int %s(void *, __SIZE_TYPE__, int) __asm__("madvise");`, h.Advise),
		fmt.Sprintf("if (%s && %s >= %d)", h.Memory, h.Total, leastOnLargePages),
		fmt.Sprintf("  %s(%s, (%[3]s + %[4]d - 1) / %[4]d * %[4]d, 14); /* MADV_HUGEPAGE */", h.Advise, h.Begin, h.Total, largePage),
		"#endif",
	}
}

// threadsDeclaration declares how many threads there can be, and what asks OpenMP for their
// numbers: there is one where the compiler knows no OpenMP. A thread that is one of more around,
// which call the function, has its number there where it starts no others.
func threadsDeclaration(threads string) []string {
	return []string{
		"#ifdef _OPENMP",
		"extern int omp_get_thread_num(void), omp_get_max_threads(void);",
		fmt.Sprintf("const unsigned long %s = omp_get_max_threads() > omp_get_thread_num() ? omp_get_max_threads() : omp_get_thread_num() + 1;", threads),
		"#else",
		fmt.Sprintf("const unsigned long %s = 1;", threads),
		"#endif",
	}
}
