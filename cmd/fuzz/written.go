package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"polytune/cmd/fuzz/written"
	"polytune/internal/randomc"
)

// writtenCampaign checks C programs of the kind that people write.
type writtenCampaign struct {
	campaign *campaign
	mutex    sync.Mutex
	// What became of the programs, and the refusals by their kinds.
	drawn, accepted, variants, undefined, slow, slowVariants int
	refusals                                                 map[string][]uint64
	failures                                                 []string
}

// shownRefusals is how many kinds of refusals are printed in the end, the most frequent ones.
const shownRefusals = 12

// workWritten checks the program that it reads, with options that the seed chooses, and writes the
// report.
func workWritten(in io.Reader, out io.Writer, seed uint64) error {
	if err := limitMemory(); err != nil {
		return err
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	return json.NewEncoder(out).Encode(written.Check(text, draw(seed, streamOptions), drawOptions))
}

// checkWritten checks a program in a process of its own. What has no meaning in C does not fail.
func (c *writtenCampaign) checkWritten(ctx context.Context, seed uint64, source []byte) (r written.Report, err error) {
	out, err := apart(ctx, c.campaign.limit, source, "-written-worker", "-seed", fmt.Sprint(seed))
	switch {
	case errors.Is(err, tooSlow{}):
		return r, err
	case err != nil:
		return written.Report{Stage: stageCrash, Message: err.Error()}, nil
	}
	if err = json.Unmarshal(out, &r); err == nil && r.Stage == written.StageResult {
		r.IsNone, err = written.IsUndefined(source)
	}
	return r, err
}

// run repeats saved programs and checks new ones until the time is over.
func (c *writtenCampaign) run(ctx context.Context, duration time.Duration) error {
	c.refusals = map[string][]uint64{}
	saved, err := filepath.Glob(filepath.Join(c.campaign.folder, "written", "*.c"))
	if err != nil {
		return err
	}
	for _, path := range saved {
		if err := c.repeat(ctx, path); err != nil {
			return err
		}
	}
	timed, cancel := context.WithTimeout(ctx, duration)
	defer cancel()
	fmt.Fprintf(os.Stderr, "fuzz: programs as people write them from seed %d on\n", c.campaign.seed)
	c.campaign.each(timed, c, func(seed uint64) { c.try(ctx, timed, seed) })
	fmt.Println("programs as people write them:", c)
	c.showRefusals(os.Stdout)
	if len(c.failures) > 0 {
		return fmt.Errorf("some programs as people write them failed:\n  %s", strings.Join(c.failures, "\n  "))
	}
	return nil
}

func (c *writtenCampaign) String() string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	refused := 0
	for _, seeds := range c.refusals {
		refused += len(seeds)
	}
	return fmt.Sprintf("%d drawn, %d accepted with %d variants, %d refused, %d without a meaning; too slow: %d programs, %d variants; %d failures",
		c.drawn, c.accepted, c.variants, refused, c.undefined, c.slow, c.slowVariants, len(c.failures))
}

// showRefusals prints the most frequent kinds, each with a seed.
func (c *writtenCampaign) showRefusals(w io.Writer) {
	kinds := make([]string, 0, len(c.refusals))
	for kind := range c.refusals {
		kinds = append(kinds, kind)
	}
	slices.SortFunc(kinds, func(a, b string) int {
		if d := len(c.refusals[b]) - len(c.refusals[a]); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	for _, kind := range kinds[:min(len(kinds), shownRefusals)] {
		fmt.Fprintf(w, "  refused %d times, as with seed %d: %s\n", len(c.refusals[kind]), c.refusals[kind][0], kind)
	}
}

// repeat checks a saved program.
func (c *writtenCampaign) repeat(ctx context.Context, path string) error {
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	r, err := c.checkWritten(ctx, seedIn(path), source)
	if err != nil && !errors.Is(err, tooSlow{}) {
		return err
	}
	if r.Stage != "" || r.Refusal != "" {
		c.fail(path, r, string(source))
	}
	return nil
}

// seedIn is the seed in the name of a saved program.
func seedIn(path string) uint64 {
	_, number, _ := strings.Cut(strings.TrimSuffix(filepath.Base(path), ".c"), "-")
	seed, _ := strconv.ParseUint(number, 10, 64)
	return seed
}

// try checks the program of a seed; one that fails is made smaller, saved and shown.
func (c *writtenCampaign) try(ctx, timed context.Context, seed uint64) {
	p := randomc.New(seed)
	r, err := c.checkWritten(timed, seed, []byte(p.Source()))
	if timed.Err() != nil && r.Stage == "" {
		return
	}
	if err != nil && !errors.Is(err, tooSlow{}) {
		r = written.Report{Stage: stageCrash, Message: err.Error()}
	}
	if !c.note(seed, r, err) {
		return
	}
	p, r = c.shrink(ctx, p, r)
	path := filepath.Join(c.campaign.folder, "written", fmt.Sprintf("%s-%d.c", r.Stage, seed))
	text := fmt.Sprintf("/* Fails at the stage %s. */\n%s", r.Stage, p.Source())
	err = os.MkdirAll(filepath.Dir(path), 0o755)
	if err == nil {
		err = os.WriteFile(path, []byte(text), 0o644)
	}
	if err != nil {
		path = fmt.Sprintf("seed %d (not saved: %v)", seed, err)
	}
	c.fail(path, r, p.Source())
}

// note adds the report to the totals, and says whether the program fails.
func (c *writtenCampaign) note(seed uint64, r written.Report, err error) bool {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.drawn++
	c.variants += r.Variants
	c.slowVariants += r.Slow
	switch {
	case errors.Is(err, tooSlow{}):
		c.slow++
		fmt.Fprintf(os.Stderr, "fuzz: given up as too slow: seed %d\n", seed)
	case r.IsNone:
		c.undefined++
		fmt.Fprintf(os.Stderr, "fuzz: without a meaning: seed %d: %s\n", seed, firstLines(r.Message, 1))
	case r.Refusal != "":
		c.refusals[r.Refusal] = append(c.refusals[r.Refusal], seed)
	case r.Stage != "":
		return len(c.failures) < maxFailures
	default:
		c.accepted++
	}
	return false
}

// shrink is the smallest program that fails at the same stage.
func (c *writtenCampaign) shrink(ctx context.Context, p *randomc.Program, r written.Report) (*randomc.Program, written.Report) {
	ctx, cancel := context.WithTimeout(ctx, shrinkLimit)
	defer cancel()
	smallest := randomc.Shrink(p, func(q *randomc.Program) bool {
		again, err := c.checkWritten(ctx, p.Seed, []byte(q.Source()))
		if err != nil || again.IsNone || again.Stage != r.Stage || ctx.Err() != nil {
			return false
		}
		r = again
		return true
	}, func() bool { return ctx.Err() != nil })
	return smallest, r
}

// fail prints a failure.
func (c *writtenCampaign) fail(path string, r written.Report, source string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.failures = append(c.failures, path)
	if r.Stage == "" {
		r.Stage, r.Message = written.StageFrontend, r.Place
	}
	fmt.Printf("FAILURE at the stage %s: %s\n%s\n", r.Stage, r.Message, source)
	if r.Code != "" {
		fmt.Printf("became\n%s\n", r.Code)
	}
	fmt.Printf("repeat: tune check %s\n\n", path)
}
