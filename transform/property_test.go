package transform

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
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
	asFound = Options{Tile: Tiling{None: true}, Interleave: 1}
	// asWritten keeps the order of the source inside the shared loops.
	asWritten = Options{Tile: Tiling{None: true}, Original: true}
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
	for _, b := range kerneltest.Some() {
		g := kerneltest.Analyze(t, programOf(t, b.Name, b.Source))
		n := len(g.Model.Statements)
		list, err := someOf(spaceOf(t, g), partitionsTried(n, long))
		if err != nil {
			t.Fatal(err)
		}
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
func someOf(s *space.Space, limit int) ([]space.Partition, error) {
	var all []space.Partition
	for p, err := range s.All() {
		if err != nil {
			return nil, err
		}
		if len(all) == limit {
			drawn, _, err := s.Sample(rand.New(rand.NewPCG(1, 2)), limit-1)
			return append(drawn, all[0]), err
		}
		all = append(all, p)
	}
	return all, nil
}

func checkPartition(t *testing.T, g *depend.Graph, p space.Partition, options Options) {
	t.Helper()
	if err := fuses(g, p, options); err != nil {
		t.Errorf("%s: %v", p, err)
	}
}

// fuses says what is wrong with the schedule of a partition, if anything is: it
// is not legal, or does not fuse what the partition says.
func fuses(g *depend.Graph, p space.Partition, options Options) error {
	context := g.Model.Context
	mark := context.Mark()
	defer context.Release(mark)
	recipe, err := Transform(g, p, options)
	if err != nil {
		return err
	}
	tree, err := recipe.Replay(g.Model.Program)
	if err != nil {
		return err
	}
	lowered := tree.Schedule(g.Model)
	if err := g.Check(lowered); err != nil {
		return fmt.Errorf("%w\n%s", err, recipe.Text(g.Model.Program))
	}
	f := &fusedSchedule{graph: g, partition: p, untiled: options.Tile.None, schedule: lowered}
	f.check()
	if err := context.Err(); err != nil {
		return err
	}
	if len(f.complaints) > 0 {
		return fmt.Errorf("%s\n%s", strings.Join(f.complaints, "; "), recipe.Text(g.Model.Program))
	}
	return nil
}

// In the first loop found, S2, S3 and S5 of this kernel move, in the second
// S2 does not: without tiles the first must not be sunk for vector code, or
// all of S2 would run in one iteration.
func TestSinkingKeepsClassFused(t *testing.T) {
	checkPartition(t, kerneltest.Graph(t, "sc10/covar"), space.Partition{0, 0, 1, 1, 0, 1, 2}, asFound)
}

// Statements of a class share the outermost loop, also where the hyperplanes of
// the model, the next loop of a band or wavefronts of tiles would leave one loop
// after the other.
func TestStatementsMeet(t *testing.T) {
	for _, test := range []struct{ name, region string }{
		{"opposite directions", "for (int i = n - 1; i >= 0; i--) a[i] = 1; for (int i = 0; i < n; i++) b[i] = 2;"},
		{"interchange", `for (int i = 0; i < 9; i++) for (int j = 20; j < 29; j++) A[i][j] = 1;
for (int i = 20; i < 29; i++) for (int j = 0; j < 9; j++) B[i][j] = 2;`},
		{"the next loop", `for (int i = 0; i < n; i++) for (int j = 0; j < 10; j++) A[j][i] = 1;
for (int i = 0; i < n; i++) for (int j = 50; j < 60; j++) B[j][i] = 2;`},
		{"wavefronts", `for (int i = 1; i < 9; i++) for (int j = 1; j < 9; j++) A[i][j] = A[i - 1][j] + A[i][j - 1];
for (int i = 1; i < 9; i++) for (int j = 101; j < 109; j++) B[i][j] = B[i - 1][j] + B[i][j - 1];`},
		{"guards", "for (int i = 0; i < 2 * n; i++) { if (i < n + 5) a[i] = 1; if (i >= n) b[i] = 2; }"},
	} {
		g := graphOf(t, "f", []byte("void f(int n, double a[n], double b[n], double A[200][200], double B[200][200]) {\n#pragma scop\n"+test.region+"\n#pragma endscop\n}\n"))
		for _, options := range []Options{asFound, smallTiles, asWritten} {
			if err := fuses(g, space.Partition{0, 0}, options); err != nil {
				t.Errorf("%s, %+v: %v", test.name, options, err)
			}
		}
	}
}
