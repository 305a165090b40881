package schedule

import (
	"fmt"
	"math"
)

// Band adds loops inside a leaf node; Rows[k] are the rows of loop k by
// statement. Permutable says that no dependence inside the node that is not
// carried outside goes backwards along any of the loops.
//
//	band c0 permutable S0[i, j] -> [i, j]; S1[i] -> [i, 0]
//
//	c0: S0 S1  -->  for c0.1 { for c0.2 { S0 S1 } }
type Band struct {
	Node       string
	Permutable bool
	Rows       []map[int]Row
}

var _ = register(Spec{
	Syntax:  "band NODE [permutable] ROWS",
	Doc:     "a band of loops",
	Example: "band c0 permutable S0[i, j] -> [i, j]; S1[i] -> [i, 0]",
	New:     func() Command { return Band{} },
	Most:    math.MaxInt64,
})

// Apply appends the band to the node's chain.
func (c Band) Apply(t *Tree) error {
	n, err := t.Node(c.Node)
	if err != nil {
		return err
	}
	if n.Parts != nil {
		return fmt.Errorf("node %q is split; loops can be added to its parts", n.Name)
	}
	if err := t.checkRows(n, c.Rows); err != nil {
		return err
	}
	for _, rows := range c.Rows {
		n.depth++
		n.Loops = append(n.Loops, &Loop{
			Name:       fmt.Sprintf("%s.%d", n.Name, n.depth),
			Terms:      []Term{{Rows: rows, Size: 1}},
			Band:       n.bands,
			Permutable: c.Permutable,
		})
	}
	n.bands++
	return nil
}
