package explain

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"polytune/configs"
	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/pipeline/harness"
	"polytune/pipeline/limit"
	"polytune/pipeline/remedy"
	"polytune/pipeline/variant"
	"polytune/report"
	"polytune/runner"
	"polytune/runner/counters"
	"polytune/schedule/profile"
	"polytune/scop/depend"
	"polytune/scop/ranks"
	"polytune/session"
	"polytune/store"
	"polytune/target/registry"
	"polytune/transform"
)

// Options choose a variant, and where it runs.
type Options struct {
	variant.Request
	// Size and Params are those of the run that is explained.
	Size, Params string
	// Best asks for the fastest known variant, Run for a timing.
	Best, Run bool
	// Counters asks what the processor's counters say of the variant.
	Counters bool
	// Picture asks for one of the variant's tiles.
	Picture bool
}

// Report is the JSON document of tune explain.
type Report struct {
	Kernel     string         `json:"kernel"`
	Size       string         `json:"size"`
	Parameters map[string]int `json:"parameters"`
	Machine    string         `json:"machine"`
	Toolchain  string         `json:"toolchain"`
	// Target is the target with devices that the variant is for, "" for processors, and Device the
	// device that showed which is the fastest, "" where none is asked for.
	Target string `json:"target,omitempty"`
	Device string `json:"device,omitempty"`
	Recipe string `json:"recipe"`
	// Note says that the variant keeps the loops of the source, and why; "" for those of the
	// models.
	Note string `json:"note,omitempty"`
	// Communication is what ranks tell each other, nil for a program without; Ranks is their number.
	Ranks         int           `json:"ranks,omitempty"`
	Communication *ranks.Volume `json:"communication,omitempty"`
	// ByHand says where messages by hand are sent as they are written.
	ByHand []string `json:"by_hand,omitempty"`
	// Tiles is a picture of tiles in time and space, where it is asked for.
	Tiles string `json:"-"`
	report.Explanation
}

// Place is this machine, with the compiler of the settings.
func (o *Options) Place(ctx context.Context, settings configs.Settings) (harness.Place, error) {
	machine, err := runner.Detect(settings.Machine.Name)
	if err != nil {
		return harness.Place{}, err
	}
	toolchain, err := runner.FindToolchain(ctx, registry.Default().Toolchains(settings)[0])
	if err != nil {
		return harness.Place{}, err
	}
	peaks, err := session.KnownPeaks(ctx, o.Target.Told(), settings.DB, machine, toolchain)
	return harness.Place{Machine: machine, Toolchain: toolchain, Settings: settings, Threads: len(machine.TimingCPUs(settings.Threads)), Peaks: peaks}, err
}

// Explain explains a variant of one region.
func (o *Options) Explain(ctx context.Context, t *pipeline.Target, at harness.Place) (Report, error) {
	key, err := t.Hash(&o.Target)
	if err != nil {
		return Report{}, err
	}
	query := store.TimingQuery{Machine: at.Machine.ID, Toolchain: at.Toolchain.ID, On: pipeline.DeviceOptions{}.On(&o.Target)}
	if query.KernelID, err = session.IdentityAt(ctx, o.Target.Told(), key, at.Settings.DB); err != nil {
		return Report{}, err
	}
	size, values, err := o.values(ctx, t, at, query)
	if err != nil {
		return Report{}, err
	}
	query.Size = size
	stored, err := o.stored(ctx, t, at, query)
	if err != nil {
		return Report{}, err
	}
	if t.IsProgram {
		if values, err = o.programValues(ctx, t, at); err != nil {
			return Report{}, err
		}
	}
	t.Run = transform.Run{Parameters: values, Threads: at.Threads}
	v, err := o.chosen(ctx, t, at, stored.recipe)
	if err != nil {
		return Report{}, err
	}
	query.Recipe = v.Text
	seconds := stored.seconds
	if o.Run {
		seconds, err = harness.Time(ctx, &o.Target, t, v, at, values)
	} else if seconds == 0 {
		seconds, err = storedSeconds(ctx, o.Target.Told(), at, query)
	}
	if err != nil {
		return Report{}, err
	}
	r := Report{Kernel: t.Name, Size: size, Parameters: values, Machine: at.Machine.ID, Toolchain: at.Toolchain.Name, Target: query.On.Target, Device: stored.device, Recipe: v.Text, Note: v.DoubtNote()}
	if o.Picture {
		if r.Tiles, err = Tiles(ctx, t, v); err != nil {
			return r, err
		}
	}
	if err := o.countMessages(ctx, t, v, &r); err != nil {
		return r, err
	}
	h, err := o.hinter(ctx, t, v, at)
	if err != nil {
		return r, err
	}
	if r.Explanation, err = o.explanation(t, v, at, values, seconds, h); err != nil {
		return r, err
	}
	if err := o.count(ctx, t, v, at, values, &r); err != nil || !t.IsOnDevice() {
		return r, err
	}
	r.Kernels = v.Device.Report.Kernels
	r.IdleBarriers, err = idleBarriers(ctx, t, v)
	return r, err
}

// count asks the processor's counters, where that is wanted; why it cannot be done is part of the
// report.
func (o *Options) count(ctx context.Context, t *pipeline.Target, v variant.Variant, at harness.Place, values map[string]int, r *Report) error {
	if !o.Counters {
		return nil
	}
	if t.IsOnDevice() || t.IsOnRanks() {
		r.NotCounted = "hardware counters are those of one processor: they say nothing of a device or of several ranks"
		return nil
	}
	counts, err := harness.Counted(ctx, &o.Target, t, v, at, values)
	var unavailable *counters.UnavailableError
	if errors.As(err, &unavailable) {
		r.NotCounted = unavailable.Error()
		return nil
	}
	if err == nil {
		r.Counted = &counts
	}
	return err
}

// idleBarriers are the commands of barriers of a variant for a device that nothing needs.
func idleBarriers(ctx context.Context, t *pipeline.Target, v variant.Variant) (commands []string, err error) {
	err = t.WithGraph(ctx, func(g *depend.Graph) error {
		_, proven, err := v.Recipe.Prove(g)
		if err != nil {
			return err
		}
		idle, err := g.IdleBarriers(proven)
		for _, barrier := range idle {
			commands = append(commands, barrier.String())
		}
		return err
	})
	return commands, err
}

// hinter looks at what is in the way of the variant, and tries what could free it.
func (o *Options) hinter(ctx context.Context, t *pipeline.Target, v variant.Variant, at harness.Place) (*remedy.Hinter, error) {
	options, err := o.tried(ctx, t, at)
	if err != nil {
		return nil, err
	}
	h, err := remedy.NewHinter(ctx, t, v.Recipe, options)
	if err != nil {
		return nil, err
	}
	if h.GaveUp {
		fmt.Fprintf(o.Target.Told(), "tune: %s: isl needs too long to say which dependences are in the way\n", t.Name)
	}
	if err := h.Find(ctx, false); err != nil {
		return nil, err
	}
	more, err := remedy.CompilerHints(ctx, &o.Target, t, v.Source, at)
	h.Hints = append(h.Hints, more...)
	return h, err
}

// tried are the options of the models for what is tried: those that the flags choose.
func (o *Options) tried(ctx context.Context, t *pipeline.Target, at harness.Place) (transform.Options, error) {
	if o.Model.Point == "" {
		return o.Model.Options(at.Machine)
	}
	plain := *t
	plain.Unit.Program = t.Whole
	chosen, err := plain.Choose(ctx, variant.DecidingPartition, 1)
	if err != nil {
		return transform.Options{}, err
	}
	point, err := variant.PointOf(ctx, &o.Model, &plain, chosen[0], at.Machine)
	if err != nil {
		return transform.Options{}, err
	}
	return point.Options, nil
}

// explanation profiles the variant, and compares it with what the machine can do.
func (o *Options) explanation(t *pipeline.Target, v variant.Variant, at harness.Place, values map[string]int, seconds float64, h *remedy.Hinter) (report.Explanation, error) {
	program := t.Unit.Program
	tree, err := v.Recipe.Replay(program)
	if err != nil {
		return report.Explanation{}, err
	}
	c, _, end := limit.Context(context.Background(), limit.Attempt.Of(program), nil)
	defer end()
	p, err := profile.Of(c, tree, program.ParameterValues(values))
	if err != nil {
		return report.Explanation{}, fmt.Errorf("counting what its loops do: %w", err)
	}
	explanation := report.Explain(report.Variant{Program: program, Profile: p, Loops: v.Loops, Declined: v.Notes.Declined, ConcurrentStart: v.ConcurrentStart,
		Obstacles: h.Obstacles, Source: remedy.References(t), FreedBy: h.FreedBy,
		TileSizes: o.sizesFrom(), Machine: at.Machine, Threads: at.Threads, Peaks: at.Peaks, Seconds: seconds})
	explanation.Hints = h.Hints
	explanation.Decisions = append([]transform.Decision{}, v.Explanation.Decisions...)
	return explanation, nil
}

// sizesFrom says who has chosen the sizes of tiles.
func (o *Options) sizesFrom() string {
	switch {
	case o.Best || o.Recipe.IsGiven():
		return "the recipe's"
	case o.Model.Tile != "" || strings.Contains(o.Model.Point, "tile"):
		return "as asked for"
	}
	return "the cache model's"
}

// chosen makes the variant that the flags choose, or that of a stored recipe; *t becomes the target
// that it is made of.
func (o *Options) chosen(ctx context.Context, t *pipeline.Target, at harness.Place, stored string) (variant.Variant, error) {
	if stored == "" {
		v, _, err := o.Transform(ctx, t, at.Machine)
		return v, err
	}
	made, recipe, err := t.ReadRecipe(stored)
	if err != nil {
		return variant.Variant{}, err
	}
	*t = *made
	return variant.Replay(ctx, t, recipe)
}

// Print writes the report for people.
func (r *Report) Print(w io.Writer, at harness.Place) {
	values := ""
	if text := pipeline.ParametersText(r.Parameters); text != "" && text != r.Size {
		values = " (" + text + ")"
	}
	on := ""
	switch {
	case r.Device != "":
		on = ", " + store.On{Target: r.Target, Device: r.Device}.Text()
	case r.Target != "":
		on = ", " + r.Target
	}
	fmt.Fprintf(w, "%s %s%s on %s (%s), %s %s%s\n", r.Kernel, r.Size, values, at.Machine.CPU, r.Machine, at.Toolchain.Name, at.Toolchain.Version, on)
	writeCommunication(w, *r)
	if r.Note != "" {
		fmt.Fprintln(w, r.Note)
	}
	r.Text(w)
}

// programValues are the values of a whole program's parameters: those of --param, and others as the
// program has them where it is run anyway.
func (o *Options) programValues(ctx context.Context, t *pipeline.Target, at harness.Place) (map[string]int, error) {
	values, missing, err := harness.GivenValues(t, o.Params)
	if err != nil || len(missing) == 0 {
		return values, err
	}
	if !o.Best && !o.Run {
		return nil, usage.Mistake(fmt.Errorf("say what the values of %s are in the run that is meant: --param %s=N; or use --run, which runs the program to see them",
			strings.Join(missing, ", "), strings.Join(missing, "=N,")))
	}
	found, err := harness.ValuesInRun(ctx, &o.Target, t, missing, at)
	if err != nil {
		return nil, fmt.Errorf("the values of %s, which --param %s=N says without running the program: %w", strings.Join(missing, ", "), strings.Join(missing, "=N,"), err)
	}
	for k, name := range missing {
		values[name] = int(found[k])
	}
	return values, nil
}
