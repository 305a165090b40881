package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"polytune/cmd/fuzz/algorithms"
	"polytune/internal/randomalgorithm"
)

// algorithmCampaign checks random algorithms beside Layer I.
type algorithmCampaign struct {
	campaign *campaign
	mutex    sync.Mutex
	// What became of the algorithms: beyond are those that Layer I does not evaluate.
	drawn, beyond, variants, slow, slowVariants int
	failures                                    []string
}

// workAlgorithm checks the algorithm of a seed and writes the report.
func workAlgorithm(out io.Writer, seed uint64) error {
	if err := limitMemory(); err != nil {
		return err
	}
	d := randomalgorithm.New(seed).Description()
	return json.NewEncoder(out).Encode(algorithms.Check(d, draw(seed, streamOptions), drawOptions))
}

// run checks new algorithms until the time is over.
func (c *algorithmCampaign) run(ctx context.Context, duration time.Duration) error {
	timed, cancel := context.WithTimeout(ctx, duration)
	defer cancel()
	fmt.Fprintf(os.Stderr, "fuzz: random algorithms from seed %d on\n", c.campaign.seed)
	c.campaign.each(timed, c, func(seed uint64) { c.try(timed, seed) })
	fmt.Println("random algorithms:", c)
	if len(c.failures) > 0 {
		return fmt.Errorf("some algorithms failed:\n  %s", strings.Join(c.failures, "\n  "))
	}
	return nil
}

func (c *algorithmCampaign) String() string {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return fmt.Sprintf("%d drawn with %d variants, %d beyond Layer I; too slow: %d algorithms, %d variants; %d failures",
		c.drawn, c.variants, c.beyond, c.slow, c.slowVariants, len(c.failures))
}

// try checks the algorithm of a seed; one that fails is shown as a Go program.
func (c *algorithmCampaign) try(timed context.Context, seed uint64) {
	var r algorithms.Report
	out, err := apart(timed, c.campaign.limit, nil, "-algorithm-worker", "-seed", fmt.Sprint(seed))
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	if timed.Err() != nil && r.Stage == "" {
		return
	}
	if err != nil && !errors.Is(err, tooSlow{}) {
		r = algorithms.Report{Stage: stageCrash, Message: err.Error()}
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.drawn++
	c.variants += r.Variants
	c.slowVariants += r.Slow
	switch {
	case errors.Is(err, tooSlow{}):
		c.slow++
	case r.Refusal != "":
		c.beyond++
	case r.Stage != "" && len(c.failures) < maxFailures:
		c.failures = append(c.failures, fmt.Sprintf("seed %d", seed))
		fmt.Printf("FAILURE at the stage %s: %s\n%s\nbecame\n%s\nrepeat: go run ./cmd/fuzz -algorithms -seed %d -count 1\n\n",
			r.Stage, r.Message, algorithms.Text(randomalgorithm.New(seed).Description()), r.Code, seed)
	}
}
