package command

import (
	"fmt"

	"polytune/schedule"
)

// Blocks adds loops over blocks of consecutive values of rows inside a node, and
// no loops over the values of a block: tile loops that statements share, whose points
// each part of the node orders by loops of its own.
//
//	blocks c0 S0[i, j] -> [i]; S1[i, j] -> [i] by 32
//	split c0 {S0} {S1}
//	band c0_0 permutable S0[i, j] -> [i, j]
//	band c0_1 permutable S1[i, j] -> [j, i]
//
//	for c0.1t            steps of 32
//	  for i for j S0     i of the block
//	  for j for i S1     i of the block
//
// So statements use data of a block one after the other that they would not use in one
// loop. Permutable says what it says of a band.
type Blocks struct {
	Node       string
	Permutable bool
	Rows       []map[int]schedule.Row
	Sizes      []int64
}

var _ = All.Add(schedule.Spec{
	Syntax:  "blocks NODE [permutable] ROWS by SIZES",
	Doc:     "a loop over blocks",
	Example: "blocks c0 S0[i, j] -> [i]; S1[i, j] -> [i] by 32",
	New:     func() schedule.Command { return Blocks{} },
	Random:  schedule.Chosen[Blocks],
	Say:     sayTiles,
})

// Apply appends the loops to the node's chain.
func (c Blocks) Apply(t *schedule.Tree) error {
	n, err := t.Node(c.Node)
	if err != nil {
		return err
	}
	if n.Parts != nil {
		return fmt.Errorf("node %q is split; loops can be added to its parts", n.Name)
	}
	if len(c.Sizes) != len(c.Rows) {
		return fmt.Errorf("%d sizes for %d rows", len(c.Sizes), len(c.Rows))
	}
	for _, size := range c.Sizes {
		if size < 2 {
			return fmt.Errorf("blocks of %d iterations are none; write a band", size)
		}
	}
	if err := schedule.CheckRows(t, n, c.Rows); err != nil {
		return err
	}
	for k, rows := range c.Rows {
		n.Depth++
		n.Loops = append(n.Loops, &schedule.Loop{
			Name:       c.Loop(n.Depth),
			Of:         t.SourceLoops(n, rows),
			Terms:      []schedule.Term{{Rows: rows, Size: c.Sizes[k]}},
			Band:       n.Bands,
			Permutable: c.Permutable,
			Level:      1,
		})
	}
	n.Bands++
	return nil
}

// Loop is the name of the loop at a depth, counted from 1.
func (c Blocks) Loop(depth int) string { return fmt.Sprintf("%s.%dt", c.Node, depth) }
