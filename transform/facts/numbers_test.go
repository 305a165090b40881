package facts_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// source is what stands behind a number: its unit, and where it is from.
var source = regexp.MustCompile(`Unit: [^;]+;\s+(guessed|given: .*|measured: [^.]*, \d{4}-\d\d-\d\d)\.`)

// numbersFiles are the files that numbers are in.
var numbersFiles = []string{"numbers.go", "numberstiles.go", "numbersdevice.go"}

// TestNumbers reads the declarations of these, each of which says its unit and its source.
func TestNumbers(t *testing.T) {
	found := 0
	for _, file := range numbersFiles {
		for _, n := range numbersIn(t, file) {
			found++
			if !source.MatchString(n.doc) {
				t.Errorf("%s has no line \"Unit: …; guessed.\", \"Unit: …; given: BY WHAT.\", or \"Unit: …; measured: PROGRAM, MACHINE, YYYY-MM-DD.\"", n.name)
			}
		}
	}
	if found < 20 {
		t.Errorf("only %d numbers were found", found)
	}
}

// TestNumbersElsewhere looks for constants with numbers in the other files of transform and of the
// packages in it, but for hyperplane, whose numbers bound searches.
func TestNumbersElsewhere(t *testing.T) {
	files := 0
	err := filepath.WalkDir("..", func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && d.Name() == "hyperplane" {
			return filepath.SkipDir
		}
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || slices.Contains(numbersFiles, path[strings.LastIndex(path, "/")+1:]) {
			return err
		}
		files++
		for _, n := range numbersIn(t, path) {
			t.Errorf("%s: %s is a constant with a number: transform/facts/%s is the place for it, with its unit and source", path, n.name, strings.Join(numbersFiles, ", or "))
		}
		return nil
	})
	if err != nil || files < 20 {
		t.Errorf("%d files: %v", files, err)
	}
}

// number is a constant with the comments of its declaration.
type number struct{ name, doc string }

// numbersIn are the constants of a file that are declared with a number.
func numbersIn(t *testing.T, path string) (numbers []number) {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	for _, declaration := range file.Decls {
		group, is := declaration.(*ast.GenDecl)
		if !is || group.Tok != token.CONST {
			continue
		}
		for _, spec := range group.Specs {
			value := spec.(*ast.ValueSpec)
			if name, is := value.Type.(*ast.Ident); is && types.Universe.Lookup(name.Name) == nil {
				continue // one of several ways, which have a type of their own
			}
			for k, name := range value.Names {
				if k < len(value.Values) && hasNumber(value.Values[k]) {
					numbers = append(numbers, number{name.Name, strings.ReplaceAll(fmt.Sprint(group.Doc.Text(), value.Doc.Text()), "\n", " ")})
				}
			}
		}
	}
	return numbers
}

// hasNumber says whether a literal number is part of an expression that does not count the constants
// of a group, and is no negative one, which stands for none.
func hasNumber(e ast.Expr) (has bool) {
	counts := false
	ast.Inspect(e, func(n ast.Node) bool {
		if name, is := n.(*ast.Ident); is && name.Name == "iota" {
			counts = true
		}
		if sign, is := n.(*ast.UnaryExpr); is && sign.Op == token.SUB {
			return false
		}
		literal, is := n.(*ast.BasicLit)
		has = has || is && (literal.Kind == token.INT || literal.Kind == token.FLOAT)
		return true
	})
	return has && !counts
}
