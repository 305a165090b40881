package device_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"polytune/device"
	"polytune/frontend"
	"polytune/internal/kerneltest"
)

// Macros of the file mean nothing in the functions behind it, whatever words these are made of, nor do
// names of the file that headers of the C library have, too.
func TestMacrosOfTheFile(t *testing.T) {
	text := ""
	for _, name := range []string{"host.c.tmpl", "opencl.c.tmpl", "cuda.h.tmpl"} {
		own, err := os.ReadFile("runtime/" + name)
		if err != nil {
			t.Fatal(err)
		}
		text += string(own)
	}
	keywords := strings.Fields("char const double else extern for if int long return sizeof static struct typedef unsigned void getenv dprintf dlopen dlsym index uint random")
	macros := "typedef double index;\nstatic double uint, strcasecmp, random;\n#define bcopy(a) a\n"
	for _, word := range regexp.MustCompile(`\b[a-z]\w*`).FindAllString(text, -1) {
		if word == strings.ToLower(word) && !slices.Contains(keywords, word) && !strings.HasPrefix(word, "tune_") && !strings.Contains(macros, "define "+word+" ") {
			macros += "#define " + word + " 77\n"
		}
	}
	source := macros + "void F(int N, index A[N], index B[N])\n{\n#pragma scop\n  for (int I = 0; I < N; I++)\n    A[I] = B[I] * 2 + N;\n#pragma endscop\n}\n"
	program := parsed(t, source)
	g := kerneltest.Analyze(t, program.Regions[0].Program)
	for _, language := range []device.Language{device.CUDA, device.OpenCL} {
		code, err := device.Program(g, madeRecipe(t, g, "classes {S0}\nband c0 S0[I] -> [I]\nblock c0.1\n"), program.Unit(&program.Regions[0]), language)
		if err != nil {
			t.Fatal(err)
		}
		behind := "void G(int N, double *X)\n{\n#pragma scop\n  for (int I = 0; I < N; I++)\n    X[I] = I;\n#pragma endscop\n}\n"
		if _, err := frontend.Parse("f.c", append(code.Source, behind...), frontend.Options{}); err != nil {
			t.Errorf("%s: %v", language.Name, err)
		}
	}
}
