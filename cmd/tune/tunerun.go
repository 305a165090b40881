package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"time"

	"polytune/configs"
	"polytune/report"
	"polytune/runner"
	"polytune/store"
	"polytune/tuner"
)

// tuneRun is one call of tune: what all regions have in common, and what came out.
type tuneRun struct {
	options    *tuneOptions
	settings   configs.Settings
	effort     tuner.Effort
	allotted   allotment
	machine    runner.Machine
	toolchains []runner.Toolchain
	db         *store.Store
	warnings   *preflight

	// prepared says that candidates of some region were looked for.
	prepared bool
	// documents are those of --json, one for each region; results are what its sessions found.
	documents []any
	results   []tuner.Result
	// worst says by its exit status that the result of some region is not what one wants.
	worst error
}

// tune tunes the regions: within a budget all at once, or else one after the other.
func (r *tuneRun) tune(ctx context.Context, w io.Writer, targets []*target) error {
	regions := make([]*regionRun, len(targets))
	for i, t := range targets {
		regions[i] = &regionRun{target: t}
		if err := t.checkRunnable(); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	shared := r.allotted.ends() && len(regions) > 1 && !r.options.dryRun
	if shared {
		if err := r.share(ctx, regions); err != nil {
			return err
		}
	}
	for i, g := range regions {
		if i > 0 && !r.options.json && !r.options.dryRun {
			fmt.Fprintln(w)
		}
		if err := r.one(ctx, w, g, shared); err != nil {
			return err
		}
	}
	if r.options.json {
		if err := writeDocuments(w, r.documents); err != nil {
			return err
		}
	}
	if open := unfinished(regions); len(open) > 0 && !r.options.dryRun {
		return r.budgetEnded(os.Stderr, open, len(regions))
	}
	return r.worst
}

// one tunes a region, unless that is done, and prints what came out, or what tuning would be.
func (r *tuneRun) one(ctx context.Context, w io.Writer, g *regionRun, done bool) error {
	if r.options.dryRun {
		request, probe, err := r.request(ctx, ctx, g.target)
		if err != nil {
			return fmt.Errorf("%s: %w", g.target.name, err)
		}
		document, err := r.options.plan(ctx, w, probe, request)
		r.documents = append(r.documents, document)
		return err
	}
	return r.told(ctx, w, g, done)
}

// told runs the session of a region, unless that is done, and prints the result.
func (r *tuneRun) told(ctx context.Context, w io.Writer, g *regionRun, done bool) error {
	if !done && !r.allotted.isOver(time.Now()) {
		budget := r.allotted.left(time.Now())
		if r.allotted.ends() {
			budget = max(budget, time.Millisecond)
		}
		if err := r.advance(ctx, g, budget, false); err != nil {
			return err
		}
	}
	return r.print(ctx, w, g)
}

// request is what the tuner is asked to do for a region, and the probe that it comes from. ctx ends
// the work on the request, session what its search asks for later.
func (r *tuneRun) request(ctx, session context.Context, t *target) (tuner.Request, *probe, error) {
	probe, err := t.newProbe(ctx, r.machine.SeenBy(r.toolchains[0]))
	if err != nil {
		return tuner.Request{}, nil, err
	}
	if probe.tooHard != nil {
		fmt.Fprintf(os.Stderr, "tune: %s: tries the loops of the source alone, because isl needs too long for more: %v\n", t.name, probe.tooHard)
	}
	probe.compilers = r.toolchains
	request, err := r.options.request(ctx, session, r.db, probe, r.machine, r.effort, r.settings)
	request.Settings, request.Store, request.Strict = r.settings, r.db, r.options.strict
	return request, probe, err
}

// session runs one session.
func (r *tuneRun) session(ctx context.Context, request tuner.Request) (tuner.Result, error) {
	request.Warnings = r.warnings.of(r.machine)
	progress := report.NewProgress(os.Stderr)
	defer progress.Close()
	request.Progress = func(e tuner.Event) { progress.Update(r.warnings.announce(e)) }
	return tuner.Tune(ctx, request)
}

// print shows the result of a region; of one that was not begun there is none.
func (r *tuneRun) print(ctx context.Context, w io.Writer, g *regionRun) error {
	if g.begun {
		r.results = append(r.results, g.result)
	}
	if g.result.Counts()[store.WrongResult] > 0 {
		r.worst = &quietError{exitIncomplete}
	}
	switch {
	case r.options.json:
		var document bytes.Buffer
		if !g.begun {
			g.result = tuner.Result{Kernel: g.target.name, Machine: r.machine, Toolchain: r.toolchains[0], Early: true}
		}
		if err := report.JSON(&document, g.result); err != nil {
			return err
		}
		r.documents = append(r.documents, json.RawMessage(document.Bytes()))
		return nil
	case !g.begun:
		fmt.Fprintf(w, "%s: the time ended before anything of it was timed\n", g.target.name)
		return nil
	}
	if err := report.Table(w, g.result, terminalWidth(w)); err != nil {
		return err
	}
	r.hints(ctx, w, g.target, g.result)
	return nil
}
