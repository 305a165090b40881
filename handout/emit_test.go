package handout

import (
	"strings"
	"testing"

	"polytune/store"
)

// TestOneSize checks that a choice is asked for only when it matters.
func TestOneSize(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name    string
		results []string
		want    string
	}{
		{"one", []string{"n=5 a"}, ""},
		{"two compilers", []string{"n=5 a", "n=5 b"}, ""},
		{"two sizes, one variant", []string{"n=5 a", "n=6 a"}, ""},
		{"two sizes", []string{"n=5 a", "n=5 b", "n=6 b"}, "results for n=5; n=6; choose one"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			known := Known{}
			for _, text := range test.results {
				size, variant, _ := strings.Cut(text, " ")
				known.Results = append(known.Results, store.Best{Size: size, Variant: store.Variant{ID: variant}})
			}
			err := known.oneSize()
			if (err == nil) != (test.want == "") || err != nil && !strings.Contains(err.Error(), test.want) {
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}
