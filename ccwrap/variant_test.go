package ccwrap

import "testing"

// A size for several regions has values that some of them lack.
func TestIsOf(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		size, asked string
		want        bool
	}{
		{"n=100", "n=100", true}, {"n=100", "n=100,m=7", true}, {"m=7,n=100", "n=100,m=7", true}, {"n=100", "n=1000", false},
		{"m=7,n=100", "n=100", false}, {"large", "large", true}, {"large", "large,n=4", false}, {"run 10", "run 10", true}, {"run", "run,n=4", false},
	} {
		if got := isOf(c.size, c.asked); got != c.want {
			t.Errorf("%s of %s: %v", c.size, c.asked, got)
		}
	}
}
