package frontend

import (
	"strings"
	"testing"
)

// TestVectorEffects says what builtins for vectors do with pointers: their names tell.
func TestVectorEffects(t *testing.T) {
	for name, want := range map[string]string{
		"maskloadps256":           "reads",
		"loadhpd":                 "reads",
		"gathersiv8sf":            "reads",
		"movntdqa":                "reads",
		"maskstoreps256":          "writes",
		"movntps":                 "writes",
		"fpclassps256_mask":       "writes",
		"aesencwide128kl_u8":      "refused",
		"encodekey128_u32":        "refused",
		"rdsspd":                  "refused",
		"sfence":                  "refused",
		"compressstoresf512_mask": "writes",
	} {
		effects, why := vectorEffects(vectorPrefix + name)
		got := "refused"
		if why == "" && effects[0].write {
			got = "writes"
		} else if why == "" {
			got = "reads"
		}
		if got != want {
			t.Errorf("%s: %s instead of %s", name, got, want)
		}
	}
}

// TestBehindCasts says what functions do with what they find behind a cast of an argument.
func TestBehindCasts(t *testing.T) {
	for body, writes := range map[string]bool{
		"return (*(v4 *) p)[0];":                            false,
		"return first(*(v4 *) p);":                          false,
		"*(v4 *) p = (v4){0}; return 0;":                    true,
		"*(v4 *) p += (v4){1}; return 0;":                   true,
		"(*(struct pair *) p).y = 1; return 0;":             true,
		"(*(v4 *) p)[2] = 1; return 0;":                     true,
		"v4 *q = &*(v4 *) p; *q = (v4){0}; return 0;":       true,
		"float *q = *(float (*)[4]) p; q[2] = 1; return 0;": true,
		"struct pair t = *(struct pair *) p; return t.y;":   false,
	} {
		source := "typedef float v4 __attribute__((vector_size(16)));\nstruct pair { float x, y; };\n" +
			"static float first(v4 v) { return v[0]; }\nstatic float look(const float *p) { " + body + " }\n" +
			"void f(int n, float a[n], float b[n])\n{\n#pragma scop\nfor (int i = 0; i + 4 < n; i++)\nb[i] = look(&a[i]);\n#pragma endscop\n}\n"
		file, err := Parse("f.c", []byte(source), Options{})
		if err != nil {
			t.Error(body, err)
			continue
		}
		for _, a := range file.Regions[0].Program.Statements[0].Accesses {
			if a.Array == "a" && a.Write != writes {
				t.Errorf("%s: writes is %t", body, a.Write)
			}
		}
	}
}

// Texts are read, and nothing of the region's: a function that may write them is refused.
func TestTextsAsArguments(t *testing.T) {
	const head = "unsigned long strspn(const char *, const char *);\nstatic void note(const char *what, double v) { (void) what; v++; }\nstatic void spoil(char *p) { *p = 1; }\n"
	for body, want := range map[string]string{
		`a[i] = strspn(s[i], "abc");`:         "",
		`note("a", a[i]); a[i] = 1;`:          "",
		`note((char *) "a", a[i]); a[i] = 1;`: "",
		`spoil("abc"); a[i] = 1;`:             "what this pointer leads to is not understood",
	} {
		_, err := Parse("f.c", []byte(head+"void f(int n, char s[n][9], double a[n])\n{\n#pragma scop\nfor (int i = 0; i < n; i++) { "+body+" }\n#pragma endscop\n}\n"), Options{})
		if got := ""; err != nil && !strings.Contains(err.Error(), want) || (err != nil) != (want != got) {
			t.Errorf("%s: %v", body, err)
		}
	}
}

// A while that ends by data as well as by a counter is one statement, with loops in it, too.
func TestWhileEndsByBoth(t *testing.T) {
	const source = `
int settle(int n, double u[n], double v[n])
{
    int step = 0;
    double change = 1;
#pragma scop
    while (change > 0.01 && step < 50) {
        change = 0;
        for (int i = 1; i < n - 1; i++) {
            v[i] = (u[i - 1] + u[i + 1]) / 2;
            change += v[i] > u[i] ? v[i] - u[i] : u[i] - v[i];
        }
        for (int i = 1; i < n - 1; i++)
            u[i] = v[i];
        step++;
    }
#pragma endscop
    return step;
}
`
	file, err := Parse("f.c", []byte(source), Options{})
	if err != nil {
		t.Fatal(err)
	}
	region := file.Regions[0]
	if len(region.Program.Statements) != 1 || !strings.Contains(region.Warnings.Error(), whileByData+", so this is one statement") {
		t.Errorf("%d statements, %v", len(region.Program.Statements), region.Warnings)
	}
}
