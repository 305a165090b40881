package device

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/codegen"
	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
)

// host writes the host's code: loops outside of kernels, with starts of these.
type host struct {
	*words
	unit     scop.Unit
	arrays   map[string]*Array
	language Language
	prefix   string
	kernels  []*Kernel
	// list are the arrays of the device that are used, by their numbers.
	list  []*Array
	lines strings.Builder
	depth int
}

// program writes the code of a program.
func (h *host) program(p *loopir.Program) error {
	for _, name := range slices.Sorted(maps.Keys(h.arrays)) {
		h.list = append(h.list, h.arrays[name])
	}
	h.depth = 2
	if err := h.code(p.Code); err != nil {
		return err
	}
	return h.err
}

func (h *host) line(format string, args ...any) {
	h.lines.WriteString(h.unit.Indent + strings.Repeat("  ", h.depth) + fmt.Sprintf(format, args...) + "\n")
}

// inBraces writes code behind what stands in front of it.
func (h *host) inBraces(header string, inside func() error) error {
	h.line("%s", strings.TrimSpace(header+" {"))
	h.depth++
	err := inside()
	h.depth--
	h.line("}")
	return err
}

func (h *host) code(code loopir.Code) error {
	for _, s := range code {
		if err := h.statement(s); err != nil {
			return err
		}
	}
	return nil
}

func (h *host) statement(s loopir.Stmt) error {
	switch s := s.(type) {
	case *loopir.Kernel:
		return h.launch(s)
	case *loopir.For:
		header := fmt.Sprintf("for (long %s = %s; %s; %s += %s)", s.Var, h.text(s.From), h.text(s.While), s.Var, h.text(s.Step))
		return h.inBraces(header, func() error { return h.code(s.Body) })
	case *loopir.If:
		if err := h.inBraces("if ("+h.text(s.Cond)+")", func() error { return h.code(s.Then) }); err != nil || len(s.Else) == 0 {
			return err
		}
		return h.inBraces("else", func() error { return h.code(s.Else) })
	case *loopir.Let:
		return h.inBraces("", func() error {
			h.line("const long %s = %s;", s.Var, h.text(s.Value))
			return h.code(s.Body)
		})
	case *loopir.Run:
		h.instance(s)
		return nil
	case *loopir.Private:
		h.line("%s;", s.Declaration)
		return nil
	}
	return fmt.Errorf("the host has no text for %T", s)
}

// instance writes an instance that runs on the host, which has what it reads first.
func (h *host) instance(r *loopir.Run) {
	written := map[string]bool{}
	var names []string
	for _, access := range r.Statement.Statement.Accesses {
		if h.arrays[access.Array] != nil {
			names, written[access.Array] = append(names, access.Array), written[access.Array] || access.Write
		}
	}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(names))) {
		h.line("%s_to_host(%d, %d);", h.prefix, slices.Index(h.list, h.arrays[name]), map[bool]int{true: 1}[written[name]])
	}
	h.line("%s", codegen.StatementText(h.unit.Program, r.Statement.Statement, r.At))
}

// count is the number of a loop's iterations, in C.
func (h *host) count(l *loopir.For) string {
	last := l.While.Args[1]
	distance := loopir.Operation(isl.OpSub, last, l.From)
	if l.From.IsInt(0) {
		distance = last
	}
	if l.While.Is(isl.OpLe) {
		distance = loopir.Operation(isl.OpAdd, distance, loopir.Int(1))
	}
	if !l.Step.IsInt(1) {
		distance = loopir.Operation(isl.OpFdivQ, loopir.Operation(isl.OpAdd, distance, loopir.Operation(isl.OpSub, l.Step, loopir.Int(1))), l.Step)
	}
	return h.text(distance)
}

// launch writes the start of a kernel.
func (h *host) launch(k *loopir.Kernel) error {
	kernel, err := print(k, h.unit.Program, h.arrays, h.language)
	if err != nil {
		return fmt.Errorf("kernel %s: %w", k.Name, err)
	}
	number := len(h.kernels)
	h.kernels = append(h.kernels, kernel)
	return h.inBraces("", func() error {
		if err := h.grid(kernel); err != nil {
			return err
		}
		integers := []string{"0"}
		for k, name := range slices.Concat(kernel.Integers, kernel.Extents) {
			if k < len(kernel.Integers) {
				name = h.unit.Program.Spelling(name)
			}
			integers = append(integers, name)
		}
		values := []string{"0"}
		for _, v := range kernel.Values {
			values = append(values, "&"+v.Name)
		}
		h.line("const long tune_integers[] = { %s };", strings.Join(append(integers[1:], integers[0]), ", "))
		h.line("const void *const tune_values[] = { %s };", strings.Join(append(values[1:], values[0]), ", "))
		h.line("%s_launch(%d, tune_grid, tune_integers, tune_values);", h.prefix, number)
		return nil
	})
}

// grid writes how many blocks there are along each dimension: where that depends on another block, as many as the most of them need.
func (h *host) grid(kernel *Kernel) error {
	h.line("long tune_grid[3] = { 1, 1, 1 };")
	var outside []*loopir.For
	for _, l := range kernel.Blocks {
		if !l.While.Is(isl.OpLe) && !l.While.Is(isl.OpLt) || l.While.Args[0].Name != l.Var {
			return fmt.Errorf("the loop %s of blocks does not end at one bound of its variable", l.Var)
		}
		var needs []*loopir.For
		for k := len(outside) - 1; k >= 0; k-- {
			if outer := outside[k]; dependsOn(l, outer.Var) || slices.ContainsFunc(needs, func(n *loopir.For) bool { return dependsOn(n, outer.Var) }) {
				needs = append([]*loopir.For{outer}, needs...)
			}
		}
		h.extent(l, needs)
		outside = append(outside, l)
	}
	return nil
}

// extent writes the number of blocks along the dimension of a loop whose bounds depend on others.
func (h *host) extent(l *loopir.For, needs []*loopir.For) {
	d := l.Share.Dimension
	if len(needs) == 0 {
		h.line("tune_grid[%d] = %s;", d, h.count(l))
		return
	}
	h.line("tune_grid[%d] = 0;", d)
	for _, n := range needs {
		h.line("for (long %s = %s; %s; %s += %s)", n.Var, h.text(n.From), h.text(n.While), n.Var, h.text(n.Step))
		h.depth++
	}
	h.line("tune_grid[%d] = tune_max(tune_grid[%d], %s);", d, d, h.count(l))
	h.depth -= len(needs)
}

// block is the code that takes the place of the region.
func (h *host) block() string {
	x, n := h.prefix, len(h.list)
	var hosts, bytes []string
	var locals strings.Builder
	indent := h.unit.Indent
	for _, local := range h.unit.Program.Locals {
		if !slices.ContainsFunc(h.unit.Program.Privates(), func(p scop.Private) bool { return p.Local == local }) {
			fmt.Fprintf(&locals, "%s  %s;\n", indent, local.Declaration)
		}
	}
	for _, a := range h.list {
		place := a.Spelling()
		if len(a.Extents) == 0 {
			place = "&" + place
		}
		size := fmt.Sprintf("%dul", a.Size)
		for _, extent := range a.Extents {
			size += " * tune_max((long) (" + extent + "), 0)"
		}
		hosts, bytes = append(hosts, "(void *) "+place), append(bytes, size)
	}
	var b strings.Builder
	macros := strings.Split(strings.TrimSpace(helperMacros), "\n")
	for _, macro := range macros {
		b.WriteString(macro + "\n")
	}
	fmt.Fprintf(&b, "%s{\n", indent)
	fmt.Fprintf(&b, "%s  extern int %s_begin(void *const *, const unsigned long *), %s_end(void);\n", indent, x, x)
	fmt.Fprintf(&b, "%s  extern void %s_to_host(int, int), %s_launch(int, const long *, const long *, const void *const *);\n", indent, x, x)
	b.WriteString(locals.String())
	fmt.Fprintf(&b, "%s  void *const tune_hosts[%d] = { %s };\n", indent, n, strings.Join(hosts, ", "))
	fmt.Fprintf(&b, "%s  const unsigned long tune_bytes[%d] = { %s };\n", indent, n, strings.Join(bytes, ", "))
	fmt.Fprintf(&b, "%s  int tune_done = %s_begin(tune_hosts, tune_bytes);\n", indent, x)
	fmt.Fprintf(&b, "%s  if (tune_done) {\n%s%s    tune_done = %s_end();\n%s  }\n", indent, h.lines.String(), indent, x, indent)
	fmt.Fprintf(&b, "%s  if (!tune_done) {\n%s\n%s  }\n%s}\n", indent, strings.TrimRight(h.unit.Original, " \t\r\n"), indent, indent)
	for _, macro := range macros {
		name, _, _ := strings.Cut(strings.TrimPrefix(macro, "#define "), "(")
		b.WriteString("#undef " + name + "\n")
	}
	return b.String()
}
