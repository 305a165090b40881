package frontend

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// A statement's tree is read from its text as generated code has it, in which rows of elements are
// written out and macros stand as the user wrote them: the trees of the compiler's front end are
// those of the preprocessed text, in other places. What names mean the front end says.

// Tree is the tree of a statement's text in C, whose iterators stand at the uses: an expression, or
// Opaque for all else and for text with comments. isType says which names are those of types.
func Tree(source string, uses []scop.Use, isType func(name string) bool) scop.Expr {
	p := &treeParser{source: source, uses: uses, isType: isType, tokens: treeTokens(source)}
	var statements []scop.Expr
	for p.next < len(p.tokens) {
		statements = append(statements, p.statement())
	}
	if p.failed {
		return p.loosely()
	}
	if len(statements) == 1 && !isMoreThanTokens(source, p.tokens) {
		return statements[0]
	}
	return p.opaque(0, statements...)
}

// treeToken is a token with its text; that of an operator is all of it.
type treeToken struct {
	lexeme
	text string
}

// operators are those of more than one character, longer ones first.
var operators = []string{"<<=", ">>=", "...", "++", "--", "<<", ">>", "<=", ">=", "==", "!=", "&&", "||", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^="}

// treeTokens are the tokens of a text but for its directives.
func treeTokens(source string) (tokens []treeToken) {
	for _, l := range scan([]byte(source)) {
		switch {
		case l.kind == directive || len(tokens) > 0 && l.start < tokens[len(tokens)-1].end:
			continue
		case l.kind == punctuation:
			k := slices.IndexFunc(operators, func(operator string) bool { return strings.HasPrefix(source[l.start:], operator) })
			if k >= 0 {
				l.end = l.start + len(operators[k])
			}
		}
		tokens = append(tokens, treeToken{l, source[l.start:l.end]})
	}
	return tokens
}

// isMoreThanTokens says whether there are comments, directives or continued lines in a text.
func isMoreThanTokens(source string, tokens []treeToken) bool {
	place := 0
	for _, t := range tokens {
		if strings.TrimSpace(source[place:t.start]) != "" {
			return true
		}
		place = t.end
	}
	return strings.TrimSpace(source[place:]) != ""
}

// typeWords are the words of C that begin the name of a type, or belong to one.
var typeWords = map[string]bool{
	"char": true, "short": true, "int": true, "long": true, "float": true, "double": true, "signed": true, "unsigned": true,
	"const": true, "volatile": true, "void": true, "_Bool": true, "_Complex": true, "struct": true, "union": true, "enum": true,
	"register": true, "__restrict": true, "restrict": true, "__typeof__": true, "size_t": true, "__int128": true,
}

// isTypeName says whether a name is that of a type in the file: of a typedef, or of a macro that
// begins with one.
func (x *extractor) isTypeName(name string) bool {
	for range mostMacros {
		m := x.ast.Macros[name]
		if m == nil {
			break
		}
		words := wordsOf(m)
		if m.IsFnLike || len(words) == 0 {
			return false
		}
		name = words[0]
	}
	if typeWords[name] {
		return true
	}
	return slices.ContainsFunc(x.ast.Scope.Nodes[name], func(n cc.Node) bool {
		d, ok := n.(*cc.Declarator)
		return ok && d.IsTypename()
	})
}

// mostMacros bounds how many macros stand for one another; more of them may do so in a circle.
const mostMacros = 16

// treeParser reads the tokens of a text. What it cannot read sets failed.
type treeParser struct {
	source string
	uses   []scop.Use
	isType func(name string) bool
	tokens []treeToken
	next   int
	failed bool
	// depth is how many statements and operands are being read inside each other.
	depth int
}

// deepest bounds that depth.
const deepest = 500

// inside notes that something is read inside another thing; the function that it gives ends that.
func (p *treeParser) inside() (end func()) {
	if p.depth++; p.depth > deepest {
		p.fail()
	}
	return func() { p.depth-- }
}

// peek is the text of the token that many places on, "" behind the last.
func (p *treeParser) peek(on int) string {
	if p.next+on >= len(p.tokens) {
		return ""
	}
	return p.tokens[p.next+on].text
}

func (p *treeParser) kind() lexemeKind {
	if p.next >= len(p.tokens) {
		return punctuation
	}
	return p.tokens[p.next].kind
}

// accept takes the next token if it is one of the texts.
func (p *treeParser) accept(texts ...string) bool {
	if p.next < len(p.tokens) && slices.Contains(texts, p.peek(0)) {
		p.next++
		return true
	}
	return false
}

// expect takes a token that has to be there.
func (p *treeParser) expect(text string) {
	if !p.accept(text) {
		p.fail()
	}
}

// fail ends the reading.
func (p *treeParser) fail() {
	p.failed, p.next = true, len(p.tokens)
}

// start is where the next token begins, from the place from there to the end of the last one.
func (p *treeParser) start() int {
	if p.next >= len(p.tokens) {
		return len(p.source)
	}
	return p.tokens[p.next].start
}

func (p *treeParser) from(start int) scop.Place {
	if p.next == 0 || p.failed {
		return scop.Place{Start: start, End: len(p.source)}
	}
	return scop.Place{Start: start, End: p.tokens[p.next-1].end}
}

// isTypeAt says whether the token that many places on belongs to the name of a type.
func (p *treeParser) isTypeAt(on int) bool {
	word := p.peek(on)
	if word == "" || p.tokens[p.next+on].kind != identifier {
		return false
	}
	return typeWords[word] || p.isType != nil && p.isType(word)
}

// loopAt is the index of the loop whose iterator stands at a place; -1 for none.
func (p *treeParser) loopAt(place int) int {
	for _, u := range p.uses {
		if u.Offset == place {
			return u.Loop
		}
	}
	return -1
}

// loosely are the names in a text that cannot be read, with and without arguments.
func (p *treeParser) loosely() scop.Expr {
	p.next, p.failed = len(p.tokens), false
	var inside []scop.Expr
	for k, t := range p.tokens {
		at := scop.Place{Start: t.start, End: t.end}
		switch {
		case t.kind != identifier:
		case k+1 < len(p.tokens) && p.tokens[k+1].text == "(":
			inside = append(inside, &scop.Call{Place: at, Function: t.text})
		default:
			inside = append(inside, &scop.Ref{Place: at, Name: t.text, Loop: p.loopAt(t.start)})
		}
	}
	return p.opaque(0, inside...)
}

// opaque is what was read from a token on, by its number, with what was found in it, but for what
// is nil.
func (p *treeParser) opaque(first int, inside ...scop.Expr) *scop.Opaque {
	inside = slices.DeleteFunc(inside, func(e scop.Expr) bool { return e == nil })
	if p.failed || first >= p.next {
		return &scop.Opaque{Inside: inside}
	}
	var words []string
	rest := inside
	for _, t := range p.tokens[first:p.next] {
		for len(rest) > 0 && rest[0].At().End <= t.start {
			rest = rest[1:]
		}
		switch {
		case len(rest) == 0 || t.start < rest[0].At().Start:
			words = append(words, t.text)
		case t.start == rest[0].At().Start:
			words = append(words, insideMark)
		}
	}
	return &scop.Opaque{Place: p.from(p.tokens[first].start), Text: strings.Join(words, " "), Inside: inside}
}

// insideMark stands for an expression in the words around it.
const insideMark = "…"
