package main

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/space"
	variants "polytune/space/variant"
	"polytune/target/registry"
	"polytune/transform"
	"polytune/transform/hyperplane"
)

// lineOption is the flag of commands that write a program.
const (
	lineFlag = "line-directives"
	lineHelp = "put a #line directive behind each replaced region, so that compilers and debuggers give the rest of the file its original lines"
)

// axesHelp lists the axes for --help. All commands are made for each call of the program, and three
// of them list the axes.
var axesHelp = sync.OnceValue(func() string {
	var b strings.Builder
	b.WriteString("\n\nAXES of --point; one that is left out has its default\n")
	for _, a := range slices.Concat(transform.Axes(), variant.OwnAxes, transform.SizeAxes(1)) {
		writeAxis(&b, a)
	}
	b.WriteString("  tile.2, tile.3 and so on are for the loops further inside, as many as are tiled")
	b.WriteString("\n\nAXES with --target cuda or opencl, besides iss, free and expand\n")
	sizes, _ := transform.DeviceSizeAxes(1)
	for _, a := range slices.Concat(transform.DeviceAxes(), transform.MemoryAxes(), sizes) {
		writeAxis(&b, a)
	}
	b.WriteString("  block.2, block.3, threads.2 and threads.3 are for the loops further inside; the last one is x\n")
	b.WriteString("  height, width, tile.1, tile.2 are the sizes of tiles with stencil=hexagon: half their steps, their least width, and those along the other dimensions (default the model's)")
	b.WriteString("\n\nAXES with --target mpi, besides iss, free and expand\n")
	for _, a := range transform.RankAxes() {
		writeAxis(&b, a)
	}
	return b.String()
})

// writeAxis writes what an axis decides and how.
func writeAxis(b *strings.Builder, a variants.Axis) {
	fmt.Fprintf(b, "  %-12s %s: %s (default %s)\n", a.Name, a.About, strings.Join(a.Choices(), ", "), a.Default)
	if a.When != nil {
		fmt.Fprintf(b, "  %-12s only if %s\n", "", a.When)
	}
}

// targetFlags adds the flags that name what a command works on.
func targetFlags(set *pflag.FlagSet, o *pipeline.Options) {
	o.Notes = os.Stderr
	set.StringVar(&o.Bench, "bench", "", "a built-in `benchmark` instead of a file; see tune list")
	set.StringVar(&o.Function, "function", "", "the `function` whose region is meant, when the file has several")
	set.IntVar(&o.Region, "region", 0, "the `number` of the region in the file, from 1")
	set.Var(targetFlag{o}, "target", "what code is made for: cpu, cuda, opencl or mpi")
	readingFlags(set, o)
}

// readingFlags adds the flags that say how files are read.
func readingFlags(set *pflag.FlagSet, o *pipeline.Options) {
	set.BoolVar(&o.AssumeNoAlias, "assume-no-alias", false, "pointers without restrict lead to different arrays: no warning")
	set.StringSliceVar(&o.AssumePure, "assume-pure", nil, "the functions `NAME,…` do nothing but read the values of their arguments, and read and write what these point to; may be repeated")
	repeatedFlag(set, &o.IncludePaths, "include", "I", "`folder` to look for headers in; may be repeated")
	set.StringVar(&o.Program.BuildText, "build-flags", "", "how the program is built, as `WORDS` for the compiler: -I, -D, further source files, libraries, and other options")
	repeatedFlag(set, &o.Defines, "define", "D", "preprocessor `macro`, NAME or NAME=VALUE; may be repeated")
}

// deviceFlag adds the flag that chooses what kernels run on.
func deviceFlag(set *pflag.FlagSet, about string) {
	set.String("device", "", about+": auto, a part of a device's name, or for tests emulation with an order (forward, reverse, random or bounds, as in emulation:reverse), ptx, or oclgrind; see tune machine (default auto)")
}

// targetFlag chooses what code is made for.
type targetFlag struct{ *pipeline.Options }

func (f targetFlag) Type() string { return "target" }

func (f targetFlag) String() string {
	if f.Options == nil || f.On == nil {
		return "cpu"
	}
	return f.On.Name()
}

func (f targetFlag) Set(name string) (err error) {
	f.On, err = registry.Find(name)
	return err
}

// timingFlag adds --timing and --objective.
func timingFlag(set *pflag.FlagSet, o *pipeline.DeviceOptions) {
	set.StringVar(&o.Objective, "objective", pipeline.TimeObjective, "what results are compared by: time, energy where the machine tells it, or edp, the product of both")
	set.StringVar(&o.Timing, "timing", pipeline.TotalTiming, "what of the time of kernels is compared: total, with transfers and all else, or kernel, without")
}

// timedDeviceFlags add --timing, and the --device of commands that time kernels.
func timedDeviceFlags(o *pipeline.DeviceOptions, global *globalOptions, c *cobra.Command) {
	timingFlag(c.Flags(), o)
	timedDeviceFlag(global, c)
}

// timedDeviceFlag adds --device of a command that times kernels.
func timedDeviceFlag(global *globalOptions, c *cobra.Command) {
	c.Flags().String("device", "", "the `device` that kernels are timed on: a part of its name, or auto, a GPU or, for OpenCL, the processor where there is none; see tune machine (default auto)")
	global.bind(c, map[string]string{"device": "device"})
}

// runFlags adds the flag of the commands that run programs.
func runFlags(set *pflag.FlagSet, o *pipeline.ProgramOptions) {
	set.StringVar(&o.RunText, "run-args", "", "the program's own arguments, as `WORDS`, for a file that belongs to a program with main")
}

// checkFlags adds those of the commands that run programs in two ways.
func checkFlags(set *pflag.FlagSet, o *pipeline.ProgramOptions) {
	set.StringVar(&o.CheckBuildText, "check-build-flags", "", "further `WORDS` for the compiler, behind those of --build-flags, in the runs whose results are compared bit for bit")
	set.Var(givenText{&o.CheckRunText, &o.CheckRunGiven}, "check-run-args", "the program's arguments, as `WORDS`, in the runs whose results are compared bit for bit (default those of --run-args)")
}

// givenText is a flag of which it matters whether it is given.
type givenText struct {
	text  *string
	given *bool
}

func (f givenText) Type() string   { return "string" }
func (f givenText) String() string { return *f.text }

func (f givenText) Set(text string) error {
	*f.text, *f.given = text, true
	return nil
}

// changeFlags adds those that name what a command works on, say how its program is changed before
// schedules are sought, of which space, and how the result is run.
func changeFlags(set *pflag.FlagSet, target *pipeline.Options, splitting *pipeline.Splitting) {
	targetFlags(set, target)
	privatizeFlag(set, target, true)
	expandFlag(set, target)
	inplaceFlag(set, target)
	untileFlag(set, target)
	reassociateFlag(set, target)
	spaceFlags(set, &target.Space)
	splittingFlags(set, splitting)
	driverFlags(set, &target.Driver)
	runFlags(set, &target.Program)
	ranksFlags(set, &target.Ranks)
}

// driverFlags adds the flags that say what a generated driver cannot know of a function.
func driverFlags(set *pflag.FlagSet, o *pipeline.DriverOptions) {
	repeatedFlag(set, &o.Extents, "extent", "", "the extents of an array argument, `NAME=N,M`, as C expressions over the function's sizes, outermost first; may be repeated")
	set.StringVar(&o.Init, "init", "", "a C `file` that defines FUNCTION_init, with the function's arguments or with none, to initialise its data; it is included at the end of the function's file")
}

// expansionFlag reads memory such as 64MiB for expanded temporaries: 0 means that none are
// expanded.
type expansionFlag struct{ *pipeline.Expansion }

func (f expansionFlag) Type() string   { return "memory" }
func (f expansionFlag) String() string { return strconv.FormatInt(f.Bytes, 10) }

func (f expansionFlag) Set(text string) error {
	bytes, err := pipeline.ParseMemory(text)
	if err == nil {
		*f.Expansion = pipeline.Expansion{Bytes: bytes, Given: true}
	}
	return err
}

// expandFlag adds --expand, which without a value stands for 1 GiB.
func expandFlag(set *pflag.FlagSet, o *pipeline.Options) {
	set.Var(expansionFlag{&o.Expand}, "expand", "give temporaries elements for each iteration of loops, in arrays that take at most so much `memory`, so that their statements need not stay together, or 0 for none; where the arrays need more, the program runs as it is written; by default up to 1GiB where that lets more of the deepest statements run in register blocks or vector loops, or threads share out their outermost loop, and no partition but smart is asked for")
	set.Lookup("expand").NoOptDefVal, set.Lookup("expand").DefValue = "1GiB", "where it pays"
}

// placementFlag says whether temporaries have their values in elements of arrays.
type placementFlag struct{ *pipeline.Inplace }

func (f placementFlag) Type() string   { return "bool" }
func (f placementFlag) String() string { return strconv.FormatBool(f.On) }

func (f placementFlag) Set(text string) error {
	on, err := strconv.ParseBool(text)
	*f.Inplace = pipeline.Inplace{On: on, Given: true}
	return err
}

// inplaceFlag adds --inplace.
func inplaceFlag(set *pflag.FlagSet, o *pipeline.Options) {
	set.Var(placementFlag{&o.Inplace}, "inplace", "keep temporaries that are assigned to an array's element in the end in this element from the beginning, where nothing needs its own value meanwhile; by default where that pays, as for --expand, which takes memory for the same")
	set.Lookup("inplace").NoOptDefVal, set.Lookup("inplace").DefValue = "true", "where it pays"
}

// untileFlag adds --untile.
func untileFlag(set *pflag.FlagSet, o *pipeline.Options) {
	set.BoolVar(&o.Untile, "untile", true, "leave loops over tiles of the source out, where other loops determine their iterators and no dependence needs their order")
}

// privatizeFlag adds --privatize, which is on by default for commands that
// transform. Those that count and show are about the program as it is written.
func privatizeFlag(set *pflag.FlagSet, o *pipeline.Options, on bool) {
	set.BoolVar(&o.Privatize, "privatize", on, "give temporaries, such as a sum that every iteration begins anew, a copy for each iteration of a loop where that takes dependences away")
}

// reassociateFlag adds --reassociate, which is off by default.
func reassociateFlag(set *pflag.FlagSet, o *pipeline.Options) {
	set.BoolVar(&o.Reassociate, "reassociate", false, "sums, products, minima and maxima may be computed in any order, so that loops over them can be parallel: floating-point results are rounded differently, and compared with a tolerance")
}

// spaceFlags adds the flags that choose a space of partitions.
func spaceFlags(set *pflag.FlagSet, o *pipeline.SpaceChoice) {
	set.StringVar(&o.Mode, "mode", "exact", "exact or sc10")
	set.IntVar(&o.Peel, "max-peel", space.DefaultMaxPeel, "fused statements may be shifted against each other by less than this many iterations")
	set.BoolVar(&o.Signed, "signed", false, "loops may also be reversed, or skewed by negative factors, to be fused")
	repeatedFlag(set, &o.Together, "together", "", "keep `statements` in one class, such as S0,S2; may be repeated, like the other cuts")
	repeatedFlag(set, &o.Apart, "apart", "", "keep `statements` in different classes, no two of them in one")
	repeatedFlag(set, &o.Before, "before", "", "keep each of the `statements` in an earlier class than the next")
	repeatedFlag(set, &o.Affine, "cut", "", "keep `constraints` on the variables that --isl shows, such as \"e_0_1 + e_1_2 <= 1\"")
}

// splittingFlags adds the flags of index-set splitting.
func splittingFlags(set *pflag.FlagSet, o *pipeline.Splitting) {
	set.BoolVar(&o.On, "iss", false, "split the statements in two where a loop's long dependences are symmetric, as in stencils on a ring, so that the pieces can be tiled; partitions and recipes then name the pieces S0.0, S0.1")
	set.BoolVar(&o.Off, "no-iss", false, "do not split statements, not even where a loop carries nothing in the pieces, which is done by default")
}

// modelFlags adds the flags that decide instead of the models.
func modelFlags(set *pflag.FlagSet, o *pipeline.ModelOptions) {
	set.StringVar(&o.Model, "model", "", fmt.Sprintf("the scheduling `model`: pluto+, the tiling hyperplane method with coefficients of both signs, or pluto, with non-negative ones (default %s; beside --point %s)", pipeline.DefaultModel, pipeline.AxisModel))
	set.IntVar(&o.CoefficientBound, "coefficient-bound", hyperplane.DefaultCoefficientBound, fmt.Sprintf("for pluto+, the largest absolute `value` of a coefficient, from 1 to %d", hyperplane.MaxCoefficientBound))
	set.StringVar(&o.Tile, "tile", "", "tile `sizes`, outermost first, such as 32,32,256; none leaves loops untiled; by default the cache decides")
	set.StringVar(&o.Point, "point", "", "what is decided instead of the models: a `setting` such as \"tile=wide vector=off\"; see AXES")
	set.BoolVar(&o.Start.Diamond, "diamond", false, "diamond tiling: tiles along one dimension start together where the dependences allow it")
	set.BoolVar(&o.Start.Full, "full-diamond", false, "diamond tiling along all dimensions")
	set.BoolVar(&o.Start.None, "no-diamond", false, "wavefronts that begin with one tile, which is the default")
	set.BoolVar(&o.Hexagon, "hexagon", false, "hexagonal tiles in time and space for stencils; the sizes of --tile are then half their steps, their least width, and those along the other dimensions")
	set.BoolVar(&o.Second, "second-level", false, "tile the tiles again, 8 along each loop")
	set.StringSliceVar(&o.Without, "without", nil, "`strategies` of the models that are left out, with commas between them; tune strategies lists them")
	set.IntVar(&o.Degrees, "degrees", 1, "the `number` of loops inside the one over wavefronts that carry no dependence")
}

// oneDocument refuses several regions where one JSON document is to be
// printed, which describes one.
func oneDocument(all []*pipeline.Target) error {
	if len(all) > 1 {
		return usage.Mistake(fmt.Errorf("--json is about one region: %w", pipeline.SeveralRegions(all)))
	}
	return nil
}
