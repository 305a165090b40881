package scop

import (
	"strings"
	"testing"

	"polytune/isl"
)

// A loop that counts down is counted from what bounds its iterator for all
// statements in it.
func TestTimes(t *testing.T) {
	down, up := Loop{Iterator: "i", Descending: true}, Loop{Iterator: "i"}
	for _, test := range []struct {
		loop Loop
		// domains of statements in one loop, over i and j, and the time of i.
		domains []string
		want    string
	}{
		{up, []string{"0 <= i < N"}, "i"},
		{down, []string{"0 <= i < N"}, "-i + N - 1"},
		{down, []string{"0 <= i < 100"}, "-i + 99"},
		{down, []string{"0 <= i < N and i mod 2 = 0"}, "-i + N - 1"},
		{down, []string{"0 <= i < N and i < M"}, "-i + M - 1"},
		{down, []string{"0 <= i < N", "0 <= i < N - 3"}, "-i + N - 1"},
		{down, []string{"0 <= i < N - 3", "0 <= i < N"}, "-i + N - 1"},
		{down, []string{"0 <= i <= j < M"}, "-i + M - 1"},
		{down, []string{"0 <= i < N", "0 <= i < M"}, "-i"},
		{down, []string{"0 <= 2i < N"}, "-i"},
		{down, []string{"0 <= i"}, "-i"},
	} {
		p := &Program{Name: "times", Parameters: []string{"N", "M"}, Context: "[N, M] -> { : N >= 1 and M >= 1 }"}
		for k, domain := range test.domains {
			name := "S" + string(rune('0'+k))
			p.Statements = append(p.Statements, Statement{Name: name, Loops: []Loop{test.loop, {Iterator: "j"}}, Position: []int{0, k, 0},
				Domain: "[N, M] -> { " + name + "[i, j] : " + domain + " }"})
		}
		context := isl.NewContext()
		m, err := p.Model(context)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range m.Statements {
			if got := s.Times[0].Text([]string{"i", "j"}, p.Parameters); got != test.want {
				t.Errorf("%s: the time of i is %s, want %s", strings.Join(test.domains, "; "), got, test.want)
			}
			if got := s.Times[1].Text([]string{"i", "j"}, p.Parameters); got != "j" {
				t.Errorf("%s: the time of j is %s", strings.Join(test.domains, "; "), got)
			}
		}
		context.Close()
	}
}
