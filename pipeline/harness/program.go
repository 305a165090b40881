package harness

import (
	"fmt"
	"os"
	"slices"

	"polytune/frontend"
	"polytune/pipeline"
	"polytune/runner"
	"polytune/tuner"
)

// program runs a target as the whole program it belongs to, in which the arrays of the region as it
// is written are compared: expanded ones are the generated code's own.
func program(o *pipeline.ProgramOptions, t *pipeline.Target) (runner.Harness, error) {
	folder, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("the folder in which to run the program: %w", err)
	}
	asWritten := *t.Region
	asWritten.Program = t.Written
	return runner.NewProgram(t.File, &asWritten, runner.ProgramOptions{
		Arguments: o.RunArguments, CheckArguments: o.CheckArguments, Dir: folder,
	})
}

// Checked is a program's target as it is compared with the original, or nil
// where that is the same as the one that is timed.
func Checked(o *pipeline.Options, t *pipeline.Target) (*pipeline.Target, *tuner.Checked, error) {
	if o.Program.CheckBuildText == "" {
		return nil, nil, nil
	}
	other := *o
	other.Program.Build = o.Program.CheckBuild
	other.Region = slices.IndexFunc(t.File.Regions, func(r frontend.Region) bool { return r.Start == t.Region.Start }) + 1
	base := *t
	base.Name = pipeline.KernelName(t.Path)
	all, err := other.Regions(&base, t.Path, t.File.Original)
	if err != nil {
		return nil, nil, fmt.Errorf("with --check-build-flags: %w", err)
	}
	subject, err := Subject(&other, all[0])
	return all[0], &tuner.Checked{Source: all[0].Reference(), Subject: subject}, err
}
