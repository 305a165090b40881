package codegen_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
)

// programWriter writes a random C function. Its subscripts stay inside the
// arrays, whatever N and M are.
type programWriter struct {
	*rand.Rand
	text strings.Builder
	// statements is how many are still to come.
	statements int
	// locals counts the variables declared in the region.
	locals int
}

func pick(w *programWriter, choices ...string) string { return choices[w.IntN(len(choices))] }

// randomProgram is the function k with a region of one to six statements in
// up to three loops each, with triangles, strides, loops that count down,
// conditions, scalars and reductions.
func randomProgram(seed uint64) string {
	w := &programWriter{Rand: rand.New(rand.NewPCG(seed, 77))}
	w.statements = 1 + w.IntN(4)
	if seed%7 == 0 {
		w.statements += 2
	}
	w.text.WriteString(`void k(int N, int M, double A[SIZE][SIZE], double B[SIZE][SIZE], double x[SIZE], double y[SIZE])
{
  double s = 0.5, t = 0.25;
#pragma scop
`)
	for w.statements > 0 {
		w.item(1, nil)
	}
	w.text.WriteString("#pragma endscop\n  B[0][0] += s + 2 * t;\n}\n")
	return w.text.String()
}

func (w *programWriter) line(indent int, format string, args ...any) {
	w.text.WriteString(strings.Repeat("  ", indent))
	fmt.Fprintf(&w.text, format, args...)
	w.text.WriteByte('\n')
}

// block writes one item or more.
func (w *programWriter) block(indent int, iterators []string) {
	w.item(indent, iterators)
	for w.statements > 0 && w.IntN(5) < 2 {
		w.item(indent, iterators)
	}
}

// item writes a loop, a condition or a statement.
func (w *programWriter) item(indent int, iterators []string) {
	depth := len(iterators)
	switch {
	case depth < 3 && w.statements > 0 && w.IntN(10) < []int{9, 6, 4}[depth]:
		w.loop(indent, iterators)
	case depth > 0 && indent < 6 && w.IntN(10) < 2:
		w.line(indent, "if (%s) {", w.condition(iterators))
		w.block(indent+1, iterators)
		if w.statements > 0 && w.IntN(2) == 0 {
			w.line(indent, "} else {")
			w.block(indent+1, iterators)
		}
		w.line(indent, "}")
	default:
		w.statement(indent, iterators)
	}
}

// loop writes a loop that may count down, have a stride or two upper bounds.
func (w *programWriter) loop(indent int, iterators []string) {
	name := []string{"i", "j", "k"}[len(iterators)]
	lower, upper := w.lower(iterators), w.upper(iterators)
	var header string
	switch w.IntN(8) {
	case 0:
		header = fmt.Sprintf("for (int %s = %s - 1; %s >= %s; %s--)", name, upper, name, lower, name)
	case 1:
		if w.IntN(2) == 0 {
			header = fmt.Sprintf("for (int %s = %s - 1; %s > %s - 1; %s -= 2)", name, upper, name, lower, name)
		} else {
			header = fmt.Sprintf("for (int %s = %s; %s < %s; %s += %d)", name, lower, name, upper, name, 2+w.IntN(2))
		}
	case 2:
		header = fmt.Sprintf("for (int %s = %s; %s < %s && %s <= %s; %s++)", name, lower, name, upper, name, w.upper(iterators), name)
	default:
		header = fmt.Sprintf("for (int %s = %s; %s < %s; %s++)", name, lower, name, upper, name)
	}
	w.line(indent, "%s {", header)
	w.block(indent+1, append(iterators[:len(iterators):len(iterators)], name))
	w.line(indent, "}")
}

func (w *programWriter) lower(iterators []string) string {
	if len(iterators) > 0 && w.IntN(4) == 0 {
		return pick(w, iterators...) + pick(w, "", " + 1")
	}
	return pick(w, "0", "0", "1", "1", "2")
}

func (w *programWriter) upper(iterators []string) string {
	if len(iterators) > 0 && w.IntN(4) == 0 {
		it := pick(w, iterators...)
		return pick(w, it, it+" + 1", it+" + 2", "N - "+it, "M + 1 - "+it)
	}
	return pick(w, "N", "N", "M", "M", "N - 1", "M + 1", "M - 2", "3", "7")
}

func (w *programWriter) condition(iterators []string) string {
	it, other := pick(w, iterators...), pick(w, iterators...)
	if w.IntN(5) == 0 {
		return "(" + w.condition(iterators) + ") " + pick(w, "&&", "||") + " (" + w.condition(iterators) + ")"
	}
	return pick(w,
		it+" < "+w.upper(nil), it+" != "+fmt.Sprint(w.IntN(4)), it+" + "+other+" <= N", it+" == "+other, it+" > "+other,
		it+" % 2 == 0", "("+it+" + "+other+") % 3 != 1", "N > 5", "N > M", it+" == 2", "2 * "+it+" < M + "+other, it+" >= N - 2")
}

// subscript is an affine expression between 0 and 2N + 2M + 15.
func (w *programWriter) subscript(iterators []string) string {
	c := w.IntN(4)
	if len(iterators) == 0 || w.IntN(12) == 0 {
		return pick(w, fmt.Sprint(c), fmt.Sprintf("N + %d", c+3), fmt.Sprintf("M + %d", c+3))
	}
	it, other := pick(w, iterators...), pick(w, iterators...)
	switch w.IntN(14) {
	case 0:
		return fmt.Sprintf("%s + %s + %d", it, other, c)
	case 1:
		if it == other {
			return it
		}
		return fmt.Sprintf("%s - %s + N + M + %d", it, other, c+6)
	case 2:
		return fmt.Sprintf("N - %s + M + %d", it, c+6)
	case 3:
		return fmt.Sprintf("2 * %s + %d", it, c)
	case 4, 5, 6, 7:
		return it
	}
	return fmt.Sprintf("%s + %d", it, c)
}

// reference is an element of an array.
func (w *programWriter) reference(iterators []string) string {
	if len(iterators) < 2 && w.IntN(3) > 0 || w.IntN(4) == 0 {
		return fmt.Sprintf("%s[%s]", pick(w, "x", "y"), w.subscript(iterators))
	}
	return fmt.Sprintf("%s[%s][%s]", pick(w, "A", "B"), w.subscript(iterators), w.subscript(iterators))
}

// value is a right-hand side.
func (w *programWriter) value(iterators []string) string {
	var terms []string
	for range 1 + w.IntN(3) {
		terms = append(terms, fmt.Sprintf("%s * %s", pick(w, "0.5", "0.25", "-0.3"), w.reference(iterators)))
	}
	if w.IntN(10) == 0 {
		terms = append(terms, pick(w, "s", "t"))
	}
	if len(iterators) > 0 && w.IntN(5) == 0 {
		it := pick(w, iterators...)
		terms = append(terms, pick(w, it+" / 2", "0.125 * "+it, it+" * "+it, "(double) "+it, it+" % 3", "(N - "+it+") * 0.5", "(unsigned char) "+it))
	}
	return strings.Join(terms, " + ")
}

func (w *programWriter) statement(indent int, iterators []string) {
	w.statements--
	if len(iterators) > 0 && w.IntN(12) == 0 {
		w.locals++
		name := fmt.Sprintf("local%d", w.locals)
		w.line(indent, "double %s = %s;", name, w.value(iterators))
		w.line(indent, "%s = %s + 0.5 * %s;", w.reference(iterators), w.value(iterators), name)
		return
	}
	target := w.reference(iterators)
	if w.IntN(9) == 0 {
		target = pick(w, "s", "t")
	}
	w.line(indent, "%s %s %s;", target, pick(w, "=", "=", "=", "+=", "-="), w.value(iterators))
}
