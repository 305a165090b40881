package frontend_test

import (
	"bytes"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/frontend"
	"polytune/internal/kerneltest"
)

// leaving are pieces of regions that use, set and leave values in a few variables of the function.
var leaving = []string{
	"for (l = 0; l < n; l++) c[l] += 1;",
	"for (l = n; l > 0; l--) c[l] = l;",
	"for (l = 1; l <= n; l += 2) c[l] -= 1;",
	"for (; l < n; l++) c[l & 31] += 2;",
	"for (l = p; l-- > 0;) c[l & 31] += l;",
	"for (p = n; p; p--) c[p] += 1;",
	"while (l < n) { c[l & 31] = 1; l++; }",
	"do { c[l & 31] += 1; l++; } while (l < n);",
	"for (p = 0, l = n - 1; p < l; p++, l--) c[p] ^= l;",
	"for (p = 0, l = 0; p < n; p++, l += 2) c[l] = p;",
	"for (p = 0; p < n; p++) l += 2;",
	"for (p = 0; p < n; p++) { c[l & 31] = p; l++; }",
	"for (p = 0; p < n; p++) { l = p; c[l] += p; }",
	"for (p = 0; p < n; p++) if (c[p] > 2) l = p;",
	"for (p = 0; p < n; p++) { if (p > l) break; c[p] = l; }",
	"for (p = l; p < n; p++) c[p & 31] += p;",
	"for (p = n - 1; p >= 0; p--) c[p] += l;",
	"for (p = 0; p < n; p++) for (l = p; l < n; l++) c[l] += p;",
	"for (p = 0; p < n; p++) { int k = p; for (l = 0; l < k; l++) c[l] += k; }",
	"for (int p = 0; p < n; p++) l = p;",
	"for (int l = 0; l < n; l++) { p = l; c[p] += 2; }",
	"{ int l = 2; c[l] = n; }",
	"for (l = 0; l * l < n; l++) c[l] += 3;",
	"for (p = 1; p < n; p *= 2) l = p;",
	"l = 3;", "l++;", "l += p;", "p = l + 1;", "p = n > l ? n : l;", "c[p & 31] = l;",
	"if (n > 2) l = 1;", "if (l > p) { c[1] = l; p = l; } else l = p;",
	"for (int i = 0; i < n; i++) c[i] = q[i];",
	"for (int i = 0; i < n; i++) *q++ = i;",
	"q = c + n;",
	"for (unsigned i = n; i-- > 0;) u += c[i];",
	"for (int i = 0; i < n; i++) { u += i; c[i + 8] = u; }",
	"for (int i = 0; i < n; i++) { if (c[i] > 3) continue; c[i] += u; u++; }",
	"for (int i = 0; i < n; i++) if (i > p) c[i] = p; else p--;",
	"for (int i = 0; i < n; i++) { p = l; l = c[i] & 31; c[i] = p; }",
}

// surroundings are where regions stand.
var surroundings = []string{
	"%s",
	"for (int r = 0; r < 3; r++) {\n%s\n    c[0] += r; }",
	"for (int r = 0; r < 2; r++) {\n%s\n    c[l & 31] += p; l = r; }",
	"if (n != 3) {\n%s\n    }",
}

// What a region leaves in the function's variables is what its code leaves, too, whoever reads it:
// random regions of a few pieces, many in one program. More are tried in long tests.
func TestLeft(t *testing.T) {
	programs := 2
	if kerneltest.Long() {
		programs = 60
	}
	for seed := range programs {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			path := filepath.Join(folder, "original.c")
			source := drawLeaving(rand.New(rand.NewSource(int64(seed))), 30)
			file, err := frontend.Parse(path, []byte(source), frontend.Options{Each: true})
			if err != nil {
				t.Fatal(err)
			}
			accepted := 0
			code := *file
			for number := len(file.Regions) - 1; number >= 0; number-- {
				if file.Regions[number].Refused == nil {
					code.Source = transformRegion(t, &code, number, partitionsOf(path)[0])
					accepted++
				}
			}
			if accepted < 15 {
				t.Errorf("%d regions of 30 are accepted: the test shows little", accepted)
			}
			variant := filepath.Join(folder, "variant.c")
			for name, text := range map[string][]byte{path: []byte(source), variant: code.Source} {
				if err := os.WriteFile(name, text, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, got := run(t, build(t, path).executable), run(t, build(t, variant).executable)
			for k, line := range bytes.Split(want, []byte("\n")) {
				if other := bytes.Split(got, []byte("\n")); k >= len(other) || !bytes.Equal(line, other[k]) {
					t.Fatalf("function, n and values are %s, want %s, in\n%s", other[min(k, len(other)-1)], line, source)
				}
			}
		})
	}
}

// drawLeaving is a program with so many functions, each with a region of one to three pieces, that
// prints what all of them leave.
func drawLeaving(random *rand.Rand, count int) string {
	var b strings.Builder
	b.WriteString("#include <stdio.h>\n")
	for k := range count {
		var pieces []string
		for range 1 + random.Intn(3) {
			pieces = append(pieces, "    "+leaving[random.Intn(len(leaving))])
		}
		region := "#pragma scop\n" + strings.Join(pieces, "\n") + "\n#pragma endscop"
		fmt.Fprintf(&b, "static int f%d(int n, int *restrict c)\n{\n    int l = 1, p = 2, *q = c + 3;\n    unsigned char u = 250;\n    %s\n    return (l * 100 + p) * 1000 + u + (int) (q - c);\n}\n",
			k, fmt.Sprintf(surroundings[random.Intn(len(surroundings))], region))
	}
	fmt.Fprintf(&b, "int main(void)\n{\n    int (*all[])(int, int *restrict) = {f0")
	for k := 1; k < count; k++ {
		fmt.Fprintf(&b, ", f%d", k)
	}
	b.WriteString("};\n    for (int k = 0; k < (int) (sizeof all / sizeof all[0]); k++)\n        for (int n = 0; n < 8; n++) {\n            int c[256];\n            unsigned hash = 0;\n" +
		"            for (int i = 0; i < 256; i++) c[i] = i % 5;\n            int left = all[k](n, c);\n            for (int i = 0; i < 256; i++) hash = 31 * hash + c[i];\n" +
		"            printf(\"f%d %d: %d %u\\n\", k, n, left, hash);\n        }\n}\n")
	return b.String()
}
