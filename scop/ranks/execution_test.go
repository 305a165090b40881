package ranks_test

import (
	"fmt"
	"maps"
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/flow"
	"polytune/scop/ranks"
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
			set = set.IntersectParams(m.Context.ReadSet(fmt.Sprintf("[%s] -> { : %[1]s = %d }",
				name, value)))
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
			e.instances = append(e.instances, &instance{time: p[s.Depth():],
				iterators: p[:s.Depth()], run: c.runs[s.Name]})
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

// rows are the ones that decide which rank runs the instance, none where all do.
func (i *instance) rows() []int64 {
	if i.run.before == "" {
		return nil
	}
	last := i.run.iterator + 1
	if i.run.grid {
		last++
	}
	return i.iterators[i.run.iterator:last]
}

// blocks are the first and the last rows of each rank, in each dimension.
func (e *execution) blocks(count int) (blocks [][][2]int64) {
	blocks = make([][][2]int64, count)
	for d := 0; ; d++ {
		low, high, dims := int64(0), int64(-1), 1
		for _, i := range e.instances {
			rows := i.rows()
			if dims = max(dims, len(rows)); d < len(rows) {
				if low > high {
					low, high = rows[d], rows[d]
				}
				low, high = min(low, rows[d]), max(high, rows[d])
			}
		}
		if d >= dims {
			return blocks
		}
		for r := range blocks {
			shape := ranks.Shape(int64(count), dims)
			at, total := ranks.Place(int64(r), shape)[d], high-low+1
			blocks[r] = append(blocks[r], [2]int64{low + total*at/shape[d],
				low + total*(at+1)/shape[d] - 1})
		}
	}
}

// everywhere is the owner of values that all ranks compute.
const everywhere = -1

// owner is the rank that runs the instance.
func (i *instance) owner(blocks [][][2]int64) int {
	rows := i.rows()
	if len(rows) == 0 {
		return everywhere
	}
	return slices.IndexFunc(blocks, func(own [][2]int64) bool {
		for d, row := range rows {
			if row < own[d][0] || row > own[d][1] {
				return false
			}
		}
		return true
	})
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
func (e *execution) share(blocks [][][2]int64) {
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
func (e *execution) needs(blocks [][][2]int64) map[string]int {
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
