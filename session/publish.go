package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	"polytune/configs"
	"polytune/internal/exit"
	"polytune/runner"
	"polytune/store"
)

// Publisher keeps a copy of a database up to date while a command works on it.
type Publisher struct {
	db     *store.Store
	path   string
	stderr io.Writer
	stop   func()
}

// Publish begins to export the database at path to the file of the settings, if
// there is one: now, so that a bad name shows at once, and every so often. The
// caller ends it by finish.
func Publish(ctx context.Context, stderr io.Writer, database string, settings configs.Publish) (*Publisher, error) {
	p := &Publisher{path: settings.File, stderr: stderr, stop: func() {}}
	if p.path == "" {
		return p, nil
	}
	var err error
	if p.db, err = store.OpenExisting(ctx, database); err != nil {
		return nil, err
	}
	if err := p.db.Export(ctx, p.path); err != nil {
		return nil, errors.Join(err, p.db.Close())
	}
	repeating, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		p.repeat(repeating, settings.Every())
	}()
	p.stop = func() {
		stop()
		<-ended
	}
	return p, nil
}

// repeat exports while nobody times on this machine. That one export fails, as
// when a network is away, does not end the work.
func (p *Publisher) repeat(ctx context.Context, every time.Duration) {
	ticks := time.NewTicker(every)
	defer ticks.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		lock, err := runner.LockBuilding(ctx, nil)
		if err == nil {
			err = errors.Join(p.db.Export(ctx, p.path), lock.Unlock())
		}
		if err != nil && ctx.Err() == nil {
			fmt.Fprintf(p.stderr, "tune: %v; trying again in %v\n", err, every)
		}
	}
}

// End finishes, and adds what fails to the command's own error. Where that has its exit
// status already, as after a signal, the failure is told here, since nobody else would.
func (p *Publisher) End(ctx context.Context, err error) error {
	failed := p.finish(ctx)
	isQuiet := errors.As(err, new(*exit.Quiet))
	if failed != nil && (isQuiet || ctx.Err() != nil) {
		fmt.Fprintf(p.stderr, "tune: %v\n", failed)
	}
	if isQuiet {
		return err
	}
	return errors.Join(err, failed)
}

// finish exports for the last time, also when the command was interrupted.
func (p *Publisher) finish(ctx context.Context) error {
	p.stop()
	if p.db == nil {
		return nil
	}
	return errors.Join(p.db.Export(context.WithoutCancel(ctx), p.path), p.db.Close())
}
