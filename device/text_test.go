package device_test

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"polytune/device"
	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform"
)

var update = flag.Bool("update", false, "write the golden files anew")

// codeOf is the code that the models make of the first region of a file.
func codeOf(t *testing.T, file *frontend.File, language device.Language) device.Code {
	t.Helper()
	code, err := tried(t, file, language)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

func tried(t *testing.T, file *frontend.File, language device.Language) (device.Code, error) {
	t.Helper()
	g := kerneltest.Analyze(t, file.Regions[0].Program)
	refused := device.Refused(g.Model)
	recipe := recipeOf(t, g, &transform.Device{Host: refused})
	return device.Program(g, recipe, file.Unit(&file.Regions[0]), language)
}

// recipeOf is the models' recipe for a mapping to a device.
func recipeOf(t *testing.T, g *depend.Graph, mapping *transform.Device) schedule.Recipe {
	t.Helper()
	s, err := space.New(g, space.Options{})
	if err != nil {
		t.Fatal(err)
	}
	partition, err := transform.SmartOnDevice(s, g)
	if err != nil {
		t.Fatal(err)
	}
	made, _, err := transform.OnDevice(g, space.Nest{partition}, transform.Options{Device: mapping})
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// withoutHost is a text behind the comment that says what it was made of, up to the functions of
// the host.
func withoutHost(text string) string {
	_, text, _ = strings.Cut(text, "#define tune_turn")
	_, text, _ = strings.Cut(text, "\n")
	text, _, _ = strings.Cut(text, "\nstatic cudaError_t")
	return strings.TrimSpace(text) + "\n"
}

// The models' kernels are those of the golden files, which -update writes anew.
func TestKernels(t *testing.T) {
	for _, name := range []string{"gemm", "jacobi-2d", "correlation", "lu"} {
		t.Run(name, func(t *testing.T) {
			file := kerneltest.File(t, "polybench/"+name)
			text := withoutHost(string(codeOf(t, file, device.CUDA).Device))
			_, text, _ = strings.Cut(text, "\ntemplate")
			text = "template" + strings.TrimSuffix(text, "\n} }\n")
			path := filepath.Join("testdata", name+".cu")
			if *update {
				if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(path)
			if err != nil || string(want) != text {
				t.Errorf("%v; the kernels are\n%s", err, text)
			}
		})
	}
}

// The text in OpenCL has the same kernels, barriers and statements as that in CUDA.
func TestLanguagesAgree(t *testing.T) {
	for _, name := range []string{"gemm", "atax", "fdtd-2d", "durbin"} {
		file := kerneltest.File(t, "polybench/"+name)
		cuda, opencl := codeOf(t, file, device.CUDA), codeOf(t, file, device.OpenCL)
		if k, l := len(cuda.Report.Kernels), len(opencl.Report.Kernels); k == 0 || k != l || k != strings.Count(string(cuda.Device), "__global__") || l != strings.Count(string(opencl.Device), "__kernel") {
			t.Errorf("%s: %d kernels in CUDA, %d in OpenCL", name, k, l)
		}
		bodies := func(text string) string {
			var lines []string
			for line := range strings.Lines(text) {
				if strings.HasSuffix(strings.TrimSpace(line), ";") && strings.Contains(line, "] ") && !strings.Contains(line, "(") {
					lines = append(lines, strings.TrimSpace(line))
				}
			}
			return strings.Join(lines, "\n")
		}
		if c, o := bodies(withoutHost(string(cuda.Device))), bodies(withoutHost(string(opencl.Device))); c == "" || c != o {
			t.Errorf("%s: the statements in CUDA are\n%s\nand in OpenCL\n%s", name, c, o)
		}
	}
}

// No more kernels start, and no more arrays are copied, than PPCG 0.09 has. The long test has
// programs like others, too.
func TestKernelsAndTransfers(t *testing.T) {
	for name, most := range map[string][3]int{
		"gemm": {1, 3, 1}, "2mm": {2, 4, 2}, "atax": {2, 2, 2}, "gemver": {3, 9, 3}, "jacobi-2d": {2, 2, 2}, "heat-3d": {2, 2, 2},
		"correlation": {7, 1, 4}, "fdtd-2d": {3, 4, 3}, "lu": {3, 1, 1}, "seidel-2d": {1, 1, 1},
	} {
		if slices.Contains([]string{"2mm", "heat-3d", "lu"}, name) && !kerneltest.Long() {
			continue
		}
		report := codeOf(t, kerneltest.File(t, "polybench/"+name), device.CUDA).Report
		got := [3]int{len(report.Kernels), 0, 0}
		for _, transfer := range report.Transfers {
			if transfer.In {
				got[1]++
			}
			if transfer.Out {
				got[2]++
			}
		}
		if got[0] == 0 || got[2] == 0 || got[0] > most[0] || got[1] > most[1] || got[2] > most[2] {
			t.Errorf("%s has %d kernels, %d arrays in and %d out, at most %v are expected", name, got[0], got[1], got[2], most)
		}
	}
}

// Recipes have their barriers where they say, also where isl makes one iteration of two of the
// schedule's loop.
func TestBarriers(t *testing.T) {
	const rows = "classes {S0 S1}\nband c0 S0[t, i] -> [2t]; S1[t, i] -> [2t + 1]\nband c0 permutable S0[t, i] -> [i]; S1[t, i] -> [i]\nkernel c0.1\nthread c0.2 by 64\n"
	const parts = "classes {S0 S1}\nband c0 S0[t, i] -> [t]; S1[t, i] -> [t]\nsplit c0 {S0} {S1}\nband c0_0 S0[t, i] -> [i]\nband c0_1 S1[t, i] -> [i]\nkernel c0.1\nthread c0_0.2 by 32\nthread c0_1.2 by 32\n"
	for text, want := range map[string][]string{
		rows + "barrier c0.1\n":                      {"B[c1]", "    }\n    __syncthreads();\n    for", "A[c1]", "    __syncthreads();\n  }\n}\n"},
		parts + "barrier c0.1\nbarrier after c0_0\n": {"B[c1]", "    }\n    __syncthreads();\n    for", "    }\n    __syncthreads();\n  }\n}\n"},
	} {
		file := kerneltest.File(t, "polybench/jacobi-1d")
		g := kerneltest.Analyze(t, file.Regions[0].Program)
		recipe, err := command.Parse(g.Model.Program, text)
		if err != nil {
			t.Fatal(err)
		}
		code, err := device.Program(g, recipe, file.Unit(&file.Regions[0]), device.CUDA)
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		kernel := withoutHost(string(code.Device))
		rest := kernel
		for _, part := range want {
			var found bool
			if _, rest, found = strings.Cut(rest, part); !found {
				t.Errorf("%s lacks %q behind the parts before it:\n%s", text, part, kernel)
			}
		}
		if n := strings.Count(kernel, "__syncthreads"); n != 2 || len(code.Report.Kernels) != 1 || code.Report.Kernels[0].Barriers != n {
			t.Errorf("%s: %v, and %d barriers in the text", text, code.Report.Kernels, n)
		}
	}
}

// Equal code of different recipes has equal names, so that it is one program; the comment alone
// tells of the recipe.
func TestNamesComeFromCode(t *testing.T) {
	const both = "split c0 {S0} {S1}\nband c0_0 permutable S0[i, j] -> [i, j]\nblock c0_0.1\nthread c0_0.2 by 64\nband c0_1 permutable S1[i, k, j] -> [i, j, k]\nblock c0_1.1\nthread c0_1.2 by 64\n"
	parts := "classes {S0} {S1}\n" + strings.NewReplacer("split c0 {S0} {S1}\n", "", "c0_0", "c0", "c0_1", "c1").Replace(both)
	for _, language := range []device.Language{device.CUDA, device.OpenCL} {
		one, other := recipeCode(t, "classes {S0 S1}\n"+both, language), recipeCode(t, parts, language)
		if one != other {
			t.Errorf("%s: equal code differs:\n%s\n%s", language.Name, one, other)
		}
		if third := recipeCode(t, strings.ReplaceAll(parts, "64", "32"), language); third == one {
			t.Errorf("%s: other code has the same names", language.Name)
		}
	}
}

// recipeCode is the code for gemm by a recipe, without the comments that tell of it.
func recipeCode(t *testing.T, text string, language device.Language) string {
	t.Helper()
	file := kerneltest.File(t, "polybench/gemm")
	g := kerneltest.Analyze(t, file.Regions[0].Program)
	recipe, err := command.Parse(g.Model.Program, text)
	if err != nil {
		t.Fatal(err)
	}
	code, err := device.Program(g, recipe, file.Unit(&file.Regions[0]), language)
	if err != nil {
		t.Fatal(err)
	}
	return regexp.MustCompile(`(?s)/\* Generated by polytune for .*?\*/\n`).ReplaceAllString(string(code.Source)+string(code.Device), "")
}

// Of a loop that fewer threads share than its kernel has, the others have no iteration, nor where its
// iterations are unrolled.
func TestFewerThreads(t *testing.T) {
	file := parsed(t, "void f(int n, double a[n], double b[n]) {\n#pragma scop\nfor (int i = 0; i < n; i++) b[i] += 1;\nfor (int i = 0; i < n; i++) a[i] += 2;\n#pragma endscop\n}\n")
	g := kerneltest.Analyze(t, file.Regions[0].Program)
	const loops = "classes {S0 S1}\nsplit c0 {S0} {S1}\nband c0_0 S0[i] -> [i]\nband c0_1 S1[i] -> [i]\nkernel c0\nthread c0_0.1 by 3\n"
	for _, threads := range []string{"thread c0_1.1 by 2\n", "tile c0_1.1 by 4\nthread c0_1.1 by 2\nunroll c0_1.1\n"} {
		code, err := device.Program(g, madeRecipe(t, g, loops+threads), file.Unit(&file.Regions[0]), device.CUDA)
		if err != nil {
			t.Fatal(err)
		}
		_, second, _ := strings.Cut(withoutHost(string(code.Device)), "b[c0] += 1;")
		before, _, _ := strings.Cut(second, "+= 2;")
		if !strings.Contains(before, "if (tune_threadx < 2) {") || strings.Contains(second, "tune_threadx < 3") {
			t.Errorf("%sthe kernel is\n%s", threads, code.Device)
		}
	}
}

// The number of a block is added to the first one as a whole, which may be one of several by a
// condition.
func TestFirstBlockByCondition(t *testing.T) {
	file := parsed(t, "void f(int T, int n, double p[n]) {\n#pragma scop\nfor (int t = 0; t < T; t++) {\nfor (int i = 3; i < n - 1; i++) p[i] = 0.5 * p[i];\np[n - 1] = p[n - 2];\np[n - 1] = 0.5 * p[n - 1];\n}\n#pragma endscop\n}\n")
	g := kerneltest.Analyze(t, file.Regions[0].Program)
	const recipe = "classes {S0 S1 S2}\nband c0 S0[t, i] -> [3t, i]; S1[t] -> [3t + 1, n - 1]; S2[t] -> [3t + 2, n - 1]\nhexagon c0.1 c0.2 by 3 1 slopes 1 1/2\nblock c0p0.2h\nblock c0p1.2h\n"
	code, err := device.Program(g, madeRecipe(t, g, recipe), file.Unit(&file.Regions[0]), device.CUDA)
	if err != nil {
		t.Fatal(err)
	}
	chosen := regexp.MustCompile(`(?m)= .*\?.*\+ tune_blockx;$`).FindAllString(string(code.Device), -1)
	if len(chosen) == 0 {
		t.Errorf("no first block is one of several:\n%s", code.Device)
	}
	for _, line := range chosen {
		if !strings.HasPrefix(line, "= (") || !strings.HasSuffix(line, ") + tune_blockx;") {
			t.Errorf("the block's number is added to a part of its first one: %s", line)
		}
	}
}
