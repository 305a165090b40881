package codegen

import (
	"fmt"
	"strings"
	"testing"

	"polytune/frontend"
	"polytune/internal/marktest"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// kernel is a region with one schedule: what is generated for it is compared
// with a golden file, and run against the original.
type kernel struct {
	name string
	// about says what the case shows.
	about      string
	arguments  []scop.Argument
	arrays     []scop.Array
	locals     []scop.Local
	context    string
	statements []scop.Statement
	// original is the region as its author wrote it.
	original string
	tree     string
	// table has the tree's marks where these have no words, and marks those of others that marktest
	// cannot read.
	table  *mark.Table
	marks  map[string]mark.Mark
	taken  []string
	unused []string
	// wants and lacks are texts that must and must not be in the code.
	wants, lacks []string
}

// statementOf makes a statement; iterators are separated by blanks, and one
// that counts down starts with a minus. The domain's constraints are over
// the iterators and N, M.
func statementOf(number int, source, iterators, constraints string) scop.Statement {
	s := scop.Statement{Name: fmt.Sprintf("S%d", number), Source: source}
	for _, iterator := range strings.Fields(iterators) {
		name := strings.TrimPrefix(iterator, "-")
		s.Loops = append(s.Loops, scop.Loop{Iterator: name, Descending: name != iterator})
	}
	s.Position = make([]int, len(s.Loops)+1)
	s.Uses = usesOf(source, s.Iterators())
	s.Value = frontend.Tree(source, s.Uses, nil)
	s.Domain = fmt.Sprintf("[N, M] -> { %s[%s] : %s }", s.Name, strings.Join(s.Iterators(), ", "), constraints)
	return s
}

// madeByHand is A[i][j] = (B[j][i] + 1.0) * x[i + 1] - (x[j] - A[i][j]) of nodes.
func madeByHand() scop.Statement {
	s := statementOf(0, "", "i j", "0 <= i < N and 0 <= j < M")
	i, j := &scop.Ref{Loop: 0}, &scop.Ref{Loop: 1}
	element := func(array string, subscripts ...scop.Expr) *scop.Ref {
		return &scop.Ref{Name: array, Loop: -1, Selected: strings.Repeat("[]", len(subscripts)), Subscripts: subscripts}
	}
	binary := func(x scop.Expr, operator string, y scop.Expr) scop.Expr {
		return &scop.Binary{Operator: operator, X: x, Y: y}
	}
	sum := binary(element("B", j, i), "+", &scop.Number{Text: "1.0"})
	product := binary(sum, "*", element("x", binary(i, "+", &scop.Number{Text: "1"})))
	s.Value = binary(element("A", i, j), "=", binary(product, "-", binary(element("x", j), "-", element("A", i, j))))
	s.Write()
	return s
}

func intArguments() []scop.Argument {
	return []scop.Argument{{Name: "N", Type: "int"}, {Name: "M", Type: "int"}}
}

func (k *kernel) program() *scop.Program {
	arguments, context := k.arguments, k.context
	if arguments == nil {
		arguments = intArguments()
	}
	if context == "" {
		context = "[N, M] -> { : }"
	}
	return &scop.Program{
		Name: k.name, Parameters: []string{"N", "M"}, Context: context,
		Function: scop.Function{Name: k.name, Arguments: arguments},
		Arrays:   k.arrays, Locals: k.locals, Statements: k.statements,
	}
}

// schedule is the schedule that code is made of.
func (k *kernel) schedule(t testing.TB, c *isl.Context) mark.Schedule {
	t.Helper()
	if k.table != nil {
		return mark.Schedule{Tree: c.ReadSchedule(k.tree), Marks: k.table}
	}
	return marktest.ReadWith(t, c, k.tree, k.marks)
}

func (k *kernel) generate(t testing.TB) string {
	t.Helper()
	c := isl.NewContext()
	defer c.Close()
	model, err := k.program().Model(c)
	if err != nil {
		t.Fatal(k.name, err)
	}
	taken := map[string]bool{}
	for _, name := range k.taken {
		taken[name] = true
	}
	code, err := Generate(model, k.schedule(t, c), Options{Taken: taken, Header: k.about, Indent: "  ", Unused: k.unused})
	if err != nil {
		t.Fatal(k.name, err)
	}
	return code
}
