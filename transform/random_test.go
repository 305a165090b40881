package transform

import (
	"flag"
	"os"
	"testing"

	"polytune/frontend"
	"polytune/internal/randomprogram"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/space"
)

// firstSeed and seedCount look at other random programs than the fixed ones.
var (
	firstSeed = flag.Uint64("seed", 0, "seed of the first random program")
	seedCount = flag.Uint64("seeds", 0, "number of random programs; 0 takes the fixed number")
)

// randomOperations limits isl's work for the space of a random program, and for
// each partition.
const randomOperations = 2_000_000

// Every partition of random programs becomes a schedule that is proven and that
// fuses what the partition says, however the loops' ranges, directions and
// strides differ; every fourth program has the space of signed rows.
func TestRandomProgramsFuse(t *testing.T) {
	seeds, limit := uint64(8), 4
	if os.Getenv("POLYTUNE_LONG") != "" {
		seeds, limit = 2000, 6
	}
	if *seedCount > 0 {
		seeds = *seedCount
	}
	var sum fusedCounts
	for k := range seeds {
		sum.check(t, *firstSeed+k, limit)
	}
	t.Logf("%+v", sum)
	if sum.fused < int(seeds) {
		t.Errorf("too few partitions fuse anything: %+v", sum)
	}
}

// fusedCounts are how many partitions of random programs were looked at, how
// many of them have a class of several statements, and how many times isl did
// not get through within its limit.
type fusedCounts struct{ partitions, fused, slow int }

// check looks at some partitions of the program of a seed.
func (c *fusedCounts) check(t *testing.T, seed uint64, limit int) {
	t.Helper()
	context := isl.NewContext()
	defer context.Close()
	context.SetMaxOperations(randomOperations)
	program, source := randomSource(seed)
	if program == nil {
		return
	}
	failed := func(err error) bool {
		if isl.IsLimit(err) {
			c.slow++
			context.TakeErr()
		} else if err != nil {
			t.Errorf("seed %d: %v\n%s", seed, err, source)
		}
		return err != nil
	}
	g, err := graphIn(context, program)
	if failed(err) {
		return
	}
	described := space.Options{Signed: seed%4 == 3}
	list, err := partitionsOf(g, described, limit)
	if failed(err) {
		return
	}
	for k, p := range list {
		context.SetMaxOperations(randomOperations)
		options := []Options{asFound, smallTiles, asWritten}[(int(seed)+k)%3]
		options.Space = described
		if failed(fuses(g, p, options)) {
			continue
		}
		c.partitions++
		if p.Count() < len(p) {
			c.fused++
		}
	}
}

// randomSource is the program of a seed, and its C file; nil when it is defined
// at no small size, or the front end refuses it or takes too long.
func randomSource(seed uint64) (*scop.Program, string) {
	p := randomprogram.Random(seed)
	layout := randomprogram.NewLayout(p, []randomprogram.Size{{N: 5, M: 7}, {N: 9, M: 4}})
	if len(layout.Sizes) == 0 {
		return nil, ""
	}
	source := p.Prelude(layout) + p.Source(layout)
	file, err := frontend.Parse("random.c", []byte(source), frontend.Options{})
	if err != nil {
		return nil, ""
	}
	return file.Regions[0].Program, source
}

func graphIn(context *isl.Context, p *scop.Program) (*depend.Graph, error) {
	model, err := p.Model(context)
	if err != nil {
		return nil, err
	}
	return depend.Analyze(model)
}

func partitionsOf(g *depend.Graph, options space.Options, limit int) ([]space.Partition, error) {
	s, err := space.New(g, options)
	if err != nil {
		return nil, err
	}
	return someOf(s, limit)
}
