package loopir

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/isl"
)

// String is the program for people who look at what a pass has made of it: one line for a
// statement, indented.
func (p *Program) String() string {
	w := &writer{}
	for _, s := range p.Locals {
		w.statement(s)
	}
	if p.Heap != nil {
		for _, s := range p.Heap.Stretches {
			w.line("memory %s %s%s, bytes %s", s.Type, s.Name, extentsText(s.Rows), s.Bytes)
		}
	}
	if p.Assumed != nil {
		w.line("assume %s", p.Assumed)
	}
	for _, guard := range p.Guards {
		w.line("assume %s", guard)
	}
	w.code(p.Code)
	return w.text.String()
}

// String is some code for people.
func (c Code) String() string {
	w := &writer{}
	w.code(c)
	return w.text.String()
}

type writer struct {
	text  strings.Builder
	depth int
}

func (w *writer) line(format string, values ...any) {
	w.text.WriteString(strings.Repeat("  ", w.depth) + strings.TrimSpace(fmt.Sprintf(format, values...)) + "\n")
}

func (w *writer) code(code Code) {
	for _, s := range code {
		w.statement(s)
	}
}

// inside writes code one level deeper.
func (w *writer) inside(code Code) {
	w.depth++
	w.code(code)
	w.depth--
}

// part writes a part of a statement that is not empty, with its name above.
func (w *writer) part(name string, code Code) {
	if len(code) == 0 {
		return
	}
	w.depth++
	w.line("%s", name)
	w.inside(code)
	w.depth--
}

// branches writes two codes, the second one behind a line with "else".
func (w *writer) branches(then, other Code) {
	w.inside(then)
	if len(other) > 0 {
		w.line("else")
		w.inside(other)
	}
}

func (w *writer) statement(s Stmt) {
	switch s := s.(type) {
	case *For:
		w.line("%s", s.header())
	case *If:
		w.line("if %s", s.Cond)
		w.branches(s.Then, s.Else)
		return
	case *Either:
		w.line("either %s", s.Condition)
		w.branches(s.Then, s.Else)
		return
	case *Let:
		w.line("let %s = %s", s.Var, s.Value)
	case *Define:
		w.line("%s", s.text())
	case *Run:
		w.line("run %s%s%s", s.Statement.Name, tuple(s.At), s.places())
	case *Assign:
		w.line("%s", s.text())
	case *Move:
		value := strings.Join(strings.Fields(s.Before+" "+placeText(s.From)+" "+s.After), " ")
		w.line("%s = %s%s", placeText(s.To), value, s.Vector)
	case *Marked:
		w.line("mark %s%s", s.Mark, map[bool]string{true: ", done"}[s.Spent])
	case *Keep:
		for _, k := range s.Kept {
			w.line("keep %s in %s", k.Element, k.Name)
		}
	case *Kernel:
		w.line("kernel %s of %d x %d x %d threads", s.Name, s.Threads[0], s.Threads[1], s.Threads[2])
		for d, span := range s.spans() {
			if span != nil {
				w.line("  blocks along %s from %s to %s", dimensionNames[d], span.From, span.To)
			}
		}
	case *AddUp:
		w.line("add up %s in %s%s%s", s.Operator, s.Array, tuple(s.Element), map[bool]string{true: ", of all blocks"}[s.Atomic])
	case *Box:
		w.line("%s of %s", s.Name, s.Of)
	case *Streamed:
		w.line("stream %s from %s to %s, %d planes of %d columns a thread", s.Var, s.From, s.To, s.Planes, s.Turns())
	case *Team:
		w.line("team%s", where(s.Several))
	case *Reduce:
		w.line("reduce%s", where(s.Threads))
		for _, p := range s.Partials {
			w.line("  %s in copies of %s", p.Operator, p.Name)
		}
	case *Copies:
		w.line("copies%s", s.text())
		w.part("filled by", slices.Concat(s.Memory, s.In))
		w.part("in", s.Body)
		w.part("brought back by", s.Out)
		return
	case *Packed:
		w.line("packed")
		w.part("filled by", s.Fill)
		w.part("in", s.Body)
		return
	case *Relay:
		w.line("relay %s from %s to %s, blocks %s to %s", s.Var, s.From, s.To, s.Low, s.High)
		for k, leg := range []Code{s.First, s.Between, s.Second} {
			w.line("%s leg", []string{"first", "between", "second"}[k])
			w.inside(leg)
		}
		return
	default:
		w.line("%s", plainText(s))
	}
	for _, body := range Bodies(s) {
		w.inside(*body)
	}
}

// text is the name that a copy has.
func (s *Copies) text() string {
	if s.Alias == nil {
		return ""
	}
	return fmt.Sprintf(", %s of %s", s.Alias.Name, s.Alias.Of)
}

// places says what an instance reads of registers, keeps in one, and stores early.
func (r *Run) places() (text string) {
	for _, access := range slices.Sorted(maps.Keys(r.Registers)) {
		text += fmt.Sprintf(", access %d of r%d", access, r.Registers[access])
	}
	if r.Register > 0 {
		text += fmt.Sprintf(", kept in r%d", r.Register)
	}
	for _, s := range r.Stores {
		if text += ", store " + s.Box.Name; s.If != nil {
			text += " if " + s.If.String()
		}
	}
	return text
}

// plainText is a statement without code inside, or with a body.
func plainText(s Stmt) string {
	switch s := s.(type) {
	case *Private:
		return strings.TrimSuffix("declare "+s.Declaration+" = "+s.Value, " = ")
	case *Core:
		return "core"
	case *Step:
		return "step"
	case *Transfer:
		return map[bool]string{false: "load ", true: "store "}[s.Store] + s.Box.Name + [...]string{"", ", what the iteration before has left", ", what is new"}[s.Part] + s.Vectors.text()
	case *Alloc:
		return fmt.Sprintf("alloc %s %s%s in %s", s.Type, s.Name, extentsText(s.Extents), []string{"stack", "own memory"}[s.In])
	case *Alias:
		return fmt.Sprintf("alias %s of %s", s.Name, s.Of)
	case *Buffer:
		return fmt.Sprintf("buffer %s %s[%d]", s.Type, s.Name, s.Elements)
	case *Flag:
		return "flag " + s.Name
	case *Once:
		return "once " + s.Flag
	case *Registers:
		return fmt.Sprintf("registers %s%s", strings.Join(s.Names, ", "), s.Vector)
	case *Transpose:
		return fmt.Sprintf("transpose %s%s", strings.Join(s.Registers, ", "), s.Vector)
	case *Prefetch:
		return fmt.Sprintf("prefetch %d bytes behind %s, %d strides", s.Bytes, s.Element, len(s.Strides))
	case *Pointer:
		return fmt.Sprintf("pointer %s to %s", s.Name, s.To)
	case *Cover:
		return fmt.Sprintf("cover %s from 0 to %s%s", s.Var, s.Last, s.Vector)
	}
	return strings.ToLower(strings.TrimPrefix(fmt.Sprintf("%T", s), "*loopir."))
}

// header is the line of a loop.
func (l *For) header() string {
	text := fmt.Sprintf("for %s", l.Var)
	if l.From != nil {
		text += fmt.Sprintf(" = %s", l.From)
	}
	if l.Once {
		return text + " once"
	}
	text += fmt.Sprintf(" while %s step %s", l.While, l.Step)
	if l.Shared {
		text += " in shares"
	}
	if l.Share != nil {
		text += l.Share.text()
	}
	if t := l.Threads; t != nil {
		text += " on threads" + map[bool]string{true: " of the team"}[t.InTeam] + []string{"", " dynamic", " static"}[t.Schedule]
		if t.Collapsed > 0 {
			text += fmt.Sprintf(" collapsed %d", t.Collapsed)
		}
		text += reductionsText(t.Reductions) + where(t.Several)
	}
	if v := l.Lanes; v != nil {
		text += " in lanes" + map[bool]string{true: " that are independent"}[v.Independent]
		if v.Count > 0 {
			text += fmt.Sprintf(" %d", v.Count)
		}
		text += reductionsText(v.Reductions)
	}
	return text
}

func reductionsText(list []Reduction) (text string) {
	for _, r := range list {
		text += fmt.Sprintf(" reducing %s %s", r.Operator, r.Variable)
	}
	return text
}

func (d *Define) text() string {
	text := fmt.Sprintf("define %s = %s", d.Var, d.Value)
	if d.When != nil {
		text += fmt.Sprintf(" where %s, otherwise %s", d.When, d.Else)
	}
	return text
}

func (a *Assign) text() string {
	value := a.Texts[0]
	for k, operand := range a.Operands {
		value += placeText(operand) + a.Texts[k+1]
	}
	text := fmt.Sprintf("run %s%s: %s %s %s%s", a.Statement.Name, tuple(a.At), placeText(a.Target), a.Operator, strings.Join(strings.Fields(value), " "), a.Vector)
	return text + map[bool]string{true: " past the caches"}[a.Past]
}

// String is what follows the text of a statement in vectors.
func (v Vector) String() string {
	if v.Lanes == 0 {
		return ""
	}
	return fmt.Sprintf(" in %d lanes", v.Lanes)
}

func placeText(place Place) string {
	switch place := place.(type) {
	case Register:
		return string(place)
	case *Buffered:
		return fmt.Sprintf("%s[%s]", place.Buffer, place.Index)
	case *Element:
		if place.Apart != nil {
			return "{" + strings.Join(place.Apart, ", ") + "}"
		}
		return place.Text
	case *Copied:
		return place.Text
	}
	return "0"
}

func where(condition string) string {
	if condition == "" {
		return ""
	}
	return " where " + condition
}

func tuple(list []*Expr) string {
	texts := make([]string, len(list))
	for k, e := range list {
		texts[k] = e.String()
	}
	return "(" + strings.Join(texts, ", ") + ")"
}

func extentsText(extents []string) (text string) {
	for _, extent := range extents {
		text += "[" + extent + "]"
	}
	return text
}

// operators are those that stand between their arguments, and how tightly they bind.
var operators = map[isl.AstOpType]struct {
	symbol string
	binds  int
}{
	isl.OpOr: {" or ", 1}, isl.OpOrElse: {" or ", 1}, isl.OpAnd: {" and ", 2}, isl.OpAndThen: {" and ", 2},
	isl.OpEq: {" = ", 3}, isl.OpLe: {" <= ", 3}, isl.OpLt: {" < ", 3}, isl.OpGe: {" >= ", 3}, isl.OpGt: {" > ", 3},
	isl.OpAdd: {" + ", 4}, isl.OpSub: {" - ", 4},
	isl.OpMul: {" * ", 5}, isl.OpDiv: {" / ", 5}, isl.OpPdivQ: {" / ", 5}, isl.OpPdivR: {" mod ", 5}, isl.OpZdivR: {" mod ", 5},
}

// functions are those that stand in front of their arguments.
var functions = map[isl.AstOpType]string{isl.OpMin: "min", isl.OpMax: "max", isl.OpFdivQ: "floor", isl.OpMinus: "-", isl.OpCond: "if", isl.OpSelect: "if", OpMisaligned: "misaligned"}

// String is the expression for people.
func (e *Expr) String() string {
	switch e.Kind {
	case isl.AstID:
		return e.Name
	case isl.AstInt:
		return fmt.Sprint(e.Value)
	}
	operator, between := operators[e.Op]
	if !between {
		return cmp.Or(functions[e.Op], fmt.Sprintf("operation %d", e.Op)) + tuple(e.Args)
	}
	texts := make([]string, len(e.Args))
	for k, a := range e.Args {
		inner, isOperation := operators[a.Op]
		if texts[k] = a.String(); a.Kind == isl.AstOp && isOperation && (inner.binds < operator.binds || k > 0 && inner.binds == operator.binds) {
			texts[k] = "(" + texts[k] + ")"
		}
	}
	return strings.Join(texts, operator.symbol)
}

// text says what vectors are, for people; "" for none.
func (v *Vectors) text() string {
	if v == nil {
		return ""
	}
	return fmt.Sprintf(", %d elements at once", v.Length)
}
