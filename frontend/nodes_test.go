package frontend

import (
	"testing"

	"modernc.org/cc/v4"
)

// TestTokensOf compares the tokens of nodes with those that the parser finds.
func TestTokensOf(t *testing.T) {
	source := `struct s { int a : 3, b[2]; union { float f; } u; };
enum e { one = 1, two };
static int f(int n, int *restrict c, struct s *p) {
	int i, d[2][3] = {{1}, [1] = {2}};
	for (i = 0; i < n; i++) { c[i] = p->b[i & 1] ? (int) sizeof(struct s) : -c[i] + d[0][1]; if (c[i] > two) break; else continue; }
	do { n--; switch (n) { case 1: goto end; default: ; } } while (n > 0);
end:
	return _Generic(n, int: 1, default: 2) + f(n, c, p);
}
`
	u, err := translate(newText("a.c", []byte(source)), Options{})
	if err != nil {
		t.Fatal(err)
	}
	nodes, tokens := 0, 0
	compare := func(n cc.Node) {
		want, got := cc.NodeTokens(n), tokensOf(n)
		nodes, tokens = nodes+1, tokens+len(got)
		if len(got) != len(want) {
			t.Fatalf("%T has %d tokens, want %d", n, len(got), len(want))
		}
		for k := range got {
			if got[k].Seq() != want[k].Seq() || got[k].SrcStr() != want[k].SrcStr() {
				t.Fatalf("%T has %q as token %d, want %q", n, got[k].SrcStr(), k, want[k].SrcStr())
			}
		}
	}
	for list := u.ast.TranslationUnit; list != nil; list = list.TranslationUnit {
		if u.inFile(list.ExternalDeclaration) {
			visit(list.ExternalDeclaration, compare)
		}
	}
	if nodes < 200 || tokens < 1000 {
		t.Errorf("%d nodes with %d tokens: the test shows little", nodes, tokens)
	}
}
