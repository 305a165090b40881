package limit

import (
	"testing"
	"time"

	"polytune/scop"
)

// Programs of more statements have more of isl's work.
func TestLimitsOfPrograms(t *testing.T) {
	for statements, want := range map[int]uint64{1: 12, manyStatements: 12, 4 * manyStatements: 48} {
		got := Limits{12, time.Minute}.Of(&scop.Program{Statements: make([]scop.Statement, statements)})
		if got.Operations != want || got.Time != time.Duration(want/12)*time.Minute {
			t.Errorf("%d statements: %+v", statements, got)
		}
	}
}
