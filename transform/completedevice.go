package transform

import (
	"cmp"
	"polytune/transform/facts"

	"polytune/schedule"
	"polytune/schedule/command"
)

// onDevice finishes a class for a device: its outermost loops that carry nothing, right inside each
// other, are blocks and threads, those around are the host's, and what is inside is one thread's. A
// class of which something is said stays as it is.
func (c *completion) onDevice(n *schedule.Node) error {
	m := &deviceMapper{planner: c.planner, device: c.options.Device}
	if c.said.isOf(n) || m.onHost(n.Statements) {
		return nil
	}
	has, err := c.sharedByThreads(m, n)
	if err != nil || has {
		return err
	}
	c.emit(command.Kernel{Of: n.Name})
	return nil
}

// sharedByThreads has blocks and threads share loops of a node, or of its parts, and says whether
// there are some. Parts beside those that have none are kernels of one thread.
func (c *completion) sharedByThreads(m *deviceMapper, n *schedule.Node) (bool, error) {
	free, err := c.freeLoops(n, cmp.Or(m.device.Shared, facts.MaxShared))
	if err != nil {
		return false, err
	}
	if len(free) > 0 {
		c.emitKernel(m, free)
		return true, nil
	}
	var alone []*schedule.Node
	for _, part := range n.Parts {
		has, err := c.sharedByThreads(m, part)
		if err != nil {
			return false, err
		}
		if !has {
			alone = append(alone, part)
		}
	}
	if len(alone) == len(n.Parts) {
		return false, nil
	}
	for _, part := range alone {
		c.emit(command.Kernel{Of: part.Name})
	}
	return true, nil
}

// freeLoops are the outermost loops of a node right inside each other that carry nothing, so many at
// most.
func (c *completion) freeLoops(n *schedule.Node, most int) (names []string, err error) {
	for _, l := range n.Loops {
		isFree, err := c.isFree(l)
		switch {
		case err != nil:
			return nil, err
		case isFree && len(names) < most:
			names = append(names, l.Name)
		case len(names) > 0:
			return names, nil
		}
	}
	return names, nil
}

// emitKernel has blocks and threads share loops.
func (c *completion) emitKernel(m *deviceMapper, loops []string) {
	tiles, threads := m.blockSizes(len(loops), false)
	blocks := make([]string, len(loops))
	for k, loop := range loops {
		blocks[k] = loop + "t"
	}
	c.emit(command.Tile{Loops: loops, Sizes: tiles})
	c.emit(command.Block{Loops: blocks})
	c.emit(command.Thread{Loops: loops, Sizes: threads})
	for k, loop := range loops {
		if m.device.Unroll && tiles[k] > threads[k] {
			c.emit(command.Unroll{Loop: loop})
		}
	}
}
