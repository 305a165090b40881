package session

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"time"

	"polytune/configs"
	"polytune/internal/exit"
	"polytune/internal/jsondoc"
	"polytune/pipeline"
	"polytune/pipeline/byhand"
	"polytune/pipeline/choices"
	"polytune/pipeline/harness"
	"polytune/report"
	"polytune/runner"
	"polytune/runner/energy"
	"polytune/store"
	"polytune/target/gpu"
	"polytune/tuner"
)

// Run is one call of tune: what all regions have in common, and what came out.
type Run struct {
	Options    *Options
	Settings   configs.Settings
	Effort     tuner.Effort
	Allotted   Allotment
	Machine    runner.Machine
	Toolchains []runner.Toolchain
	DB         *store.Store
	Warnings   *Preflight
	// On and Device are what kernels run on, zero for processors; Tune and TimeAll find it.
	On     store.On
	Device runner.Device
	// Energy is what the machine tells of energy.
	Energy energy.Meter

	// prepared says that candidates of some region were looked for.
	prepared bool
	// documents are those of --json, one for each region; results are what its sessions found.
	documents []any
	Results   []tuner.Result
	// Unanswered are the regions that cannot be tuned, beside others, and asked is the number of all.
	Unanswered exit.Unanswered
	asked      int
	// Worst says by its exit status that the result of some region is not what one wants.
	Worst error
}

// Tune tunes the regions: within a budget all at once, or else one after the other.
func (r *Run) Tune(ctx context.Context, w io.Writer, targets []*pipeline.Target) error {
	r.asked = len(targets)
	if err := r.findDevice(ctx); err != nil {
		return err
	}
	regions, err := r.runnable(ctx, targets)
	if err != nil {
		return err
	}
	shared := r.Allotted.ends() && len(regions) > 1 && !r.Options.DryRun
	if shared {
		if err := r.share(ctx, regions); err != nil {
			return err
		}
	}
	regions = answered(regions)
	for i, g := range regions {
		if i > 0 && !r.Options.JSON && !r.Options.DryRun {
			fmt.Fprintln(w)
		}
		if err := r.goOn(ctx, g, r.one(ctx, w, g, shared)); err != nil {
			return err
		}
	}
	regions = answered(regions)
	if !r.Options.JSON && !r.Options.DryRun && len(r.Results) > 1 {
		if err := report.Summary(w, r.Results); err != nil {
			return err
		}
	}
	if r.Options.JSON {
		for _, region := range r.Unanswered.Each {
			r.documents = append(r.documents, refusal{region.Name, region.Why.Error()})
		}
		if err := jsondoc.WriteAll(w, r.documents); err != nil {
			return err
		}
	}
	if open := unfinished(regions); len(open) > 0 && !r.Options.DryRun {
		return r.BudgetEnded(r.Options.Target.Told(), open, len(regions))
	}
	return cmp.Or(r.Worst, r.Unanswered.Outcome(len(regions)))
}

// goOn is the error of a region with which a call of tune ends. After others it goes on without it,
// where there are further regions.
func (r *Run) goOn(ctx context.Context, g *RegionRun, err error) error {
	if err == nil || !r.Unanswered.Goes(ctx, g.target.Name, err, r.asked) {
		return err
	}
	g.unanswered = true
	return nil
}

// answered are the regions of which something can be said.
func answered(regions []*RegionRun) []*RegionRun {
	return slices.DeleteFunc(slices.Clone(regions), func(g *RegionRun) bool { return g.unanswered })
}

// refusal is the JSON document of a region that cannot be tuned, among others that can.
type refusal struct {
	Kernel  string `json:"kernel"`
	Refused string `json:"refused"`
}

// runnable are the regions that can be run.
func (r *Run) runnable(ctx context.Context, targets []*pipeline.Target) (regions []*RegionRun, err error) {
	for _, t := range targets {
		err := harness.CheckRunnable(t)
		switch {
		case err == nil:
			regions = append(regions, &RegionRun{target: t})
		case !r.Unanswered.Goes(ctx, t.Name, t.Failed(err), len(targets)):
			return nil, t.Failed(err)
		}
	}
	return regions, nil
}

// one tunes a region, unless that is done, and prints what came out, or what tuning would be.
func (r *Run) one(ctx context.Context, w io.Writer, g *RegionRun, done bool) error {
	if r.Options.DryRun {
		request, probe, err := r.request(ctx, ctx, g.target)
		if err != nil {
			return g.target.Failed(err)
		}
		document, err := r.Options.plan(ctx, w, probe, request)
		r.documents = append(r.documents, document)
		return err
	}
	return r.told(ctx, w, g, done)
}

// told runs the session of a region, unless that is done, and prints the result.
func (r *Run) told(ctx context.Context, w io.Writer, g *RegionRun, done bool) error {
	if !done && !r.Allotted.isOver(time.Now()) {
		budget := r.Allotted.left(time.Now())
		if r.Allotted.ends() {
			budget = max(budget, time.Millisecond)
		}
		if err := r.advance(ctx, g, budget, false); err != nil {
			return err
		}
	}
	return r.print(ctx, w, g)
}

// request is what the tuner is asked to do for a region, and the probe that it comes from. ctx ends
// the work on the request, session what its search asks for later.
func (r *Run) request(ctx, session context.Context, t *pipeline.Target) (tuner.Request, *choices.Probe, error) {
	probe, err := choices.NewProbe(ctx, t, r.Machine.SeenBy(r.Toolchains[0]))
	if err != nil {
		return tuner.Request{}, nil, err
	}
	if probe.TooHard != nil {
		fmt.Fprintf(r.Options.Target.Told(), "tune: %s: tries the loops of the source alone, because isl needs too long for more: %v\n", t.Name, probe.TooHard)
	}
	recipes := r.Options.Recipes
	if own := byhand.OfTarget(t); len(recipes) == 0 && own.IsGiven() {
		recipes = []byhand.File{own}
	}
	if len(recipes) > 0 {
		if probe.ByHand, err = choices.ReadByHand(ctx, t, recipes, r.Options.Point, r.Machine.SeenBy(r.Toolchains[0])); err != nil {
			return tuner.Request{}, nil, err
		}
	}
	probe.Compilers, probe.MostShared = r.Toolchains, harness.MostShared(ctx, r.Device, r.Toolchains[0], r.Settings)
	request, err := r.Options.request(ctx, session, r.DB, probe, r.running(), r.Machine, r.Effort, r.Settings)
	request.Settings, request.Store, request.Strict = r.Settings, r.DB, r.Options.Strict
	request.CUDA = gpu.Compiler(r.Settings)
	return request, probe, err
}

// session runs one session.
func (r *Run) session(ctx context.Context, request tuner.Request) (tuner.Result, error) {
	request.Warnings = r.Warnings.of(r.Machine)
	progress := report.NewProgress(r.Options.Target.Told())
	defer progress.Close()
	request.Progress = func(e tuner.Event) { progress.Update(r.Warnings.announce(e)) }
	result, err := tuner.Tune(ctx, request)
	return result, ended(err)
}

// print shows the result of a region; of one that was not begun there is none.
func (r *Run) print(ctx context.Context, w io.Writer, g *RegionRun) error {
	if g.begun {
		r.Results = append(r.Results, g.result)
	}
	if g.result.Counts()[store.WrongResult] > 0 {
		r.Worst = &exit.Quiet{Status: exit.Incomplete}
	}
	switch {
	case r.Options.JSON:
		if !g.begun {
			g.result = tuner.Result{Kernel: g.target.Name, Machine: r.Machine, On: r.On, Toolchain: r.Toolchains[0], Early: true}
		}
		var err error
		if g.result.BestCPU, err = r.bestCPU(ctx, g.request); err != nil {
			return err
		}
		r.documents = append(r.documents, report.Document(g.result))
		return nil
	case !g.begun:
		fmt.Fprintf(w, "%s: the time ended before anything of it was timed\n", g.target.Name)
		return nil
	}
	if err := report.Table(w, g.result, TerminalWidth(w), r.Options.Verbose); err != nil {
		return err
	}
	r.hints(ctx, w, g.target, g.result)
	var next []string
	if r.Options.Next != nil && g.result.Complete {
		next = r.Options.Next(g.target, store.IsOriginal(g.result.Best.Variant))
	}
	return report.Ending(w, g.result, next)
}
