package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/internal/jsondoc"
	"polytune/internal/usage"
	"polytune/session"
	"polytune/tuner/search"
)

// simulateOptions are those of tune simulate.
type simulateOptions struct {
	session.Simulation
	json bool
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
	targetFlags(c.Flags(), &o.Target)
	privatizeFlag(c.Flags(), &o.Target, true)
	reassociateFlag(c.Flags(), &o.Target)
	driverFlags(c.Flags(), &o.Target.Driver)
	c.Flags().StringVar(&o.Size, "size", "large", "problem `size` of the recorded sessions")
	c.Flags().StringVar(&o.Params, "param", "", "parameter values of the recorded sessions, `NAME=NUMBER,…`")
	c.Flags().StringVar(&o.Strategies, "strategies", strings.Join(search.Names(), ","), "the `strategies` to compare")
	c.Flags().IntVar(&o.Seeds, "seeds", 21, "the `number` of seeds")
	c.Flags().Float64Var(&o.Within, "within", 0.02, "how near to the fastest is near enough, as a `part` of its time")
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
	Best       float64                    `json:"best"`
	Within     float64                    `json:"within"`
	Seeds      int                        `json:"seeds"`
	Strategies []session.SimulationResult `json:"strategies"`
}

func runSimulate(ctx context.Context, w io.Writer, o *simulateOptions, args []string, settings configs.Settings) error {
	names := strings.Split(o.Strategies, ",")
	for _, name := range names {
		if err := search.Check(name); err != nil {
			return usage.Mistake(err)
		}
	}
	if o.Seeds < 1 || o.Within < 0 {
		return usage.Mistake(errors.New("--seeds is a number above zero, and --within at least zero"))
	}
	t, err := o.Target.One(args)
	if err != nil {
		return err
	}
	record, size, err := o.Record(ctx, t, settings)
	if err != nil {
		return err
	}
	r := simulateReport{Kernel: t.Name, Size: size, Candidates: record.Len(), Starts: record.Starts(), Best: record.Best(), Within: o.Within, Seeds: o.Seeds}
	for _, name := range names {
		result, err := o.Replay(ctx, record, name, settings)
		if err != nil {
			return err
		}
		r.Strategies = append(r.Strategies, result)
	}
	if o.json {
		return jsondoc.Write(w, r)
	}
	r.print(w)
	return nil
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
