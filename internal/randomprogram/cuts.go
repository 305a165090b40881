package randomprogram

import (
	"math/rand/v2"

	"polytune/scop"
)

// Cuts are one or two hyperplanes for some of the program's statements, at
// least one: any rows with small coefficients, wherever they are.
func Cuts(p *scop.Program, random *rand.Rand) []scop.Cut {
	var cuts []scop.Cut
	for range 1 + random.IntN(2) {
		var cut scop.Cut
		for i := range p.Statements {
			s := &p.Statements[i]
			if s.Depth() > 0 && (len(cut) == 0 || random.IntN(2) == 0) {
				cut = append(cut, scop.CutRow{Statement: s.Name, Row: randomRow(s.Depth(), len(p.Parameters), random)})
			}
		}
		if len(cut) > 0 {
			cuts = append(cuts, cut)
		}
	}
	return cuts
}

func randomRow(iterators, parameters int, random *rand.Rand) scop.Row {
	row := scop.Row{Iterators: make([]int64, iterators), Parameters: make([]int64, parameters), Constant: random.Int64N(9) - 4}
	row.Iterators[random.IntN(iterators)] = 1 + random.Int64N(3)
	for k := range row.Iterators {
		if random.IntN(4) == 0 {
			row.Iterators[k] += random.Int64N(5) - 2
		}
	}
	for k := range row.Parameters {
		if random.IntN(2) == 0 {
			row.Parameters[k] = random.Int64N(4) - 2
		}
	}
	return row
}
