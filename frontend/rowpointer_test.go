package frontend_test

import (
	"strings"
	"testing"

	"polytune/frontend"
)

// A pointer keeps its value where the one that it was made of gets another: the one takes the
// other's place only in front of that.
func TestRowsAndExchanges(t *testing.T) {
	const sweeps = `void f(int n, int steps, int *restrict u, int *restrict v, int *restrict o)
{
    int *w;
#pragma scop
    for (int t = 0; t < steps; t++) {
        int *z = u;
        IN_FRONT
        for (int i = 1; i < n - 1; i++)
            v[i] = u[i - 1] + u[i + 1];
        w = u; u = v; v = w;
        BEHIND
    }
#pragma endscop
}
`
	const use, other = "for (int i = 0; i < n; i++) o[i] += z[i];", "for (int i = 0; i < n; i++) o[i]++;"
	const around = "for (int r = 0; r < 2; r++) { for (int i = 0; i < n; i++) o[i] += z[i]; w = u; u = v; v = w; }"
	for _, c := range []struct {
		name, inFront, behind string
		refused               bool
	}{
		{"in front", use, other, false},
		{"behind", other, use, true},
		{"in a loop around both", around, other, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			source := strings.NewReplacer("IN_FRONT", c.inFront, "BEHIND", c.behind).Replace(sweeps)
			_, err := frontend.Parse("f.c", []byte(source), frontend.Options{})
			if (err != nil) != c.refused {
				t.Errorf("it is refused: %v, want %v", err, c.refused)
			}
		})
	}
}

// Nothing of a region that stays refused is rewritten in the file that others are taken from.
func TestRefusedTextStays(t *testing.T) {
	const source = `void say(int *);
void f(int n, int *restrict c)
{
    int *a = c + 16, *b = c + 16 + n;
#pragma scop
    { int *z = c + n; z[0] = 1; say(a); }
#pragma endscop
#pragma scop
    for (int i = 0, j = n; i < n; i++, j--)
        c[i] = j;
#pragma endscop
}
`
	file, err := frontend.Parse("f.c", []byte(source), frontend.Options{Each: true})
	if err != nil {
		t.Fatal(err)
	}
	refused := file.Regions[0]
	if refused.Refused == nil || file.Regions[1].Refused != nil {
		t.Fatalf("refused are %v and %v, want the first", refused.Refused, file.Regions[1].Refused)
	}
	if text := string(file.Source[refused.Start:refused.End]); !strings.Contains(source, text) {
		t.Errorf("the refused region is\n%s", text)
	}
	if strings.Contains(string(file.Source), "j--") {
		t.Errorf("the other region is not rewritten:\n%s", file.Source)
	}
}
