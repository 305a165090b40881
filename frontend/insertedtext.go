package frontend

import (
	"strings"

	"modernc.org/cc/v4"

	"polytune/internal/ctext"
)

// patch is a text that takes the place of the tokens of a node.
type patch struct {
	span
	at   cc.Node
	text string
}

// patches are what takes the place of parts of a node: of calls, and of the functions' variables.
func (s *insertion) patches(n cc.Node) (list []patch) {
	add := func(n cc.Node, text string) bool {
		extent, ok := spanOf(n)
		if ok && text != "" {
			list = append(list, patch{extent, n, text})
		}
		return text == ""
	}
	walk(n, func(n cc.Node) bool {
		switch n := n.(type) {
		case *cc.ExpressionStatement:
			return add(n, s.statement(n))
		case *cc.BlockItem:
			if n.Case == cc.BlockItemDecl {
				return add(n, s.declared(n.Declaration))
			}
		case *cc.PostfixExpression:
			if n.Case == cc.PostfixExpressionCall && s.isUnclear(n) {
				return add(n, s.value(n))
			}
			if to := s.values[variableOf(n.PostfixExpression)]; n.Case == cc.PostfixExpressionPSelect && to.pointee != "" {
				return add(n, to.pointee+"."+n.Token2.SrcStr())
			}
		case *cc.PrimaryExpression:
			return add(n, s.values[variableOf(n)].text)
		case *cc.InitDeclarator:
			name := n.Declarator.NameTok()
			if to, isOwn := s.values[n.Declarator]; isOwn {
				list = append(list, patch{span: span{firstSequence: name.Seq(), lastSequence: name.Seq()}, text: to.text})
			}
		}
		return true
	})
	return list
}

// text is the text of a node behind the preprocessor, on one line, with what takes the place of its
// parts.
func (s *insertion) text(n cc.Node) string {
	list := s.patches(n)
	var b strings.Builder
	last, done := "", 0
	write := func(word string) {
		if needsSpace(last, word) {
			b.WriteByte(' ')
		}
		b.WriteString(word)
		last = word
	}
	for _, t := range tokensOf(n) {
		if t.Seq() <= done {
			continue
		}
		word := s.r.x.carriage.written(t.SrcStr())
		for _, p := range list {
			if p.contains(t) {
				word, done = p.text, p.lastSequence
			}
		}
		write(word)
	}
	return b.String()
}

// needsSpace says that a space makes two words, one behind the other, easier to read, or keeps them
// apart.
func needsSpace(last, word string) bool {
	opens, closes := false, false
	switch last {
	case "", "(", "[", ".", "->":
		opens = true
	}
	switch word {
	case ")", "]", ",", ";", ".", "->":
		closes = true
	}
	isCall := (word == "(" || word == "[") && last != "" && (last == "]" || ctext.IsWordByte(last[len(last)-1]))
	return !opens && !closes && !isCall
}
