package main

import (
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"

	"polytune/frontend"
	"polytune/internal/shellwords"
	"polytune/internal/usage"
	"polytune/runner"
	"polytune/tuner"
)

// programOptions say how the program is built that a target belongs to and, when
// it is run as a whole, how that is done.
type programOptions struct {
	buildText, runText, checkRunText, checkBuildText string

	// build is for what is timed, and checkBuild for what is compared.
	build, checkBuild buildFlags
	// runArguments and checkArguments are the program's own arguments, in
	// timed and in checked runs.
	runArguments, checkArguments []string
	// checkRunGiven says that checkRunText counts, be it empty.
	checkRunGiven bool
}

// parse splits the flags into words.
func (o *programOptions) parse() (err error) {
	if o.build, err = parseBuildFlags(o.buildText); err != nil {
		return err
	}
	if o.checkBuild, err = parseBuildFlags(o.buildText + " " + o.checkBuildText); err != nil {
		return err
	}
	if o.runArguments, err = shellwords.Split(o.runText); err != nil {
		return usage.Mistake(fmt.Errorf("--run-args: %w", err))
	}
	if o.checkArguments, err = shellwords.Split(o.checkRunText); err != nil {
		return usage.Mistake(fmt.Errorf("--check-run-args: %w", err))
	}
	if !o.checkRunGiven {
		o.checkArguments = o.runArguments
	}
	return nil
}

// definesMain finds a definition or declaration of main in C text.
var definesMain = regexp.MustCompile(`(?m)^[^/*"]*\bmain[ \t\r\n]*\(`)

// isProgram says whether the file is run as a part of a whole program, because
// main is defined in it or in another source file of --build-flags.
func (o *programOptions) isProgram(file *frontend.File) (bool, error) {
	if file.HasMain {
		return true, nil
	}
	for _, source := range o.build.sources {
		text, err := os.ReadFile(source)
		if err != nil {
			return false, fmt.Errorf("cannot read a source file of --build-flags: %w", err)
		}
		if definesMain.Match(text) {
			return true, nil
		}
	}
	if o.runText != "" || o.checkRunText != "" || o.checkBuildText != "" {
		return false, usage.Mistake(fmt.Errorf("--run-args, --check-run-args and --check-build-flags are for programs with main, and %s has none, nor has a source file of --build-flags", file.Path))
	}
	return false, nil
}

// otherSources are the source files of --build-flags but the target's own.
func (o *programOptions) otherSources(t *target) []string {
	own, err := os.Stat(t.path)
	return slices.DeleteFunc(slices.Clone(o.build.sources), func(path string) bool {
		other, otherErr := os.Stat(path)
		return err == nil && otherErr == nil && os.SameFile(own, other)
	})
}

// harness runs a target as the whole program it belongs to, in which the arrays of the region as it is written are
// compared: expanded ones are the generated code's own.
func (o *programOptions) harness(t *target) (runner.Harness, error) {
	folder, err := os.Getwd()
	if err != nil {
		return nil, fmt.Errorf("the folder in which to run the program: %w", err)
	}
	asWritten := *t.region
	asWritten.Program = t.written
	return runner.NewProgram(t.file, &asWritten, runner.ProgramOptions{
		Arguments: o.runArguments, CheckArguments: o.checkArguments, Dir: folder,
	})
}

// checked is a program's target as it is compared with the original, or nil
// where that is the same as the one that is timed.
func (o *targetOptions) checked(t *target) (*target, *tuner.Checked, error) {
	if o.program.checkBuildText == "" {
		return nil, nil, nil
	}
	other := *o
	other.program.build = o.program.checkBuild
	other.region = slices.IndexFunc(t.file.Regions, func(r frontend.Region) bool { return r.Start == t.region.Start }) + 1
	base := *t
	base.name = kernelName(t.path)
	all, err := other.regions(&base, t.path, t.file.Source)
	if err != nil {
		return nil, nil, fmt.Errorf("with --check-build-flags: %w", err)
	}
	subject, err := other.subject(all[0])
	return all[0], &tuner.Checked{Source: all[0].reference(), Subject: subject}, err
}

// takeRun takes over the arguments of the runs that a size of runSize names.
func (o *programOptions) takeRun(targets []*target, size string) {
	o.runArguments = strings.Fields(size)[1:]
	if !o.checkRunGiven {
		o.checkArguments = o.runArguments
	}
	for _, t := range targets {
		t.runArguments = o.runArguments
	}
}

// runSize names the size of a program's runs.
func (t *target) runSize() string {
	return strings.Join(append([]string{"run"}, t.runArguments...), " ")
}

// noSizes refuses the flags that give a function its sizes, for a program.
func (t *target) noSizeFlags(flags ...string) error {
	for _, flag := range flags {
		if flag != "" {
			return usage.Mistake(fmt.Errorf("%s is run as a whole program, which takes no --param and no --size; its sizes come from --build-flags, such as -DN=1000, and --run-args", t.name))
		}
	}
	return nil
}
