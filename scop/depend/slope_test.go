package depend

import (
	"fmt"
	"strings"
	"testing"

	"polytune/scop"
)

// The slope of a dependence is the largest of its distances in space over those in time, as a
// fraction; it is found though the distances have no end, and is none where they grow with the
// size.
func TestSlope(t *testing.T) {
	for _, test := range []struct {
		reads []string
		// up and down are the slopes forwards and backwards, "" for none.
		up, down string
	}{
		{[]string{"t - 1, i - 1"}, "1/1", "0/1"},
		{[]string{"t - 1, i + 1"}, "0/1", "1/1"},
		{[]string{"t - 2, i - 3"}, "3/2", "0/1"},
		{[]string{"t - 2, i - 3", "t - 3, i - 4"}, "3/2", "0/1"},
		{[]string{"t - 3, i - 1", "t - 2, i + 1"}, "1/3", "1/2"},
		{[]string{"t - 1, i"}, "0/1", "0/1"},
		{[]string{"t - 4, i - 4"}, "4/4", "0/1"},
		{[]string{"t - 1, N - i"}, "", ""},
		{[]string{"t - 1, 2i"}, "0/1", ""},
		{[]string{"t - 1, 1"}, "", "0/1"},
		{[]string{"t - i, i - 1"}, "1/2", "0/1"},
	} {
		p := seidel(false)
		p.Statements[0].Domain = "[N] -> { S0[t, i] : 0 <= t < N and 0 < i < N }"
		p.Statements[0].Accesses = []scop.Access{{Array: "A", Write: true, Relation: "{ S0[t, i] -> A[t, i] }"}}
		for _, read := range test.reads {
			p.Statements[0].Accesses = append(p.Statements[0].Accesses, scop.Access{Array: "A", Read: true, Relation: fmt.Sprintf("[N] -> { S0[t, i] -> A[%s] }", read)})
		}
		g := analyze(t, p)
		time, space := scop.Row{Iterators: []int64{1, 0}, Parameters: []int64{0}}, scop.Row{Iterators: []int64{0, 1}, Parameters: []int64{0}}
		for sign, want := range map[int64]string{1: test.up, -1: test.down} {
			over, under, hasNone := int64(0), int64(1), false
			for _, d := range g.Dependences {
				cone, err := d.Cone()
				if err != nil {
					t.Fatal(err)
				}
				a, b, bounded := cone.Slope(d.Distance(time, time, 1, 0), d.Distance(space, space, sign, 0))
				if a*under > over*b {
					over, under = a, b
				}
				hasNone = hasNone || !bounded
			}
			got := fmt.Sprintf("%d/%d", over, under)
			if hasNone {
				got = ""
			}
			if got != want {
				t.Errorf("%s: the slope in the direction %d is %q, want %q", strings.Join(test.reads, "; "), sign, got, want)
			}
		}
	}
}
