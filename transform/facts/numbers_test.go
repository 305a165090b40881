package facts_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// source is what stands behind a number: its unit, and where it is from.
var source = regexp.MustCompile(`Unit: [^;]+;\s+(guessed|measured: [^.]*, \d{4}-\d\d-\d\d)\.`)

// TestNumbers reads the declarations of numbers.go, each of which says its unit and its source.
func TestNumbers(t *testing.T) {
	found := 0
	for _, n := range numbersIn(t, "numbers.go") {
		found++
		if !source.MatchString(n.doc) {
			t.Errorf("%s has no line \"Unit: …; guessed.\" or \"Unit: …; measured: PROGRAM, MACHINE, YYYY-MM-DD.\"", n.name)
		}
	}
	if found < 20 {
		t.Errorf("only %d numbers were found", found)
	}
}

// TestNumbersElsewhere compares the constants with numbers in other files with a list of those that
// were there when numbers.go began: it may only shrink.
func TestNumbersElsewhere(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "numbers-elsewhere"))
	if err != nil {
		t.Fatal(err)
	}
	listed := strings.Fields(string(text))
	var have []string
	for _, folder := range []string{"..", "."} {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Fatalf("no files in %s: %v", folder, err)
		}
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") || file == "numbers.go" {
				continue
			}
			for _, n := range numbersIn(t, file) {
				have = append(have, n.name)
			}
		}
	}
	for _, name := range have {
		if !slices.Contains(listed, name) {
			t.Errorf("%s is a constant with a number: numbers.go is the place for it, with its unit and source", name)
		}
	}
	for _, name := range listed {
		if !slices.Contains(have, name) {
			t.Errorf("%s is in testdata/numbers-elsewhere, and no such constant is elsewhere any more: take it from the list", name)
		}
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
			for k, name := range value.Names {
				if k < len(value.Values) && hasNumber(value.Values[k]) {
					numbers = append(numbers, number{name.Name, strings.ReplaceAll(fmt.Sprint(group.Doc.Text(), value.Doc.Text()), "\n", " ")})
				}
			}
		}
	}
	return numbers
}

// hasNumber says whether a literal number is part of an expression.
func hasNumber(e ast.Expr) (has bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		literal, is := n.(*ast.BasicLit)
		has = has || is && (literal.Kind == token.INT || literal.Kind == token.FLOAT)
		return true
	})
	return has
}
