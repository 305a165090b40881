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
	"polytune/store"
)

// bench is where variants are built by one compiler and compared with the original.
type bench struct {
	request *Request
	// compiler is the name of a further compiler, and baseline the bench of the
	// session's own; "" and nil for that itself.
	compiler string
	baseline *bench
	// builder makes the programs that are timed, checker those that are
	// compared.
	builder, checker *runner.Builder
	// outside measures how long compilers and programs run; nil for nobody who
	// wants to know.
	outside *meter

	// orders compares what is computed in another order.
	orders Orders

	mutex sync.Mutex
	// references are the original's results, one for each of the checks; failure is
	// why a further compiler has none.
	references []reference
	failure    error
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

// benches are those of a session, by the names of the further compilers, and "" for its
// own.
type benches map[string]*bench

func newBenches(request *Request, outside *meter) (benches, error) {
	own, err := newBench(request, request.Toolchain)
	if err != nil {
		return nil, err
	}
	own.outside = outside
	all := benches{"": own}
	for _, t := range request.Compilers {
		b, err := newBench(request, t)
		if err != nil {
			return nil, errors.Join(err, all.close())
		}
		b.compiler, b.baseline, b.outside = t.Name, own, outside
		all[t.Name] = b
	}
	return all, nil
}

func (all benches) close() (err error) {
	for _, b := range all {
		err = errors.Join(err, b.close())
	}
	return err
}

// own is the bench of the session's own compiler.
func (all benches) own() *bench { return all[""] }

// of is the bench on which a variant is built.
func (all benches) of(variant string) (*bench, error) {
	_, compiler := store.SplitVariant(variant)
	if b := all[compiler]; b != nil {
		return b, nil
	}
	return nil, fmt.Errorf("variant %s is built by a compiler that the session does not have", variant)
}

// discard removes the binary of a record.
func (all benches) discard(r *record) error {
	b, err := all.of(r.id)
	if err != nil {
		return err
	}
	return b.builder.Discard(*r.binary)
}

func newBench(request *Request, toolchain runner.Toolchain) (*bench, error) {
	options := runner.BuilderOptions{
		Subject: request.Subject, Toolchain: toolchain, Jobs: request.jobs(), Limit: request.Settings.Limits.Build(),
		CUDA: request.CUDA,
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
	return &bench{
		request: request, builder: builder, checker: checker,
		orders: Orders{Builder: checker, Source: request.Checked.Source, Sums: request.sums()},
	}, nil
}

func (b *bench) close() error { return errors.Join(b.builder.Close(), b.checker.Close()) }

// build makes the program that is timed.
func (b *bench) build(ctx context.Context, program Generated) (*runner.Binary, error) {
	defer b.outside.begin()()
	binary, err := b.builder.Build(ctx, b.job(program))
	if err != nil {
		return nil, err
	}
	return &binary, nil
}

// job builds a program with what its device needs.
func (b *bench) job(program Generated) runner.Job {
	job := runner.Job{Source: string(program.Source)}
	if program.Device != nil {
		job.Device = &runner.DeviceSource{Text: string(program.Device), Device: b.request.Device}
	}
	return job
}

// checkJob builds a program as it is compared, optimised as it is timed or not.
func (b *bench) checkJob(program Generated, optimized bool) runner.Job {
	job := b.job(program)
	job.Check, job.Optimized = true, optimized
	return job
}

// verify compares a variant with the original, built by the same compiler, at every
// size of the checks: bit for bit, unless variants may compute in another order. For the
// original itself the comparison of its references is all.
func (b *bench) verify(ctx context.Context, candidate Candidate, program Generated) error {
	defer b.outside.begin()()
	references, err := b.original(ctx)
	if err != nil || candidate.isOriginal() {
		return err
	}
	binary, err := b.checker.Build(ctx, b.checkJob(program, false))
	if err != nil {
		return err
	}
	defer b.checker.Discard(binary)
	return b.compareAll(ctx, binary, references, b.request.checkTolerance())
}

func (b *bench) compare(ctx context.Context, binary runner.Binary, r reference, tolerance runner.Tolerance) error {
	path := filepath.Join(filepath.Dir(binary.Path), "result")
	request := b.run(r.params, r.limit)
	if err := runner.Dump(ctx, binary, request, path); err != nil {
		return err
	}
	defer os.Remove(path)
	if !b.request.Reassociated {
		return runner.CompareWithin(r.dump, path, tolerance)
	}
	_, err := b.orders.Compare(ctx, request, r.dump, path, tolerance)
	return err
}

// confirm compares the program that is timed, at every size of the checks, with the original's
// results, which another build has made: optimisers make mistakes, too, and some of them for few
// sizes only. Rounding may be different, as much as the settings allow; where it is by more, the
// same optimisations without other rounding decide. Programs that are checked with other data than
// they are timed with are not looked at.
func (b *bench) confirm(ctx context.Context, binary runner.Binary, candidate Candidate, program Generated) error {
	if candidate.isOriginal() || !b.request.Checked.isTimed {
		return nil
	}
	defer b.outside.begin()()
	references, err := b.original(ctx)
	if err != nil {
		return err
	}
	tolerance := Tolerance(b.request.Settings.Verification)
	if mismatch := b.compareAll(ctx, binary, references, tolerance); mismatch == nil || StatusOf(mismatch) != store.WrongResult {
		return mismatch
	}
	strict, err := b.checker.Build(ctx, b.checkJob(program, true))
	if err != nil {
		return err
	}
	defer b.checker.Discard(strict)
	if err := b.compareAll(ctx, strict, references, tolerance); err != nil {
		return fmt.Errorf("optimised as it is to be timed: %w", err)
	}
	return nil
}

// compareAll compares a program with the original at every size of the checks.
func (b *bench) compareAll(ctx context.Context, binary runner.Binary, references []reference, tolerance runner.Tolerance) error {
	for _, r := range references {
		if err := b.compare(ctx, binary, r, tolerance); err != nil {
			return at(r.params, err)
		}
	}
	return nil
}

// original gives the original's results; the first call makes them. That a further
// compiler has none is an error of the variants that it builds.
func (b *bench) original(ctx context.Context) ([]reference, error) {
	b.mutex.Lock()
	defer b.mutex.Unlock()
	if b.references != nil || b.failure != nil {
		return b.references, b.failure
	}
	references, err := b.makeReferences(ctx)
	if err == nil && b.baseline != nil {
		err = b.compareOriginals(ctx, references)
	}
	switch {
	case ctx.Err() != nil:
		return nil, ErrInterrupted
	case err != nil && b.baseline == nil:
		return nil, &BaselineError{Err: err}
	case err != nil && !errors.As(err, new(*BaselineError)):
		b.failure = fmt.Errorf("the original program, built by %s: %w", b.compiler, err)
		return nil, b.failure
	case err != nil:
		return nil, err
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

// compareOriginals compares what a further compiler has made of the original with what
// the session's own has. Compilers may round differently, each in its own way.
func (b *bench) compareOriginals(ctx context.Context, references []reference) error {
	baseline, err := b.baseline.original(ctx)
	if err != nil {
		return err
	}
	for i, r := range references {
		if err := runner.CompareWithin(baseline[i].dump, r.dump, Tolerance(b.request.Settings.Verification)); err != nil {
			return at(r.params, err)
		}
	}
	return nil
}

// checkFactor multiplies the limit of a compared run, because compilers work
// at the same time.
const checkFactor = 5

// run says how a program is run for its results. Threads that wait leave their
// processor to the compilers.
func (b *bench) run(params map[string]int, limit time.Duration) runner.RunRequest {
	return runner.RunRequest{
		Params: params, Scalars: b.request.Scalars, Threads: checkThreads, Limit: limit + b.request.startOfDevice(),
		Memory: b.request.memoryLimit(), Waiting: true, Tolerance: b.request.checkTolerance(),
		Device: b.request.Device,
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
	name := strings.ReplaceAll(b.request.Kernel+"."+id, "/", "-") + ".c"
	path := filepath.Join(directory, filepath.Base(name))
	return path, errors.Join(os.MkdirAll(directory, 0o777), os.WriteFile(path, source, 0o666))
}
