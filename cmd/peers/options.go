package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"polytune/benchmarks"
	"polytune/runner"
)

// options are those of the command line, and what follows from them.
type options struct {
	size, kernels      string
	rounds, minimum    int
	minima             bool
	budget, limit      time.Duration
	threads            int
	tuneCommand        string
	withoutTuning      bool
	tuningBudget       time.Duration
	database           string
	dataPath, pagePath string
	notesPath          string
	byHand             bool
	handPath           string
	algorithms         bool
	algorithmsPath     string
	tiramisu           string
	tiramisuPath       string
	onlyRender         bool
	resume             bool

	cpus      []int
	sample    float64
	tolerance runner.Tolerance
	generated generated
}

func (o *options) flags(set *flag.FlagSet) {
	set.StringVar(&o.size, "size", "large", "the problem `size`, such as extralarge")
	set.StringVar(&o.kernels, "kernels", "polybench", "the `kernels` or suites, with commas between them")
	set.IntVar(&o.rounds, "rounds", 9, "how often each program is timed")
	set.IntVar(&o.minimum, "minimum", 3, "how often each program is timed even where the budget is spent")
	set.BoolVar(&o.minima, "minima", false, "of each program the least time of a call counts, not the median: for machines on which other programs run")
	set.DurationVar(&o.budget, "budget", time.Minute, "no new round of a kernel begins after this `time`, in which slow programs are not counted")
	set.DurationVar(&o.limit, "limit", 5*time.Minute, "`time` that one run of the reference may take")
	set.IntVar(&o.threads, "threads", 0, "the `number` of threads; 0 for one on each core")
	set.StringVar(&o.tuneCommand, "tune", "bin/tune", "the `program` tune")
	set.BoolVar(&o.withoutTuning, "without-tuning", false, "of polytune, only what it does without timing takes part")
	set.DurationVar(&o.tuningBudget, "tuning-budget", 10*time.Minute, "`time` for tuning a kernel; 0 takes the best that the database has")
	set.StringVar(&o.database, "db", "", "the `database` of tuning; by default that of tune")
	set.StringVar(&o.dataPath, "data", "docs/peers.json", "the `file` of results")
	set.StringVar(&o.pagePath, "page", "docs/peers.md", "the `file` of the page that is made of the results")
	set.StringVar(&o.notesPath, "notes", "docs/peers-notes.yaml", "the `file` that says why polytune is not faster for some kernels")
	set.BoolVar(&o.byHand, "by-hand", false, "recipes that people have written are compared with what tune finds, and with libraries for their operations")
	set.StringVar(&o.handPath, "hand-data", "docs/peers-by-hand.json", "the `file` of the results of -by-hand")
	set.BoolVar(&o.algorithms, "algorithms", false, "algorithms in Go are compared with the same kernels in C, by the same recipes")
	set.StringVar(&o.algorithmsPath, "algorithms-data", "docs/peers-algorithms.json", "the `file` of the results of -algorithms")
	set.StringVar(&o.tiramisu, "tiramisu", "", "the `folder` of Tiramisu's sources: its own programs are compared with what tune makes of the same computations")
	set.StringVar(&o.tiramisuPath, "tiramisu-data", "docs/peers-tiramisu.json", "the `file` of the results of -tiramisu")
	set.BoolVar(&o.resume, "resume", false, "go on with a run that ended early: kernels that are in the results already are left out")
	set.BoolVar(&o.onlyRender, "render", false, "make the page of the results that there are")
}

// check finds out what the options leave open.
func (o *options) check(m runner.Machine) error {
	if o.rounds < 1 || o.minimum < 1 {
		return fmt.Errorf("-rounds and -minimum are numbers from 1, not %d and %d", o.rounds, o.minimum)
	}
	if o.algorithms && o.byHand || o.tiramisu != "" && (o.algorithms || o.byHand) {
		return errors.New("-algorithms, -by-hand and -tiramisu are runs of their own")
	}
	if o.tiramisu != "" {
		if err := isCheckout(o.tiramisu); err != nil {
			return err
		}
	}
	o.cpus = m.TimingCPUs(o.threads)
	if o.threads <= 0 {
		o.threads = len(o.cpus)
	}
	_, err := o.subjects()
	return err
}

// subjects are the kernels that the options choose.
func (o *options) subjects() ([]*subject, error) {
	chosen, err := benchmarks.Select(o.kernels)
	if err != nil {
		return nil, err
	}
	var list []*subject
	for _, b := range chosen {
		s, err := newSubject(b, o.size)
		if err != nil {
			return nil, err
		}
		list = append(list, s)
	}
	switch {
	case o.byHand:
		return handSubjects(list, o.size)
	case o.tiramisu != "":
		return theirSubjects(list, o.size)
	}
	return list, nil
}

// results is the file of the results that are measured.
func (o *options) results() string {
	switch {
	case o.algorithms:
		return o.algorithmsPath
	case o.byHand:
		return o.handPath
	case o.tiramisu != "":
		return o.tiramisuPath
	}
	return o.dataPath
}

// peers are those that may take part.
func (o options) peers(avx512 bool) []spec {
	switch {
	case o.algorithms:
		return algorithmPeers(o)
	case o.byHand:
		return handPeers(o, avx512)
	case o.tiramisu != "":
		return tiramisuPeers(o)
	}
	return allPeers(o, avx512)
}

// transform makes the file that polytune makes without timing.
func (o options) transform(ctx context.Context, s *subject) (string, error) {
	return o.transformWith(ctx, s)
}

// inAnyOrder is transform where sums may be added in any order, as libraries do, for kernels
// that libraries have.
func (o options) inAnyOrder(ctx context.Context, s *subject) (string, error) {
	if _, known := blasBody(s.benchmark); !known {
		return "", errNoOperation
	}
	return o.transformWith(ctx, s, "--reassociate")
}

func (o options) transformWith(ctx context.Context, s *subject, flags ...string) (string, error) {
	if !s.isBuiltIn() {
		return "", errNoOperation
	}
	return o.transformed(ctx, s, append([]string{"--bench", s.benchmark.Name}, flags...)...)
}

// transformed is what tune transform makes of a target, which the flags name, for a kernel's size.
func (o options) transformed(ctx context.Context, s *subject, flags ...string) (string, error) {
	argv := slices.Concat([]string{o.tuneCommand, "transform"}, flags, []string{"--param", s.parameterText(), "--threads", strconv.Itoa(o.threads), "-o", "-"})
	return execute(ctx, "", transformLimit, argv)
}

// parameterText is a kernel's size as tune takes it.
func (s *subject) parameterText() string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(s.parameters)) {
		list = append(list, name+"="+strconv.Itoa(s.parameters[name]))
	}
	return strings.Join(list, ",")
}

// The exit statuses of tune that leave a best variant: some variants were wrong,
// or the budget ended before all were tried.
const (
	someWrong   = 3
	interrupted = 75
)

// tune makes the file with the best variant, after tuning as long as the options
// say.
func (o options) tune(ctx context.Context, s *subject) (string, error) {
	if !s.isBuiltIn() {
		return "", errNoOperation
	}
	var common []string
	if o.database != "" {
		common = []string{"--db", o.database}
	}
	common = append(common, "--bench", s.benchmark.Name, "--size", s.size)
	if o.tuningBudget > 0 {
		argv := append([]string{o.tuneCommand, "--effort", "normal", "--budget", o.tuningBudget.String(), "--threads", strconv.Itoa(o.threads)}, common...)
		if _, err := execute(ctx, "", o.tuningBudget+transformLimit, argv, someWrong, interrupted); err != nil {
			return "", err
		}
	}
	return execute(ctx, "", transformLimit, append([]string{o.tuneCommand, "emit", "-o", "-"}, common...))
}

// tuningText says where the best variants come from.
func (o options) tuningText() string {
	if o.tuningBudget > 0 {
		return fmt.Sprintf("tune --effort normal --budget %v", o.tuningBudget)
	}
	return "an earlier tuning"
}

// tuningLeft says why there are no tuned variants, "" if there are.
func (o options) tuningLeft() string {
	if o.withoutTuning {
		return "left out by -without-tuning"
	}
	return ""
}
