package frontend

import (
	"strings"
	"testing"
)

// TestParserText changes what the parser does not know of C, and nothing else, and leaves all
// places.
func TestParserText(t *testing.T) {
	for source, want := range map[string]string{
		"int a = 1'000'000;":                   "int a = 1000000  ;",
		"double b = 0x1'0p1 + 1.5f32 + 2f64x;": "double b = 0x10p1  + 1.5f   + 2l   ;",
		"char c = '\\'', d[] = \"1'0\";":       "char c = '\\'', d[] = \"1'0\";",
		"#define BIG 1'000":                    "#define BIG 1000 ",
		"[[nodiscard]] int f(void);":           "              int f(void);",
		"[[gnu::unused, maybe_unused]] int x;": "                              int x;",
		"struct [[gnu::packed]] s { int a; };": "struct [[gnu::packed]] s { int a; };",
		"int x = a[b[0]] + c[1][2];":           "int x = a[b[0]] + c[1][2];",
		"static_assert(sizeof(int) == 4);":     "                                ",
		"_Static_assert(1, \"one\");":          "_Static_assert(1, \"one\");",
	} {
		if got := string(newText("x.c", []byte(source)).parserText()); got != want+"\n" {
			t.Errorf("%s: got\n%s", source, got)
		}
	}
}

// TestNextC reads what is in C23 and not in C11, as far as compilers of today have it.
func TestNextC(t *testing.T) {
	const source = `#define BIG 1'000
[[nodiscard]] static double g(double x) { return x * 2; }
_Static_assert(sizeof(int) == 4);
void f(int n, double a[n], [[maybe_unused]] int q)
{
    const int most = 1'2;
#pragma scop
    for (int i = 0; i < 1'0; i++) {
        _Static_assert(1);
        [[maybe_unused]] double t = g(a[i]) + 1'000.5;
        a[i + most] = t + BIG + 0b1010'1010;
    }
#pragma endscop
}
`
	file, err := Parse("f.c", []byte(source), Options{CompilerOptions: []string{"-std=c2x"}})
	if err != nil {
		t.Fatal(err)
	}
	program := file.Regions[0].Program.String()
	for _, part := range []string{"0 <= i <= 9", "a[i + 12]", "1'000.5", "0b1010'1010"} {
		if !strings.Contains(strings.ReplaceAll(program, "i < 10", "i <= 9"), part) {
			t.Errorf("%s is missing in\n%s", part, program)
		}
	}
	for from, line := range map[string]string{"[[nodiscard]]": "f.c:2:", "[[maybe_unused]] int": "f.c:4:"} {
		_, err := Parse("f.c", []byte(strings.Replace(source, from, "[[gnu::aligned(8)]] int", 1)), Options{CompilerOptions: []string{"-std=c2x"}})
		if err == nil || !strings.HasPrefix(err.Error(), line) || !strings.Contains(err.Error(), understandableC) && !strings.Contains(err.Error(), "compile with the C compiler") {
			t.Errorf("%s: %v", from, err)
		}
	}
}
