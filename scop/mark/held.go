package mark

import (
	"fmt"

	"polytune/scop"
)

// Held stands above code each of whose executions computes elements of an array for itself alone
// (scop.Computed): the array has memory for one execution, in which its first element is that with
// the subscripts Origins, by the values of the loops around. Threads that run executions at the same
// time have memory of their own.
type Held struct {
	claim
	Loop, Array string
	Origins     []scop.Row
}

func (m Held) String() string { return fmt.Sprintf("held %s %s", m.Loop, m.Array) }
