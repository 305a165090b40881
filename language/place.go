package language

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"

	"polytune/algorithm"
)

// goFile is a file of the user's, with the places in it; nil for one that cannot be read.
type goFile struct {
	set  *token.FileSet
	file *ast.File
}

// goFile reads a file once.
func (f *function) goFile(path string) *goFile {
	if g, is := f.files[path]; is {
		return g
	}
	g := &goFile{set: token.NewFileSet()}
	var err error
	if g.file, err = parser.ParseFile(g.set, path, nil, parser.SkipObjectResolution); err != nil {
		g = nil
	}
	if f.files == nil {
		f.files = map[string]*goFile{}
	}
	f.files[path] = g
	return g
}

// place is that of an expression in a text of a declaration: with its line and column where the
// declaration's line in Go has the text as it is written, and else the declaration's line.
func (f *function) place(at algorithm.Position, e algorithm.Expr) algorithm.Position {
	g := f.goFile(at.File)
	if g == nil || e.At == 0 {
		return at
	}
	found := at
	ast.Inspect(g.file, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is || g.set.Position(call.Pos()).Line > at.Line || g.set.Position(call.End()).Line < at.Line {
			return n == nil || g.set.Position(n.Pos()).Line <= at.Line
		}
		for _, argument := range call.Args {
			if literal, is := argument.(*ast.BasicLit); is && literal.Kind == token.STRING && stands(e, literal.Value) {
				p := g.set.Position(literal.Pos() + token.Pos(e.At))
				found.Line, found.Column = p.Line, p.Column
			}
		}
		return true
	})
	return found
}

// stands says whether a text in Go has an expression at the place that it knows.
func stands(e algorithm.Expr, literal string) bool {
	text, err := strconv.Unquote(literal)
	if err != nil || len(text)+2 != len(literal) || e.At > len(text)+1 {
		return false
	}
	if e.Op == algorithm.OpProblem {
		return strings.HasSuffix(e.Text, ", in "+strconv.Quote(text))
	}
	return strings.HasPrefix(withoutSpace(text[e.At-1:]), withoutSpace(e.String()))
}

func withoutSpace(text string) string {
	text = strings.NewReplacer(" and ", "&&", " or ", "||").Replace(text)
	return strings.Join(strings.Fields(text), "")
}
