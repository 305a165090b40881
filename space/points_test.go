package space

import (
	"slices"
	"strings"
	"testing"

	"polytune/benchmarks"
	"polytune/internal/kerneltest"
	"polytune/isl"
)

// The space of a kernel comes back from its text and from its isl set; with
// a further constraint, what satisfies that.
func TestSpacesReadBack(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"sc10/gemver", "sc10/bicg", "sc10/correl", "sc10/ludcmp", "sc10/seidel"} {
		b, err := benchmarks.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		ctx := isl.NewContext()
		s, err := New(kerneltest.AnalyzeIn(t, ctx, programOf(t, b)), Options{})
		if err != nil {
			t.Fatal(err)
		}
		text, err := s.Text()
		if err != nil {
			t.Fatal(err)
		}
		want := collect(t, s.All())
		e := s.Encoding()
		if got := collect(t, e.ReadPartitions(text)); !samePartitions(got, want) {
			t.Errorf("%s: %d partitions come back from the text, %d were in it", name, len(got), len(want))
		}
		if len(want[0]) < 8 {
			set, err := s.Set(ctx)
			if err != nil {
				t.Fatal(err)
			}
			if got := collect(t, e.PartitionsIn(set)); !samePartitions(got, want) {
				t.Errorf("%s: %d partitions come back from the set, %d were in it", name, len(got), len(want))
			}
		}
		if len(want[0]) > 3 {
			checkCutText(t, e, text, want)
		}
		ctx.Close()
	}
}

func checkCutText(t *testing.T, e Encoding, text string, all []Partition) {
	t.Helper()
	want := slices.DeleteFunc(slices.Clone(all), func(p Partition) bool { return p[0] == p[2] && p[1] == p[3] })
	got := collect(t, e.ReadPartitions(strings.Replace(text, " }", " and e_0_2 + e_1_3 <= 1 }", 1)))
	if !samePartitions(got, want) {
		t.Errorf("with a further constraint: %v, want %v", got, want)
	}
}

// Sets that isl has made something else of: unions, differences, sets with
// points that are no partitions.
func TestPartitionsInSets(t *testing.T) {
	const tuple = "{ [p_0_1, e_0_1, p_0_2, e_0_2, p_1_2, e_1_2] : "
	for _, test := range []struct {
		text string
		keep func(p Partition) bool
	}{
		{tuple + "e_0_1 = 1 or e_1_2 = 1 }", func(p Partition) bool { return p[0] == p[1] || p[1] == p[2] }},
		{tuple + "e_0_1 + e_1_2 + e_0_2 = 2 }", func(p Partition) bool { return false }},
		{tuple + "p_0_1 = 1 and (p_0_2 = 0 or p_1_2 = 1) }", func(p Partition) bool { return p[0] < p[1] && (p[0] >= p[2] || p[1] < p[2]) }},
		{tuple + "p_0_1 + e_0_1 = 1 and not (e_0_2 = 1) }", func(p Partition) bool { return p[0] <= p[1] && p[0] != p[2] }},
		{tuple + "1 = 0 }", func(p Partition) bool { return false }},
		{tuple + " }", func(p Partition) bool { return true }},
		{"{ [p_0_1, e_0_1, p_0_2, e_0_2, p_1_2, e_1_2] }", func(p Partition) bool { return true }},
		{"{ [a, b, c, d, e, f] : 2b >= 1; [a, b, c, d, e, f] : b <= 0 and f >= 1 }", func(p Partition) bool { return p[0] == p[1] || p[1] == p[2] }},
	} {
		want := slices.DeleteFunc(weakOrders(3), func(p Partition) bool { return !test.keep(p) })
		if got := collect(t, Encoding{3}.ReadPartitions(test.text)); !samePartitions(got, want) {
			t.Errorf("%s: got %v, want %v", test.text, got, want)
		}
	}
}

func TestBadSets(t *testing.T) {
	const tuple = "{ [p_0_1, e_0_1] : "
	for _, test := range []struct{ text, want string }{
		{"{ [a] : a = 1 }", "1 dimensions and 0 parameters, but 2 statements have 2 variables"},
		{"[n] -> { [a, b] : a = n }", "2 dimensions and 1 parameters"},
		{tuple + "exists (k : p_0_1 = 2k) }", "quantified"},
		{tuple + "p_0_1 mod 2 = 0 }", "there is no variable mod"},
		{tuple + "p_0_1 = }", "the partitions of a set: \"p_0_1 =\" lacks"},
		{"p_0_1 = 1", "syntax error"},
	} {
		found := false
		for p, err := range (Encoding{2}).ReadPartitions(test.text) {
			found = true
			if err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("%s: got %v, %v; want %q", test.text, p, err, test.want)
			}
		}
		if !found {
			t.Errorf("%s is taken for the empty set", test.text)
		}
	}
}
