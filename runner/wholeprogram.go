package runner

import (
	"context"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"
)

// WholeProgram runs the user's own program as it is, and times it from its start to its
// end. It is the Harness of variants whose regions were compared with the original's one by
// one: it looks at no data, and takes an exit status other than 0 for a failure.
type WholeProgram struct {
	options ProgramOptions
	// path is the user's file as he names it.
	path string
	// running is held while the program runs: two that run at the same time
	// might write to the same files.
	running sync.Mutex
}

// NewWholeProgram prepares the program that a file belongs to.
func NewWholeProgram(path string, options ProgramOptions) *WholeProgram {
	return &WholeProgram{path: path, options: options}
}

// Companion is an empty file: nothing watches the program.
func (p *WholeProgram) Companion() Companion {
	return Companion{Text: "typedef int polytune_nothing;\n"}
}

// Attach names the user's file in the compiler's messages.
func (p *WholeProgram) Attach(source string) (string, error) {
	return lineDirective(p.path, 1) + source, nil
}

// time runs the program as often as asked. A sample is the mean duration of the process.
func (p *WholeProgram) time(ctx context.Context, binary Binary, request TimeRequest) (Timing, error) {
	p.running.Lock()
	defer p.running.Unlock()
	deadline := time.Now().Add(request.Limit)
	var timing Timing
	run := func() (float64, error) {
		rest := request.RunRequest
		if request.Limit > 0 {
			rest.Limit = max(time.Until(deadline), time.Millisecond)
		}
		outcome, err := p.run(ctx, binary, rest, request.Limit)
		timing.Wall += outcome.Wall
		timing.Usage.add(outcome.Usage)
		return outcome.Wall.Seconds(), err
	}
	for range max(request.Warmups, 0) {
		if _, err := run(); err != nil {
			return Timing{}, err
		}
	}
	timing = Timing{}
	repetitions := max(request.Repetitions, 1)
	for range max(request.Samples, 1) {
		sample := 0.0
		for range repetitions {
			seconds, err := run()
			if err != nil {
				return Timing{}, err
			}
			sample += seconds / float64(repetitions)
		}
		timing.Seconds = append(timing.Seconds, sample)
	}
	timing.PeakMemory = timing.Usage.MaxResident
	return timing, nil
}

// run runs the program once. limit is what messages name.
func (p *WholeProgram) run(ctx context.Context, binary Binary, request RunRequest, limit time.Duration) (Outcome, error) {
	outcome, err := Execute(ctx, Command{
		Argv: request.argv(binary.Path, p.options.Arguments...), Dir: p.options.Dir,
		Env:   slices.Concat(os.Environ(), binary.environment, request.environmentOf(binary)),
		Limit: request.Limit, Memory: request.Memory, CPUs: request.CPUs,
	})
	if err != nil {
		return outcome, err
	}
	if failure := runFailure(outcome, limit); failure != nil {
		return outcome, failure
	}
	return outcome, nil
}

// dump writes a dump of no data.
func (p *WholeProgram) dump(_ context.Context, _ Binary, _ RunRequest, path string) error {
	text := fmt.Appendf(nil, "%s 0\n%c", executionsMagic, recordEnd)
	const endBytes = 16
	if err := os.WriteFile(path, append(text, make([]byte, endBytes)...), 0o600); err != nil {
		return fmt.Errorf("cannot write the dump: %w", err)
	}
	return nil
}

// reference is such a dump, too.
func (p *WholeProgram) reference(ctx context.Context, binary Binary, request RunRequest, path string) error {
	return p.dump(ctx, binary, request, path)
}
