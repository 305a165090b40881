package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"polytune/internal/ctext"
	"polytune/scop"
)

// Statements name the elements of arrays with rows by rows and columns, a_rows[i][j] for a[i * m +
// j], so that no stage has to know that they have one subscript in the user's file: what the name
// means is for the code to define. Elements whose subscripts the model does not know, and other
// mentions of the array, stay as they are.

// knownText is a part of a statement's text: a subscript whose value the model has, or an element
// that is written in another way.
type knownText struct {
	span
	// text takes the place of everything up to end; it is "" for a subscript. uses are the places
	// of iterators in it.
	text string
	end  int
	uses []scop.Use
}

// elementAt is the known element whose text begins with a lexeme, or nil.
func elementAt(l lexeme, known []knownText) *knownText {
	k := slices.IndexFunc(known, func(k knownText) bool { return k.text != "" && k.start == l.start })
	if k < 0 {
		return nil
	}
	return &known[k]
}

// writeInRows notes the text that takes the place of a reference to an array with rows, where
// its subscripts can be written, and where it stands in the statement by itself.
func (c *collector) writeInRows(array *arrayInfo, n cc.Node, subscripts []subscript) {
	e, ok := n.(cc.ExpressionNode)
	if !ok || isPointer(e) {
		return
	}
	extent, ok := spanOf(unwrap(e))
	if !ok || !c.x.standsAlone(extent) || c.hidesRows(array) {
		return
	}
	element := knownText{span: extent, text: array.Rows, end: c.x.endOf(extent)}
	for _, s := range subscripts {
		if !s.known || len(s.value.pieces) != 1 {
			return
		}
		text, uses, ok := c.subscriptText(s.value.pieces[0].value)
		if !ok {
			return
		}
		element.text += "["
		for _, u := range uses {
			u.Offset += len(element.text)
			element.uses = append(element.uses, u)
		}
		element.text += text + "]"
	}
	c.known = append(c.known, element)
}

// hidesRows says whether a variable inside the statement has a name that the definition of the rows
// mentions.
func (c *collector) hidesRows(array *arrayInfo) bool {
	mentioned := ctext.Words(strings.Join(append(slices.Clone(array.Extents[1:]), array.Variable), " "))
	for d := range c.inner {
		if slices.Contains(mentioned, d.Name()) {
			return true
		}
	}
	return false
}

// standsAlone says that the text of a span is that of nothing else: its first and its last token
// stand in it, or are out of macros that have no other tokens.
func (x *extractor) standsAlone(s span) bool {
	return s.start >= x.bounds.start && x.endOf(s) <= x.bounds.end && x.isWhole(s)
}

// isWhole is what standsAlone says, for a span in the region or outside of it.
func (x *extractor) isWhole(s span) bool {
	if x.lexemeAt(s.start) < 0 {
		return false
	}
	for _, t := range []cc.Token{s.tokens[0], s.tokens[len(s.tokens)-1]} {
		if x.spelledHere(t) && !x.isMacro(t.SrcStr()) {
			continue
		}
		isThere := func(other cc.Token) bool { return other.Position().Offset == t.Position().Offset }
		if count(x.whole(x.function).tokens(), isThere) != count(s.tokens, isThere) {
			return false
		}
	}
	return true
}

func count(tokens []cc.Token, is func(cc.Token) bool) (count int) {
	for _, t := range tokens {
		if is(t) {
			count++
		}
	}
	return count
}

// maxRepeated is how often a subscript may name a parameter.
const maxRepeated = 8

// subscriptText is a subscript in C, and the places of iterators in it; ok is false where there are
// quotients or remainders in it, or many parameters. Iterators come first, and multiples of
// parameters are sums: in generated code, where loop variables are long, all of the
// sum is one of longs.
func (c *collector) subscriptText(form linear) (text string, uses []scop.Use, ok bool) {
	add := func(negative bool, summand string) {
		switch {
		case negative && text == "":
			text = "-"
		case negative:
			text += " - "
		case text != "":
			text += " + "
		}
		text += summand
	}
	iterators, parameters := c.sortedTerms(form)
	if len(iterators)+len(parameters) < len(form.terms) {
		return "", nil, false
	}
	for _, t := range iterators {
		loop := slices.IndexFunc(c.loops, func(l loopLevel) bool { return l.tuple == t.text })
		name, factor := c.loops[loop].name, max(t.coefficient, -t.coefficient)
		if factor > 1 {
			name = fmt.Sprintf("%d * %s", factor, name)
		}
		add(t.coefficient < 0, name)
		uses = append(uses, scop.Use{Offset: len(text) - len(c.loops[loop].name), Loop: loop, Subscript: true})
	}
	repeated := int64(0)
	for _, t := range parameters {
		factor := max(t.coefficient, -t.coefficient)
		if repeated += factor; repeated > maxRepeated || repeated > 1 && len(iterators) == 0 {
			return "", nil, false
		}
		for range factor {
			add(t.coefficient < 0, c.x.spellingOf(t.text))
		}
	}
	if form.constant != 0 || text == "" {
		add(form.constant < 0, fmt.Sprint(max(form.constant, -form.constant)))
	}
	return text, uses, true
}

// sortedTerms are the terms of a form that are iterators of the loops around, and those that are
// parameters, each with those that are added first.
func (c *collector) sortedTerms(form linear) (iterators, parameters []term) {
	for _, t := range form.terms {
		switch {
		case slices.ContainsFunc(c.loops, func(l loopLevel) bool { return l.tuple == t.text }):
			iterators = append(iterators, t)
		case c.x.isParameterName(t.text):
			parameters = append(parameters, t)
		}
	}
	for _, terms := range [][]term{iterators, parameters} {
		slices.SortStableFunc(terms, func(a, b term) int {
			switch {
			case a.coefficient > 0 && b.coefficient < 0:
				return -1
			case a.coefficient < 0 && b.coefficient > 0:
				return 1
			}
			return 0
		})
	}
	return iterators, parameters
}

// rowsName is the name of an array's rows, which means nothing else in the file.
func (x *extractor) rowsName(array *arrayInfo) string {
	name, taken := array.Variable+"_rows", x.names()
	for taken[name] || slices.ContainsFunc(x.arrays, func(a *arrayInfo) bool { return a.Rows == name || a.Name == name }) {
		name += "_"
	}
	return name
}

// rowCount is the number of rows, as a number or a parameter, of an array that is declared with a
// product of that and the lengths of its rows, or "".
func (c *collector) rowCount(array *arrayInfo) string {
	t := array.declarator.Type()
	if p, ok := t.(*cc.PointerType); ok {
		t = p.Undecay()
	}
	declared, ok := t.(*cc.ArrayType)
	if !ok {
		return ""
	}
	var count polynomial
	if size := declared.SizeExpression(); declared.IsVLA() && size != nil {
		if count, ok = c.evaluator().polynomial(size); !ok {
			return ""
		}
	} else if limit := declared.Len(); limit > 0 && limit < maxRowNumber*maxRowNumber {
		count = polynomial{{nil, limit}}
	}
	for k := len(array.rows) - 1; k >= 0; k-- {
		quotient, remainder, ok := count.dividedBy(array.rows[k].value)
		if !ok || len(remainder) > 0 {
			return ""
		}
		count = quotient
	}
	rows, ok := count.linear()
	switch {
	case !ok:
		return ""
	case rows.isConstant() && rows.constant > 0:
		return fmt.Sprint(rows.constant)
	case len(rows.terms) == 1 && rows.terms[0].coefficient == 1 && rows.constant == 0 && c.x.isParameterName(rows.terms[0].text):
		return c.x.spellingOf(rows.terms[0].text)
	}
	return ""
}

// namesVariable says whether some statement's text names an array with rows by the name of the
// variable.
func namesVariable(program *scop.Program, a *arrayInfo) bool {
	return slices.ContainsFunc(program.Statements, func(s scop.Statement) bool {
		return slices.Contains(lexemeTexts(s.Source), a.Variable)
	})
}
