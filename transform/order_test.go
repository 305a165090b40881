package transform

import (
	"testing"

	"polytune/transform/facts"
)

// Pluto's score, worked out by hand for one statement in two loops.
func TestScore(t *testing.T) {
	at := func(subscripts ...int64) facts.Step { return facts.Step{Known: true, Subscripts: subscripts} }
	for _, test := range []struct {
		about    string
		accesses [][]facts.Step
		parallel bool
		score    [2]int
		near     [2]bool
	}{
		{"A[i][j] += x[j]: rows against columns", [][]facts.Step{{at(1, 0), at(0, 1)}, {at(0), at(1)}}, false,
			[2]int{4 - 16, 2 * 2}, [2]bool{false, true}},
		{"the same, parallel: worth more only where all accesses are near", [][]facts.Step{{at(1, 0), at(0, 1)}, {at(0), at(1)}}, true,
			[2]int{4 - 16, 2*2 + 8}, [2]bool{false, true}},
		{"y[4j], z[5j]: four elements are near, five are not", [][]facts.Step{{at(0), at(4)}, {at(0), at(5)}}, true,
			[2]int{2*4 + 8, 2 - 16}, [2]bool{true, false}},
		{"an unknown step is far", [][]facts.Step{{{}, at(0)}}, false,
			[2]int{-16, 4}, [2]bool{false, true}},
	} {
		moves := []facts.Movement{{Loops: []int{0, 1}, Steps: test.accesses}}
		for loop := range 2 {
			if score, near := scoreOf(moves, loop, test.parallel); score != test.score[loop] || near != test.near[loop] {
				t.Errorf("%s: loop %d has score %d, near %v; want %d, %v", test.about, loop, score, near, test.score[loop], test.near[loop])
			}
		}
	}
	twice := []facts.Movement{{Loops: []int{0}, Steps: [][]facts.Step{{at(1)}}}, {Loops: []int{1}, Steps: [][]facts.Step{{at(1)}}}}
	if score, _ := scoreOf(twice, 0, false); score != (2+4)*2 {
		t.Errorf("two statements, of which the loop moves one: score %d; want 12", score)
	}
}
