package frontend

import (
	"bytes"
	"fmt"
	"path/filepath"
	"strings"
)

// The C front end is recursive, so its stack is bounded by bounding what it
// is given. Programs that people write stay far below these numbers.
const (
	maxFileSize       = 8 << 20
	maxNesting        = 256
	maxStatementToken = 50_000
	maxExpansion      = 3_000_000
)

// checkLimits refuses text that is no C source or is too large or too deeply
// nested to be parsed safely.
func checkLimits(name string, source []byte) error {
	whole := Position{File: name}
	if len(source) > maxFileSize {
		return ErrorList{{Position: whole, Construct: "file",
			Message: fmt.Sprintf("the file has %d bytes, more than the %d that are read", len(source), maxFileSize),
			Advice:  "move the region into a file of its own"}}
	}
	if bytes.IndexByte(source, 0) >= 0 {
		return ErrorList{{Position: whole, Construct: "file", Message: "the file has zero bytes, so it is no C source",
			Advice: "give the text of a C file, in ASCII or UTF-8"}}
	}
	t := newText(name, source)
	if err := checkNesting(t); err != nil {
		return err
	}
	return checkSelfInclusion(t)
}

// checkSelfInclusion refuses a file that includes itself: the C front end
// knows no end of that.
func checkSelfInclusion(t *text) error {
	for _, l := range t.lexemes {
		if l.kind != directive {
			continue
		}
		words := t.directiveWords(l)
		if len(words) < 2 || words[0] != "include" {
			continue
		}
		path := filepath.Join(filepath.Dir(t.name), strings.Trim(words[1], `"`))
		if words[1] == "__FILE__" || path == filepath.Clean(t.name) {
			return ErrorList{{Position: t.position(l.start), Construct: "#include",
				Message: "the file includes itself",
				Advice:  "move what is repeated to a header of its own"}}
		}
	}
	return nil
}

// checkNesting bounds the depth of brackets and the length of what can nest
// without brackets: a statement, with all the else branches that belong to it.
func checkNesting(t *text) error {
	nesting := nestingCounter{lengths: []int{0}}
	for i, l := range t.lexemes {
		if l.kind == directive {
			continue
		}
		nesting.token(t, i, l)
		if nesting.depth > maxNesting {
			return ErrorList{{Position: t.position(l.start), Construct: "nesting",
				Message: fmt.Sprintf("brackets are nested more than %d deep", maxNesting),
				Advice:  "split the expression or the block"}}
		}
		if nesting.lengths[len(nesting.lengths)-1] > maxStatementToken {
			return ErrorList{{Position: t.position(l.start), Construct: "statement",
				Message: fmt.Sprintf("a statement has more than %d tokens", maxStatementToken),
				Advice:  "split it into several statements"}}
		}
	}
	return nil
}

// nestingCounter counts open brackets, and per open brace the tokens of the
// statement that is being read.
type nestingCounter struct {
	depth, parens int
	lengths       []int
}

func (n *nestingCounter) token(t *text, index int, l lexeme) {
	n.lengths[len(n.lengths)-1]++
	switch t.source[l.start] {
	case '(', '[':
		n.depth++
		n.parens++
	case ')', ']':
		n.depth--
		n.parens--
	case '{':
		n.depth++
		n.lengths = append(n.lengths, 0)
	case '}':
		n.depth--
		if len(n.lengths) > 1 {
			n.lengths = n.lengths[:len(n.lengths)-1]
		}
		n.endStatement(t, index)
	case ';':
		if n.parens <= 0 {
			n.endStatement(t, index)
		}
	}
}

func (n *nestingCounter) endStatement(t *text, index int) {
	if index+1 < len(t.lexemes) && t.of(t.lexemes[index+1]) == "else" {
		return
	}
	n.lengths[len(n.lengths)-1] = 0
}
