package session

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"polytune/configs"
	"polytune/handout"
	"polytune/internal/opendb"
	"polytune/pipeline"
	"polytune/pipeline/choices"
	"polytune/report"
	"polytune/runner"
	"polytune/schedule/feature"
	"polytune/store"
	"polytune/transform"
	"polytune/tuner"
	"polytune/tuner/search"
	"polytune/tuner/stat"
)

// Simulation says which recorded session is replayed, and how.
type Simulation struct {
	Target     pipeline.Options
	Size       string
	Params     string
	Strategies string
	Seeds      int
	Within     float64
}

// SimulationResult is how one strategy did. Points are candidates until one was near
// enough, those of the start among them, over the seeds; a seed that never got
// there counts with all of the record.
type SimulationResult struct {
	Strategy string          `json:"strategy"`
	Points   report.Interval `json:"points"`
	Found    int             `json:"found"`
}

// Replay searches the record by one strategy with all seeds.
func (o *Simulation) Replay(ctx context.Context, record *search.Record, name string, settings configs.Settings) (SimulationResult, error) {
	result := SimulationResult{Strategy: name}
	var points []float64
	for seed := range o.Seeds {
		plan := search.Plan{Strategy: name, Seed: uint64(seed), Batch: leastBatch, Improvement: settings.Measurement.Indifference}
		run, err := search.Replay(ctx, record, plan, o.Within)
		if err = cmp.Or(ctx.Err(), err); err != nil {
			return result, err
		}
		if run.Found {
			result.Found++
		} else {
			run.Points = record.Len()
		}
		points = append(points, float64(run.Points))
	}
	median, err := stat.MedianInterval(points, 0.95)
	result.Points = report.Interval{Median: median.Median, Low: median.Low, High: median.High}
	return result, err
}

// Record reads what the database has of the target at the size: of the machine and
// compiler with the most candidates.
func (o *Simulation) Record(ctx context.Context, t *pipeline.Target, settings configs.Settings) (*search.Record, string, error) {
	best := handout.Options{Size: o.Size, Params: o.Params}
	size, err := best.SizeOf(t)
	if err != nil {
		return nil, "", err
	}
	if t.IsProgram {
		size = t.RunSize()
	}
	kernel, err := t.Hash(&o.Target)
	if err != nil {
		return nil, "", err
	}
	db, err := opendb.ToRead(ctx, o.Target.Told(), settings.DB)
	if err != nil {
		return nil, "", err
	}
	defer db.Close()
	id, err := kernel.In(ctx, db)
	if err != nil {
		return nil, "", err
	}
	rows, err := db.Recorded(ctx, store.RecordedQuery{Kernel: id, Size: size})
	if err != nil {
		return nil, "", err
	}
	rows = ofOnePlace(rows)
	if !slices.ContainsFunc(rows, func(r store.Recorded) bool { return r.Seconds > 0 }) {
		return nil, "", fmt.Errorf("%s has no timed candidates for this source and size in %s; tune it first", t.Name, db.Path())
	}
	machine, err := runner.Detect(settings.Machine.Name)
	if err != nil {
		return nil, "", err
	}
	base, err := pipeline.SessionModel.Options(machine)
	if err != nil {
		return nil, "", err
	}
	record, err := recordOf(t, rows, base)
	return record, size, err
}

// ofOnePlace are the rows of the machine and compiler that have the most.
func ofOnePlace(rows []store.Recorded) []store.Recorded {
	place := func(r store.Recorded) string { return r.Machine + " " + r.Toolchain }
	counts := map[string]int{}
	most := ""
	for _, r := range rows {
		counts[place(r)]++
		if counts[place(r)] > counts[most] {
			most = place(r)
		}
	}
	return slices.DeleteFunc(rows, func(r store.Recorded) bool { return place(r) != most })
}

// recordOf makes the record of the rows, with the features of their recipes.
func recordOf(t *pipeline.Target, rows []store.Recorded, base transform.Options) (*search.Record, error) {
	outcomes, err := tuner.Outcomes(rows)
	if err != nil {
		return nil, err
	}
	var starts []search.Point
	features := map[string][]float64{}
	around := choices.Surroundings(t, base)
	for k, o := range outcomes {
		if rows[k].Batch == 0 {
			starts = append(starts, o.Point)
		}
		if features[o.String()] == nil {
			features[o.String()] = recordedFeatures(t, rows[k].Recipe, around)
		}
	}
	return search.NewRecord(outcomes, starts, features), nil
}

// recordedFeatures are those of a recipe; nil where there is none, or one that
// this version cannot follow.
func recordedFeatures(t *pipeline.Target, text string, around feature.Surroundings) []float64 {
	if text == "" {
		return nil
	}
	at, recipe, err := t.ReadRecipe(text)
	if err != nil {
		return nil
	}
	tree, err := recipe.Replay(at.Unit.Program)
	if err != nil {
		return nil
	}
	return feature.Of(tree, around)
}
