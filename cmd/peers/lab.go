package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"polytune/runner"
)

// dataSeed selects the data of arrays that a kernel does not fill itself.
const dataSeed = 1

// buildLimit bounds one run of a compiler.
const buildLimit = 2 * time.Minute

// original names the results that all are compared with.
const original = "original"

// checkSizes are the sizes at which every element is compared.
var checkSizes = []string{"mini", "small"}

// lab builds the programs of one kernel and runs them.
type lab struct {
	subject   *subject
	harness   runner.Harness
	threads   int
	cpus      []int
	tolerance runner.Tolerance
	minima    bool
	// work has the reference's results at the sizes of checks.
	work     string
	builders []*runner.Builder
}

// newLab makes a lab, which the caller closes. The reference's toolchain makes
// the results that all are compared with, without optimisations that round
// otherwise than the source says.
func newLab(ctx context.Context, s *subject, o options, first *peer) (*lab, error) {
	driver, err := runner.GenerateDriver(s.region.Program.Function, runner.DriverOptions{
		HasInit: s.region.HasInit, InitWithout: s.region.InitTakesNothing, Seed: dataSeed,
	})
	if err != nil {
		return nil, err
	}
	work, err := temporaryFolder()
	if err != nil {
		return nil, err
	}
	l := &lab{subject: s, harness: driver, threads: o.threads, cpus: o.cpus, tolerance: o.tolerance, minima: o.minima, work: work}
	binary, err := l.build(ctx, first, runner.Job{Source: string(s.benchmark.Source), Check: true})
	if err == nil {
		err = l.dumpAll(ctx, first, binary, original)
	}
	if err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

// close removes all files.
func (l *lab) close() error {
	err := os.RemoveAll(l.work)
	for _, b := range l.builders {
		err = errors.Join(err, b.Close())
	}
	return err
}

// build compiles a file as a peer does.
func (l *lab) build(ctx context.Context, p *peer, job runner.Job) (runner.Binary, error) {
	builder, err := runner.NewBuilder(runner.BuilderOptions{
		Subject: runner.Subject{Harness: l.harness, Objects: p.objects}, Toolchain: p.toolchain, Limit: buildLimit,
	})
	if err != nil {
		return runner.Binary{}, err
	}
	l.builders = append(l.builders, builder)
	return builder.Build(ctx, job)
}

// request is how a peer's program runs.
func (l *lab) request(p *peer, parameters map[string]int, limit time.Duration) runner.RunRequest {
	return runner.RunRequest{
		Params: parameters, Scalars: l.subject.benchmark.Scalars, Threads: l.threads, CPUs: l.cpus, Limit: limit, Env: p.Environment,
	}
}

// checkLimit bounds one run at a size of checks.
const checkLimit = time.Minute

// dumpAll writes what a program computes at the sizes of checks.
func (l *lab) dumpAll(ctx context.Context, p *peer, binary runner.Binary, name string) error {
	for _, size := range checkSizes {
		parameters, err := l.subject.benchmark.Size(size)
		if err != nil {
			return err
		}
		if err := runner.Dump(ctx, binary, l.request(p, parameters, checkLimit), l.dump(name, size)); err != nil {
			return err
		}
	}
	return nil
}

func (l *lab) dump(name, size string) string { return filepath.Join(l.work, name+"-"+size) }

// enter makes a contestant of a peer: a program that has been compared with the
// reference element by element, or a result that says what went wrong. A library
// that has nothing for the kernel does not enter.
func (l *lab) enter(ctx context.Context, p *peer) (c *contestant, enters bool, err error) {
	r := &result{Peer: p.Name, Status: ok}
	c = &contestant{result: r}
	binary, err := l.program(ctx, p)
	switch {
	case ctx.Err() != nil:
		return nil, false, ctx.Err()
	case errors.Is(err, errNoOperation):
		return nil, false, nil
	case err != nil:
		r.fail(notBuilt, err.Error())
		return c, true, nil
	}
	l.check(ctx, p, binary, r)
	c.time = func(ctx context.Context, plan plan) (runner.Timing, error) {
		return runner.Time(ctx, binary, l.timing(p, plan))
	}
	return c, true, ctx.Err()
}

// timing is how a peer's program is timed: as the mean of some calls, or each of
// them alone where the least counts.
func (l *lab) timing(p *peer, plan plan) runner.TimeRequest {
	request := runner.TimeRequest{
		RunRequest: l.request(p, l.subject.parameters, plan.limit), Samples: 1, Repetitions: plan.repetitions, Warmups: plan.warmups,
	}
	if l.minima {
		request.Samples, request.Repetitions = plan.repetitions, 1
	}
	return request
}

// program is the executable of a peer.
func (l *lab) program(ctx context.Context, p *peer) (runner.Binary, error) {
	source, err := p.source(ctx, l.subject)
	if err != nil {
		return runner.Binary{}, err
	}
	return l.build(ctx, p, runner.Job{Source: source})
}

// check compares a program's results at the sizes of checks.
func (l *lab) check(ctx context.Context, p *peer, binary runner.Binary, r *result) {
	if err := l.dumpAll(ctx, p, binary, p.Name); err != nil {
		r.fail(failed, err.Error())
		return
	}
	for _, size := range checkSizes {
		if err := runner.CompareWithin(l.dump(original, size), l.dump(p.Name, size), l.tolerance); err != nil {
			r.fail(wrong, fmt.Sprintf("size %s: %v", size, err))
			return
		}
	}
}
