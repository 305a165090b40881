package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"polytune/internal/randomprogram"
)

const (
	// shrinkLimit is the time for making one failure smaller.
	shrinkLimit = 3 * time.Minute
	// maxFailures ends a campaign early.
	maxFailures = 10
	// reportEvery is the time between two lines of progress.
	reportEvery = time.Minute
)

// campaign is one run of the command.
type campaign struct {
	seed, count uint64
	variants    int
	jobs        int
	limit       time.Duration
	folder      string
	// files are programs to repeat instead of making new ones.
	files []string
	// stencils has programs that are stencils, tiled by hexagons alone.
	stencils bool
	// devices has kernels alone of the programs, as many as there would be variants.
	devices bool

	mutex sync.Mutex
	totals
}

// totals are what a campaign has done so far.
type totals struct {
	programs, evaluated, private, expanded, placed, reductions int
	slowPrograms, slowVariants                                 int
	counts
	failures []string
}

func (t *totals) String() string {
	return fmt.Sprintf("%d programs (%d with Layer I), %d tilings by hexagons and %d refused, %d variants (%d of two levels, %d signed, %d of split statements, %d by pluto+, %d with diamonds, %d with tiles of tiles, %d with register blocks, %d with teams, %d with relays, %d with contracted arrays, %d with copies, %d with shifted statements, %d with fused parts, %d of open recipes, %d that the models complete, %d with elements elsewhere), %d on devices, %d on ranks and %d that ranks cannot run, %d private variables, %d expanded, %d in place, %d reductions in any order; too slow: %d programs, %d variants; %d failures",
		t.programs, t.evaluated, t.Hexagons, t.Refused, t.Variants, t.Nested, t.Signed, t.Split, t.PlutoPlus, t.Diamonds, t.SecondLevel, t.Registers, t.Teams, t.Relays, t.Contracted, t.Copied, t.Shifted, t.Fused, t.Opened, t.Completed, t.Stored, t.Kernels, t.Ranks, t.RefusedRanks, t.private, t.expanded, t.placed, t.reductions, t.slowPrograms, t.slowVariants, len(t.failures))
}

// run repeats saved failures and then, unless files are given, checks new
// programs until the time is over.
func (c *campaign) run(ctx context.Context, duration time.Duration) error {
	saved := c.files
	if len(saved) == 0 {
		var err error
		if saved, err = filepath.Glob(filepath.Join(c.folder, "*.c")); err != nil {
			return err
		}
	}
	for _, path := range saved {
		p, _, err := load(path)
		if err != nil {
			return err
		}
		c.repeat(ctx, path, p)
	}
	if len(c.files) == 0 {
		timed, cancel := context.WithTimeout(ctx, duration)
		defer cancel()
		c.explore(ctx, timed)
	}
	fmt.Println("random programs:", &c.totals)
	if len(c.failures) > 0 {
		return fmt.Errorf("some programs failed:\n  %s", strings.Join(c.failures, "\n  "))
	}
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return nil
}

// repeat checks a saved program, without making it smaller.
func (c *campaign) repeat(ctx context.Context, path string, p *randomprogram.Program) {
	r := c.checkApart(ctx, p)
	if ctx.Err() != nil {
		return
	}
	c.note(p, r)
	if r.Stage != stageNothing {
		c.show(path, p, r)
	}
}

// explore checks new programs, several at a time, until timed is done.
func (c *campaign) explore(ctx, timed context.Context) {
	fmt.Fprintf(os.Stderr, "fuzz: random programs from seed %d on\n", c.seed)
	c.each(timed, c, func(seed uint64) { c.try(ctx, timed, seed) })
}

func (c *campaign) String() string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.totals.String()
}

// each calls try for the seeds, several at a time, until timed is done, and tells of the progress.
func (c *campaign) each(timed context.Context, progressing fmt.Stringer, try func(seed uint64)) {
	seeds := make(chan uint64)
	var workers sync.WaitGroup
	for range c.jobs {
		workers.Go(func() {
			for seed := range seeds {
				try(seed)
			}
		})
	}
	c.send(timed, seeds, progressing)
	workers.Wait()
}

// send hands out seeds, and tells of the progress of what is run with them.
func (c *campaign) send(timed context.Context, seeds chan<- uint64, progressing fmt.Stringer) {
	defer close(seeds)
	progress := time.NewTicker(reportEvery)
	defer progress.Stop()
	for n := uint64(0); c.count == 0 || n < c.count; {
		select {
		case seeds <- c.seed + n:
			n++
		case <-progress.C:
			fmt.Fprintln(os.Stderr, "fuzz:", progressing)
		case <-timed.Done():
			return
		}
	}
}

// try checks the program of a seed; one that fails is made smaller, saved and
// shown. A program that is being checked when the time ends does not count.
func (c *campaign) try(ctx, timed context.Context, seed uint64) {
	if c.full() {
		return
	}
	p := c.programOf(seed)
	r := c.checkApart(timed, p)
	if timed.Err() != nil && r.Stage == stageNothing {
		return
	}
	c.note(p, r)
	if r.Stage == stageNothing {
		return
	}
	p, r = c.shrink(ctx, p, r)
	path, err := save(c.folder, p, r)
	if err != nil {
		path = fmt.Sprintf("seed %d (not saved: %v)", seed, err)
	}
	c.show(path, p, r)
}

// programOf is the campaign's program of a seed.
func (c *campaign) programOf(seed uint64) *randomprogram.Program {
	if c.stencils {
		return randomprogram.Timed(seed)
	}
	return programOf(seed)
}

// programOf is the program of a seed: of every eight two that are about temporaries, of which one
// may go into elements, one about values in steps, and two stencils, one of them in sweeps that run
// once.
func programOf(seed uint64) *randomprogram.Program {
	if seed%16 == 4 || seed%16 == 13 {
		return randomprogram.WithPlaces(seed)
	}
	if seed%16 == 1 || seed%16 == 8 {
		return randomprogram.WithSteps(seed)
	}
	switch seed / 2 % 4 {
	case 1:
		return randomprogram.WithReductions(seed)
	case 2:
		return randomprogram.WithTemporaries(seed)
	case 3:
		if seed%16 == 6 {
			return randomprogram.Sweeps(seed)
		}
		if seed%16 == 14 {
			return randomprogram.Timed(seed)
		}
		return randomprogram.Stencil(seed)
	}
	return randomprogram.Random(seed)
}

func (c *campaign) full() bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return len(c.failures) >= maxFailures
}

// note adds the report to the totals.
func (c *campaign) note(p *randomprogram.Program, r report) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.programs++
	c.counts.add(r.counts)
	c.evaluated += r.Evaluated
	c.private += r.Private
	c.expanded += r.Expanded
	c.placed += r.Placed
	c.reductions += r.Reductions
	c.slowVariants += r.Slow
	if r.TooSlow {
		c.slowPrograms++
		fmt.Fprintf(os.Stderr, "fuzz: given up as too slow: go run ./cmd/fuzz -seed %d -count 1 -limit 1h\n", p.Seed)
	}
}

// shrink is the smallest program that fails at the same stage.
func (c *campaign) shrink(ctx context.Context, p *randomprogram.Program, r report) (*randomprogram.Program, report) {
	ctx, cancel := context.WithTimeout(ctx, shrinkLimit)
	defer cancel()
	smallest := randomprogram.Shrink(p, func(q *randomprogram.Program) bool {
		again := c.checkApart(ctx, q)
		if again.Stage == r.Stage && ctx.Err() == nil {
			r = again
			return true
		}
		return false
	}, func() bool { return ctx.Err() != nil })
	return smallest, r
}

// show prints a failure and how to repeat it.
func (c *campaign) show(path string, p *randomprogram.Program, r report) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.failures = append(c.failures, path)
	fmt.Printf("FAILURE at the stage %s: %s\n%s\nrepeat: go run ./cmd/fuzz %s\n\n", r.Stage, r.Message,
		p.Source(randomprogram.NewLayout(p, runSizes)), path)
}
