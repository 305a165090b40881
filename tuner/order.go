package tuner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"polytune/runner"
)

// Orders compares variants that may do sums in another order with the original: within the
// tolerance, and where terms cancel, with what other rounding makes of the original itself.
type Orders struct {
	// Builder builds the original, whose text is Source.
	Builder *runner.Builder
	Source  []byte
	// Sums are the arrays that have to do with such sums.
	Sums runner.Sums

	mutex sync.Mutex
	// known are the sensitivities by the original's dumps.
	known map[string]found
	// told are the notes, and whether they were given out.
	told map[string]bool
}

// Compare compares a variant's dump with the original's, of a run that request describes. A
// difference is that of runner.CompareWithin, with a word on the original's own where that is
// large; a note names the first array of which one is explained by rounding.
func (o *Orders) Compare(ctx context.Context, request runner.RunRequest, reference, variant string, tolerance runner.Tolerance) (note string, err error) {
	err = runner.CompareWithin(reference, variant, tolerance)
	var mismatch *runner.Mismatch
	isDifferent := errors.As(err, &mismatch) || errors.As(err, new(*runner.ExecutionsError))
	if !isDifferent || tolerance == (runner.Tolerance{}) {
		return "", err
	}
	sensitivity, failed := o.sensitivity(ctx, request, reference)
	if ctx.Err() != nil {
		return "", ctx.Err()
	}
	if errors.As(failed, new(*runner.NoSpaceError)) {
		return "", failed
	}
	if failed != nil {
		return "", fmt.Errorf("%w (what other rounding makes of the original could not be compared: %v)", err, failed)
	}
	explained := "the number of executions of the region"
	if mismatch != nil {
		explained = "array " + mismatch.Array
	}
	err = runner.CompareSensitive(reference, variant, tolerance, sensitivity)
	switch {
	case err == nil:
		return o.explain(explained), nil
	case errors.As(err, &mismatch) && mismatch.Sensitive:
		return "", fmt.Errorf("%w; the original itself computes quite another value where its operations are rounded in another direction%s", err, illConditioned)
	}
	return "", err
}

// explain notes what rounding explains.
func (o *Orders) explain(what string) (note string) {
	note = what + " differs from the original's by more than the tolerance, and by no more than the original's own does where its operations " +
		"are rounded in other directions: terms cancel there, or the data amplify rounding"
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if o.told == nil {
		o.told = map[string]bool{}
	}
	if _, known := o.told[note]; !known {
		o.told[note] = false
	}
	return note
}

// Notes are those that were made since the last call, each once.
func (o *Orders) Notes() (notes []string) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	for note, told := range o.told {
		if !told {
			notes = append(notes, note)
			o.told[note] = true
		}
	}
	slices.Sort(notes)
	return notes
}

// found is the sensitivity of the original's run, or why it is not known.
type found struct {
	runner.Sensitivity
	err error
}

// sensitivity is that of the original's run; the first call for a dump finds it out.
func (o *Orders) sensitivity(ctx context.Context, request runner.RunRequest, reference string) (runner.Sensitivity, error) {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	result, done := o.known[reference]
	if done {
		return result.Sensitivity, result.err
	}
	result.Sensitivity, result.err = o.find(ctx, request, reference)
	if o.known == nil {
		o.known = map[string]found{}
	}
	if ctx.Err() == nil {
		o.known[reference] = result
	}
	return result.Sensitivity, result.err
}

// find runs the original in the other directions, on one thread: threads keep the direction in
// which they are made.
func (o *Orders) find(ctx context.Context, request runner.RunRequest, reference string) (runner.Sensitivity, error) {
	binary, err := o.Builder.Build(ctx, runner.Job{Source: string(o.Source), Check: true})
	if err != nil {
		return runner.Sensitivity{}, err
	}
	defer o.Builder.Discard(binary)
	request.Threads = 1
	var paths []string
	for _, direction := range runner.Directions {
		request.Rounding = direction
		path := reference + "." + string(direction)
		defer os.Remove(path)
		if err := runner.Dump(ctx, binary, request, path); err != nil {
			return runner.Sensitivity{}, err
		}
		paths = append(paths, path)
	}
	return runner.SensitivityOf(reference, o.Sums, paths...)
}
