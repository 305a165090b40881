package pipeline

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"polytune/benchmarks"
	"polytune/frontend"
	"polytune/internal/usage"
	"polytune/language"
	"polytune/pipeline/limit"
	"polytune/scop"
	"polytune/target"
	"polytune/target/gpu"
	"polytune/target/registry"
	"polytune/transform"
)

// warn prints the front end's assumptions about the target, and what keeps reductions in order that
// may have another one.
func warn(t *Target, reassociate bool, w io.Writer) {
	warnings := t.Region.Warnings
	if reassociate {
		warnings = slices.Concat(warnings, t.Region.IfReordered)
	}
	for _, warning := range warnings {
		fmt.Fprintf(w, "tune: warning: %v\n", warning)
	}
}

// Options say what is worked on, how it is read, and what is done to its program before
// schedules of it are sought.
type Options struct {
	// Bench is the name of a built-in benchmark, "" for C files.
	Bench string
	// Function and Region choose the regions of one function, and the one with that number, from 1;
	// "" and 0 choose all.
	Function string
	Region   int
	// IncludePaths and Defines are those of a compiler's -I and -D.
	IncludePaths, Defines []string
	// Driver is for functions that are called, Program for files of whole programs.
	Driver  DriverOptions
	Program ProgramOptions
	// Exact says that a file is read with all options of its compiler or not at all.
	Exact bool
	// AssumeNoAlias says that pointers without restrict do not overlap.
	AssumeNoAlias bool
	// AssumePure are functions without side effects.
	AssumePure []string
	// Privatize says that temporaries get private copies.
	Privatize bool
	// Expand says whether temporaries are expanded.
	Expand Expansion
	// Inplace says whether temporaries have their values in elements of arrays.
	Inplace Inplace
	// Untile says that loops over tiles of the source are left out where they can be.
	Untile bool
	// Together says that all choices and attempts for a region share the time for them, and a
	// place, which is to be closed.
	Together bool
	// Reassociate says that reductions may be done in any order.
	Reassociate bool
	// Space chooses the space of partitions.
	Space SpaceChoice
	// On is what code is made for; nil for the default.
	On target.Target
	// Ranks say how it runs on several ranks.
	Ranks Ranks
	// Notes takes what the user is to know besides; nil for nobody.
	Notes io.Writer
	// Refused takes why a region is refused where others of the file are not; with nil one such
	// region is an error.
	Refused func(region string, why error)
}

// Target is one region of a C file or a built-in benchmark.
type Target struct {
	// Name is the kernel's name: "polybench/2mm", or the file's name without
	// its suffix, followed by the function where the file has several.
	Name string
	// Path is the user's file, "" for a benchmark.
	Path      string
	Benchmark *benchmarks.Benchmark
	// Algorithm is the Go program that the file is made from, nil for C.
	Algorithm *language.Program
	File      *frontend.File
	// FileParameters are the parameters of all the file's regions, ForeignParameters those that only
	// other files of the same command have.
	FileParameters, ForeignParameters []string
	// Run is the run for which the models choose sizes: with the parameters of a
	// benchmark's size large, where a command does not say.
	Run transform.Run
	// Parsing is how the file was read.
	Parsing frontend.Options
	// Region is the region as it was read.
	Region *frontend.Region
	// On is what its code is made for.
	On target.Target
	// Unit is the program that is transformed, and the text around it. The program may have been
	// cut, and Whole is the program before that. Written is the program before temporaries got
	// private copies: as it was read, Source, or without the source's loops over tiles.
	Unit                   scop.Unit
	Whole, Written, Source *scop.Program
	// IsWhole says that the user wants no statement split.
	IsWhole bool
	// Spent is the time that went into the target before a variant was made of
	// it: private copies, splitting, and the choice of a partition.
	Spent Phases
	// IsProgram says that the target is run as the whole program it belongs
	// to, with these arguments.
	IsProgram    bool
	runArguments []string
	// Partitions chooses the space of partitions.
	Partitions *SpaceChoice
	// Privatize says that temporaries get private copies, and inplace that they have their values
	// in elements of arrays where they can.
	Privatize, Inplace bool
	// Share is the time that choices and attempts for the region share, nil where each has its own.
	Share *limit.Share
	// Decided are the models' decisions about the region so far, before its loops are planned.
	Decided []transform.Decision
	// Place is where computations for the region work, nil where each has a place of its own.
	Place *Workplace
}

// Told takes what the user is to know.
func (o *Options) Told() io.Writer {
	if o.Notes == nil {
		return io.Discard
	}
	return o.Notes
}

// on is what code is made for.
func (o *Options) on() target.Target {
	if o.On == nil {
		return registry.Default()
	}
	return o.Ranks.on(o.On)
}

// One is the region of a file, or of the benchmark of the options, which is to have one.
func (o *Options) One(args []string) (*Target, error) {
	all, err := o.All(args)
	if err != nil {
		return nil, err
	}
	if len(all) > 1 {
		return nil, SeveralRegions(all)
	}
	return all[0], nil
}

// SeveralRegions asks the user to choose.
func SeveralRegions(all []*Target) error {
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = t.Region.Function
	}
	return fmt.Errorf("%s has %d regions (in %s); choose one with --region N or --function NAME",
		all[0].Path, len(all), strings.Join(names, ", "))
}

// All are the regions of a file, or of the benchmark of the options. The user is told the front
// end's warnings.
func (o *Options) All(args []string) ([]*Target, error) {
	all, err := o.resolve(args)
	for _, t := range all {
		warn(t, o.Reassociate, o.Told())
	}
	return all, err
}

func (o *Options) resolve(args []string) ([]*Target, error) {
	switch {
	case o.Bench == "" && len(args) == 0:
		return nil, usage.Mistake(errors.New("name a C file, or a benchmark with --bench"))
	case o.Bench != "" && len(args) > 0:
		return nil, usage.Mistake(errors.New("name a C file or a benchmark, not both"))
	}
	if err := o.Program.parse(); err != nil {
		return nil, err
	}
	if o.Bench != "" {
		return o.benchmark()
	}
	if language.IsProgram(args[0]) {
		program, err := language.Read(context.Background(), args[0])
		if err != nil {
			return nil, err
		}
		return o.Regions(&Target{Name: program.Name, Path: program.Path, Algorithm: program}, program.Path, program.Source)
	}
	source, err := os.ReadFile(args[0])
	if err != nil {
		return nil, fmt.Errorf("cannot read the C file: %w", err)
	}
	targets, err := o.Regions(fileTarget(args[0]), args[0], source)
	return targets, o.withFlags(args[0], source, err)
}

// fileTarget is what the regions of a file have in common.
func fileTarget(path string) *Target { return &Target{Name: KernelName(path), Path: path} }

// KernelName is the name of the kernel in a file: the file's without its
// folder and suffix.
func KernelName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

func (o *Options) benchmark() ([]*Target, error) {
	b, err := benchmarks.Find(o.Bench)
	if err != nil {
		return nil, err
	}
	large, err := b.Size("large")
	if err != nil {
		return nil, err
	}
	return o.Regions(&Target{Name: b.Name, Benchmark: &b, Run: transform.Run{Parameters: large}}, b.File, b.Source)
}

// Regions parses the source and makes a target of each region that the options
// choose, with what base has.
func (o *Options) Regions(base *Target, path string, source []byte) ([]*Target, error) {
	front := &CFile{Path: path, Source: source, Parsing: o.parsing(base.Name, path), Exact: o.Exact, Notes: o.Told(), Refused: o.Refused}
	var reader Frontend = front
	if base.Algorithm != nil {
		reader = &GoProgram{CFile: front, Program: base.Algorithm}
	}
	units, err := reader.Units(context.Background())
	if err != nil {
		return nil, err
	}
	base.Parsing = front.Parsing
	if base.IsProgram, err = o.Program.isProgram(front.File); err != nil {
		return nil, err
	}
	if base.IsProgram {
		if err := o.Driver.noneFor(base.Name); err != nil {
			return nil, err
		}
	}
	base.runArguments = o.Program.RunArguments
	for _, region := range front.File.Regions {
		if region.Program != nil {
			names, _ := region.Program.Function.Sizes()
			base.FileParameters = append(base.FileParameters, names...)
		}
	}
	if len(units) == 0 {
		return nil, o.noRegion(path, front.File)
	}
	return o.Targets(base, units)
}

// noRegion says that a file has no region that is asked for, and which ones it has.
func (o *Options) noRegion(path string, file *frontend.File) error {
	var asked, list []string
	if o.Region > 0 {
		asked = append(asked, fmt.Sprintf(" with number %d", o.Region))
	}
	if o.Function != "" {
		asked = append(asked, fmt.Sprintf(" in function %q", o.Function))
	}
	for k := range min(len(file.Regions), mostNamed) {
		list = append(list, fmt.Sprintf("%d in %s", k+1, file.Regions[k].Function))
	}
	if len(file.Regions) > mostNamed {
		list = append(list, fmt.Sprintf("and others, %d in all", len(file.Regions)))
	}
	return fmt.Errorf("%s: there is no region%s; the file has %s", path, strings.Join(asked, ""), strings.Join(list, ", "))
}

// mostNamed is how many regions of a file a message names.
const mostNamed = 10

// Targets makes a target of each unit, with what base has and what the options do to programs.
func (o *Options) Targets(base *Target, units []Unit) (list []*Target, err error) {
	for _, unit := range units {
		t := *base
		t.Name, t.Unit, t.File, t.Region = unit.Program.Name, unit.Unit, unit.File, unit.Region
		if t.IsProgram || o.Driver.Init != "" || unit.Region != nil && unit.Region.HasInit {
			unit.Program.Function = unit.Program.Function.WithoutHeld()
		}
		t.Source, t.Written = unit.Program, unit.Program
		t.Partitions, t.Privatize, t.Inplace, t.On = &o.Space, o.Privatize, o.Inplace.On, o.on()
		if err := o.changed(&t); err != nil {
			return nil, t.Failed(err)
		}
		list = append(list, &t)
	}
	return list, nil
}

// changed does to the target's program what the options say, and tells the user.
func (o *Options) changed(t *Target) error {
	if o.Together {
		t.Share, t.Place = limit.NewShare(t.Source), &Workplace{}
	}
	if o.Untile {
		if err := t.untile(); err != nil {
			return err
		}
		noteUntiled(t, o.Told())
	}
	if err := t.Change(scop.Room{Bytes: int64(o.Expand.Bytes)}, o.Reassociate); err != nil {
		return err
	}
	t.NoteExpansions(o.Told())
	t.NoteAssumed(o.Told(), "")
	return nil
}

// Change makes the program that is transformed of the one that was written: temporaries go into
// elements of arrays, get room in arrays of their own, or private copies, and reductions may be
// done in any order if that is wanted.
func (t *Target) Change(room scop.Room, reassociate bool) error {
	t.Unit.Program = t.Written
	if t.Inplace {
		if err := t.placeTemporaries(); err != nil {
			return err
		}
	}
	if room.Bytes > 0 {
		if err := t.expand(room); err != nil {
			return err
		}
	}
	if t.Privatize {
		lap := Watch()
		if err := t.privatize(); err != nil {
			return err
		}
		lap(&t.Spent.Dependences)
	}
	if reassociate {
		t.Unit.Program = t.Unit.Program.Reassociated()
	}
	t.Whole = t.Unit.Program
	return nil
}

// SetFile puts the target into another text of its file, in which regions behind its own may have
// been replaced.
func (t *Target) SetFile(file *frontend.File) {
	t.File = file
	text := file.Unit(t.Region)
	t.Unit.Original, t.Unit.Place = text.Original, text.Place
}

// IsOnDevice says whether code is made for blocks of threads.
func (t *Target) IsOnDevice() bool { return isOnDevice(t.On) }

// IsOnDevice says whether code is made for blocks of threads.
func (o *Options) IsOnDevice() bool { return isOnDevice(o.On) }

func isOnDevice(on target.Target) bool {
	_, is := on.(gpu.Target)
	return is
}

// UsersText is the program that variants are timed against: the target's with the region as the
// user wrote it.
func (t *Target) UsersText() []byte { return t.Region.UsersText(t.File.Source) }

// Reference is the program whose results variants have to leave: the user's without the pragmas of
// the region's loops, whose results are the same each time.
func (t *Target) Reference() []byte { return t.Region.WithoutPragmas(t.File.Source) }

// CompilerArguments are the user's -I, -D and the like for the compiler.
func (o *Options) CompilerArguments() []string {
	var arguments []string
	for _, path := range o.IncludePaths {
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
		arguments = append(arguments, "-I"+path)
	}
	for _, define := range o.Defines {
		arguments = append(arguments, "-D"+define)
	}
	return append(arguments, o.Program.Build.Preprocessor...)
}
