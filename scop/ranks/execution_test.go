package ranks_test

import (
	"fmt"
	"maps"
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/flow"
)

// execution is what a region does at some values of its parameters, instance by instance.
type execution struct{ instances []*instance }

// instance is one of a statement, with what it reads and writes.
type instance struct {
	time, iterators []int64
	run             run
	reads, writes   []element
	// ranks are those that run it.
	ranks map[int]bool
}

// element is one of an array, by its subscripts.
type element struct {
	array string
	at    string
	of    []int64
}

// executionOf finds the instances of a model in their order.
func executionOf(m *scop.Model, parameters map[string]int, c shared) (e execution, err error) {
	fixed := func(set *isl.Set) ([][]int64, error) {
		for name, value := range parameters {
			set = set.IntersectParams(m.Context.ReadSet(fmt.Sprintf("[%s] -> { : %[1]s = %d }", name, value)))
		}
		return set.ProjectOut(isl.DimParam, 0, set.Dim(isl.DimParam)).Points(10000)
	}
	for _, order := range flow.Order(m).Maps() {
		s := m.Statement(order.TupleName(isl.DimIn))
		points, err := fixed(order.Wrap())
		if err != nil {
			return e, err
		}
		for _, p := range points {
			e.instances = append(e.instances, &instance{time: p[s.Depth():], iterators: p[:s.Depth()], run: c.runs[s.Name]})
			own := e.instances[len(e.instances)-1]
			for k, access := range s.Statement.Accesses {
				touched := s.Accesses[k].Wrap()
				for d, value := range own.iterators {
					touched = touched.FixSi(isl.DimSet, d, int(value))
				}
				elements, err := fixed(touched)
				if err != nil {
					return e, err
				}
				own.touch(access, elements)
			}
		}
	}
	slices.SortFunc(e.instances, func(a, b *instance) int { return slices.Compare(a.time, b.time) })
	return e, m.Context.Err()
}

// touch notes what an access of the instance touches.
func (i *instance) touch(access scop.Access, points [][]int64) {
	for _, p := range points {
		of := p[len(i.iterators):]
		if access.Read {
			i.reads = append(i.reads, element{access.Array, fmt.Sprint(of), of})
		}
		if access.Write {
			i.writes = append(i.writes, element{access.Array, fmt.Sprint(of), of})
		}
	}
}

// row is the one that decides which rank runs the instance; shared is false where all do.
func (i *instance) row() (row int64, shared bool) {
	if i.run.before == "" {
		return 0, false
	}
	return i.iterators[i.run.iterator], true
}

// blocks are the first and the last rows of each rank.
func (e *execution) blocks(ranks int) (blocks [][2]int64) {
	low, high, any := int64(0), int64(-1), false
	for _, i := range e.instances {
		if row, shared := i.row(); shared {
			if !any {
				low, high, any = row, row, true
			}
			low, high = min(low, row), max(high, row)
		}
	}
	total := high - low + 1
	for r := range int64(ranks) {
		blocks = append(blocks, [2]int64{low + total*r/int64(ranks), low + total*(r+1)/int64(ranks) - 1})
	}
	return blocks
}

// everywhere is the owner of values that all ranks compute.
const everywhere = -1

// owner is the rank that runs the instance.
func (i *instance) owner(blocks [][2]int64) int {
	row, shared := i.row()
	if !shared {
		return everywhere
	}
	return slices.IndexFunc(blocks, func(b [2]int64) bool { return b[0] <= row && row <= b[1] })
}

// tile is the number of the tile in which the instance's values are computed again.
func (i *instance) tile() (number int64, is bool) {
	if i.run.steps == 0 {
		return 0, false
	}
	return i.iterators[0] / i.run.steps, true
}

// times are the values of the loops around the exchange in front.
func (i *instance) times() []int64 {
	if tile, is := i.tile(); is {
		return []int64{tile}
	}
	return i.iterators[:i.run.iterator]
}

// share finds which ranks run each instance: its owner, and those that need it in the same tile.
func (e *execution) share(blocks [][2]int64) {
	writer := map[string]*instance{}
	sources := map[*instance][]*instance{}
	for _, i := range e.instances {
		i.ranks = map[int]bool{}
		for to := range blocks {
			if owner := i.owner(blocks); owner == everywhere || owner == to {
				i.ranks[to] = true
			}
		}
		for _, read := range i.reads {
			if from := writer[read.array+read.at]; from != nil {
				sources[i] = append(sources[i], from)
			}
		}
		for _, written := range i.writes {
			writer[written.array+written.at] = i
		}
	}
	for _, i := range slices.Backward(e.instances) {
		own, again := i.tile()
		for _, from := range sources[i] {
			if tile, is := from.tile(); again && is && tile == own {
				maps.Copy(from.ranks, i.ranks)
			}
		}
	}
}

// value is the one that an element has, with the rank that computed it and those that have got it.
type value struct {
	owner int
	known map[int]bool
}

// needs counts what ranks have to be told, by where they read it first.
func (e *execution) needs(blocks [][2]int64) map[string]int {
	e.share(blocks)
	memory, needs := map[string]*value{}, map[string]int{}
	tell := func(before string, times []int64, to int, of element) {
		v := memory[of.array+of.at]
		if v == nil || v.owner == everywhere || v.owner == to || v.known[to] {
			return
		}
		v.known[to] = true
		needs[key(before, times, v.owner, to, of.array, of.of)]++
	}
	last := map[string]element{}
	for _, i := range e.instances {
		owner := i.owner(blocks)
		for to := range i.ranks {
			for _, read := range i.reads {
				tell(i.run.before, i.times(), to, read)
			}
		}
		for _, written := range i.writes {
			last[written.array+written.at] = written
			memory[written.array+written.at] = &value{owner: owner, known: i.ranks}
		}
	}
	for _, of := range last {
		for to := range blocks {
			tell("", nil, to, of)
		}
	}
	return needs
}
