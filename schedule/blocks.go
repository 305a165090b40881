package schedule

import (
	"fmt"
	"strconv"
	"strings"

	"polytune/scop"
)

// Blocks adds a loop over blocks of consecutive values of a row inside a node, and
// no loop over the values of a block: a tile loop that statements share, whose points
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
// loop.
type Blocks struct {
	Node string
	Rows map[int]Row
	Size int64
}

// Name is the command's word.
func (Blocks) Name() string { return "blocks" }

// Apply appends the loop to the node's chain.
func (c Blocks) Apply(t *Tree) error {
	n, err := t.Node(c.Node)
	if err != nil {
		return err
	}
	if n.Parts != nil {
		return fmt.Errorf("node %q is split; loops can be added to its parts", n.Name)
	}
	if c.Size < 2 {
		return fmt.Errorf("blocks of %d iterations are none; write a band", c.Size)
	}
	if err := t.checkRows(n, []map[int]Row{c.Rows}); err != nil {
		return err
	}
	n.depth++
	n.Loops = append(n.Loops, &Loop{
		Name:  c.Loop(n.depth),
		Terms: []Term{{Rows: c.Rows, Size: c.Size}},
		Band:  n.bands,
		Level: 1,
	})
	n.bands++
	return nil
}

// Loop is the name of the loop at a depth, counted from 1.
func (c Blocks) Loop(depth int) string { return fmt.Sprintf("%s.%dt", c.Node, depth) }

// Text is the command's line.
func (c Blocks) Text(p *scop.Program) string {
	return fmt.Sprintf("blocks %s %s by %d", c.Node, rowsText(p, []map[int]Row{c.Rows}), c.Size)
}

// parseBlocks reads c0 S0[i, j] -> [i]; S1[i, j] -> [i] by 32.
func parseBlocks(p *scop.Program, rest string) (Command, error) {
	node, rest, _ := strings.Cut(rest, " ")
	rows, word, found := strings.Cut(rest, " by ")
	if !found {
		return nil, fmt.Errorf("loops over blocks are written: blocks c0 S0[i, j] -> [i]; S1[i, j] -> [i] by 32")
	}
	size, err := strconv.ParseInt(strings.TrimSpace(word), 10, 64)
	if err != nil {
		return nil, fmt.Errorf("the size %q is not a number", word)
	}
	loops, err := parseStatementRows(p, rows)
	if err != nil {
		return nil, err
	}
	if len(loops) != 1 {
		return nil, fmt.Errorf("%d rows for one loop", len(loops))
	}
	return Blocks{node, loops[0], size}, nil
}
