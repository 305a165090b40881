package transform

import (
	"polytune/transform/facts"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// inParts makes a kernel of shared loops one of parts, each with a band of loops that threads run
// by themselves, or none. It says whether it is such a kernel.
func (k *kernelShape) inParts(parts []*devicePlan) bool {
	if len(k.rows) != len(k.tiles) {
		return false
	}
	for _, part := range parts {
		if len(part.parts) > 0 || len(part.bands) > 1 || len(part.bands) == 1 && !part.bands[0].permutable && len(part.bands[0].rows) > 1 {
			return false
		}
		for _, band := range part.bands {
			k.rows = append(k.rows, band.rows...)
		}
	}
	k.parts = parts
	return true
}

// partedCommands make the kernel: blocks are loops over tiles that its parts share, and each part
// has the points of a tile for itself, inside of its own sequential loops and of the loops over
// their tiles:
//
//	for block        for block
//	  for thread       for tile of k    in the part that has it
//	    S0        -->    for k
//	    for k              for thread
//	      S1                 S1
func (k *kernelShape) partedCommands() (commands []schedule.Command) {
	count := len(k.tiles)
	var groups [][]int
	for _, part := range k.parts {
		groups = append(groups, part.statements)
	}
	commands = append(commands, command.Blocks{Node: k.name, Permutable: true, Rows: k.rows[:count], Sizes: k.tiles}, command.Split{Node: k.name, Groups: groups},
		command.Block{Loops: k.tileLoops(k.name, 0, count)})
	for _, part := range k.parts {
		var rows []map[int]schedule.Row
		for _, band := range part.bands {
			rows = append(rows, band.rows...)
		}
		own := len(rows)
		for _, shared := range k.rows[:count] {
			rows = append(rows, rowsOf(shared, part.statements))
		}
		var loops []string
		for d := range rows {
			loops = append(loops, k.loop(part.name, count+d))
		}
		commands = append(commands, command.Band{Node: part.name, Permutable: true, Rows: schedule.Affine(rows)})
		if own > 0 && slices.ContainsFunc(k.copies, func(c memoryCopy) bool { return c.at == loops[own-1]+"t" }) {
			commands = append(commands, command.Tile{Loops: loops[:own], Sizes: slices.Repeat([]int64{facts.SequentialTile}, own)})
		}
		commands = append(commands, command.Thread{Loops: loops[own:], Sizes: k.threads})
		commands = append(commands, k.unrolled(loops[own:])...)
	}
	return commands
}

// inTheWay are the statements of a plan's last parts, without loops of their own, that keep what
// others add up out of registers: they use the same elements otherwise, as the other half of a
// matrix. In a kernel of their own, behind the others, they do not; none where nothing is gained, or
// where others need what they do in an iteration before.
func (m *deviceMapper) inTheWay(n *devicePlan, free []int, active []*depend.Dependence) (others, last []int) {
	own := m.inRegisters(n, free)
	for first := len(n.parts) - 1; first > 0 && len(n.parts[first].bands)+len(n.parts[first].parts) == 0; first-- {
		last = slices.Concat(n.parts[first].statements, last)
		others = slices.DeleteFunc(slices.Clone(n.statements), func(s int) bool { return slices.Contains(last, s) })
		isNeeded := func(d *depend.Dependence) bool {
			return slices.Contains(last, d.Source) && slices.Contains(others, d.Target)
		}
		if !slices.ContainsFunc(active, isNeeded) && m.inRegisters(n.of(others), free) > own {
			return others, last
		}
	}
	return nil, nil
}

// inRegisters counts the arrays whose elements threads add up in registers in a kernel of a plan.
func (m *deviceMapper) inRegisters(n *devicePlan, free []int) (count int) {
	inner, shared := m.sharing(n, free)
	tiles, threads := m.blockSizes(shared, false)
	if k := m.shapeOf(inner, tiles, threads); k != nil {
		for _, c := range k.copies {
			if c.isWritten && c.memory == mark.Own {
				count++
			}
		}
	}
	return count
}
