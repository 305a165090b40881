package harness

import (
	"slices"
	"testing"

	"polytune/scop"
)

func TestElementsOfParameters(t *testing.T) {
	program := &scop.Program{Parameters: []string{"n", "m_1", "d_5", "d_1", "s_n", "g_2", "v_n"},
		Spellings: map[string]string{"m_1": "*m", "d_5": "dims[5]", "d_1": "dims[1]", "s_n": "s->n", "g_2": "g[1][2].n", "v_n": "v.n"}}
	for _, test := range []struct {
		argument scop.Argument
		want     []int
	}{
		{scop.Argument{Name: "m", Extents: []string{""}}, []int{1}},
		{scop.Argument{Name: "dims", Extents: []string{""}}, []int{6}},
		{scop.Argument{Name: "s", Extents: []string{""}}, []int{1}},
		{scop.Argument{Name: "g", Extents: []string{"", "4"}}, []int{2, 3}},
		{scop.Argument{Name: "d", Extents: []string{""}}, nil},
		{scop.Argument{Name: "n", Extents: []string{""}}, nil},
		{scop.Argument{Name: "v"}, nil},
	} {
		if got := elementsOfParameters(program, test.argument); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v instead of %v", test.argument.Name, got, test.want)
		}
	}
	if got, want := withAtLeast([]string{"1", "n + 1", "9", ""}, []int{6, 2, 3, 4}), []string{"6", "max(n + 1, 2)", "9", ""}; !slices.Equal(got, want) {
		t.Errorf("%q instead of %q", got, want)
	}
}
