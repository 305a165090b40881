package transform

import (
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/space/variant"
)

// Axes are offered where one of their values changes the recipe of the most fused
// partition, and only there. The long test has kernels most of whose axes others have, too.
func TestOfferedAxes(t *testing.T) {
	for _, test := range []struct {
		kernel string
		want   []string
	}{
		{"atax", []string{"parallel"}},
		{"2mm", []string{"tile", "parallel", "schedule", "second_level"}},
		{"gemm", []string{"tile", "parallel", "separate", "vector", "schedule", "collapse", "mark", "lanes", "second_level"}},
		{"seidel-2d", []string{"tile", "parallel", "wavefront", "vector", "order", "interleave", "schedule", "height", "degrees", "second_level"}},
		{"jacobi-1d", []string{"tile", "parallel", "wavefront", "separate", "vector", "order", "schedule", "mark", "lanes", "diamond", "height", "second_level"}},
	} {
		if (test.kernel == "2mm" || test.kernel == "jacobi-1d") && !kerneltest.Long() {
			continue
		}
		g := kerneltest.Graph(t, test.kernel)
		p := chosen(t, g, "max")
		at := func(setting variant.Setting) schedule.Recipe {
			recipe, err := Transform(g, p, OptionsOf(setting, fixed))
			if err != nil {
				t.Fatal(err)
			}
			return recipe
		}
		byDefault := at(nil)
		probed := map[string][]schedule.Recipe{}
		for axis, text := range Probes {
			setting, err := axesOf(t, 0).Parse(text)
			if err != nil {
				t.Fatal(err)
			}
			probed[axis] = []schedule.Recipe{at(setting)}
		}
		axes := OfferedAxes([]schedule.Recipe{byDefault}, probed)
		var names []string
		for _, a := range axes {
			names = append(names, a.Name)
		}
		if !slices.Equal(names, test.want) {
			t.Errorf("%s: the axes are %q; want %q", test.kernel, names, test.want)
		}
		model, err := variant.New(axes, nil)
		if err != nil {
			t.Fatalf("%s: %v", test.kernel, err)
		}
		changing, seen := map[string]bool{}, map[string]bool{}
		for s := range axesOf(t, 0).Neighbours(axesOf(t, 0).Default()) {
			text, recipe := axesOf(t, 0).Text(s), at(s).Text(g.Model.Program)
			axis, _, _ := strings.Cut(text, "=")
			if recipe == byDefault.Text(g.Model.Program) || axis == LoopsAxis { // sessions try that once, and do not search from there
				continue
			}
			changing[axis] = true
			if _, err := model.Parse(text); err != nil && !seen[recipe] {
				t.Errorf("%s: %q changes the recipe: %v", test.kernel, text, err)
			}
			seen[recipe] = true
		}
		if len(changing) != len(names) {
			t.Errorf("%s: the axes %v change the recipe; %q are offered", test.kernel, changing, names)
		}
	}
}
