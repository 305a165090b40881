package ccwrap

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"time"

	"polytune/handout"
	"polytune/internal/exit"
	"polytune/internal/oneline"
	"polytune/internal/opendb"
	"polytune/pipeline"
	"polytune/report"
	"polytune/runner"
	"polytune/store"
	"polytune/tuner"
)

// ccLimit bounds the time that tune cc takes before it compiles.
const ccLimit = time.Minute

// ccTuned is a C file with variants in the place of some of its regions.
type ccTuned struct {
	ccSource
	text []byte
}

// variants are the files whose regions have a best variant that is not the
// original. What is done with each region is told.
func (w *Wrapper) variants(ctx context.Context) ([]ccTuned, error) {
	ctx, cancel := context.WithTimeout(ctx, ccLimit)
	defer cancel()
	compiler, err := runner.AskCompiler(ctx, w.compiler[len(w.compiler)-1])
	if err != nil {
		return nil, err
	}
	// The front end asks the host's compiler about the system's headers.
	if err := os.Setenv("CC", compiler.Path); err != nil {
		return nil, err
	}
	db, err := opendb.Rated(ctx, w.stderr, w.settings.DB)
	if err != nil {
		return nil, &unusableError{err}
	}
	defer db.Close()
	machine := w.settings.CC.Machine
	if machine == "" {
		detected, err := runner.Detect(w.settings.Machine.Name)
		if err != nil {
			return nil, err
		}
		machine = detected.ID
	}
	chooser := &ccChooser{w, db, compiler, machine}
	var tuned []ccTuned
	for _, source := range w.call.regions {
		text, err := chooser.tune(ctx, source)
		if err != nil {
			w.asItIs(source.path, err)
		} else if text != nil {
			tuned = append(tuned, ccTuned{source, text})
		}
	}
	return tuned, nil
}

// unusableError says that the database cannot be read.
type unusableError struct{ error }

func (e *unusableError) Unwrap() error { return e.error }

// complain tells why nothing can be tuned: always where there is a database that cannot
// be used, because its user takes the results for being in the program.
func (w *Wrapper) complain(err error) {
	unusable := errors.As(err, new(*unusableError)) && !errors.Is(err, fs.ErrNotExist)
	if unusable || errors.As(err, new(*store.DamagedError)) || errors.As(err, new(*exit.Panic)) {
		fmt.Fprintf(w.stderr, "tune cc: %s: compiled as it is: %s\n", w.call.place(), oneline.First(err.Error()))
		return
	}
	w.asItIs(w.call.place(), err)
}

// ccChooser finds variants for one compiler on one machine.
type ccChooser struct {
	*Wrapper
	db       *store.Store
	compiler runner.Toolchain
	machine  string
}

// tune is the text of a file with variants in place, nil where there are none.
func (c *ccChooser) tune(ctx context.Context, source ccSource) ([]byte, error) {
	options := pipeline.Options{
		Refused:   func(_ string, why error) { c.asItIs(source.path, why) },
		Privatize: true, Exact: true, Notes: c.stderr, AssumeNoAlias: c.settings.CC.AssumeNoAlias, AssumePure: c.settings.CC.AssumePure,
	}
	options.Program.Build = c.call.build
	targets, err := options.Regions(&pipeline.Target{Name: pipeline.KernelName(source.path), Path: source.path}, source.path, source.source)
	if err != nil {
		return nil, err
	}
	file, changed := targets[0].File, false
	told := make([]func(), len(targets)) // what stands last in the file is replaced first, and told last
	for k, t := range slices.Backward(targets) {
		t.SetFile(file)
		at := place(t)
		replaced, what, err := c.replaced(ctx, t)
		if err != nil {
			told[k] = func() { c.asItIs(at, err) }
			continue
		}
		next := *file
		next.Source = c.fitted(t, replaced)
		file, changed = &next, true
		told[k] = func() { c.say("%s: %s", at, what) }
	}
	for _, tell := range told {
		tell()
	}
	if !changed {
		return nil, nil
	}
	return append([]byte(pipeline.LineDirective(1, source.path)+"\n"), file.Source...), nil
}

// replaced is the text of a file with the best variant of a region in place, or with a choice among
// those of all sizes, and what that is.
func (c *ccChooser) replaced(ctx context.Context, t *pipeline.Target) (text []byte, what string, err error) {
	fitting, err := c.fitting(ctx, t)
	if err != nil {
		return nil, "", err
	}
	if c.settings.CC.Dispatch == bySizes {
		return c.bySizes(ctx, t, fitting)
	}
	best, err := c.best(ctx, fitting)
	if err != nil {
		return nil, "", err
	}
	placed, err := handout.Place(ctx, t, best.Best)
	if err != nil {
		return nil, "", fmt.Errorf("variant %s: %w", best.Variant.ID, err)
	}
	return placed.Source, best.text(c.call.words), nil
}

// place is where the target's region is, for people.
func place(t *pipeline.Target) string {
	line := 1 + bytes.Count(t.File.Source[:t.Region.PragmaStart], []byte("\n"))
	return fmt.Sprintf("%s:%d", t.Path, line)
}

// fitted adds to a file with a variant what keeps the compiler's messages as
// they were: there is no warning of code that nobody has written, which has the line of
// the region's pragma, and lines behind the region have their numbers.
func (c *ccChooser) fitted(t *pipeline.Target, text []byte) []byte {
	before, rest := t.Region.PragmaStart, len(t.File.Source)-t.Region.PragmaEnd
	line := pipeline.LineDirective(1+bytes.Count(t.File.Source[:before], []byte("\n")), t.LinePath())
	code := withoutWarnings(onOneLine(text[before:len(text)-rest], line), c.compiler.Family)
	return t.WithLineDirective(slices.Concat(text[:before], code, text[len(text)-rest:]))
}

// ccBest is a stored result and the compiler flags it was made with.
type ccBest struct {
	store.Best
	flags []string
	// busy says which other programs used the processors in the timings, "" for none.
	busy string
}

// text says what the variant is, and which of the flags it was timed with are
// not among the words.
func (b ccBest) text(words []string) string {
	text := fmt.Sprintf("variant %s, %s at size %s", b.Variant.ID, report.Speedup(b.Summary.Speedup, b.Summary.Certainty), b.Size)
	missing := slices.DeleteFunc(slices.Clone(b.flags), func(flag string) bool { return slices.Contains(words, flag) })
	if len(missing) > 0 {
		text += fmt.Sprintf("; timed with %s, which is not among the arguments: without it the gain may be gone", strings.Join(missing, " "))
	}
	if b.busy != "" {
		text += "; timed while " + report.BusyText + ", tune again confirms it"
	}
	return text
}

// fitting are the results of a region for the compiler; the error says why there are none.
func (c *ccChooser) fitting(ctx context.Context, t *pipeline.Target) ([]ccBest, error) {
	all, err := c.db.BestOfRegion(ctx, t.RegionHash(false), c.machine, c.settings.CC.Any)
	if err != nil {
		return nil, err
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s has no result for this region on machine %s", c.db.Path(), c.machine)
	}
	var fitting []ccBest
	var others []string
	for _, b := range all {
		var used runner.Toolchain
		from, err := c.db.Provenance(ctx, b.Trial)
		if err == nil {
			err = json.Unmarshal(from.Toolchain, &used)
		}
		switch {
		case err != nil:
			return nil, err
		case used.Resolved == c.compiler.Resolved && used.Version == c.compiler.Version:
			fitting = append(fitting, ccBest{b, used.Flags, tuner.StoredBusy(from.Details)})
		case !slices.Contains(others, b.ToolchainName):
			others = append(others, b.ToolchainName)
		}
	}
	if len(fitting) == 0 {
		return nil, fmt.Errorf("there are results for %s, and none for %s %s", strings.Join(others, ", "), c.compiler.Resolved, c.compiler.Version)
	}
	return fitting, nil
}

// best is the variant to compile in place of a region, of several results; the error says why there
// is none.
func (c *ccChooser) best(ctx context.Context, fitting []ccBest) (ccBest, error) {
	best, err := chooseSize(fitting, c.settings.CC.Size)
	if err != nil || !store.IsOriginal(best.Variant.ID) {
		return best, err
	}
	open, err := handout.ContenderOf(ctx, c.db, best.Best, c.settings.Measurement.Indifference)
	switch {
	case err != nil:
		return ccBest{}, err
	case open != nil:
		return ccBest{}, fmt.Errorf("at size %s %s; --any takes it", best.Size, open.Text())
	}
	return ccBest{}, fmt.Errorf("nothing is faster than the original at size %s", best.Size)
}

// isOf says whether a result's size is the one that is asked for, or all values of parameters in it are:
// others may be of other regions.
func isOf(size, asked string) bool {
	all := strings.Split(asked, ",")
	return size == asked || !slices.ContainsFunc(strings.Split(size, ","), func(value string) bool {
		return !strings.Contains(value, "=") || !slices.Contains(all, value)
	})
}

// chooseSize is the best of the results for a size, by default that at which the
// best variant takes longest: there most is to be gained. It is an error that
// there is none.
func chooseSize(results []ccBest, size string) (ccBest, error) {
	if size == "" {
		size = slices.MaxFunc(results, func(a, b ccBest) int {
			return cmp.Compare(a.Summary.Seconds.Median, b.Summary.Seconds.Median)
		}).Size
	}
	results = slices.DeleteFunc(results, func(b ccBest) bool { return !isOf(b.Size, size) })
	if len(results) == 0 {
		return ccBest{}, fmt.Errorf("there is no result for size %s", size)
	}
	best := slices.MinFunc(results, func(a, b ccBest) int {
		return cmp.Or(cmp.Compare(b.Summary.Speedup.Median, a.Summary.Speedup.Median), cmp.Compare(a.Trial, b.Trial))
	})
	return best, nil
}
