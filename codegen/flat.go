package codegen

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"polytune/internal/ctext"
	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
)

// flat is a loop over all elements of rows' pieces of constant length, such as the colours of the points of a picture, in place of two:
//
//	for (j = a; j < b; j++)              for (j = 3 * a; j < 3 * b; j++)
//	  for (c = 0; c < 3; c++)              (&out[i][0][0])[j] = (&in[i][0][0])[j + 3];
//	    out[i][j][c] = in[i][j + 1][c];
//
// It has the same instances in the same order. Compilers make vector code of it, and of the two loops not always: four stages of a
// picture of 2112 x 3520 points, Tiramisu's nb, take 3.5 ms on two threads of an AMD EPYC with AVX-512, as two loops 36 (gcc 12).
type flat struct {
	// outer and inner are the variables of the two loops. The loop in their place has outer's.
	outer, inner string
	// length is the number of iterations of the inner loop, and the last extent of the arrays.
	length int64
	// isVector says that the inner loop is one for vectors. It stays as it is where it fills some.
	isVector bool
	program  *scop.Program
	// contractions are arrays whose extents are others than they say.
	contractions map[string]mark.Local
}

// vectorBytes is the size of the longest vectors.
const vectorBytes = 64

// flatten replaces a loop and the only one inside by a loop over all of their iterations where statements use both
// for neighbouring elements alone. restore ends it.
func (n *nodes) flatten(h *loopHeader) (restore func()) {
	before := n.flat
	restore = func() { n.flat = before }
	inner, isVector := insideOf(h.body)
	f := n.flatOf(h, inner, isVector)
	if f == nil || !n.allFlat(f, inner.Body) {
		return restore
	}
	if marked, is := h.body.Only().(*loopir.Marked); is {
		n.env.Decline(marked.Mark, f.fillsNone())
	}
	end := h.condition.Args[1]
	if h.condition.Is(isl.OpLe) {
		end = successor(end)
	}
	h.start, h.condition = f.scaled(h.start), loopir.Operation(isl.OpLt, h.condition.Args[0], f.scaled(end))
	h.body = inner.Body
	n.flat = f
	return restore
}

// fillsNone is why the inner loop has no lanes.
func (f *flat) fillsNone() string {
	return fmt.Sprintf("its %d iterations fill no vector: they stand in the loop outside, of all of whose elements compilers make vectors", f.length)
}

// insideOf is the loop that a body is, nil for none, and whether it is one for vectors.
func insideOf(body loopir.Code) (loop *loopir.For, isVector bool) {
	if marked, is := body.Only().(*loopir.Marked); is {
		m, ofLanes := marked.Mark.(mark.Vector)
		if isVector = ofLanes && len(m.Reductions) == 0; isVector {
			body = marked.Body
		}
	}
	loop, _ = body.Only().(*loopir.For)
	return loop, isVector
}

// flatOf is what the loop inside another one makes flat, or nil.
func (n *nodes) flatOf(h *loopHeader, inner *loopir.For, isVector bool) *flat {
	plain := n.lanes == nil && len(n.copyings) == 0 && !n.inBox && n.narrowed == nil && n.outside == nil && !n.inStages
	if !plain || inner == nil || h.step.Kind != isl.AstInt || h.step.Value != 1 || !isCanonical(h.condition, h.variable) {
		return nil
	}
	coming := n.headerOf(inner)
	length := coming.lengthFromZero()
	if length == 0 {
		return nil
	}
	return &flat{h.variable, coming.variable, length, isVector, n.model.Program, n.contractions}
}

// scaled is a bound of the flat loop for one of the outer loop.
func (f *flat) scaled(e *loopir.Expr) *loopir.Expr {
	if e.Kind == isl.AstInt && e.Value >= 0 && e.Value < math.MaxInt64/f.length {
		return loopir.Int(f.length * e.Value)
	}
	return loopir.Operation(isl.OpMul, loopir.Int(f.length), e)
}

// successor is e + 1.
func successor(e *loopir.Expr) *loopir.Expr {
	if e.Is(isl.OpAdd) && e.Args[1].Kind == isl.AstInt && e.Args[1].Value < math.MaxInt64 {
		return loopir.Operation(isl.OpAdd, e.Args[0], loopir.Int(e.Args[1].Value+1))
	}
	return loopir.Operation(isl.OpAdd, e, loopir.Int(1))
}

// allFlat says whether a body is made of statements that f can rewrite.
func (n *nodes) allFlat(f *flat, code loopir.Code) bool {
	isOther := func(node loopir.Stmt) bool {
		switch node := node.(type) {
		case *loopir.Marked:
			_, isPrivate := node.Mark.(mark.Private)
			return !isPrivate || !n.allFlat(f, node.Body)
		case *loopir.Run:
			_, ok := f.rewrite(n.instanceText(node.Statement.Statement, n.values(node, same)))
			return !ok
		}
		return true
	}
	return !slices.ContainsFunc(code, isOther)
}

// rewrite is the text of a statement in the flat loop, if all it uses the two variables for are elements along it.
func (f *flat) rewrite(code string) (string, bool) {
	if f == nil {
		return code, true
	}
	var b strings.Builder
	for i := 0; i < len(code); {
		next := afterQuoted(code, i)
		b.WriteString(code[i:next])
		if i = next; i == len(code) {
			break
		}
		if !ctext.IsWordByte(code[i]) {
			b.WriteByte(code[i])
			i++
			continue
		}
		word := ctext.WordAt(code, i)
		if word == f.outer || word == f.inner {
			return "", false
		}
		i += len(word)
		if isMember(code[:i-len(word)]) {
			b.WriteString(word)
			continue
		}
		element, after := f.element(word, code, i)
		b.WriteString(element)
		i = after
	}
	return b.String(), true
}

// apart are expressions over the variables of both loops as such over that of the flat one.
func (f *flat) apart(list []*loopir.Expr) []*loopir.Expr {
	if f == nil {
		return list
	}
	length := loopir.Int(f.length)
	of := map[string]*loopir.Expr{
		f.outer: loopir.Operation(isl.OpFdivQ, loopir.Named(f.outer), length),
		f.inner: loopir.Operation(isl.OpPdivR, loopir.Named(f.outer), length),
	}
	apart := make([]*loopir.Expr, len(list))
	for k, e := range list {
		apart[k] = e.Substituted(of)
	}
	return apart
}

// isMember says whether a name behind that text is one of a member.
func isMember(before string) bool {
	before = strings.TrimRight(before, ctext.Blank)
	return strings.HasSuffix(before, ".") || strings.HasSuffix(before, "->")
}

// element is an element of that array whose subscripts begin at a place of the code, along the flat loop, and the place after it; the name and
// that place where it is none.
func (f *flat) element(name, code string, place int) (element string, after int) {
	array := f.program.Array(name)
	if array == nil || array.Path != "" || array.InTexts() != name || array.Linear || len(array.Extents) < 2 || f.contractions[name].Sides != nil {
		return name, place
	}
	last := len(array.Extents) - 1
	if array.Extents[last] != strconv.FormatInt(f.length, 10) {
		return name, place
	}
	if f.isVector && f.length*int64(array.Size) >= vectorBytes {
		return name, place
	}
	var subscripts []string
	after = place
	for range array.Extents {
		if after >= len(code) || code[after] != '[' {
			return name, place
		}
		end := afterBrackets(code, after)
		subscripts = append(subscripts, strings.Trim(code[after+1:end-1], ctext.Blank))
		after = end
	}
	shift, ok := shiftOf(subscripts[last-1], f.outer)
	if !ok || subscripts[last] != f.inner {
		return name, place
	}
	for _, s := range subscripts[:last-1] {
		if outer, ok := f.rewrite(s); !ok || outer != s {
			return name, place
		}
	}
	row := array.Element(append(subscripts[:last-1:last-1], "0", "0"))
	switch shift *= f.length; {
	case shift > 0:
		return fmt.Sprintf("(&%s)[%s + %d]", row, f.outer, shift), after
	case shift < 0:
		return fmt.Sprintf("(&%s)[%s - %d]", row, f.outer, -shift), after
	}
	return fmt.Sprintf("(&%s)[%s]", row, f.outer), after
}

// shiftOf is the number that a subscript adds to a variable, such as -1 of "c1 - 1".
func shiftOf(subscript, variable string) (shift int64, ok bool) {
	rest, ok := strings.CutPrefix(subscript, variable)
	for ok {
		if rest = strings.TrimLeft(rest, ctext.Blank); rest == "" {
			return shift, true
		}
		sign := int64(1)
		switch rest[0] {
		case '-':
			sign = -1
		case '+':
		default:
			return 0, false
		}
		rest = strings.TrimLeft(rest[1:], ctext.Blank)
		if rest == "" || !ctext.IsDigit(rest[0]) {
			return 0, false
		}
		digits := ctext.WordAt(rest, 0)
		value, err := strconv.ParseInt(digits, 10, 32)
		if err != nil || len(digits) > 1 && digits[0] == '0' {
			return 0, false
		}
		shift, rest = shift+sign*value, rest[len(digits):]
	}
	return 0, false
}
