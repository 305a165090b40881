package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"polytune/handout"
	"polytune/pipeline"
	"polytune/report"
	"polytune/runner"
	"polytune/runner/energy"
	"polytune/store"
	"polytune/tuner"
)

// wholeProgram times a program with main from its start to its end, as it is written and
// with the best variants of all regions in place.
type wholeProgram struct {
	again   *Again
	run     *Run
	targets []*pipeline.Target
	// regions are what was found out about the targets, one after the other.
	regions []tuner.Result
}

// wholeSuffix is behind the name of the file in that of the kernel.
const wholeSuffix = " (whole program)"

// time times the program and says what all regions together gain. Where the original is
// the best in all of them there is nothing to be timed.
func (p *wholeProgram) time(ctx context.Context, w io.Writer) error {
	name := pipeline.KernelName(p.targets[0].Path)
	if !slices.ContainsFunc(p.regions, func(r tuner.Result) bool { return !store.IsOriginal(r.Best.Variant) }) {
		if !p.again.Tune.JSON {
			fmt.Fprintf(w, "\n%s%s: not timed, because nothing is known to be faster than the original in any region\n", name, wholeSuffix)
		}
		return nil
	}
	request, err := p.request(ctx, name)
	if err != nil {
		return err
	}
	if err := p.run.told(ctx, io.Discard, &RegionRun{target: p.targets[0], request: &request}, false); err != nil || p.again.Tune.JSON {
		return err
	}
	_, err = fmt.Fprintf(w, "\n%s\n", wholeText(p.run.Results[len(p.run.Results)-1], len(p.regions)))
	return err
}

// wholeText says what the regions together gain.
func wholeText(r tuner.Result, regions int) string {
	subject := "its region"
	if regions > 1 {
		subject = fmt.Sprintf("all %d regions", regions)
	}
	for _, row := range r.Rows {
		if !store.IsOriginal(row.Variant) && row.Rounds > 0 {
			return fmt.Sprintf("%s, %s: %s with the best variant of %s in place, %s as it is written: %s", r.Kernel, r.Size,
				report.Seconds(row.Seconds.Median), subject, report.Seconds(r.Baseline.Median), report.Speedup(row.Speedup, row.Certainty))
		}
	}
	return fmt.Sprintf("%s, %s: the program with the best variant of %s in place could not be timed", r.Kernel, r.Size, subject)
}

// request is what the tuner is asked to measure: the original, and one variant. The
// compiler is the one that has built the best variant of the first region that has one.
func (p *wholeProgram) request(ctx context.Context, name string) (tuner.Request, error) {
	first, options := p.targets[0], &p.again.Tune
	request, _, err := options.measuring(ctx, p.run.DB, first, p.run.running(), p.run.Machine, p.run.Toolchains)
	if err != nil {
		return tuner.Request{}, err
	}
	folder, err := os.Getwd()
	if err != nil {
		return tuner.Request{}, fmt.Errorf("the folder in which to run the program: %w", err)
	}
	request.Subject.Harness = runner.NewWholeProgram(first.Path, runner.ProgramOptions{Arguments: options.Target.Program.RunArguments, Dir: folder})
	request.On.Timing, request.Energy = "", energy.Meter{}
	request.Checked, request.Region, request.Compilers = nil, "", nil
	identity := sha256.New()
	for _, t := range p.targets {
		id, err := p.again.kernelID(ctx, p.run.DB, t)
		if err != nil {
			return tuner.Request{}, err
		}
		fmt.Fprintln(identity, id)
	}
	request.Kernel, request.KernelID = name+wholeSuffix, hex.EncodeToString(identity.Sum(nil)[:16])
	tuned := &wholeGenerator{targets: p.targets, regions: p.regions}
	request.Original, request.Candidates = tuned.original(), []tuner.Candidate{{Partition: tuned.partition(), Axis: "regions=all"}}
	request.Generator = tuned
	for _, r := range p.regions {
		if !store.IsOriginal(r.Best.Variant) {
			request.Toolchain = r.Builder(r.Best.Variant)
			break
		}
	}
	return p.run.anew(request), nil
}

// wholeGenerator puts the best variants of all regions in place.
type wholeGenerator struct {
	targets []*pipeline.Target
	regions []tuner.Result
}

// original is the program as it is written: all regions, one after the other.
func (g *wholeGenerator) original() tuner.Original {
	return tuner.Original{Partition: g.partition(), Recipe: pipeline.AsWritten}
}

// partition is the class vector of the statements of all regions, those of each behind
// those of the regions before it.
func (g *wholeGenerator) partition() []int {
	var all []int
	for _, r := range g.regions {
		behind := 0
		if len(all) > 0 {
			behind = slices.Max(all) + 1
		}
		for _, class := range r.Best.Partition {
			all = append(all, behind+class)
		}
	}
	return all
}

// recipe has the recipes of all regions, each behind a line with its variant.
func (g *wholeGenerator) recipe() string {
	var text strings.Builder
	for i, r := range g.regions {
		fmt.Fprintf(&text, "# %s: %s\n%s", g.targets[i].Name, r.Best.Variant, r.Recipe)
	}
	return text.String()
}

// Generate makes the program.
func (g *wholeGenerator) Generate(ctx context.Context, _ tuner.Candidate) (tuner.Generated, error) {
	known := make([]handout.Known, len(g.targets))
	for i, r := range g.regions {
		at := *g.targets[i]
		known[i] = handout.Known{Target: &at, Results: []store.Best{{Variant: store.Variant{ID: r.Best.Variant, Recipe: r.Recipe}}}}
	}
	emit, kernels := handout.EmitOptions{}, []byte(nil)
	source, err := emit.Replace(known, func(k handout.Known) ([]byte, error) {
		placed, err := handout.Place(ctx, k.Target, k.Results[0])
		if placed.Device != nil {
			kernels = append(kernels, placed.Device.Text...)
		}
		return placed.Source, err
	})
	if err != nil {
		return tuner.Generated{}, &tuner.CodegenError{Recipe: g.recipe(), Err: err}
	}
	return tuner.Generated{Recipe: g.recipe(), Source: source, Device: kernels}, nil
}
