package transform

import (
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/space/variant"
)

// Small arrays that nobody writes and whose elements threads read alike are in memory for
// constants, those of 64 KiB together; others are not.
func TestDeviceConstants(t *testing.T) {
	const filter = "for (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int k = 0; k < 3; k++) for (int l = 0; l < 3; l++) "
	for _, test := range []struct{ about, body, want string }{
		{"a filter", filter + "o[i][j] += w[k][l] * a[i + k - 1][j + l - 1];", "w"},
		{"one that is written", filter + "o[i][j] += w[k][l] * a[i + k - 1][j + l - 1];\nw[0][0] = 3;", ""},
		{"columns of a matrix", "for (int i = 0; i < n; i++) for (int j = 0; j < 64; j++) o[i][0] += a[i][j] * x[j];", "x"},
		{"elements of a thread", "for (int i = 0; i < 64; i++) o[i][0] = a[i][0] * x[i];", ""},
		{"elements of a thread in another place", "for (int i = 0; i < 64; i++) for (int j = 0; j < 64; j++) o[i][j] = a[i][j] * x[j] + y[i];", ""},
		{"elements that data decide", "for (int i = 0; i < n; i++) for (int j = 0; j < 64; j++) o[i][0] += x[(int) a[i][j]];", ""},
		{"lengths that nobody knows", "for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) o[i][0] += a[i][j] * z[j];", ""},
		{"more than fit", "for (int i = 0; i < n; i++) for (int j = 0; j < 5000; j++) o[i][0] += u[j] * x[j % 64] + v[j];", "u"},
		{"one that is too large", "for (int i = 0; i < n; i++) for (int j = 0; j < 9000; j++) o[i][0] += h[j];", ""},
	} {
		source := "void f(int n, double a[n][n], double o[n][n], double w[3][3], double x[64], double y[64], double z[n], double u[5000], double v[5000], double h[9000])\n{\n#pragma scop\n" + test.body + "\n#pragma endscop\n}\n"
		var got []string
		for line := range strings.Lines(deviceRecipe(t, kerneltest.Analyze(t, programOf(t, "f", []byte(source))))) {
			if rest, is := strings.CutSuffix(strings.TrimSpace(line), " to constant"); is {
				got = append(got, strings.TrimPrefix(rest, "copy "))
			}
		}
		if strings.Join(got, " ") != test.want {
			t.Errorf("%s: %q are constant, want %q", test.about, got, test.want)
		}
	}
}

// All arrays in memory for constants fit there together, or the recipe is refused.
func TestTooManyConstants(t *testing.T) {
	const source = "void f(int n, double o[n], double u[5000], double v[5000])\n{\n#pragma scop\nfor (int i = 0; i < n; i++) for (int j = 0; j < 5000; j++) o[i] += u[j] * v[j];\n#pragma endscop\n}\n"
	g := kerneltest.Analyze(t, programOf(t, "f", []byte(source)))
	for text, want := range map[string]string{"copy u to constant\n": "", "copy u to constant\ncopy v to constant\n": "the other arrays there have more than the 65536 bytes"} {
		recipe, err := command.Parse(g.Model.Program, "classes {S0}\nband c0 permutable S0[i, j] -> [i, j]\nblock c0.1\n"+text)
		if err == nil {
			_, _, err = recipe.Prove(g)
		}
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// The axes of constants and of padding are offered where they change something, and do.
func TestConstantAndPadAxes(t *testing.T) {
	const source = "void f(int n, double a[n][n], double o[n][n], double w[3][3])\n{\n#pragma scop\nfor (int i = 1; i < n - 1; i++) for (int j = 1; j < n - 1; j++) for (int k = 0; k < 3; k++) for (int l = 0; l < 3; l++) o[i][j] += w[k][l] * a[i + k - 1][j + l - 1];\n#pragma endscop\n}\n"
	filter := kerneltest.Analyze(t, programOf(t, "f", []byte(source)))
	for _, test := range []struct {
		graph       *depend.Graph
		setting     string
		has, lacks  string
		offered, no []string
	}{
		{filter, "", "copy w to constant", "copy w at", []string{"constant", "pad"}, nil},
		{filter, "constant=off", "copy w at c0.4t to shared\n", "constant", []string{"constant", "pad"}, nil},
		{kerneltest.Graph(t, "polybench/gemm"), "", "copy B at c0.3t to shared\n", "unpadded", []string{"pad"}, []string{"constant"}},
		{kerneltest.Graph(t, "polybench/gemm"), "pad=off", "copy B at c0.3t to shared unpadded\n", "to private unpadded", []string{"pad"}, []string{"constant"}},
		{kerneltest.Graph(t, "polybench/jacobi-2d"), "", "block", "copy", nil, []string{"constant", "pad"}},
	} {
		recipe := settingRecipe(t, test.graph, test.setting)
		text := recipe.Text(test.graph.Model.Program)
		if !strings.Contains(text, test.has) || strings.Contains(text, test.lacks) {
			t.Errorf("%q: %q is not there, or %q is:\n%s", test.setting, test.has, test.lacks, text)
		}
		names := map[string]bool{}
		for _, a := range OfferedMemoryAxes([]schedule.Recipe{settingRecipe(t, test.graph, "")}) {
			names[a.Name] = true
		}
		for _, name := range test.offered {
			if !names[name] {
				t.Errorf("%q: the axis %s is not offered", test.setting, name)
			}
		}
		for _, name := range test.no {
			if names[name] {
				t.Errorf("%q: the axis %s is offered", test.setting, name)
			}
		}
	}
}

// settingRecipe is the proven recipe of a setting of the axes, with all statements in one class.
func settingRecipe(t *testing.T, g *depend.Graph, setting string) schedule.Recipe {
	t.Helper()
	model, err := variant.New(append(DeviceAxes(), MemoryAxes()...), nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := model.Parse(setting)
	if err != nil {
		t.Fatal(err)
	}
	options := MemoryOptionsOf(s, DeviceOptionsOf(s, Options{}))
	recipe, _, err := OnDevice(g, space.Nest{make(space.Partition, len(g.Model.Statements))}, options)
	if err == nil {
		recipe, err = InMemories(g, recipe, options)
	}
	if err == nil {
		_, _, err = recipe.Prove(g)
	}
	if err != nil {
		t.Fatal(err)
	}
	return recipe
}
