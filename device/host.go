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
	lines
	unit scop.Unit
	// refused says which statements devices cannot run, and why.
	refused map[int]string
	arrays  map[string]*Array
	// alone are the expanded arrays of statements on the host alone.
	alone map[string]*Array
	// saved are the variables that get their values back where the device fails.
	saved    []*scop.Array
	language Language
	// mostShared is the number of bytes of shared memory that a block may have.
	mostShared int64
	kernels    []*Kernel
	// list are the arrays of the device that are used, by their numbers.
	list []*Array
	// ran are the statements that run on the host, and touched the arrays of the device that they
	// access.
	ran map[int]bool
	// onHost are the declarations of private variables that stand outside of kernels.
	onHost  map[string]bool
	touched map[string]bool
}

// program writes the code of a program.
func (h *host) program(p *loopir.Program) error {
	for _, name := range slices.Sorted(maps.Keys(h.arrays)) {
		h.list = append(h.list, h.arrays[name])
	}
	h.depth, h.ran, h.touched = 2, map[int]bool{}, map[string]bool{}
	if err := h.code(p.Code); err != nil {
		return err
	}
	return h.err
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
	if hasKernel(s) {
		return h.plain(s)
	}
	condition := h.fetch(loopir.Runs(loopir.Code{s}))
	if condition == "" {
		return h.plain(s)
	}
	return h.inBraces("if ("+condition+")", func() error { return h.plain(s) })
}

// hasKernel says whether a statement is a kernel or has one inside.
func hasKernel(s loopir.Stmt) (is bool) {
	loopir.Walk(loopir.Code{s}, func(s loopir.Stmt) {
		_, isKernel := s.(*loopir.Kernel)
		is = is || isKernel
	})
	return is
}

// fetch is the condition, in C, that the host has all that some instances access, and that what
// they write can be restored; "" where there is nothing to do for that.
func (h *host) fetch(runs []*loopir.Run) string {
	accessed, written, isFinal := map[string]bool{}, map[string]bool{}, false
	for _, r := range runs {
		h.ran[r.Statement.Index] = true
		for _, access := range r.Statement.Statement.Accesses {
			if h.arrays[access.Array] != nil {
				accessed[access.Array], written[access.Array] = true, written[access.Array] || access.Write
			} else if array := h.unit.Program.Array(access.Array); access.Write && len(array.Extents) > 0 && !array.Local {
				isFinal = true
			}
		}
	}
	var calls []string
	for _, name := range slices.Sorted(maps.Keys(accessed)) {
		h.touched[name] = true
		calls = append(calls, fmt.Sprintf("%s_to_host(%d, %d)", prefix, slices.Index(h.list, h.arrays[name]), map[bool]int{true: 1}[written[name]]))
	}
	if isFinal {
		calls = append(calls, prefix+"_to_host(-1, 1)")
	}
	return strings.Join(calls, " && ")
}

// body writes the code inside of a statement for whose code the host has all that it needs where
// there is no kernel in it.
func (h *host) body(code loopir.Code, fetched bool) error {
	if !fetched {
		return h.code(code)
	}
	for _, s := range code {
		if err := h.plain(s); err != nil {
			return err
		}
	}
	return nil
}

// plain writes a statement, for which the host has all that it needs where there is no kernel in
// it.
func (h *host) plain(s loopir.Stmt) error {
	fetched := !hasKernel(s)
	switch s := s.(type) {
	case *loopir.Kernel:
		return h.launch(s)
	case *loopir.For:
		header := fmt.Sprintf("for (long %s = %s; %s; %s += %s)", s.Var, h.text(s.From), h.text(s.While), s.Var, h.text(s.Step))
		return h.inBraces(header, func() error { return h.body(s.Body, fetched) })
	case *loopir.If:
		if err := h.inBraces("if ("+h.text(s.Cond)+")", func() error { return h.body(s.Then, fetched) }); err != nil || len(s.Else) == 0 {
			return err
		}
		return h.inBraces("else", func() error { return h.body(s.Else, fetched) })
	case *loopir.Let:
		return h.inBraces("", func() error {
			h.line("const long %s = %s;", s.Var, h.text(s.Value))
			return h.body(s.Body, fetched)
		})
	case *loopir.Run:
		h.line("%s", codegen.StatementText(h.unit.Program, s.Statement.Statement, s.At))
		return nil
	case *loopir.Private: // an array of the device's, which is declared in front of all
		return nil
	}
	return fmt.Errorf("the host has no text for %T", s)
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
	if k.Spans != nil {
		return h.launchTogether(k)
	}
	return h.start(k, prefix+"_launch(%d, tune_grid, tune_integers, tune_values);")
}

// launchTogether writes the start of a resident kernel, and of the other one where not so many
// blocks run at once.
func (h *host) launchTogether(k *loopir.Kernel) error {
	if !k.OneEach() {
		return h.start(k, prefix+"_together(%d, 0, tune_grid, tune_integers, tune_values);")
	}
	return h.inBraces("", func() error {
		h.line("int tune_runs;")
		if err := h.start(k, "tune_runs = "+prefix+"_together(%d, 1, tune_grid, tune_integers, tune_values);"); err != nil {
			return err
		}
		return h.inBraces("if (!tune_runs)", func() error { return h.launchTogether(k.Other) })
	})
}

// start writes the call that starts a kernel.
func (h *host) start(k *loopir.Kernel, call string) error {
	kernel, err := print(k, h.unit.Program, h.arrays, h.language, h.mostShared)
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
		for range kernel.Along {
			integers = append(integers, "0")
		}
		values := []string{"0"}
		for _, v := range kernel.Values {
			values = append(values, "&"+v.Spelling)
		}
		h.line("long tune_integers[] = { %s };", strings.Join(append(integers[1:], integers[0]), ", "))
		h.line("const void *const tune_values[] = { %s };", strings.Join(append(values[1:], values[0]), ", "))
		h.line(call, number)
		return nil
	})
}

// grid writes how many blocks there are along each dimension: where that depends on another block,
// or several loops are blocks along one dimension, as many as the most of them need.
func (h *host) grid(kernel *Kernel) error {
	h.line("long tune_grid[3] = { 1, 1, 1 };")
	if kernel.Spans != nil {
		for d, span := range kernel.Spans {
			if span != nil {
				h.line("tune_grid[%d] = %s;", d, h.text(linearOf(span.Count()).expression()))
			}
		}
		return nil
	}
	var outside []blockLoop
	begun := [3]bool{}
	for _, l := range kernel.Blocks {
		if !l.While.Is(isl.OpLe) && !l.While.Is(isl.OpLt) || l.While.Args[0].Name != l.Var {
			return fmt.Errorf("the loop %s of blocks does not end at one bound of its variable", l.Var)
		}
		own := blockLoop{l, withoutLets(kernel.Body, l)}
		var needs []*loopir.For
		for k := len(outside) - 1; k >= 0; k-- {
			outer := outside[k]
			if isInside(outer.loop, l) && (dependsOn(own.alone, l.Var, outer.alone.Var) || slices.ContainsFunc(needs, func(n *loopir.For) bool { return dependsOn(n, n.Var, outer.alone.Var) })) {
				needs = append([]*loopir.For{outer.alone}, needs...)
			}
		}
		h.extent(own.alone, needs, begun[l.Share.Dimension])
		outside, begun[l.Share.Dimension] = append(outside, own), true
	}
	for dimension := range begun {
		if (sharers{dimension: dimension}).asks(kernel.Body) {
			h.line("tune_grid[%d] = tune_max(tune_grid[%d], 1);", dimension, dimension)
		}
	}
	return nil
}

// blockLoop is a loop whose iterations are blocks; alone is one with bounds that name no values
// that have names in the kernel.
type blockLoop struct{ loop, alone *loopir.For }

// withoutLets is a loop in some code whose bounds have the values themselves of names around.
func withoutLets(code loopir.Code, l *loopir.For) *loopir.For {
	values := map[string]*loopir.Expr{}
	loopir.Walk(code, func(s loopir.Stmt) {
		if let, is := s.(*loopir.Let); is && isIn(let.Body, l) {
			values[let.Var] = let.Value.Substituted(values)
		}
	})
	alone := *l
	alone.From, alone.While, alone.Step = l.From.Substituted(values), l.While.Substituted(values), l.Step.Substituted(values)
	return &alone
}

// isInside says whether a loop is inside of another one.
func isInside(outer, inner *loopir.For) bool { return isIn(outer.Body, inner) }

// isIn says whether a loop is in some code.
func isIn(code loopir.Code, l *loopir.For) (is bool) {
	loopir.Walk(code, func(s loopir.Stmt) { is = is || s == loopir.Stmt(l) })
	return is
}

// extent writes the number of blocks along the dimension of a loop whose bounds depend on others;
// it may have begun with that of another loop.
func (h *host) extent(l *loopir.For, needs []*loopir.For, begun bool) {
	d := l.Share.Dimension
	if len(needs) == 0 && !begun {
		h.line("tune_grid[%d] = %s;", d, h.count(l))
		return
	}
	if !begun {
		h.line("tune_grid[%d] = 0;", d)
	}
	for _, n := range needs {
		h.line("for (long %s = %s; %s; %s += %s)", n.Var, h.text(n.From), h.text(n.While), n.Var, h.text(n.Step))
		h.depth++
	}
	h.line("tune_grid[%d] = tune_max(tune_grid[%d], %s);", d, d, h.count(l))
	h.depth -= len(needs)
}

// block is the code that takes the place of the region.
func (h *host) block() string {
	x, n := prefix, len(h.list)
	var hosts, bytes, strides []string
	indent := h.unit.Indent
	for _, a := range h.list {
		hosts, bytes = append(hosts, "(void *) "+h.placeOf(a)), append(bytes, bytesOf(a))
		strides = append(strides, strideOf(a))
	}
	declarations, conditions, after := h.declarations()
	if h.unit.When != "" {
		conditions += "(" + h.unit.When + ") && "
	}
	var b strings.Builder
	macros := strings.Split(strings.TrimSpace(helperMacros), "\n")
	for _, macro := range macros {
		b.WriteString(macro + "\n")
	}
	fmt.Fprintf(&b, "%s{\n", indent)
	fmt.Fprintf(&b, "%s  extern int %s_begin(void *const *, const unsigned long *, const unsigned long *), %s_end(void);\n", indent, x, x)
	fmt.Fprintf(&b, "%s  extern int %s_to_host(int, int);\n%s  extern void %s_launch(int, const long *, long *, const void *const *), %s_release(void *);\n", indent, x, indent, x, x)
	if slices.ContainsFunc(h.kernels, (*Kernel).waitsTogether) {
		fmt.Fprintf(&b, "%s  extern int %s_together(int, int, const long *, long *, const void *const *);\n", indent, x)
	}
	b.WriteString(declarations)
	fmt.Fprintf(&b, "%s  void *const tune_hosts[%d] = { %s };\n", indent, n, strings.Join(hosts, ", "))
	fmt.Fprintf(&b, "%s  const unsigned long tune_bytes[%d] = { %s };\n", indent, n, strings.Join(bytes, ", "))
	fmt.Fprintf(&b, "%s  const unsigned long tune_strides[%d] = { %s };\n", indent, n, strings.Join(strides, ", "))
	fmt.Fprintf(&b, "%s  int tune_done = %s%s_begin(tune_hosts, tune_bytes, tune_strides);\n", indent, conditions, x)
	fmt.Fprintf(&b, "%s  if (tune_done) {\n%s%s    tune_done = %s_end();\n%s  }\n", indent, h.written.String(), indent, x, indent)
	fmt.Fprintf(&b, "%s  if (!tune_done) {\n%s%s\n%s  }\n%s}\n", indent, after, strings.TrimRight(h.unit.Original, " \t\r\n"), indent, indent)
	for _, macro := range macros {
		name, _, _ := strings.Cut(strings.TrimPrefix(macro, "#define "), "(")
		b.WriteString("#undef " + name + "\n")
	}
	return b.String()
}
