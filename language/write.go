package language

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"polytune/algorithm"
	"polytune/isl"
)

// writer writes a function as C, and knows which line of it comes from where.
type writer struct {
	*function
	text  bytes.Buffer
	lines map[int]algorithm.Position
	line  int
	// iterators are those of the computation that is written.
	iterators []string
}

// put writes a line that comes from a declaration.
func (w *writer) put(at algorithm.Position, depth int, format string, arguments ...any) {
	text := fmt.Sprintf(format, arguments...)
	w.line++
	w.lines[w.line] = at
	w.text.WriteString(strings.Repeat("    ", depth) + text + "\n")
}

// write makes C of the function.
func (f *function) write(c *isl.Context) (*Program, error) {
	w := &writer{function: f, lines: map[int]algorithm.Position{}}
	w.comment()
	w.includes()
	w.put(f.At, 0, "%s", f.prototype(false))
	w.put(f.At, 0, "{")
	w.memory()
	names := make([]string, len(f.computations))
	for k, of := range f.computations {
		names[k] = of.statement
	}
	w.put(f.At, 0, "#pragma scop statements(%s)%s", strings.Join(names, ", "), f.pure())
	for first := 0; first < len(f.computations); {
		end := first + 1
		for end < len(f.computations) && f.computations[end].group == f.computations[first].group {
			end++
		}
		if err := w.group(c, f.computations[first:end]); err != nil {
			return nil, err
		}
		first = end
	}
	w.put(f.At, 0, "#pragma endscop")
	w.release()
	w.put(f.At, 0, "}")
	if err := f.problems.asError(); err != nil {
		return nil, err
	}
	p := &Program{Name: f.Name, Path: f.At.File, Source: w.text.Bytes(), Header: f.header(), lines: w.lines}
	for _, v := range f.locals() {
		p.Locals = append(p.Locals, v.Name)
	}
	if f.schedule != nil {
		p.Recipe, p.RecipeAt = recipeText(f.schedule.Text), f.schedule.At
	}
	return p, nil
}

// recipeText is a recipe without the white space in front of its lines.
func recipeText(text string) string {
	var lines []string
	for line := range strings.SplitSeq(strings.TrimSpace(text), "\n") {
		lines = append(lines, strings.TrimSpace(line))
	}
	return strings.Join(lines, "\n") + "\n"
}

// comment says what the function's arguments are.
func (w *writer) comment() {
	w.put(w.At, 0, "/*")
	for _, line := range w.about() {
		w.put(w.At, 0, "%s", strings.TrimRight(" * "+line, " "))
	}
	if w.schedule != nil {
		w.put(w.schedule.At, 0, " *")
		w.put(w.schedule.At, 0, " * Recipe:")
		for line := range strings.Lines(recipeText(w.schedule.Text)) {
			w.put(w.schedule.At, 0, " * %s", strings.ReplaceAll(strings.TrimRight(line, "\n"), "*/", "* /"))
		}
	}
	w.put(w.At, 0, " */")
}

// about are lines of text about the function and its arguments.
func (f *function) about() []string {
	lines := []string{fmt.Sprintf("%s, an algorithm of %s.", f.Name, filepath.Base(f.At.File))}
	if len(f.Sizes) > 0 {
		lines = append(lines, fmt.Sprintf("Sizes, at least 1: %s.", strings.Join(f.Sizes, ", ")))
	}
	for _, v := range f.arguments() {
		what := "is read"
		switch {
		case v.made == nil && v.updates > 0:
			what = "is read and updated"
		case v.replaced != nil:
			what = "is read, and has the values of " + v.replaced.Name + " behind the call"
		case v.made != nil:
			what = "has the values of " + v.Name + " behind the call; the others are left as they are"
		}
		lines = append(lines, fmt.Sprintf("%s %s%s %s.", cTypes[v.Type], v.Name, bracketed(v.extents), what))
	}
	return lines
}

func bracketed(extents []string) string {
	if len(extents) == 0 {
		return ""
	}
	return "[" + strings.Join(extents, "][") + "]"
}

// arguments are the values of the caller's: inputs and outputs, in the order of their declarations.
func (f *function) arguments() (list []*value) {
	for _, v := range f.order {
		if v.Kind == algorithm.KindInput || v.output != nil {
			list = append(list, v)
		}
	}
	return list
}

// prototype declares the function; for C++ all arrays are pointers.
func (f *function) prototype(plus bool) string {
	var parameters []string
	for _, size := range f.Sizes {
		parameters = append(parameters, "int "+size)
	}
	for _, v := range f.arguments() {
		constant, extents := "", slices.Clone(v.extents)
		if v.made == nil && v.replaced == nil && v.updates == 0 {
			constant = "const "
		}
		switch {
		case v.made == nil && len(extents) == 0:
			parameters = append(parameters, cTypes[v.Type]+" "+v.Name)
			continue
		case plus:
			parameters = append(parameters, fmt.Sprintf("%s%s *%s", constant, strings.Replace(cTypes[v.Type], "_Bool", "bool", 1), v.Name))
			continue
		case len(extents) == 0:
			extents = []string{"1"}
		}
		extents[0] = "restrict " + extents[0]
		parameters = append(parameters, constant+cTypes[v.Type]+" "+v.Name+bracketed(extents))
	}
	if len(parameters) == 0 {
		parameters = []string{"void"}
	}
	return fmt.Sprintf("void %s(%s)", f.Name, strings.Join(parameters, ", "))
}

// header declares the function for C and C++.
func (f *function) header() []byte {
	guard := strings.ToUpper(f.Name) + "_H"
	var b strings.Builder
	fmt.Fprintf(&b, "/*\n")
	for _, line := range f.about() {
		fmt.Fprintf(&b, " * %s\n", line)
	}
	fmt.Fprintf(&b, " * No two arrays overlap.\n */\n#ifndef %s\n#define %s\n\n#ifdef __cplusplus\nextern \"C\" %s;\n#else\n%s;\n#endif\n\n#endif\n",
		guard, guard, f.prototype(true), f.prototype(false))
	return []byte(b.String())
}

// includes names the headers of what is called.
func (w *writer) includes() {
	headers := map[string]bool{}
	for _, of := range w.computations {
		w.iterators = of.Iterators
		for _, e := range append(slices.Clone(of.Written), of.Value, of.where) {
			w.called(e, headers)
		}
	}
	for _, v := range w.order {
		if v.Kind == algorithm.KindConstant {
			w.called(v.Declaration.Value, headers)
		}
	}
	if slices.ContainsFunc(w.locals(), func(v *value) bool { return len(v.extents) > 0 }) {
		headers["<stdlib.h>"] = true
	}
	for _, system := range []bool{true, false} {
		var list []string
		for name := range headers {
			if strings.HasPrefix(name, "<") == system {
				list = append(list, name)
			}
		}
		slices.Sort(list)
		for _, name := range list {
			w.put(w.At, 0, "#include %s", name)
		}
	}
	w.put(w.At, 0, "")
}

// called notes the headers of functions in an expression.
func (w *writer) called(e algorithm.Expr, headers map[string]bool) {
	if e.Op == algorithm.OpCall && w.values[e.Text] == nil {
		absolute := ""
		if e.Text == "abs" {
			absolute = w.absolute(e.Args[0])
		}
		if _, _, is := mathFunction(e.Text); is || strings.HasPrefix(absolute, "f") {
			headers["<math.h>"] = true
		} else if absolute == "abs" {
			headers["<stdlib.h>"] = true
		} else if d := w.externs[e.Text]; d != nil && strings.HasPrefix(d.Header, "<") {
			headers[d.Header] = true
		} else if d != nil {
			headers[`"`+strings.Trim(d.Header, `"`)+`"`] = true
		}
	}
	for _, a := range e.Args {
		w.called(a, headers)
	}
}

// pure is the option of the pragma for functions without side effects.
func (f *function) pure() string {
	var names []string
	for _, d := range f.Declarations {
		if d.Kind == algorithm.KindExtern {
			names = append(names, d.Name)
		}
	}
	if len(names) == 0 {
		return ""
	}
	return " assume-pure(" + strings.Join(names, ", ") + ")"
}

// locals are the values in memory of the function's own.
func (f *function) locals() (list []*value) {
	for _, v := range f.order {
		if v.made != nil && v.output == nil && v.place == nil {
			list = append(list, v)
		}
	}
	return list
}

// memory declares constants and the arrays of what is computed in between.
func (w *writer) memory() {
	for _, v := range w.order {
		if v.Kind == algorithm.KindConstant {
			w.put(v.At, 1, "const %s %s = %s;", cTypes[v.Type], v.Name, w.c(v.Declaration.Value, 0))
		}
	}
	for _, v := range w.locals() {
		if len(v.extents) == 0 {
			one := ""
			if v.isOne() {
				one = "[1]"
			}
			w.put(v.At, 1, "%s %s%s;", cTypes[v.Type], v.Name, one)
			continue
		}
		pointer := "*" + v.Name
		if len(v.extents) > 1 {
			pointer = "(" + pointer + ")" + bracketed(v.extents[1:])
		}
		w.put(v.At, 1, "%s %s = malloc(%s * sizeof *%s);", cTypes[v.Type], pointer, factor(v.extents[0]), v.Name)
		w.put(v.At, 1, "if (!%s)", v.Name)
		w.put(v.At, 2, "abort();")
	}
}

// factor is an expression as one of a product.
func factor(text string) string {
	if strings.Trim(text, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == "" {
		return text
	}
	return "(" + text + ")"
}

// release frees the arrays of what is computed in between.
func (w *writer) release() {
	for _, v := range w.locals() {
		if len(v.extents) > 0 {
			w.put(v.At, 1, "free(%s);", v.Name)
		}
	}
}

// group writes computations that share loops, or one.
func (w *writer) group(c *isl.Context, members []*computation) error {
	if len(members) == 1 {
		lines, err := w.loopsOf(c, members[0], w.context)
		if err != nil {
			return &Problem{members[0].At, err.Error()}
		}
		w.inside(members[0], lines, 1)
		return nil
	}
	outer, shared, err := w.sharedLoops(c, members)
	if err != nil {
		return &Problem{members[0].At, err.Error()}
	}
	if slices.ContainsFunc(shared, func(line string) bool { return strings.HasPrefix(line, "if") }) {
		w.problems.add(members[0].At, "%s and %s share loops over iterations that are no simple range; write conditions on %s that are one for both",
			members[0].statement, members[1].statement, strings.Join(outer.Iterators, ", "))
		return nil
	}
	for depth, line := range shared {
		if depth == len(shared)-1 {
			line += " {"
		}
		w.put(members[0].At, 1+depth, "%s", line)
	}
	for _, of := range members {
		lines, err := w.innerLoops(c, of, outer)
		if err != nil {
			return &Problem{of.At, err.Error()}
		}
		w.inside(of, lines, 1+len(shared))
	}
	w.put(members[0].At, len(shared), "}")
	return nil
}

// inside writes a computation in loops of its own.
func (w *writer) inside(of *computation, lines []string, depth int) {
	for k, line := range lines {
		w.put(of.At, depth+k, "%s", line)
	}
	w.statement(of, depth+len(lines))
}

// statement writes what one iteration does.
func (w *writer) statement(of *computation, depth int) {
	w.iterators = of.Iterators
	if of.where.Op != "" {
		w.put(of.At, depth, "if (%s)", w.c(of.where, 0))
		depth++
	}
	operator, value := "=", of.Value
	if of.isFurther() {
		operator, value = value.Op+"=", value.Args[1]
	}
	w.put(of.At, depth, "%s %s %s;", w.element(of.of, of.written()), operator, w.c(value, 0))
}

// isFurther says whether the value is that of the element which is written and something else, so that
// C can write C[i][j] += a[i].
func (c *computation) isFurther() bool {
	if len(c.Value.Args) != 2 || !strings.Contains("+ - * /", c.Value.Op) {
		return false
	}
	return c.Value.Args[0].String() == (&algorithm.Expr{Op: algorithm.OpCall, Text: c.of.Name, Args: c.written()}).String() ||
		len(c.written()) == 0 && c.Value.Args[0].Op == algorithm.OpName && c.Value.Args[0].Text == c.of.Name
}
