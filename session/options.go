package session

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/term"

	"polytune/configs"
	"polytune/internal/exit"
	"polytune/internal/usage"
	"polytune/internal/version"
	"polytune/pipeline"
	"polytune/pipeline/byhand"
	"polytune/pipeline/choices"
	"polytune/pipeline/harness"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/scop/ranks"
	"polytune/space"
	"polytune/store"
	"polytune/tuner"
)

// Options say what is tuned, how thoroughly, and for how long.
type Options struct {
	Target    pipeline.Options
	Splitting pipeline.Splitting
	// Size is the problem size of a benchmark, SizeGiven the one that the user gave, if any, and
	// Params are values on top of it, NAME=NUMBER with commas between them.
	Size, SizeGiven, Params string
	// Effort is "quick", "normal" or "full", Strategy one of tuner/search, "" for that of the
	// effort.
	Effort, Strategy string
	// Recipes are files of recipes and schedules that are raced, OnlyRecipes without the models' candidates, and
	// Point says what their holes are: hole.1=32.
	Recipes     []byhand.File
	OnlyRecipes bool
	Point       string
	// Transfer are databases of other machines, whose best candidates are tried first.
	Transfer []string
	// Budget is the time for all regions together, 0 for any; Seed is that of the search and the
	// order of measurements.
	Budget time.Duration
	Seed   uint64
	// DryRun says what would be done, Strict times nothing while something disturbs timings, and
	// JSON prints a document.
	DryRun, Strict, JSON bool
	// Device says where kernels are timed.
	Device pipeline.DeviceOptions
	// Verbose tells what the timings are worth: claims, noise, disturbed rounds and processors.
	Verbose bool
	// Command is what the user types to go on, and Next are commands for a region whose session has
	// ended; nil for none.
	Command string
	Next    func(t *pipeline.Target, isOriginal bool) []string
}

// DefaultSize is the size of a benchmark where nobody says another.
const DefaultSize = "large"

// CheckFlags refuses what the options must not be.
func (o *Options) CheckFlags() (tuner.Effort, error) {
	effort, err := tuner.ParseEffort(o.Effort)
	if err != nil {
		return "", err
	}
	if err := o.checkStrategy(effort); err != nil {
		return "", err
	}
	if err := o.Device.Check(&o.Target); err != nil {
		return "", err
	}
	if err := o.checkRecipes(); err != nil {
		return "", err
	}
	if o.Budget < 0 {
		return "", fmt.Errorf("--budget is a time above zero, such as 8h, not %v", o.Budget)
	}
	return effort, nil
}

// checkRecipes refuses what needs a recipe without one.
func (o *Options) checkRecipes() error {
	switch {
	case len(o.Recipes) > 0:
		return nil
	case o.OnlyRecipes:
		return errors.New("--only-recipes leaves nothing to race; name a recipe with --recipe, or a schedule with --schedule")
	case o.Point != "":
		return errors.New("--point says what the holes of a recipe are; name one with --recipe")
	}
	return nil
}

// Targets are the regions, as they are tuned on the machine. Of several files unread is told those
// that cannot be read, and says whether to end.
func (o *Options) Targets(ctx context.Context, args []string, machine runner.Machine, settings configs.Settings, unread func(name string, err error) error) ([]*pipeline.Target, error) {
	if o.Target.IsOnRanks() && o.Target.Ranks.How.Gather == ranks.OnNone {
		return nil, usage.Mistake(errors.New("with --gather none no rank has the results that variants are compared by: time them with --gather root, which the times then contain"))
	}
	targets, err := o.Target.SeveralOr(args, unread)
	if err != nil {
		return nil, err
	}
	if len(targets) == 0 {
		return nil, &exit.Quiet{Status: exit.Error}
	}
	for _, t := range targets {
		if err := t.CheckCalledOnRanks(); err != nil {
			return nil, err
		}
	}
	o.Target.WarnOfMacros(o.Target.Told(), targets, settings.SelectedToolchain())
	if err := o.setRuns(targets, len(machine.TimingCPUs(settings.Threads))); err != nil {
		return nil, err
	}
	if err := variant.ExpandWherePays(ctx, &o.Target, o.Target.Told(), targets, &pipeline.SessionModel, machine); err != nil {
		return nil, err
	}
	return targets, o.Splitting.Apply(ctx, o.Target.Told(), targets)
}

// request is what the tuner is asked to do for one region, without what is
// the same for all. ctx ends the work on it, session that of its search.
func (o *Options) request(ctx, session context.Context, db *store.Store, p *choices.Probe, on running, machine runner.Machine, effort tuner.Effort, settings configs.Settings) (tuner.Request, error) {
	t := p.Target
	request, checkedTarget, err := o.measuring(ctx, db, t, on, machine, p.Compilers)
	if err != nil {
		return tuner.Request{}, err
	}
	partitions, legal, err := p.SessionPartitions(ctx)
	if err != nil {
		return tuner.Request{}, err
	}
	if request.Original, err = t.Original(); err != nil {
		return tuner.Request{}, err
	}
	if p.ByHand != nil {
		request.Revision += p.ByHand.Revision()
	}
	request.Candidates = p.WithCompilers(o.firstCandidates(p, partitions), effort)
	request.Generator = &choices.Generator{Target: t, Machine: p.Machine, Seen: choices.SeenBy(machine, p.Compilers), Checked: checkedTarget, ByHand: p.ByHand}
	request.Legal, request.Effort, request.Aside = legal, effort, []string{variant.PlainSetting}
	if request.Candidates, err = o.transferred(ctx, o.Target.Told(), p, request, settings.Measurement.Indifference); err != nil {
		return tuner.Request{}, err
	}
	if effort == tuner.Quick || p.TooHard != nil && p.ByHand == nil || o.OnlyRecipes && p.ByHand.IsSmall() {
		return request, nil
	}
	request.Plan = o.searchPlan(effort, settings, machine)
	if !o.OnlyRecipes && p.TooHard == nil {
		if request.Space, err = p.NewSearchSpace(session, partitions, settings.JobsOn(machine.Cores)); err != nil {
			return request, err
		}
	}
	if p.ByHand != nil {
		request.Space = p.ByHand.Space(request.Space)
	}
	return request, nil
}

// firstCandidates are those that a session begins with: recipes that somebody has written, and, if
// they are wanted, the models'.
func (o *Options) firstCandidates(p *choices.Probe, partitions []space.Partition) (list []tuner.Candidate) {
	if p.ByHand != nil {
		list = p.ByHand.Candidates()
	}
	if o.OnlyRecipes {
		return list
	}
	return append(list, p.FirstCandidates(partitions)...)
}

// measuring is a request that says how a region is built, run and compared, and not yet
// which variants of it. The second target is the one that is compared, nil where that is
// the one that is timed.
func (o *Options) measuring(ctx context.Context, db *store.Store, t *pipeline.Target, on running, machine runner.Machine, compilers []runner.Toolchain) (tuner.Request, *pipeline.Target, error) {
	size, params, checks, err := o.sizes(t)
	if err != nil {
		return tuner.Request{}, nil, err
	}
	subject, err := harness.Subject(&o.Target, t)
	if err != nil {
		return tuner.Request{}, nil, err
	}
	checkedTarget, checked, err := harness.Checked(&o.Target, t)
	if err != nil {
		return tuner.Request{}, nil, err
	}
	kernel, err := t.Hash(&o.Target)
	if err != nil {
		return tuner.Request{}, nil, err
	}
	id, err := kernel.In(ctx, db)
	if err != nil {
		return tuner.Request{}, nil, err
	}
	revision, err := o.revision()
	if note := harness.RoundedNote(on.Device, t.Whole, tuner.Tolerance(on.verification)); note != "" {
		fmt.Fprintf(o.Target.Told(), "tune: %s: %s\n", t.Name, note)
	}
	return tuner.Request{
		On: on.On, Device: on.Device, Energy: on.Energy, Reassociated: harness.IsReordered(t, t.Whole, on.Device), Reordered: harness.Reordered(t, t.Whole, on.Device),
		Kernel: t.Name, KernelID: id, Region: t.RegionHash(o.Target.Reassociate), Source: t.UsersText(), Reference: t.Reference(), Subject: subject, Checked: checked,
		Size: size, Params: params, Scalars: t.Scalars(), Checks: checks,
		Machine: machine, Toolchain: compilers[0], Compilers: compilers[1:], Revision: revision,
		Terms: harness.Terms(t, t.Whole), Seed: o.Seed,
		Command: o.Command, Folder: workingFolder(), Version: version.This().String(),
	}, checkedTarget, err
}

// revision is the version of what makes variants: this program, and the flags that decide
// what it makes of a candidate.
func (o *Options) revision() (string, error) {
	revision, err := version.Revision()
	if err != nil {
		return "", err
	}
	if !o.Target.Privatize {
		revision += " without private copies"
	}
	if o.Target.Expand.Given {
		revision += fmt.Sprintf(" with %d bytes for expanded arrays", o.Target.Expand.Bytes)
	}
	if !o.Target.Untile {
		revision += " with the source's loops over tiles"
	}
	if o.Target.Inplace.Given {
		revision += fmt.Sprintf(" with temporaries in place: %v", o.Target.Inplace.On)
	}
	return revision, nil
}

// sizes are the name and the values of the size to tune for, and the values at
// which variants are compared with the original. A program has one size, with
// no values.
func (o *Options) sizes(t *pipeline.Target) (name string, params map[string]int, checks []map[string]int, err error) {
	if t.IsProgram {
		return t.RunSize(), nil, []map[string]int{nil}, t.NoSizeFlags(o.SizeGiven, o.Params)
	}
	if params, err = t.Sizes(o.Size, o.Params); err != nil {
		return "", nil, nil, err
	}
	if err := harness.WarnOverruns(t, o.Target.Told(), []map[string]int{params}); err != nil {
		return "", nil, nil, err
	}
	name = o.Size
	if t.Benchmark == nil || o.Params != "" {
		name = pipeline.ParametersText(params)
	}
	checks, err = harness.CheckSizes(t)
	return name, params, checks, err
}

// setRuns says for which run the models choose sizes: the one that is timed. What a
// program's parameters are then only the program knows.
func (o *Options) setRuns(targets []*pipeline.Target, threads int) (err error) {
	for _, t := range targets {
		t.Run.Threads = threads
		if t.IsProgram {
			continue
		}
		if t.Run.Parameters, err = t.Sizes(o.Size, o.Params); err != nil {
			return err
		}
	}
	return nil
}

// TerminalWidth is the width of w, 0 when it is not a terminal.
func TerminalWidth(w io.Writer) int {
	file, ok := w.(*os.File)
	if !ok {
		return 0
	}
	width, _, err := term.GetSize(int(file.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// workingFolder is the current folder, "" where that cannot be found out.
func workingFolder() string {
	folder, err := os.Getwd()
	if err != nil {
		return ""
	}
	return folder
}
