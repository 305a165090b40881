package transform

import (
	"fmt"
	"polytune/transform/facts"
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
)

// kernel makes loops of the outermost band blocks and threads: free ones, or those of updates under
// clauses, for which threads have accumulators.
func (m *deviceMapper) kernel(n *devicePlan, free []int, clauses []scop.Clause) error {
	inner, count := m.sharing(n, free)
	begins := len(m.recipe)
	m.inOrder(inner)
	tiles, threads := m.blockSizes(count, len(clauses) > 0)
	points, blocks := make([]string, count), make([]string, count)
	for k := range count {
		points[k] = fmt.Sprintf("%s.%d", n.name, n.depth+k+1)
		blocks[k] = points[k] + "t"
	}
	from := len(m.recipe)
	m.emit(command.Tile{Loops: points, Sizes: tiles})
	if len(clauses) > 0 {
		m.emit(command.Reduce{Loop: blocks[0], Reductions: clauses})
	}
	m.emit(command.Block{Loops: blocks})
	m.emit(command.Thread{Loops: points, Sizes: threads})
	for k := range count {
		if m.device.Unroll && tiles[k] > threads[k] {
			m.emit(command.Unroll{Loop: points[k]})
		}
	}
	if len(clauses) > 0 {
		return nil
	}
	m.shape(inner, begins, from, tiles, threads)
	return nil
}

// sharing is a plan whose outermost band begins with those of some loops that blocks and threads
// share, so many.
func (m *deviceMapper) sharing(n *devicePlan, free []int) (inner *devicePlan, count int) {
	band := n.bands[0]
	shared := m.sharedOf(band, free)
	var rows []map[int]schedule.Row
	for _, k := range shared {
		rows = append(rows, band.rows[k])
	}
	for k := range band.rows {
		if !slices.Contains(shared, k) {
			rows = append(rows, band.rows[k])
		}
	}
	made := *n
	made.bands = append([]deviceBand{{rows, band.permutable || len(rows) == 1}}, n.bands[1:]...)
	return &made, len(shared)
}

// blockSizes are the tiles and threads of so many loops, of such that add up or of free ones.
func (m *deviceMapper) blockSizes(count int, addUp bool) (tiles, threads []int64) {
	switch tiles, threads = m.device.Tiles[count], m.device.Threads[count]; {
	case tiles == nil && addUp:
		return sumTiles[count], sumThreads[count]
	case tiles == nil:
		return deviceTiles[count], deviceThreads[count]
	}
	return tiles, threads
}

// sharedOf are the free loops of a band that blocks and threads share, at most three: that along
// which neighbours lie side by side in memory last.
func (m *deviceMapper) sharedOf(band deviceBand, free []int) []int {
	most := facts.MaxShared
	if m.device.Shared > 0 {
		most = m.device.Shared
	}
	shared := free[:min(len(free), most)]
	if !band.permutable {
		return shared
	}
	best := slices.MaxFunc(free, func(a, b int) int { return m.sideBySide(band.rows[a]) - m.sideBySide(band.rows[b]) })
	shared = slices.DeleteFunc(slices.Clone(free), func(k int) bool { return k == best })
	return append(shared[:min(len(shared), most-1)], best)
}

// sideBySide counts the references whose elements in neighbouring iterations of a loop lie side by
// side, less those whose elements lie far apart.
func (m *deviceMapper) sideBySide(rows map[int]schedule.Row) (count int) {
	for s, row := range rows {
		k, is := onlyIterator(row)
		if !is {
			continue
		}
		for _, access := range m.graph.Model.Statements[s].Accesses {
			subscripts, err := scop.Subscripts(access)
			if err != nil || len(subscripts) == 0 {
				continue
			}
			last := len(subscripts) - 1
			switch {
			case slices.ContainsFunc(subscripts[:last], func(r schedule.Row) bool { return r.Iterators[k] != 0 }):
				count--
			case subscripts[last].Iterators[k] == 1 || subscripts[last].Iterators[k] == -1:
				count++
			}
		}
	}
	return count
}

// onlyIterator is the iterator that a row is, but for a sign and a constant.
func onlyIterator(row schedule.Row) (place int, is bool) {
	for k, factor := range row.Iterators {
		if factor != 0 && is || factor > 1 || factor < -1 {
			return 0, false
		}
		if factor != 0 {
			place, is = k, true
		}
	}
	return place, is
}
