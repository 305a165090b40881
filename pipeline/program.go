package pipeline

import (
	"fmt"
	"os"
	"slices"
	"strings"

	"polytune/frontend"
	"polytune/internal/pattern"
	"polytune/internal/shellwords"
	"polytune/internal/usage"
	"polytune/pipeline/buildflags"
)

// ProgramOptions say how the program is built that a target belongs to and, when
// it is run as a whole, how that is done.
type ProgramOptions struct {
	BuildText, RunText, CheckRunText, CheckBuildText string

	// Build is for what is timed, and CheckBuild for what is compared.
	Build, CheckBuild buildflags.Flags
	// RunArguments and CheckArguments are the program's own arguments, in
	// timed and in checked runs.
	RunArguments, CheckArguments []string
	// CheckRunGiven says that CheckRunText counts, be it empty.
	CheckRunGiven bool
}

// parse splits the texts into words.
func (o *ProgramOptions) parse() (err error) {
	if o.Build, err = buildflags.Parse(o.BuildText); err != nil {
		return err
	}
	if o.CheckBuild, err = buildflags.Parse(o.BuildText + " " + o.CheckBuildText); err != nil {
		return err
	}
	if o.RunArguments, err = shellwords.Split(o.RunText); err != nil {
		return usage.Mistake(fmt.Errorf("--run-args: %w", err))
	}
	if o.CheckArguments, err = shellwords.Split(o.CheckRunText); err != nil {
		return usage.Mistake(fmt.Errorf("--check-run-args: %w", err))
	}
	if !o.CheckRunGiven {
		o.CheckArguments = o.RunArguments
	}
	return nil
}

// definesMain finds a definition or declaration of main in C text.
var definesMain = pattern.New(`(?m)^[^/*"]*\bmain[ \t\r\n]*\(`)

// isProgram says whether the file is run as a part of a whole program, because
// main is defined in it or in another source file of --build-flags.
func (o *ProgramOptions) isProgram(file *frontend.File) (bool, error) {
	if file.HasMain {
		return true, nil
	}
	for _, source := range o.Build.Sources {
		text, err := os.ReadFile(source)
		if err != nil {
			return false, fmt.Errorf("cannot read a source file of --build-flags: %w", err)
		}
		if definesMain.Match(text) {
			return true, nil
		}
	}
	if o.RunText != "" || o.CheckRunText != "" || o.CheckBuildText != "" {
		return false, usage.Mistake(fmt.Errorf("--run-args, --check-run-args and --check-build-flags are for programs with main, and %s has none, nor has a source file of --build-flags", file.Path))
	}
	return false, nil
}

// OtherSources are the source files of --build-flags but the target's own.
func (o *ProgramOptions) OtherSources(t *Target) []string {
	own, err := os.Stat(t.Path)
	return slices.DeleteFunc(slices.Clone(o.Build.Sources), func(path string) bool {
		other, otherErr := os.Stat(path)
		return err == nil && otherErr == nil && os.SameFile(own, other)
	})
}

// TakeRun takes over the arguments of the runs that a size of RunSize names.
func (o *ProgramOptions) TakeRun(targets []*Target, size string) {
	o.RunArguments = strings.Fields(size)[1:]
	if !o.CheckRunGiven {
		o.CheckArguments = o.RunArguments
	}
	for _, t := range targets {
		t.runArguments = o.RunArguments
	}
}

// RunSize names the size of a program's runs.
func (t *Target) RunSize() string {
	return strings.Join(append([]string{"run"}, t.runArguments...), " ")
}

// NoSizeFlags refuses what gives a function its sizes, for a program.
func (t *Target) NoSizeFlags(flags ...string) error {
	for _, flag := range flags {
		if flag != "" {
			return usage.Mistake(fmt.Errorf("%s is run as a whole program, which takes no --param and no --size; its sizes come from --build-flags, such as -DN=1000, and --run-args", t.Name))
		}
	}
	return nil
}
