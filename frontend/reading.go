package frontend

import "modernc.org/cc/v4"

// A region is read until nothing new is found out about it: what an array's rows are, and which
// variables are no iterators, may show at its end only.

// reading is what the readings of a region have found so far.
type reading struct {
	rows map[arrayKey]*arrayRows
	// scalars are variables that loops inside opaque statements count with, and none of the
	// model's: variables like others.
	scalars map[*cc.Declarator]bool
	// keepsCopies says that variables which only hold values are assigned: there is nothing else in
	// the region.
	keepsCopies bool
	// jumps are those of loops that are one statement because of a jump that depends on data.
	jumps map[*cc.IterationStatement]*cc.JumpStatement
	// unsteady are variables whose values cannot be followed, and left iterators whose last ones
	// are wanted.
	unsteady, left map[*cc.Declarator]bool
}

func newReading() *reading {
	return &reading{rows: map[arrayKey]*arrayRows{}, scalars: map[*cc.Declarator]bool{}, jumps: map[*cc.IterationStatement]*cc.JumpStatement{},
		unsteady: map[*cc.Declarator]bool{}, left: map[*cc.Declarator]bool{}}
}

// readAgain says whether the region has to be read again, with what this reading has found.
func (x *extractor) readAgain() bool {
	again := x.again
	for d := range x.counted {
		if !x.entered[d] && !x.reading.scalars[d] {
			x.reading.scalars[d], again = true, true
		}
	}
	for _, rows := range x.rows {
		again = rows.settle() || again
		rows.misfits, rows.next, rows.flat = 0, nil, false
	}
	return again
}
