package codegen

import (
	"cmp"
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

// Two loops over elements of rows' pieces of constant length, such as the colours of the points of
// a picture, become one:
//
//	for (j = a; j < b; j++)              for (j = 3 * a; j < 3 * b; j++)
//	  for (c = 0; c < 3; c++)              (&out[i][0][0])[j] = (&in[i][0][0])[j + 3];
//	    out[i][j][c] = in[i][j + 1][c];
//
// It has the same instances in the same order. Compilers make vector code of it, and of the two
// loops not always: four stages of a picture of 2112 x 3520 points, Tiramisu's nb, take 3.5 ms on
// two threads of an AMD EPYC with AVX-512, as two loops 36 (gcc 12).

// vectorBytes is the size of the longest vectors.
const vectorBytes = 64

// flat makes such loops.
func flat(p *loopir.Program, e *Env) error {
	(&flattener{copies: e.nodes.copies}).code(p.Code)
	return nil
}

// flattener makes one loop of two.
type flattener struct {
	*copies
	// lanes are the accumulators of the loop around, or nil. inPart says that a loop around has a
	// part of its iterations.
	lanes  *lanes
	inPart bool
}

func (n *flattener) code(code loopir.Code) {
	for _, s := range code {
		if loop, is := s.(*loopir.For); is {
			n.loop(loop)
		} else {
			n.inside(s, func(body *loopir.Code) { n.code(*body) })
		}
	}
}

func (n *flattener) loop(loop *loopir.For) {
	if loop.Done {
		return
	}
	before := *n
	n.inPart = n.inPart || loop.Part
	header := n.headerOf(loop)
	var f *loopir.Flat
	if !loop.Once {
		f = n.flatten(&header)
	}
	if f != nil {
		loop.From, loop.While, loop.Body = header.start, header.condition, n.along(f, header.body)
	} else {
		n.lanes = cmp.Or(n.lanes, n.lanesIn(loop), n.sumsIn(loop))
		n.inside(loop, func(body *loopir.Code) { n.code(*body) })
	}
	*n = before
}

// along are the instances of the inner loop in the flat one.
func (n *flattener) along(f *loopir.Flat, code loopir.Code) (made loopir.Code) {
	for _, s := range code {
		switch s := s.(type) {
		case *loopir.Run:
			made = append(made, &loopir.Run{Statement: s.Statement, At: apartAlong(f, s.At), Values: n.uses(s, same), Along: f})
		case *loopir.Marked:
			own := *s
			own.Body = n.along(f, s.Body)
			made = append(made, &own)
		}
	}
	return made
}

// flatten replaces a loop and the only one inside by a loop over all of their iterations where
// statements use both for neighbouring elements alone; it is nil where they do not.
func (n *flattener) flatten(h *loopHeader) *loopir.Flat {
	inner, isVector := insideOf(h.body)
	f := n.flatOf(h, inner, isVector)
	if f == nil || !n.allAlong(f, inner.Body) {
		return nil
	}
	if marked, is := h.body.Only().(*loopir.Marked); is {
		n.env.Decline(marked.Mark, fillsNone(f))
	}
	end := h.condition.Args[1]
	if h.condition.Is(isl.OpLe) {
		end = successor(end)
	}
	h.start, h.condition = scaled(h.start, f.Length), loopir.Operation(isl.OpLt, h.condition.Args[0], scaled(end, f.Length))
	h.body = inner.Body
	return f
}

// fillsNone is why the inner loop has no lanes.
func fillsNone(f *loopir.Flat) string {
	return fmt.Sprintf("its %d iterations fill no vector: they stand in the loop outside, of all of whose elements compilers make vectors", f.Length)
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

// flatOf is the loop in the place of one and the loop inside, or nil. An inner loop for vectors
// stays as it is where it fills some.
func (n *flattener) flatOf(h *loopHeader, inner *loopir.For, isVector bool) *loopir.Flat {
	plain := n.lanes == nil && len(n.aliases) == 0 && !n.inPart && !n.inStages
	if !plain || inner == nil || h.step.Kind != isl.AstInt || h.step.Value != 1 || !isCanonical(h.condition, h.variable) {
		return nil
	}
	coming := n.headerOf(inner)
	length := coming.lengthFromZero()
	if length == 0 {
		return nil
	}
	f := &loopir.Flat{Outer: h.variable, Inner: coming.variable, Length: length}
	for k := range n.model.Program.Arrays {
		if a := &n.model.Program.Arrays[k]; n.isInPieces(a, length) && !(isVector && length*int64(a.Size) >= vectorBytes) {
			f.Arrays = append(f.Arrays, a)
		}
	}
	return f
}

// isInPieces says whether rows of an array are pieces of so many elements.
func (n *memories) isInPieces(a *scop.Array, length int64) bool {
	isPlain := a.Path == "" && !a.Linear && len(a.Extents) >= 2 && n.contractions[a.InTexts()].Sides == nil
	return isPlain && a.Extents[len(a.Extents)-1] == strconv.FormatInt(length, 10)
}

// scaled is a bound of the flat loop for one of the outer loop.
func scaled(e *loopir.Expr, length int64) *loopir.Expr {
	if e.Kind == isl.AstInt && e.Value >= 0 && e.Value < math.MaxInt64/length {
		return loopir.Int(length * e.Value)
	}
	return loopir.Operation(isl.OpMul, loopir.Int(length), e)
}

// successor is e + 1.
func successor(e *loopir.Expr) *loopir.Expr {
	if e.Is(isl.OpAdd) && e.Args[1].Kind == isl.AstInt && e.Args[1].Value < math.MaxInt64 {
		return loopir.Operation(isl.OpAdd, e.Args[0], loopir.Int(e.Args[1].Value+1))
	}
	return loopir.Operation(isl.OpAdd, e, loopir.Int(1))
}

// allAlong says whether a body is made of statements whose texts can be those along the flat loop.
func (n *flattener) allAlong(f *loopir.Flat, code loopir.Code) bool {
	isOther := func(node loopir.Stmt) bool {
		switch node := node.(type) {
		case *loopir.Marked:
			_, isPrivate := node.Mark.(mark.Private)
			return !isPrivate || !n.allAlong(f, node.Body)
		case *loopir.Run:
			_, ok := textAlong(f, statementText(node.Statement.Statement, n.values(node, same)))
			return !ok
		}
		return true
	}
	return !slices.ContainsFunc(code, isOther)
}

// textAlong is the text of a statement in the flat loop, if all it uses the two variables for are
// elements along it.
func textAlong(f *loopir.Flat, code string) (string, bool) {
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
		if word == f.Outer || word == f.Inner {
			return "", false
		}
		i += len(word)
		if isMember(code[:i-len(word)]) {
			b.WriteString(word)
			continue
		}
		element, after := elementAlong(f, word, code, i)
		b.WriteString(element)
		i = after
	}
	return b.String(), true
}

// apartAlong are expressions over the variables of both loops as such over that of the flat one.
func apartAlong(f *loopir.Flat, list []*loopir.Expr) []*loopir.Expr {
	length := loopir.Int(f.Length)
	of := map[string]*loopir.Expr{
		f.Outer: loopir.Operation(isl.OpFdivQ, loopir.Named(f.Outer), length),
		f.Inner: loopir.Operation(isl.OpPdivR, loopir.Named(f.Outer), length),
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

// elementAlong is an element of that array whose subscripts begin at a place of the code, along the
// flat loop, and the place after it; the name and that place where it is none.
func elementAlong(f *loopir.Flat, name, code string, place int) (element string, after int) {
	k := slices.IndexFunc(f.Arrays, func(a *scop.Array) bool { return a.Name == name && a.InTexts() == name })
	if k < 0 {
		return name, place
	}
	array := f.Arrays[k]
	last := len(array.Extents) - 1
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
	shift, ok := shiftOf(f, subscripts[last-1])
	if !ok || subscripts[last] != f.Inner {
		return name, place
	}
	for _, s := range subscripts[:last-1] {
		if outer, ok := textAlong(f, s); !ok || outer != s {
			return name, place
		}
	}
	row := array.Element(append(subscripts[:last-1:last-1], "0", "0"))
	return fmt.Sprintf("(&%s)[%s%s]", row, f.Outer, shift), after
}

// shiftOf is what a subscript adds to the outer variable, such as "c1 - 1" and "c1 - first", along the
// flat loop: " - 3" and " - 3L * first".
func shiftOf(f *loopir.Flat, subscript string) (shift string, ok bool) {
	number := int64(0)
	rest, ok := strings.CutPrefix(subscript, f.Outer)
	for ok {
		if rest = strings.TrimLeft(rest, ctext.Blank); rest == "" {
			return shift + signed(number*f.Length), true
		}
		sign, word := rest[:1], ctext.WordAt(strings.TrimLeft(rest[1:], ctext.Blank), 0)
		if sign != "+" && sign != "-" || word == "" || word == f.Outer || word == f.Inner {
			return "", false
		}
		rest = strings.TrimLeft(rest[1:], ctext.Blank)[len(word):]
		if !ctext.IsDigit(word[0]) {
			shift += fmt.Sprintf(" %s %dL * %s", sign, f.Length, word)
			continue
		}
		value, err := strconv.ParseInt(sign+word, 10, 32)
		if err != nil || len(word) > 1 && word[0] == '0' {
			return "", false
		}
		number += value
	}
	return "", false
}

// signed is a number behind a sum; nothing of 0.
func signed(number int64) string {
	switch {
	case number > 0:
		return fmt.Sprintf(" + %d", number)
	case number < 0:
		return fmt.Sprintf(" - %d", -number)
	}
	return ""
}
