package command

import (
	"fmt"
	"math"

	"polytune/schedule"
)

// Band adds loops inside a leaf node; Rows[k] are the rows of loop k by
// statement, which may have floor(i/8) and i mod 8 in them. Permutable says that no dependence inside the node that is not
// carried outside goes backwards along any of the loops.
//
//	band c0 permutable S0[i, j] -> [i, j]; S1[i] -> [i, 0]
//
//	c0: S0 S1  -->  for c0.1 { for c0.2 { S0 S1 } }
type Band struct {
	Node       string
	Permutable bool
	Rows       []map[int]schedule.Quasi
}

var _ = All.Add(schedule.Spec{
	Syntax:  "band NODE [permutable] VALUES",
	Doc:     "a band of loops",
	Example: "band c0 permutable S0[i, j] -> [i, j]; S1[i] -> [i, 0]",
	New:     func() schedule.Command { return Band{} },
	Random:  schedule.Chosen[Band],
	Say:     schedule.Silent,
	Most:    math.MaxInt64,
})

// Apply appends the band to the node's chain.
func (c Band) Apply(t *schedule.Tree) error {
	n, err := t.Node(c.Node)
	if err != nil {
		return err
	}
	if n.Parts != nil {
		return fmt.Errorf("node %q is split; loops can be added to its parts", n.Name)
	}
	if err := schedule.CheckRows(t, n, c.Rows); err != nil {
		return err
	}
	for _, values := range c.Rows {
		addValued(t, n, values, c.Permutable)
	}
	n.Bands++
	return nil
}
