package frontend

import "testing"

// TestPassedLengths: the length of an argument that data index is that of the arrays that all calls
// pass for it.
func TestPassedLengths(t *testing.T) {
	const head = "#define N 30\nstatic int h[N + 2], g[32], small[7], k[N];\n"
	const region = "static void count(int n, int h[], const int *k)\n{\n#pragma scop\n  for (int i = 0; i < n; i++)\n    h[k[i]] = i;\n#pragma endscop\n}\n"
	const main = "int main(void)\n{\n  count(N, h, k);\n  return 0;\n}\n"
	for name, c := range map[string]struct{ source, want string }{
		"one call":             {head + region + main, "32"},
		"two of one length":    {head + region + "void other(void) { count(3, g, k); }\n" + main, "32"},
		"two lengths":          {head + region + "void other(void) { count(3, small, k); }\n" + main, ""},
		"from an element on":   {head + region + "void other(void) { count(3, &g[2], k); }\n", "30"},
		"from any element on":  {head + region + "void other(int n) { count(3, g + n, k); }\n", ""},
		"passed on":            {head + region + "static void on(int *p) { count(N, p, k); }\nint main(void) { on(h); return 0; }\n", "32"},
		"passed on, and moved": {head + region + "static void on(int *p) { p++; count(N, p, k); }\nint main(void) { on(h); return 0; }\n", ""},
		"declared":             {head + region + "void on(int p[9]) { count(N, p, k); }\n", "9"},
		"by a pointer":         {head + region + main + "void (*f)(int, int *, const int *) = count;\n", ""},
		"known to other files": {head + region[len("static "):] + main, ""},
		"no call":              {head + region, ""},
		"another type":         {head + region + "static long w[9];\nint main(void) { count(N, (int *) w, k); return 0; }\n", ""},
	} {
		file, err := Parse("f.c", []byte(c.source), Options{AssumeNoAlias: true})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		if got := file.Regions[0].Program.Array("h").Passed; got != c.want {
			t.Errorf("%s: length %q, want %q", name, got, c.want)
		}
	}
}
