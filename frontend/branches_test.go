package frontend

import (
	"strings"
	"testing"
)

// TestWritesOfBranches says which elements a statement writes whatever data decide: those that both
// branches of each condition write.
func TestWritesOfBranches(t *testing.T) {
	for _, test := range []struct{ name, body, want string }{
		{"one branch", "if (a[i] > 0) b[i] = 1;", "may write b"},
		{"both", "if (a[i] > 0) b[i] = 1; else b[i] = 2;", "write b, write b"},
		{"a chain", "if (a[i] > 0) b[i] = 1; else if (a[i] < -1) b[i] = 2; else b[i] = 3;", "write b, write b, write b"},
		{"a chain without end", "if (a[i] > 0) b[i] = 1; else if (a[i] < -1) b[i] = 2;", "may write b, may write b"},
		{"nested", "if (a[i] > 0) { if (a[i] > 1) b[i] = 1; else b[i] = 2; } else b[i] = 3;", "write b, write b, write b"},
		{"nested without one", "if (a[i] > 0) { if (a[i] > 1) b[i] = 1; } else b[i] = 3;", "may write b, may write b"},
		{"behind a condition", "if (a[i] > 0) { if (a[i] > 1) c[i] = 1; b[i] = 2; } else b[i] = 3;", "may write c, write b, write b"},
		{"other elements", "if (a[i] > 0) b[i] = 1; else b[i + 1] = 2;", "may write b, may write b"},
		{"the same one in other words", "if (a[i] > 0) b[i + 1] = 1; else b[1 + i] = 2;", "write b, write b"},
		{"other arrays", "if (a[i] > 0) b[i] = 1; else c[i] = 2;", "may write b, may write c"},
		{"both of two", "if (a[i] > 0) { b[i] = 1; c[i] = 1; } else { c[i] = 2; b[i] = 3; }", "write b, write c, write c, write b"},
		{"elements that data decide", "if (a[i] > 0) b[k[i]] = 1; else b[k[i]] = 2;", "may write b, may write b"},
		{"a variable", "if (a[i] > 0) s = 1; else s = 2; b[i] = s;", "write s, write s; write b"},
		{"updates", "if (a[i] > 0) b[i] += 1; else b[i] -= 2;", "update b, update b"},
		{"in a loop that may not run", "if (a[i] > 0) { for (int j = 0; j < k[i]; j++) b[i] = 1; } else b[i] = 2;", "may write b, may write b"},
		{"behind one", "if (a[i] > 0) { for (int j = 0; j < k[i]; j++) c[j] = 1; b[i] = 1; } else b[i] = 2;", "may write c, write b, write b"},
		{"under a condition of its own", "if (a[i] > 0) a[i] > 1 && (b[i] = 1); else b[i] = 2;", "may write b, may write b"},
		{"a loop that data bound", "for (int j = 0; j < k[i]; j++) if (a[j] > 0) b[i] = 1; else b[i] = 2;", "may write b, may write b"},
	} {
		source := "void f(int n, double a[n], double b[n + 2], double c[n], int k[n])\n{\ndouble s;\n#pragma scop\nfor (int i = 0; i < n; i++) {\n" + test.body + "\n}\n#pragma endscop\n}\n"
		file, err := Parse("t.c", []byte(source), Options{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		var statements []string
		for _, s := range file.Regions[0].Program.Statements {
			var words []string
			for _, a := range s.Accesses {
				if a.Write {
					words = append(words, a.Kind()+" "+a.Array)
				}
			}
			statements = append(statements, strings.Join(words, ", "))
		}
		if got := strings.Join(statements, "; "); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}
