package scan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"polytune/configs"
	"polytune/frontend"
	"polytune/internal/exit"
	"polytune/internal/usage"
	"polytune/isl/points"
	"polytune/pipeline"
	"polytune/scop"
)

// Options say how files are read, and what is done with what is found.
type Options struct {
	// Target says how files are read.
	Target pipeline.Options
	// Params are values of parameters, NAME=NUMBER,…, for which operations are counted; "" for none.
	Params string
	// Run is a command that runs the program, of whose time nests have shares; "" for none.
	Run string
	// Write puts pragmas around the nests that can be modelled.
	Write bool
	// Settings have the compiler of programs with timers.
	Settings configs.Settings
	// Command is a command line of polytune with these words that reads files as this scan does.
	Command func(words ...string) string
	// Stderr takes what the command of Run prints, and what is to be known besides.
	Stderr io.Writer
}

// Report is the JSON document of tune scan.
type Report struct {
	Files []*File `json:"files"`
	// Profile says where shares of time come from; nil without a run.
	Profile *Profile `json:"profile,omitempty"`

	command func(words ...string) string
}

// File is a C file and its loop nests, in the order of the text.
type File struct {
	Path  string  `json:"file"`
	Nests []*Nest `json:"nests"`
	// Written is the number of regions that were marked in the file, left out where none was asked
	// for.
	Written *int `json:"written,omitempty"`
	// Error says why the file cannot be read, "" for one that can.
	Error string `json:"error,omitempty"`
	// Database is the compile_commands.json that says how the file is compiled, and BuildFlags are
	// those for --build-flags that are of it; "" for none.
	Database   string `json:"compile_commands,omitempty"`
	BuildFlags string `json:"build_flags,omitempty"`

	source  []byte
	options frontend.Options
	regions [][2]int
}

// Status says what can be done with a nest.
type Status string

const (
	// Modelled nests can be tuned, Refused ones cannot, Whole ones are a single statement of the
	// model, as data decide when their loops end, Marked ones stand in a region, and Calls ones only
	// call functions whose own nests are tuned.
	Modelled Status = "modelled"
	Refused  Status = "refused"
	Whole    Status = "one statement"
	Marked   Status = "marked"
	Calls    Status = "only calls"
)

// Nest is a loop nest: one of the outermost loops of a function or, where such a one cannot be
// modelled, of the loops in it.
type Nest struct {
	Function string `json:"function"`
	Line     int    `json:"line"`
	Column   int    `json:"column"`
	LastLine int    `json:"last_line"`
	// Depth is the number of loops in each other, and Inside that of the nests of this list around
	// it.
	Depth  int    `json:"depth"`
	Inside int    `json:"inside"`
	Status Status `json:"status"`
	// Statements is how many the model has, and Operations what they compute in an iteration, by
	// the number of loops around them.
	Statements int    `json:"statements,omitempty"`
	Operations []Work `json:"operations,omitempty"`
	// Calls are the functions that a nest only calls.
	Calls []string `json:"calls,omitempty"`
	// Total is the number of operations of all iterations, nil where no values of the parameters are
	// given; Missing are the parameters without one.
	Total   *points.Count `json:"total,omitempty"`
	Missing []string      `json:"parameters_without_values,omitempty"`
	// Refusals say why the nest cannot be modelled, and Warnings what is assumed.
	Refusals []string `json:"refusals,omitempty"`
	Warnings []string `json:"warnings,omitempty"`
	// Share is the part of the program's time, nil where that is not known; WithOthers says that
	// other loops of the function have a part of it.
	Share      *float64 `json:"share,omitempty"`
	WithOthers bool     `json:"share_of_function,omitempty"`

	loop    *frontend.Loop
	program *scop.Program
}

// Work is the number of + - * / of the statements in so many loops.
type Work struct {
	Loops      int `json:"loops"`
	Operations int `json:"operations"`
}

// Files finds the nests of all files, and of those in folders. Those that cannot be read have an error of their own where
// there are several.
func (o *Options) Files(ctx context.Context, paths []string) (*Report, error) {
	if len(paths) == 0 {
		return nil, usage.Mistake(errors.New("name the C files that are searched for loop nests"))
	}
	paths, err := withFolders(paths)
	if err != nil {
		return nil, err
	}
	r := &Report{command: o.Command}
	for _, path := range paths {
		f, err := o.file(path)
		switch {
		case err != nil && len(paths) == 1:
			return nil, err
		case err != nil:
			f = &File{Path: path, Nests: []*Nest{}, Error: err.Error()}
		}
		r.Files = append(r.Files, f)
	}
	if err := r.count(ctx, o.Params); err != nil {
		return nil, err
	}
	if o.Run != "" {
		profile, err := o.profile(ctx, r.Files)
		if err != nil {
			return nil, err
		}
		r.Profile = profile
	}
	if o.Write {
		for _, f := range r.Files {
			if err := f.write(); err != nil {
				return nil, err
			}
		}
	}
	return r, nil
}

// Outcome is what a report means for the exit status: files that cannot be read are looked at.
func (r *Report) Outcome(stderr io.Writer) error {
	failed := false
	for _, f := range r.Files {
		if f.Error != "" {
			failed = true
			fmt.Fprintf(stderr, "tune: %s\n", f.Error)
		}
	}
	if failed {
		return &exit.Quiet{Status: exit.Incomplete}
	}
	return nil
}

// file finds the nests of one file.
func (o *Options) file(path string) (*File, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the C file: %w", err)
	}
	return o.Source(path, source)
}

// Source finds the nests of a text that need not be what the file has.
func (o *Options) Source(path string, source []byte) (f *File, err error) {
	f = &File{Path: path, Nests: []*Nest{}, source: source}
	built, database, err := o.Target.AsBuilt(path)
	switch {
	case err != nil && database == "":
		return nil, err
	case err != nil:
		fmt.Fprintf(o.Stderr, "tune: note: %v; %s is read without it\n", err, path)
	case database != "":
		f.Database, f.BuildFlags = database, built.Program.BuildText
	}
	if f.options, err = built.Parsing(path); err != nil {
		return nil, err
	}
	loops, regions, err := frontend.Loops(path, source, f.options)
	if err != nil && len(f.options.CompilerOptions) > 0 {
		f.options.CompilerOptions = nil
		loops, regions, err = frontend.Loops(path, source, f.options)
	}
	if err != nil {
		return nil, err
	}
	f.regions = regions
	return f, f.model(loops)
}
