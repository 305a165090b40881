package transform

import (
	"math/rand/v2"
	"os"
	"testing"

	"polytune/benchmarks"
	"polytune/scop/depend"
	"polytune/space"
)

// fewStatements divides the kernels: of those with more, which take longer and
// have larger spaces, fewer partitions are tried.
const fewStatements = 6

// partitionsTried is how many partitions of a kernel are tried at most.
func partitionsTried(statements int, long bool) int {
	switch few := statements <= fewStatements; {
	case long && few:
		return 2000
	case long:
		return 150
	case few:
		return 6
	}
	return 2
}

var (
	// asFound are hyperplanes without tiles.
	asFound = Options{Tile: Tiling{None: true}}
	// smallTiles are so small that several of them are there at the size at
	// which instances are looked at.
	smallTiles = Options{Tile: Tiling{Sizes: []int64{2}}}
)

// Every legal partition becomes a schedule that is proven and that fuses what
// the partition says, which is read off the schedule tree that code is
// generated from.
func TestPartitionsFuse(t *testing.T) {
	long := os.Getenv("POLYTUNE_LONG") != ""
	tried := 0
	for _, b := range benchmarks.All() {
		g := analyze(t, programOf(t, b.Name, b.Source))
		n := len(g.Model.Statements)
		list := someOf(t, spaceOf(t, g), partitionsTried(n, long))
		tried += len(list)
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			for k, p := range list {
				both := long && n <= fewStatements
				if both || k%2 == 0 {
					checkPartition(t, g, p, asFound)
				}
				if both || k%2 == 1 {
					checkPartition(t, g, p, smallTiles)
				}
			}
		})
	}
	t.Logf("%d partitions", tried)
}

// someOf are all partitions of a space or, if there are more than so many, the
// first, which fuses most, and others drawn from the whole space.
func someOf(t *testing.T, s *space.Space, limit int) []space.Partition {
	t.Helper()
	var all []space.Partition
	for p, err := range s.All() {
		if err != nil {
			t.Fatal(err)
		}
		if len(all) == limit {
			drawn, _, err := s.Sample(rand.New(rand.NewPCG(1, 2)), limit-1)
			if err != nil {
				t.Fatal(err)
			}
			return append(drawn, all[0])
		}
		all = append(all, p)
	}
	return all
}

func checkPartition(t *testing.T, g *depend.Graph, p space.Partition, options Options) {
	t.Helper()
	context := g.Model.Context
	mark := context.Mark()
	defer context.Release(mark)
	recipe, err := Transform(g, p, options)
	if err != nil {
		t.Errorf("%s: %v", p, err)
		return
	}
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		t.Errorf("%s: %v", p, err)
		return
	}
	lowered := tree.Schedule(g.Model)
	if err := g.Check(lowered); err != nil {
		t.Errorf("%s: %v\n%s", p, err, recipe.Text(g.Model.Program))
		return
	}
	f := &fusedSchedule{model: g.Model, partition: p, untiled: options.Tile.None, schedule: lowered}
	f.check()
	for _, complaint := range f.complaints {
		t.Errorf("%s: %s\n%s", p, complaint, lowered)
	}
	if err := context.Err(); err != nil {
		t.Fatal(err)
	}
}

// In the first loop found, S2, S3 and S5 of this kernel move, in the second
// S2 does not: without tiles the first must not be sunk for vector code, or
// all of S2 would run in one iteration.
func TestSinkingKeepsClassFused(t *testing.T) {
	checkPartition(t, kernelGraph(t, "sc10/covar"), space.Partition{0, 0, 1, 1, 0, 1, 2}, asFound)
}
