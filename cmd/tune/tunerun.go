package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
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

	// documents are those of --json, one for each region.
	documents []any
	// worst says by its exit status that the result of some region is not what one wants.
	worst error
}

// tune tunes the regions, one after the other.
func (r *tuneRun) tune(ctx context.Context, w io.Writer, targets []*target) error {
	for i, t := range targets {
		if i > 0 && !r.options.json && !r.options.dryRun {
			fmt.Fprintln(w)
		}
		if err := r.one(ctx, w, t); err != nil {
			return fmt.Errorf("%s: %w", t.name, err)
		}
	}
	if r.options.json {
		if err := writeDocuments(w, r.documents); err != nil {
			return err
		}
	}
	return r.worst
}

// one tunes a region, or says what that would be.
func (r *tuneRun) one(ctx context.Context, w io.Writer, t *target) error {
	if err := t.checkRunnable(); err != nil {
		return err
	}
	probe, err := t.newProbe(ctx, r.machine.SeenBy(r.toolchains[0]))
	if err != nil {
		return err
	}
	probe.compilers = r.toolchains
	request, err := r.options.request(ctx, r.db, probe, r.machine, r.effort, r.settings)
	if err != nil {
		return err
	}
	request.Settings, request.Store, request.Strict = r.settings, r.db, r.options.strict
	if r.options.dryRun {
		document, err := r.options.plan(ctx, w, probe, request)
		r.documents = append(r.documents, document)
		return err
	}
	var document bytes.Buffer
	if r.options.json {
		w = &document
	}
	err = r.session(ctx, w, request)
	r.documents = append(r.documents, json.RawMessage(document.Bytes()))
	if errors.As(err, new(*quietError)) {
		r.worst, err = err, nil
	}
	return err
}

// session runs one session and prints its result. One that the end of a batch job
// stops is interrupted.
func (r *tuneRun) session(ctx context.Context, w io.Writer, request tuner.Request) error {
	budget, byJob, over := r.allotted.at(time.Now())
	if over {
		return &statusError{exitInterrupted, tuner.ErrInterrupted}
	}
	request.Budget, request.Warnings = budget, r.warnings.of(r.machine)
	progress := report.NewProgress(os.Stderr)
	request.Progress = func(e tuner.Event) { progress.Update(r.warnings.announce(e)) }
	result, err := tuner.Tune(ctx, request)
	progress.Close()
	if err != nil {
		return err
	}
	if r.options.json {
		err = report.JSON(w, result)
	} else {
		err = report.Table(w, result, terminalWidth(w))
	}
	switch {
	case err != nil:
		return err
	case byJob && !result.Complete:
		return &quietError{exitInterrupted}
	case result.Counts()[store.WrongResult] > 0:
		return &quietError{exitIncomplete}
	}
	return nil
}
