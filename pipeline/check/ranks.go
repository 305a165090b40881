package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"polytune/configs"
	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/store"
	"polytune/tuner"
)

// defaultRanks are the numbers of ranks that are compared where nobody asks for others.
var defaultRanks = []int{1, 2, 3}

// findToolchain finds the compiler of a target's host.
func findToolchain(ctx context.Context, t *pipeline.Target, settings configs.Settings) (runner.Toolchain, error) {
	toolchain, err := runner.FindToolchain(ctx, t.On.Toolchains(settings)[0])
	if err != nil && t.IsOnRanks() {
		err = fmt.Errorf("%w; %s", err, pipeline.MPIAdvice)
	}
	return toolchain, err
}

// ranksOf are the ways to start a program, each with other delays.
func ranksOf(o *pipeline.Ranks, settings configs.Settings) (list []runner.Ranks, err error) {
	numbers := o.Numbers
	if len(numbers) == 0 {
		numbers = defaultRanks
	}
	for k, number := range numbers {
		ranks, err := runner.NewRanks(settings.MPI.Launch, number)
		if err != nil {
			return nil, usage.Mistake(err)
		}
		ranks.Late = k + 1
		list = append(list, ranks)
	}
	return list, nil
}

// checkOnRanks compares one candidate at every size on each number of ranks.
func (c *checks) checkOnRanks(ctx context.Context, candidate candidate, v variant.Variant, program program, number int) (all []Result, err error) {
	status := tuner.StatusOf(program.failure)
	if program.failure != nil && status == "" {
		return nil, program.failure
	}
	for _, ranks := range c.ranks {
		results := c.all(candidate, v, cmp.Or(status, store.OK), program.failure)
		for k := range results {
			results[k].Ranks = ranks.Number
			if status != "" {
				continue
			}
			tolerance := c.toleranceOf(&v, runner.Device{})
			results[k].Tolerance = tolerance.Double
			note, err := c.differenceOnRanks(ctx, program.binary, ranks, number, k, tolerance)
			if err != nil {
				if results[k].Status, results[k].Detail, err = outcomeOf(err); err != nil {
					return nil, err
				}
				continue
			}
			results[k].Detail = cmp.Or(note, v.Note())
		}
		all = append(all, results...)
	}
	return all, nil
}

// differenceOnRanks compares what each rank has in the end with the original's results.
func (c *checks) differenceOnRanks(ctx context.Context, binary runner.Binary, ranks runner.Ranks, number, k int, tolerance runner.Tolerance) (note string, err error) {
	request := c.requests[k]
	request.Waiting = true
	paths, err := runner.DumpOnRanks(ctx, binary, request, ranks, filepath.Join(c.builder.Work(), fmt.Sprintf("variant-%d-%d-%d.dump", number, k, ranks.Number)))
	for _, path := range paths {
		defer os.Remove(path)
	}
	if err != nil {
		return "", err
	}
	for rank, path := range paths {
		if c.target.ResultsOnRoot() && rank > 0 {
			break
		}
		if note, err = c.orders.Compare(ctx, c.requests[k], c.references[k], path, tolerance); err != nil {
			if status := tuner.StatusOf(err); status == "" {
				return "", err
			}
			return "", errors.Join(fmt.Errorf("rank %d of %d", rank, ranks.Number), err)
		}
	}
	return note, nil
}
