package written

import (
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"polytune/transform"
)

// plain are options that chance does not choose.
func plain(*rand.Rand) (transform.Options, error) {
	return transform.Options{CacheBytes: 1 << 10, Tile: transform.Tiling{Sizes: []int64{3, 2}}}, nil
}

// program is a whole program with statements in a region.
func program(region string) []byte {
	return []byte("int printf(const char *, ...);\nstatic void f(int n, double *restrict a, int *restrict c)\n{\n#pragma scop\n" + region + "\n#pragma endscop\n}\n" +
		"int main(void) { double a[9] = {1, 2, 3}; int c[9] = {1}; f(8, a, c); for (int i = 0; i < 9; i++) printf(\"%g %d\\n\", a[i], c[i]); return 0; }\n")
}

// A program is accepted and compared, refused for a kind of reason, or none at all.
func TestCheck(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		region, refusal string
		isNone          bool
	}{
		{region: "for (int i = 0; i < n; i++) a[i] += i;"},
		{region: "int i = 0; again: a[i] += i; if (++i < n) goto again;"},
		{region: "for (int i = 0; i < n; i++) { a[i] += i; if (c[i] > n) return; }", refusal: "return: return inside the region"},
		{region: "for (int i = 0; i < n; i++) a[i] += nothing;", isNone: true},
	} {
		r := Check(program(test.region), rand.New(rand.NewPCG(1, 1)), plain)
		if r.Stage != "" || r.Refusal != test.refusal || r.IsNone != test.isNone || test.refusal == "" && !test.isNone && r.Variants == 0 {
			t.Errorf("%s: %+v", test.region, r)
		}
	}
}

// What prints something else, or does not compile, is found, and what has no meaning in C is told
// from it.
func TestCompare(t *testing.T) {
	t.Parallel()
	right := program("for (int i = 0; i < n; i++) a[i] += i;")
	c, err := newCompiled(right)
	if err != nil {
		t.Fatal(err)
	}
	defer c.close()
	for _, test := range []struct{ from, to, stage, message string }{
		{"", "", "", ""},
		{"a[i] += i", "a[i] += i > 6", StageResult, "prints"},
		{"a[i] += i", "a[i] += j", StageCompile, "gcc"},
	} {
		stage, message := c.compare([]byte(strings.Replace(string(right), test.from, test.to, 1)))
		if stage != test.stage || !strings.Contains(message, test.message) {
			t.Errorf("%s: %q %q", test.to, stage, message)
		}
	}
	for region, want := range map[string]bool{"for (int i = 0; i < n; i++) a[i] += i;": false, "for (int i = 0; i < n; i++) a[i] += a[i + 90000];": true, "c[0] = c[0] << 31 << n;": true} {
		if got, err := IsUndefined(program(region)); got != want || err != nil {
			t.Errorf("%s: %v %v", region, got, err)
		}
	}
	if _, err := os.Stat(c.path()); err != nil {
		t.Error(err)
	}
}
