package explain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"

	"polytune/internal/opendb"
	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/pipeline/harness"
	"polytune/store"
)

// values are the name and the parameters of the size; those of a program are for programValues. With
// --best the size of a file is the one that has results, where none is given.
func (o *Options) values(ctx context.Context, t *pipeline.Target, at harness.Place, query store.TimingQuery) (string, map[string]int, error) {
	if t.IsProgram {
		return t.RunSize(), nil, nil
	}
	params := o.Params
	if o.Best && params == "" && t.Benchmark == nil {
		size, err := knownSize(ctx, o.Target.Told(), at, query)
		if err != nil {
			return "", nil, err
		}
		params = strings.ReplaceAll(size, " ", ",")
	}
	values, err := t.Sizes(o.Size, params)
	if t.Benchmark == nil || params != "" {
		return pipeline.ParametersText(values), values, err
	}
	return o.Size, values, err
}

// knownSize is the size for which there are results.
func knownSize(ctx context.Context, notes io.Writer, at harness.Place, query store.TimingQuery) (string, error) {
	db, err := opendb.ToRead(ctx, notes, at.Settings.DB)
	if err != nil {
		return "", err
	}
	defer db.Close()
	results, err := db.Best(ctx, store.BestQuery{KernelID: query.KernelID, Machine: query.Machine, Toolchain: query.Toolchain, On: query.On})
	if err != nil {
		return "", err
	}
	var sizes []string
	for _, r := range results {
		if !slices.Contains(sizes, r.Size) {
			sizes = append(sizes, r.Size)
		}
	}
	switch len(sizes) {
	case 0:
		return "", fmt.Errorf("there is no result for this source, compiler and machine in %s; tune it first", db.Path())
	case 1:
		return sizes[0], nil
	}
	return "", usage.Mistake(fmt.Errorf("there are results for the sizes %s; choose one with --param", strings.Join(sizes, "; ")))
}

// best is the fastest known variant: its recipe, its time, and the device that showed it.
type best struct {
	recipe, device string
	seconds        float64
}

// stored is the variant that --best names; nothing without it.
func (o *Options) stored(ctx context.Context, t *pipeline.Target, at harness.Place, query store.TimingQuery) (best, error) {
	if !o.Best {
		return best{}, nil
	}
	return bestRecipe(ctx, o.Target.Told(), t, at, query)
}

// bestRecipe is the fastest known variant: that of the loops as they are written where nothing is
// faster.
func bestRecipe(ctx context.Context, notes io.Writer, t *pipeline.Target, at harness.Place, query store.TimingQuery) (best, error) {
	db, err := opendb.ToRead(ctx, notes, at.Settings.DB)
	if err != nil {
		return best{}, err
	}
	defer db.Close()
	results, err := db.Best(ctx, store.BestQuery{KernelID: query.KernelID, Size: query.Size, Machine: query.Machine, Toolchain: query.Toolchain, On: query.On})
	if err != nil {
		return best{}, err
	}
	if len(results) == 0 {
		return best{}, fmt.Errorf("there is no result for this source, size (%s), compiler and machine in %s; tune it first", query.Size, db.Path())
	}
	first := results[0]
	found := best{first.Variant.Recipe, first.Device, first.Summary.Seconds.Median}
	if !store.IsOriginal(first.Variant.ID) {
		return found, nil
	}
	original, err := t.Original()
	found.recipe = original.Recipe
	return found, err
}

// storedSeconds are the newest time of the variant in the database; 0 where
// there is none.
func storedSeconds(ctx context.Context, notes io.Writer, at harness.Place, query store.TimingQuery) (float64, error) {
	db, err := opendb.ToRead(ctx, notes, at.Settings.DB)
	if errors.Is(err, fs.ErrNotExist) {
		return 0, nil
	}
	if err != nil {
		return 0, err
	}
	defer db.Close()
	summary, _, err := db.Timing(ctx, query)
	return summary.Seconds.Median, err
}
