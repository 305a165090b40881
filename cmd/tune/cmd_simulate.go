package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/internal/usage"
	"polytune/report"
	"polytune/runner"
	"polytune/schedule/feature"
	"polytune/store"
	"polytune/transform"
	"polytune/tuner"
	"polytune/tuner/search"
	"polytune/tuner/stat"
)

type simulateOptions struct {
	target     targetOptions
	size       string
	params     string
	strategies string
	seeds      int
	within     float64
	json       bool
}

func newSimulateCommand(global *globalOptions) *cobra.Command {
	o := &simulateOptions{}
	c := &cobra.Command{
		Use:   "simulate TARGET",
		Short: "Replay recorded sessions with other search strategies",
		Long: `Replay what sessions in the database have found out about a kernel, with each
search strategy and several seeds, without building or timing anything: how many
candidates until one was within 2% of the fastest recorded. The strategies choose
among the recorded candidates alone; where one asks for another, the nearest takes
its place. So the record should be of many candidates that no strategy has chosen:
tune --effort full --strategy random --budget 30m makes a good one.` + exitStatusHelp(),
		Example: "  tune simulate --bench gemm --size small\n  tune simulate kernel.c --param N=500 --strategies climb,surrogate --seeds 51 --json",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return runSimulate(c.Context(), c.OutOrStdout(), o, args, settings)
		},
	}
	targetFlags(c.Flags(), &o.target)
	privatizeFlag(c.Flags(), &o.target, true)
	reassociateFlag(c.Flags(), &o.target)
	driverFlags(c.Flags(), &o.target.driver)
	c.Flags().StringVar(&o.size, "size", "large", "problem `size` of the recorded sessions")
	c.Flags().StringVar(&o.params, "param", "", "parameter values of the recorded sessions, `NAME=NUMBER,…`")
	c.Flags().StringVar(&o.strategies, "strategies", strings.Join(search.Names(), ","), "the `strategies` to compare")
	c.Flags().IntVar(&o.seeds, "seeds", 21, "the `number` of seeds")
	c.Flags().Float64Var(&o.within, "within", 0.02, "how near to the fastest is near enough, as a `part` of its time")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	c.Flags().String("db", "", "the `database` of results (default $XDG_DATA_HOME/tune/tune.db)")
	global.bind(c, map[string]string{"db": "db"})
	return c
}

// simulateReport is the JSON document of tune simulate.
type simulateReport struct {
	Kernel string `json:"kernel"`
	Size   string `json:"size"`
	// Candidates are those recorded, Starts those of them that sessions begin
	// with.
	Candidates int `json:"candidates"`
	Starts     int `json:"starts"`
	// Best is the time of the fastest divided by the original's.
	Best       float64          `json:"best"`
	Within     float64          `json:"within"`
	Seeds      int              `json:"seeds"`
	Strategies []simulateResult `json:"strategies"`
}

// simulateResult is how one strategy did. Points are candidates until one was near
// enough, those of the start among them, over the seeds; a seed that never got
// there counts with all of the record.
type simulateResult struct {
	Strategy string          `json:"strategy"`
	Points   report.Interval `json:"points"`
	Found    int             `json:"found"`
}

func runSimulate(ctx context.Context, w io.Writer, o *simulateOptions, args []string, settings configs.Settings) error {
	names := strings.Split(o.strategies, ",")
	for _, name := range names {
		if err := search.Check(name); err != nil {
			return usage.Mistake(err)
		}
	}
	if o.seeds < 1 || o.within < 0 {
		return usage.Mistake(errors.New("--seeds is a number above zero, and --within at least zero"))
	}
	t, err := o.target.one(args)
	if err != nil {
		return err
	}
	record, size, err := o.record(ctx, t, settings)
	if err != nil {
		return err
	}
	r := simulateReport{Kernel: t.name, Size: size, Candidates: record.Len(), Starts: record.Starts(), Best: record.Best(), Within: o.within, Seeds: o.seeds}
	for _, name := range names {
		result, err := o.replay(ctx, record, name, settings)
		if err != nil {
			return err
		}
		r.Strategies = append(r.Strategies, result)
	}
	if o.json {
		return writeJSON(w, r)
	}
	r.print(w)
	return nil
}

// replay searches the record by one strategy with all seeds.
func (o *simulateOptions) replay(ctx context.Context, record *search.Record, name string, settings configs.Settings) (simulateResult, error) {
	result := simulateResult{Strategy: name}
	var points []float64
	for seed := range o.seeds {
		plan := search.Plan{Strategy: name, Seed: uint64(seed), Batch: leastBatch, Improvement: settings.Measurement.Indifference}
		run, err := search.Replay(ctx, record, plan, o.within)
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

// record reads what the database has of the target at the size: of the machine and
// compiler with the most candidates.
func (o *simulateOptions) record(ctx context.Context, t *target, settings configs.Settings) (*search.Record, string, error) {
	best := bestOptions{size: o.size, params: o.params}
	size, err := best.sizeOf(t)
	if err != nil {
		return nil, "", err
	}
	if t.isProgram {
		size = t.runSize()
	}
	kernel, err := t.hash(&o.target)
	if err != nil {
		return nil, "", err
	}
	db, err := openToRead(ctx, settings.DB)
	if err != nil {
		return nil, "", err
	}
	defer db.Close()
	id, err := kernel.in(ctx, db)
	if err != nil {
		return nil, "", err
	}
	rows, err := db.Recorded(ctx, store.RecordedQuery{Kernel: id, Size: size})
	if err != nil {
		return nil, "", err
	}
	rows = ofOnePlace(rows)
	if !slices.ContainsFunc(rows, func(r store.Recorded) bool { return r.Seconds > 0 }) {
		return nil, "", fmt.Errorf("%s has no timed candidates for this source and size in %s; tune it first", t.name, db.Path())
	}
	machine, err := runner.Detect(settings.Machine.Name)
	if err != nil {
		return nil, "", err
	}
	base, err := sessionModel.options(machine)
	if err != nil {
		return nil, "", err
	}
	record, err := t.recordOf(rows, base)
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
func (t *target) recordOf(rows []store.Recorded, base transform.Options) (*search.Record, error) {
	outcomes, err := tuner.Outcomes(rows)
	if err != nil {
		return nil, err
	}
	var starts []search.Point
	features := map[string][]float64{}
	around := t.surroundings(base)
	for k, o := range outcomes {
		if rows[k].Batch == 0 {
			starts = append(starts, o.Point)
		}
		if features[o.String()] == nil {
			features[o.String()] = t.recordedFeatures(rows[k].Recipe, around)
		}
	}
	return search.NewRecord(outcomes, starts, features), nil
}

// recordedFeatures are those of a recipe; nil where there is none, or one that
// this version cannot follow.
func (t *target) recordedFeatures(text string, around feature.Surroundings) []float64 {
	if text == "" {
		return nil
	}
	at, recipe, err := t.readRecipe(text)
	if err != nil {
		return nil
	}
	tree, err := recipe.Replay(at.region.Program)
	if err != nil {
		return nil
	}
	return feature.Of(tree, around)
}

func (r simulateReport) print(w io.Writer) {
	fmt.Fprintf(w, "%s, size %s: %d recorded candidates, %d of them tried before a search; the fastest takes %.3f of the original's time\n\n",
		r.Kernel, r.Size, r.Candidates, r.Starts, r.Best)
	fmt.Fprintf(w, "candidates until one is within %v%% of it, %d seeds\n", 100*r.Within, r.Seeds)
	fmt.Fprintf(w, "%-12s %8s   %-16s %s\n", "strategy", "median", "95% interval", "found")
	for _, s := range r.Strategies {
		fmt.Fprintf(w, "%-12s %8.0f   %-16s %d of %d\n", s.Strategy, s.Points.Median, fmt.Sprintf("%.0f to %.0f", s.Points.Low, s.Points.High), s.Found, r.Seeds)
	}
}
