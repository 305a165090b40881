package tuner

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"polytune/runner"
)

// bench is where variants are built and compared with the original.
type bench struct {
	request *Request
	// builder makes the programs that are timed, checker those that are
	// compared.
	builder, checker *runner.Builder
	// outside measures how long compilers and programs run; nil for nobody who
	// wants to know.
	outside *meter

	mutex sync.Mutex
	// references are the original's results, one for each of the checks.
	references []reference
}

// reference is the original's result at one size.
type reference struct {
	params map[string]int
	dump   string
	limit  time.Duration
}

// checkThreads is the number of OpenMP threads of the compared programs: more
// than one, so that a wrong parallel loop shows.
const checkThreads = 4

func newBench(request *Request) (*bench, error) {
	options := runner.BuilderOptions{
		Subject: request.Subject, Toolchain: request.Toolchain, Jobs: request.jobs(), Limit: request.Settings.Limits.Build(),
	}
	builder, err := runner.NewBuilder(options)
	if err != nil {
		return nil, err
	}
	options.Subject = request.Checked.Subject
	checker, err := runner.NewBuilder(options)
	if err != nil {
		return nil, errors.Join(err, builder.Close())
	}
	return &bench{request: request, builder: builder, checker: checker}, nil
}

func (b *bench) close() error { return errors.Join(b.builder.Close(), b.checker.Close()) }

// build makes the program that is timed.
func (b *bench) build(ctx context.Context, source []byte) (*runner.Binary, error) {
	defer b.outside.begin()()
	binary, err := b.builder.Build(ctx, runner.Job{Source: string(source)})
	if err != nil {
		return nil, err
	}
	return &binary, nil
}

// verify compares a variant with the original at every size of the checks: bit
// for bit, unless variants may compute in another order.
func (b *bench) verify(ctx context.Context, source []byte) error {
	defer b.outside.begin()()
	references, err := b.original(ctx)
	if err != nil {
		return err
	}
	binary, err := b.checker.Build(ctx, runner.Job{Source: string(source), Check: true})
	if err != nil {
		return err
	}
	defer b.checker.Discard(binary)
	for _, r := range references {
		if err := b.compare(ctx, binary, r); err != nil {
			return at(r.params, err)
		}
	}
	return nil
}

func (b *bench) compare(ctx context.Context, binary runner.Binary, r reference) error {
	path := filepath.Join(filepath.Dir(binary.Path), "result")
	if err := runner.Dump(ctx, binary, b.run(r.params, r.limit), path); err != nil {
		return err
	}
	defer os.Remove(path)
	return runner.CompareWithin(r.dump, path, b.request.checkTolerance())
}

// original gives the original's results; the first call makes them.
func (b *bench) original(ctx context.Context) ([]reference, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.references != nil {
		return b.references, nil
	}
	references, err := b.makeReferences(ctx)
	switch {
	case ctx.Err() != nil:
		return nil, ErrInterrupted
	case err != nil:
		return nil, &BaselineError{Err: err}
	}
	b.references = references
	return references, nil
}

func (b *bench) makeReferences(ctx context.Context) ([]reference, error) {
	binary, err := b.checker.Build(ctx, runner.Job{Source: string(b.request.Checked.Source), Check: true})
	if err != nil {
		return nil, err
	}
	var references []reference
	for i, params := range b.request.Checks {
		r := reference{params: params, dump: filepath.Join(b.checker.Work(), fmt.Sprintf("reference%d", i))}
		limits := b.request.Settings.Limits
		start := time.Now()
		if err := runner.DumpReference(ctx, binary, b.run(params, limits.Run(0)), r.dump); err != nil {
			return nil, at(params, err)
		}
		r.limit = checkFactor * limits.Run(time.Since(start))
		references = append(references, r)
	}
	return references, nil
}

// checkFactor multiplies the limit of a compared run, because compilers work
// at the same time.
const checkFactor = 5

// run says how a program is run for its results. Threads that wait leave their
// processor to the compilers.
func (b *bench) run(params map[string]int, limit time.Duration) runner.RunRequest {
	return runner.RunRequest{
		Params: params, Scalars: b.request.Scalars, Threads: checkThreads, Limit: limit,
		Memory: b.request.Settings.Limits.Memory(), Env: []string{"OMP_WAIT_POLICY=passive"},
	}
}

// at says at which size an error occurred; a whole program has but one.
func at(params map[string]int, err error) error {
	if len(params) == 0 {
		return err
	}
	return fmt.Errorf("at %s: %w", paramsText(params), err)
}

// paramsText is "N=7, M=9".
func paramsText(params map[string]int) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(params)) {
		words = append(words, fmt.Sprintf("%s=%d", name, params[name]))
	}
	return strings.Join(words, ", ")
}

// keepSource writes the source of a wrong variant next to the database, for
// the user to look at, and gives its path.
func (b *bench) keepSource(id string, source []byte) (string, error) {
	database := b.request.Store.Path()
	directory := strings.TrimSuffix(database, filepath.Ext(database)) + "-wrong-results"
	name := strings.ReplaceAll(b.request.Kernel, "/", "-") + "." + id + ".c"
	path := filepath.Join(directory, filepath.Base(name))
	return path, errors.Join(os.MkdirAll(directory, 0o777), os.WriteFile(path, source, 0o666))
}
