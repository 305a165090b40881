package frontend

import "testing"

// TestWrapping says which sums of integers need no permission for another order, and in which type.
func TestWrapping(t *testing.T) {
	for _, c := range []struct{ kind, extents, body, want string }{
		{"int", "[n]", "y[c[i]]++;", "unsigned"},
		{"unsigned", "[n]", "y[c[i]] += b[i];", "unsigned"},
		{"long", "[n]", "y[c[i]] -= b[i];", "unsigned long"},
		{"long long", "[n][9]", "y[c[i]][2] = b[i] + y[c[i]][2];", "unsigned long long"},
		{"int", "[n]", "if (b[i] > 2) { y[c[i]] += 3; y[0]--; }", "unsigned"},
		{"unsigned char", "[n]", "y[c[i]]++;", "unsigned char"},
		{"short", "[n]", "y[c[i]]--;", "unsigned short"},
		{"short", "[n]", "y[c[i]] += b[i];", ""}, // computed as int
		{"int", "[n]", "y[c[i]] += w[i];", ""},   // computed as long
		{"int", "[n]", "y[c[i]] *= b[i];", ""},
		{"int", "[n]", "if (b[i] > y[c[i]]) y[c[i]] = b[i];", ""},
		{"double", "[n]", "y[c[i]] += b[i];", ""},
		{"int", "[n]", "y[i] += b[i];", ""}, // known elements
		{"int", "[]", "y[c[i]]++;", ""},     // no number of elements
	} {
		source := "void f(int n, int c[n], int b[n], long w[n], " + c.kind + " y" + c.extents + ")\n{\n#pragma scop\n" +
			"for (int i = 0; i < n; i++) { " + c.body + " }\n#pragma endscop\n}\n"
		file, err := Parse("f.c", []byte(source), Options{})
		if err != nil {
			t.Error(c.body, err)
			continue
		}
		program := file.Regions[0].Program
		r := program.Statements[0].Reduction
		if r == nil || r.Wraps != c.want {
			t.Errorf("%s y%s, %s: %+v, want the type %q", c.kind, c.extents, c.body, r, c.want)
			continue
		}
		if program.MayReassociate() != (c.want != "") || program.MayRound() {
			t.Errorf("%s y%s, %s: in any order %t, rounds %t", c.kind, c.extents, c.body, program.MayReassociate(), program.MayRound())
		}
	}
}
