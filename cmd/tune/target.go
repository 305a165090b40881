package main

import (
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
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/split"
	"polytune/space"
	"polytune/transform"
)

// targetOptions say what is worked on, how it is read, and what is done to its program before
// schedules of it are sought.
type targetOptions struct {
	bench        string
	function     string
	region       int
	includePaths []string
	defines      []string
	driver       driverOptions
	program      programOptions
	// exact says that a file is read with all options of its compiler or not at all.
	exact bool
	// assumeNoAlias says that pointers without restrict do not overlap.
	assumeNoAlias bool
	// privatize says that temporaries get private copies.
	privatize bool
	// expand says whether temporaries are expanded.
	expand expansion
	// inplace says whether temporaries have their values in elements of arrays.
	inplace inplace
	// untile says that loops over tiles of the source are left out where they can be.
	untile bool
	// together says that all choices and attempts for a region share the time for them.
	together bool
	// reassociate says that reductions may be done in any order.
	reassociate bool
	// space chooses the space of partitions.
	space spaceChoice
	// notes takes what the user is to know besides; nil for nobody.
	notes io.Writer
}

// target is one region of a C file or a built-in benchmark.
type target struct {
	// name is the kernel's name: "polybench/2mm", or the file's name without
	// its suffix, followed by the function where the file has several.
	name string
	// path is the user's file, "" for a benchmark.
	path      string
	benchmark *benchmarks.Benchmark
	file      *frontend.File
	// fileParameters are the parameters of all the file's regions.
	fileParameters []string
	// run is the run for which the models choose sizes: with the parameters of a
	// benchmark's size large, where a command does not say.
	run transform.Run
	// parsing is how the file was read.
	parsing frontend.Options
	// region is the region; its program may have been cut, and whole is the
	// program before that. written is the program before temporaries got private copies: as it was read, source, or without
	// the source's loops over tiles.
	region                 *frontend.Region
	whole, written, source *scop.Program
	// isWhole says that the user wants no statement split.
	isWhole bool
	// spent is the time that went into the target before a variant was made of
	// it: private copies, splitting, and the choice of a partition.
	spent phases
	// isProgram says that the target is run as the whole program it belongs
	// to, with these arguments.
	isProgram    bool
	runArguments []string
	// partitions chooses the space of partitions.
	partitions *spaceChoice
	// privatize says that temporaries get private copies, and inplace that they have their values in elements of
	// arrays where they can.
	privatize, inplace bool
	// share is the time that choices and attempts for the region share, nil where each has its own.
	share *timeShare
}

// told takes what the user is to know.
func (o *targetOptions) told() io.Writer {
	if o.notes == nil {
		return io.Discard
	}
	return o.notes
}

// one resolves the command line's target to one region.
func (o *targetOptions) one(args []string) (*target, error) {
	all, err := o.all(args)
	if err != nil {
		return nil, err
	}
	if len(all) > 1 {
		return nil, severalRegions(all)
	}
	return all[0], nil
}

// severalRegions asks the user to choose.
func severalRegions(all []*target) error {
	names := make([]string, len(all))
	for i, t := range all {
		names[i] = t.region.Function
	}
	return fmt.Errorf("%s has %d regions (in %s); choose one with --region N or --function NAME",
		all[0].path, len(all), strings.Join(names, ", "))
}

// oneDocument refuses several regions where one JSON document is to be
// printed, which describes one.
func oneDocument(all []*target) error {
	if len(all) > 1 {
		return usage.Mistake(fmt.Errorf("--json is about one region: %w", severalRegions(all)))
	}
	return nil
}

// all resolves the command line's target to all of its regions, and prints the
// front end's warnings.
func (o *targetOptions) all(args []string) ([]*target, error) {
	all, err := o.resolve(args)
	for _, t := range all {
		t.warn(o.told())
	}
	return all, err
}

// several resolves any number of files, or a list of benchmarks and suites, to
// all of their regions.
func (o *targetOptions) several(args []string) ([]*target, error) {
	var all []*target
	add := func(one targetOptions, args []string) error {
		found, err := one.all(args)
		all = append(all, found...)
		return err
	}
	if o.bench == "" && len(args) > 1 {
		for _, path := range args {
			if err := add(*o, []string{path}); err != nil {
				return nil, err
			}
		}
		return all, nil
	}
	if o.bench == "" || len(args) > 0 {
		return o.all(args)
	}
	chosen, err := benchmarks.Select(o.bench)
	if err != nil {
		return nil, err
	}
	for _, b := range chosen {
		one := *o
		one.bench = b.Name
		if err := add(one, nil); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (o *targetOptions) resolve(args []string) ([]*target, error) {
	switch {
	case o.bench == "" && len(args) == 0:
		return nil, usage.Mistake(errors.New("name a C file, or a benchmark with --bench"))
	case o.bench != "" && len(args) > 0:
		return nil, usage.Mistake(errors.New("name a C file or a benchmark, not both"))
	}
	if err := o.program.parse(); err != nil {
		return nil, err
	}
	if o.bench != "" {
		return o.benchmark()
	}
	source, err := os.ReadFile(args[0])
	if err != nil {
		return nil, fmt.Errorf("cannot read the C file: %w", err)
	}
	return o.regions(&target{name: kernelName(args[0]), path: args[0]}, args[0], source)
}

// kernelName is the name of the kernel in a file: the file's without its
// folder and suffix.
func kernelName(path string) string {
	return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
}

func (o *targetOptions) benchmark() ([]*target, error) {
	b, err := benchmarks.Find(o.bench)
	if err != nil {
		return nil, err
	}
	large, err := b.Size("large")
	if err != nil {
		return nil, err
	}
	return o.regions(&target{name: b.Name, benchmark: &b, run: transform.Run{Parameters: large}}, b.File, b.Source)
}

// regions parses the source and makes a target of each region that the flags
// choose.
func (o *targetOptions) regions(base *target, path string, source []byte) ([]*target, error) {
	base.parsing = o.program.build.parsing()
	base.parsing.QuotePaths = append(base.parsing.QuotePaths, filepath.Dir(path))
	base.parsing.IncludePaths = slices.Concat(o.includePaths, base.parsing.IncludePaths)
	base.parsing.Defines = slices.Concat(o.defines, base.parsing.Defines)
	base.parsing.KernelName, base.parsing.AssumeNoAlias = base.name, o.assumeNoAlias
	base.parsing.Function, base.parsing.Number = o.function, o.region
	file, err := o.parse(path, source, &base.parsing)
	if err != nil {
		return nil, err
	}
	if base.isProgram, err = o.program.isProgram(file); err != nil {
		return nil, err
	}
	base.runArguments, base.partitions, base.privatize = o.program.runArguments, &o.space, o.privatize
	for i := range file.Regions {
		if file.Regions[i].Program == nil {
			continue
		}
		names, _ := file.Regions[i].Program.Function.Sizes()
		base.fileParameters = append(base.fileParameters, names...)
	}
	var list []*target
	for i := range file.Regions {
		region := &file.Regions[i]
		if !base.parsing.Asks(i, region.Function) {
			continue
		}
		t := *base
		t.file, t.region, t.written = file, region, region.Program
		if len(file.Regions) > 1 {
			t.name = fmt.Sprintf("%s:%d", base.name, i+1)
			region.Program.Name = t.name
		}
		t.source, t.inplace = region.Program, o.inplace.on
		if o.together {
			t.share = newTimeShare(t.source)
		}
		if o.untile {
			if err := t.untile(); err != nil {
				return nil, fmt.Errorf("%s: %w", t.name, err)
			}
			t.noteUntiled(o.told())
		}
		if err := t.change(scop.Room{Bytes: int64(o.expand.bytes)}, o.reassociate); err != nil {
			return nil, fmt.Errorf("%s: %w", t.name, err)
		}
		t.noteExpansions(o.told())
		t.noteAssumed(o.told(), "")
		list = append(list, &t)
	}
	if len(list) == 0 {
		return nil, fmt.Errorf("%s: no region is in function %q with number %d; the file has %d", path, o.function, o.region, len(file.Regions))
	}
	return list, nil
}

// parse reads a file. Options of --build-flags with which polytune's front end fails, as
// with a header of intrinsics that -march=native asks for, are left out.
func (o *targetOptions) parse(path string, source []byte, options *frontend.Options) (*frontend.File, error) {
	file, err := frontend.Parse(path, source, *options)
	if err == nil || o.exact || len(options.CompilerOptions) == 0 {
		return file, err
	}
	plain := *options
	plain.CompilerOptions = nil
	other, failed := frontend.Parse(path, source, plain)
	if failed != nil {
		return nil, err
	}
	fmt.Fprintf(o.told(), "%s: read as if it were not for %s, with which polytune cannot read it: %s\n",
		path, strings.Join(options.CompilerOptions, " "), firstLine(err.Error()))
	*options = plain
	return other, nil
}

// change makes the program that is transformed of the one that was written:
// temporaries go into elements of arrays, get room in arrays of their own, or private copies, and reductions
// may be done in any order if that is wanted.
func (t *target) change(room scop.Room, reassociate bool) error {
	region := *t.region
	region.Program = t.written
	t.region = &region
	if t.inplace {
		if err := placeTemporaries(&region, t.share); err != nil {
			return err
		}
	}
	if room.Bytes > 0 {
		if err := expand(&region, t.share, room); err != nil {
			return err
		}
	}
	if t.privatize {
		lap := watch()
		if err := privatize(&region, t.share); err != nil {
			return err
		}
		lap(&t.spent.dependences)
	}
	if reassociate {
		region.Program = region.Program.Reassociated()
	}
	t.whole = region.Program
	return nil
}

// reference is the program whose results variants have to leave: the target's without the pragmas of the
// region's loops, whose results are the same each time.
func (t *target) reference() []byte { return t.region.WithoutPragmas(t.file.Source) }

// analyze makes the dependence graph of the target's program in ctx.
func (t *target) analyze(ctx *isl.Context) (*depend.Graph, error) {
	model, err := t.whole.Model(ctx)
	if err != nil {
		return nil, err
	}
	graph, err := depend.Analyze(model)
	if err != nil || t.region.Program == t.whole {
		return graph, err
	}
	return split.Graph(graph, t.region.Program)
}

// spaceOptions are those of the target's space of partitions.
func (t *target) spaceOptions() (space.Options, error) {
	return t.partitions.options(t.region.Program.StatementNames())
}

// space is the target's space of partitions.
func (t *target) space(g *depend.Graph) (*space.Space, error) {
	options, err := t.spaceOptions()
	if err != nil {
		return nil, err
	}
	return space.New(g, options)
}

// deepest is the largest number of loops around a statement.
func (t *target) deepest() int {
	deepest := 0
	for _, s := range t.region.Program.Statements {
		deepest = max(deepest, s.Depth())
	}
	return deepest
}

// compilerArguments are the user's -I, -D and the like for the compiler.
func (o *targetOptions) compilerArguments() []string {
	var arguments []string
	for _, path := range o.includePaths {
		if absolute, err := filepath.Abs(path); err == nil {
			path = absolute
		}
		arguments = append(arguments, "-I"+path)
	}
	for _, define := range o.defines {
		arguments = append(arguments, "-D"+define)
	}
	return append(arguments, o.program.build.preprocessor...)
}
