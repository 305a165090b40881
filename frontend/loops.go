package frontend

import (
	"bytes"

	"modernc.org/cc/v4"
)

// Loop is a for loop in a function of a file.
type Loop struct {
	// Position is the place of its first word.
	Position
	// Function is the function around it.
	Function string
	// Start and End bound its text in the file.
	Start, End int
	// LastLine is the line of its end.
	LastLine int
	// Depth is the number of for loops in each other, with this one.
	Depth int
	// Region is the number of the region around it, from 1; 0 for none.
	Region int
	// IsExpanded says that its first or last word comes out of a macro, so that no pragma can stand
	// around it.
	IsExpanded bool
	// IsBody says that it is the whole body of another statement, without braces around it.
	IsBody bool
	// Inner are the loops in it that stand in no other one.
	Inner []*Loop
}

// Loops are the for loops of a file's functions that stand in no other for loop, in the order of
// the text, and the places of the regions that the file has already. The file needs none.
func Loops(name string, source []byte, options Options) (loops []*Loop, regions [][2]int, err error) {
	if err := checkLimits(name, source); err != nil {
		return nil, nil, err
	}
	u, err := compile(newText(name, source), options)
	if err != nil {
		return nil, nil, err
	}
	if len(u.pragmas) > 0 {
		marked, err := u.regionBounds()
		if err != nil {
			return nil, nil, err
		}
		for _, b := range marked {
			regions = append(regions, [2]int{b.pragmaStart, b.pragmaEnd})
		}
	}
	for _, f := range u.functions() {
		if !u.inFile(f.CompoundStatement) {
			continue
		}
		outside := &Loop{Function: f.Declarator.Name()}
		u.addLoops(outside, f.CompoundStatement, regions)
		loops = append(loops, outside.Inner...)
	}
	return loops, regions, nil
}

// addLoops adds the loops below a node to the loop around them, and says how deep they are nested.
func (u *unit) addLoops(around *Loop, n cc.Node, regions [][2]int) {
	bodies := map[*cc.IterationStatement]bool{}
	note := func(body *cc.Statement) {
		if body != nil && body.Case == cc.StatementIteration {
			bodies[body.IterationStatement] = true
		}
	}
	if body, is := n.(*cc.Statement); is {
		note(body)
	}
	walk(n, func(n cc.Node) bool {
		if choice, is := n.(*cc.SelectionStatement); is {
			note(choice.Statement)
			note(choice.Statement2)
		}
		s, is := n.(*cc.IterationStatement)
		if is {
			note(s.Statement)
		}
		if !is || s.Case != cc.IterationStatementFor && s.Case != cc.IterationStatementForDecl {
			return true
		}
		extent, ok := spanOf(s)
		if !ok || !u.inFile(s) {
			return true
		}
		l := u.loopAt(extent, regions)
		l.Function, l.Depth, l.IsBody = around.Function, 1, bodies[s]
		u.addLoops(l, s.Statement, regions)
		for _, inner := range l.Inner {
			l.Depth = max(l.Depth, 1+inner.Depth)
		}
		around.Inner = append(around.Inner, l)
		return false
	})
}

// loopAt is a loop with the places of its text.
func (u *unit) loopAt(s span, regions [][2]int) *Loop {
	first, last := s.tokens[0], s.tokens[len(s.tokens)-1]
	l := &Loop{Position: u.position(s.start), Start: s.start, End: s.last + len(last.Src())}
	l.LastLine = u.position(s.last).Line
	l.IsExpanded = !u.isSpelled(first) || !u.isSpelled(last)
	for k, r := range regions {
		if r[0] <= s.start && s.start < r[1] {
			l.Region = k + 1
		}
	}
	return l
}

// isSpelled says that a token stands in the file as such, and comes out of no macro.
func (u *unit) isSpelled(t cc.Token) bool {
	offset := t.Position().Offset
	return offset < len(u.source) && bytes.HasPrefix(u.source[offset:], t.Src()) && u.ast.Macros[t.SrcStr()] == nil
}

// IsBlank says that nothing but white space and comments stands in a part of a C text.
func IsBlank(part []byte) bool { return len(scan(part)) == 0 }
