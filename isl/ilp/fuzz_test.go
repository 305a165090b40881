package ilp

import (
	"errors"
	"slices"
	"testing"

	"polytune/isl"
)

// problemFrom reads a program of up to six unknowns from bytes: each constraint
// has as many as it has coefficients and one more. Large ones are there to
// overflow the arithmetic.
func problemFrom(data []byte) *Problem {
	take := func() int64 {
		if len(data) == 0 {
			return 0
		}
		v := int64(int8(data[0]))
		data = data[1:]
		switch {
		case v > 100:
			return 1 << (v - 65)
		case v < -100:
			return -1 << (-v - 67)
		}
		return v / 8
	}
	p := &Problem{Unknowns: make([]string, 1+(take()&7)%6)}
	for k := range p.Unknowns {
		p.AtLeast(k, take())
		if bound := take(); bound > 0 {
			p.AtMost(k, bound)
		}
	}
	for rows := 0; len(data) > 0 && rows < 20; rows++ {
		equality := take()%4 == 1
		row := p.NewRow()
		for k := range row {
			row[k] = take()
		}
		if equality {
			p.Equalities = append(p.Equalities, row)
		} else {
			p.Inequalities = append(p.Inequalities, row)
		}
	}
	return p
}

// FuzzLexmin compares the simplex, and programs that are simplified first, with
// isl, where none gives up.
func FuzzLexmin(f *testing.F) {
	f.Add([]byte{16, 0, 0, 0, 0, 0, 8, 16, 32, 120, 246})
	f.Add([]byte{24, 0, 8, 0, 24, 0, 127, 8, 24, 232, 8, 16, 0, 130, 127, 8, 240})
	c := isl.NewContext()
	defer c.Close()
	f.Fuzz(func(t *testing.T, data []byte) {
		p := problemFrom(data)
		p.Leading = len(p.Equalities) / 2
		want, err := LexminBy(ISL{}, c, 5_000, p)
		if err != nil || want.Exceeded {
			c.TakeErr()
			return
		}
		simplex, simplexErr := LexminBy(Simplex{}, c, 5_000, p)
		simplified, simplifiedErr := Lexmin(c, 5_000, p)
		for name, got := range map[string]struct {
			Answer
			err error
		}{"simplex": {simplex, simplexErr}, "simplified": {simplified, simplifiedErr}} {
			if errors.Is(got.err, errUnsuitable) || got.Exceeded {
				continue
			}
			if got.err != nil || got.Found != want.Found || !slices.Equal(got.Solution, want.Solution) {
				t.Fatalf("%+v: %s: got %+v, %v, isl %+v", p, name, got.Answer, got.err, want)
			}
		}
	})
}
