package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"time"

	"polytune/configs"
	"polytune/internal/opendb"
	"polytune/pipeline/harness"
	"polytune/runner"
	"polytune/store"
	"polytune/target/registry"
)

// KnownPeaks are what has been measured of the machine with the toolchain
// last; nil where nothing has, or where there is no database.
func KnownPeaks(ctx context.Context, notes io.Writer, path string, machine runner.Machine, toolchain runner.Toolchain) (*runner.Peaks, error) {
	db, err := opendb.ToRead(ctx, notes, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer db.Close()
	stored, found, err := db.LastPeaks(ctx, machine.ID, toolchain.ID)
	if err != nil || !found {
		return nil, err
	}
	peaks := new(runner.Peaks)
	if err := json.Unmarshal(stored.Rates, peaks); err != nil {
		return nil, fmt.Errorf("the peaks of this machine in %s cannot be read (tune machine --peaks measures them again): %w", db.Path(), err)
	}
	return peaks, nil
}

// MeasurePeaks measures the machine with the chosen toolchain, while nobody else
// times on it, and keeps the result in the database.
func MeasurePeaks(ctx context.Context, stderr io.Writer, machine runner.Machine, settings configs.Settings) error {
	toolchain, err := runner.FindToolchain(ctx, registry.Default().Toolchains(settings)[0])
	if err != nil {
		return err
	}
	db, err := opendb.Open(ctx, stderr, settings.DB, store.Open)
	if err != nil {
		return err
	}
	defer db.Close()
	lock, err := harness.LockTiming(ctx, stderr)
	if err != nil {
		return err
	}
	defer lock.Unlock()
	peaks, err := runner.MeasurePeaks(ctx, machine, toolchain, settings.Threads)
	if err != nil {
		return err
	}
	return recordPeaks(ctx, db, machine, toolchain, peaks)
}

// recordPeaks makes the machine and the toolchain known, and their peaks.
func recordPeaks(ctx context.Context, db *store.Store, machine runner.Machine, toolchain runner.Toolchain, peaks runner.Peaks) error {
	var texts [3]json.RawMessage
	for k, document := range []any{machine, toolchain, peaks} {
		text, err := json.Marshal(document)
		if err != nil {
			return fmt.Errorf("the peaks of this machine: %w", err)
		}
		texts[k] = text
	}
	return errors.Join(
		db.RegisterMachine(ctx, store.Machine{ID: machine.ID, Name: machine.Name, Description: texts[0]}),
		db.RegisterToolchain(ctx, store.Toolchain{ID: toolchain.ID, Name: toolchain.Name, Version: toolchain.Version, Description: texts[1]}),
		db.RecordPeaks(ctx, store.Peaks{Machine: machine.ID, Toolchain: toolchain.ID, Rates: texts[2], Measured: time.Now()}),
	)
}
