package transform

import (
	"maps"
	"slices"
	"strconv"

	"polytune/internal/integer"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// Iterations that run beside each other go through as many rows of each array. Rows that begin a
// multiple of a large power of two bytes apart share few sets of the first cache, and lines of a
// ninth row drive out those of the first one before their next element is used. On an AMD EPYC with
// AVX-512 (32 KiB in 8 ways) SC'10's adi with 1024 x 1024 doubles takes 43 ms on two threads with
// two iterations of its three arrays beside each other, 159 with eight, and 31 with eight and 1000
// x 1000; sums along rows of 2048 x 2048 take 1.7 with four, 3.2 with eight, and seidel 11.7 with
// six and 14.1 with eight. In sweeps statements find in the first cache what those before them have
// read: on two threads of an AMD Zen 4, with rows of 4096, 8192 and 6144 doubles, bicg takes 0.72,
// 0.67 and 0.91 of the time with 8 rows instead of 16, and 1.23 with 6000; with rows of 512 to 8192
// atax takes 0.74 to 0.93, gemver 0.64 to 0.94.

// besideInSets is how many of at most so many iterations of a band's loop find their lines in the
// first cache beside each other.
func besideInSets(g *depend.Graph, o *Options, moves []facts.Movement, loop int, most int64) (int64, error) {
	arrays := map[string]*rowsBeside{}
	for _, m := range moves {
		k := m.PlaceOf(loop)
		if k < 0 {
			continue
		}
		for a := range m.Steps {
			if err := addRows(g, o, arrays, m, a, k); err != nil {
				return 0, err
			}
		}
	}
	return mostInSets(o, slices.Collect(maps.Values(arrays)), most), nil
}

// mostInSets is how many of at most so many iterations find their rows of arrays in the first cache
// beside each other.
func mostInSets(o *Options, arrays []*rowsBeside, most int64) int64 {
	ways := int64(o.CacheBytes) / facts.WayBytes
	fits := func(rows int64) bool {
		lines := 0.0
		for _, r := range arrays {
			lines += float64((rows-1)*r.step+1+r.last-r.first) * float64(max(integer.GCD(r.bytes, facts.WayBytes), facts.LineBytes))
		}
		return lines <= float64(ways*facts.WayBytes)
	}
	for most > 1 && !fits(most) {
		most--
	}
	return most
}

// rowsBeside are the rows of an array that iterations beside each other use: from first to last in
// one of them, step rows further in the next; rows are so many bytes long.
type rowsBeside struct{ bytes, step, first, last int64 }

// addRows adds those of an access, if its rows move along loop k of the statement and have a known
// length.
func addRows(g *depend.Graph, o *Options, arrays map[string]*rowsBeside, m facts.Movement, a, k int) error {
	s := &g.Model.Statements[m.Statement]
	array := g.Model.Program.Array(s.Statement.Accesses[a].Array)
	row := len(array.Extents) - 2
	if row < 0 || !m.Steps[a][k].Known || m.Steps[a][k].Subscripts[row] == 0 || rowBytes(o, array) == 0 {
		return nil
	}
	subscripts, err := scop.Subscripts(s.Accesses[a])
	if err != nil || subscripts == nil {
		return err
	}
	step, at := m.Steps[a][k].Subscripts[row], subscripts[row].Constant
	known := arrays[array.Name]
	if known == nil {
		known = &rowsBeside{bytes: rowBytes(o, array), first: at, last: at}
		arrays[array.Name] = known
	}
	known.step = max(known.step, step, -step)
	known.first, known.last = min(known.first, at), max(known.last, at)
	return nil
}

// rowBytes is the length of a row of an array in the run that is meant, 0 where nobody knows.
func rowBytes(o *Options, array *scop.Array) int64 {
	if len(array.Extents) == 0 {
		return 0
	}
	last := array.Extents[len(array.Extents)-1]
	extent, err := strconv.Atoi(last)
	if err != nil {
		extent = o.Run.Parameters[last]
	}
	return int64(extent) * int64(array.Size)
}
