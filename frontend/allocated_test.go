package frontend

import "testing"

// TestAllocated says when memory that a function takes for itself is known to be reached by one
// pointer alone, and when nobody looks at it in front of the region and behind it.
func TestAllocated(t *testing.T) {
	const (
		head   = "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *); void see(void *);\nextern double *g;\nvoid f(int n, double a[n]) {\n"
		own    = "double *b = malloc(n * sizeof *b);"
		region = "\n#pragma scop\nfor (int i = 0; i < n; i++) b[i] = 2 * a[i];\nfor (int i = 0; i < n; i++) a[i] = b[i] + b[n - 1 - i];\n#pragma endscop\n"
	)
	for _, test := range []struct {
		name, front, behind string
		alone, temporary    bool
	}{
		{"taken and freed", own, "free(b);", true, true},
		{"with a cast", "double *b = (double *) malloc(n * sizeof(double));", "free(b);", true, true},
		{"set later", "double *b; b = malloc(n * sizeof(double)); if (!b) return;", "free(b);", true, true},
		{"compared", own + " if (b == 0) return;", "if (0 != b) free(b);", true, true},
		{"zeros", "double *b = calloc(n, sizeof(double));", "free(b);", true, false},
		{"set in front", own + " b[0] = 1;", "free(b);", true, false},
		{"read behind", own, "a[0] = b[1]; free(b);", true, false},
		{"read behind through *", own, "a[0] = *b; free(b);", true, false},
		{"a loop around", own + " for (int t = 0; t < n; t++) {", "} free(b);", true, false},
		{"a loop around that takes it", "for (int t = 0; t < n; t++) { double *b = malloc(n * sizeof(double));", "free(b); }", true, true},
		{"another value", "double *b = g;", "", false, false},
		{"one of two values", own + " if (n > 9) b = g;", "", false, false},
		{"moved", own + " b++;", "", false, false},
		{"given to another pointer", own + " double *c = b;", "c[0] = 1;", false, false},
		{"given by an address", own + " double *c = &b[1];", "c[0] = 1;", false, false},
		{"given by a sum", own + " see(b + 1);", "", false, false},
		{"given to a function", own + " see(b);", "free(b);", false, false},
		{"returned by a function", "double *make(int); double *b = make(n);", "free(b);", false, false},
		{"its own address is taken", own + " see(&b);", "free(b);", false, false},
		{"static", "static double *b; b = malloc(n * sizeof(double));", "", false, false},
	} {
		file, err := Parse("t.c", []byte(head+test.front+region+test.behind+"\n}\n"), Options{})
		if err != nil {
			t.Errorf("%s: %v", test.name, err)
			continue
		}
		array := file.Regions[0].Program.Array("b")
		if array == nil {
			t.Errorf("%s: no array b", test.name)
			continue
		}
		if array.Renamable != test.alone || array.Temporary != test.temporary || array.Elsewhere == test.alone {
			t.Errorf("%s: renamable %v, elsewhere %v, temporary %v", test.name, array.Renamable, array.Elsewhere, array.Temporary)
		}
		if warnings := file.Regions[0].Warnings; test.alone && len(warnings) > 0 {
			t.Errorf("%s: %v", test.name, warnings)
		}
	}
	for taken, want := range map[string]string{"n * sizeof *b": "n", "sizeof(*b) * (n + 1)": "n + 1", "sizeof(double) * n": "n", "n * 4": "", "(n ? n : 1) * sizeof *b": "n ? n : 1"} {
		file, err := Parse("t.c", []byte(head+"double *b = malloc("+taken+");"+region+"}\n"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := file.Regions[0].Program.Array("b").Extents[0]; got != want {
			t.Errorf("malloc(%s): the extent is %q, want %q", taken, got, want)
		}
	}
	rows := "void *malloc(unsigned long); void f(int n, double a[n][n]) { double (*b)[n] = malloc(n * sizeof *b);\n#pragma scop\n" +
		"for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) { b[i][j] = a[i][j]; a[i][j] += b[j][i]; }\n#pragma endscop\n"
	for behind, want := range map[string]bool{"": true, "double *c = b[1]; c[0] = a[0][0];": false, "a[0][0] = b[1][0];": false} {
		file, err := Parse("t.c", []byte(rows+behind+"\n}\n"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := file.Regions[0].Program.Array("b").Temporary; got != want {
			t.Errorf("rows, behind %q: temporary %v", behind, got)
		}
	}
	for region, want := range map[string]bool{"b[i] = a[i]; a[i] = b[i];": true, "b[i] = a[i]; c[i] = b[i];": true, "b[i] = c[i]; c[i] = b[i];": false, "a[i] = i; b[i] = a[i];": false} {
		file, err := Parse("t.c", []byte(head+own+"double *c = malloc(n * sizeof *c);\n#pragma scop\nfor (int i = 0; i < n; i++) {"+region+"}\n#pragma endscop\n}\n"), Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := file.Regions[0].Program.Array("b").Temporary; got != want {
			t.Errorf("%s: temporary %v", region, got)
		}
	}
}
