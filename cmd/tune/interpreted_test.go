package main

import (
	"cmp"
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"polytune/codegen"
	"polytune/configs"
	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/loopir"
	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/scop"
	"polytune/transform"
)

// interpretedPoint is a point of the space that is interpreted, with values of the parameters.
type interpretedPoint struct {
	point string
	sizes []int64
}

// smallSizes are small, different, and no multiples of a tile. Many blocks of registers are full
// with blockSizes.
var smallSizes, blockSizes = []int64{5, 7, 6, 9, 4}, []int64{21, 18, 27, 17, 23}

var interpretedPoints = map[string]interpretedPoint{
	"models":  {"", smallSizes},
	"tiles":   {"tile=sizes,tile.1=4,tile.2=6,tile.3=4,tile.4=4", smallSizes},
	"blocks":  {"", blockSizes},
	"streams": {"stores=stream,overlap=off", blockSizes},
}

// TestInterpreted runs the code of all benchmarks and saved programs of the fuzzer in the
// interpreter: each instance reads what it reads in the order of the source, with loops of threads
// and lanes forwards and backwards, with several threads and with one. That holds for code in two
// stages and in phases, of which the proof sees another tree than the code is made of.
func TestInterpreted(t *testing.T) {
	t.Parallel()
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	var mutex sync.Mutex
	counts, seen := map[string]int{}, map[string]bool{}
	for _, f := range append(frozenCases(t), frozen{manyStatements, "smart", "avx2"}) {
		for name, point := range interpretedPoints {
			if f.machine != "avx2" || !f.isInterpreted(name) || !kerneltest.Long() && !f.isInterpretedShort(name) {
				continue
			}
			group.Go(func() error {
				outcome, features := interpreted(t, f, point)
				mutex.Lock()
				counts[outcome]++
				maps.Copy(seen, features)
				mutex.Unlock()
				return nil
			})
		}
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	for _, feature := range interpretedFeatures {
		if !seen[feature] {
			t.Errorf("no code with %s is interpreted", feature)
		}
	}
	if counts["the same"] < 4*counts["too long"] {
		t.Errorf("most code cannot be interpreted: %v", counts)
	}
}

// manyStatements is a program whose code is made in two stages.
const manyStatements = "tune/testdata/interpreted/stages.c"

// interpretedAlways are programs whose code has what others have rarely, with the points at which a
// short test has them.
var interpretedAlways = map[string]string{
	"polybench/atax": "blocks", "polybench/jacobi-2d": "blocks", "polybench/gemver": "blocks",
	"polybench/gramschmidt": "models", "polybench/2mm": "streams", manyStatements: "tiles",
}

// interpretedTooLong are programs of which a short test would find out that they take too long at
// their points: nothing is compared then. Making the code of the
// factorizations takes longer than that of all others together: gramschmidt has phases, too, and a
// script runs lu's.
var interpretedTooLong = []string{"polybench/cholesky", "polybench/lu", "tiramisu/conv2d", "plutoplus/lbm-ldc-d2q9", "polybench/doitgen"}

// interpretedFeatures are what some of the code that is interpreted is made of. Barriers, sums of
// threads and variables in the place of elements are in codegen's TestInterpreted.
var interpretedFeatures = []string{"Alias", "Assign", "Buffer", "Cover", "Fence", "Relay", "Team", "Transpose", "phases", "stages"}

// isInterpreted says whether a case is interpreted at a point. Large sizes take long: one partition
// has them.
func (f frozen) isInterpreted(point string) bool {
	switch point {
	case "blocks":
		return f.partition == "smart"
	case "streams":
		return f.partition == "smart" && strings.HasPrefix(f.program, "polybench/")
	}
	return true
}

// isInterpretedShort says whether a short test has the case, with a point: the programs of
// interpretedAlways have one each, and each fourth of the others that has loops of its own. The
// other programs and points are left to the long test.
func (f frozen) isInterpretedShort(point string) bool {
	sum := fnv.New32()
	io.WriteString(sum, f.program)
	number := sum.Sum32()
	if always := interpretedAlways[f.program]; always != "" {
		return f.partition == "smart" && point == always
	}
	names := slices.Sorted(maps.Keys(interpretedPoints))
	return f.partition == "smart" && number%4 == 0 && !slices.Contains(interpretedTooLong, f.program) && kerneltest.HasOwnLoops(f.program) && point == names[number/4%uint32(len(names))]
}

// interpreted compares the variants of a case with the original, and says how that ended.
func interpreted(t *testing.T, f frozen, at interpretedPoint) (outcome string, features map[string]bool) {
	point := at.point
	done, err := f.transformedAt(t, point)
	for tile := strings.LastIndex(point, ",tile."); err != nil && tile > 0; tile = strings.LastIndex(point, ",tile.") {
		// Bands have fewer loops.
		point = point[:tile]
		done, err = f.transformedAt(t, point)
	}
	if err != nil && point != "" {
		done, err = f.transformedAt(t, "")
	}
	if err != nil {
		t.Errorf("%s: %v", f, err)
		return "failed", nil
	}
	features = map[string]bool{}
	for _, d := range done {
		if outcome = interpretedVariant(t, d, f.String()+" "+point, at.sizes, features); outcome != "the same" {
			return outcome, nil
		}
	}
	return outcome, features
}

// transformedAt are the variants of a case at a point of the space.
func (f frozen) transformedAt(t *testing.T, point string) ([]variant.Transformed, error) {
	o, set := &transformOptions{}, pflag.NewFlagSet("", pflag.ContinueOnError)
	o.flags(set)
	arguments := []string{"--partition", f.partition, "--point", point, "--bench", f.program}
	if strings.HasSuffix(f.program, ".c") {
		arguments = append(arguments[:4], filepath.Join("..", f.program))
	}
	if err := set.Parse(arguments); err != nil {
		return nil, err
	}
	o.Threads = 4
	machine := runner.Machine{Cores: 4, CPUs: []int{0, 1, 2, 3}, Siblings: [][]int{{0}, {1}, {2}, {3}}, Architecture: "amd64", Vector: frozenMachines[f.machine]}
	targets, err := o.Targets(t.Context(), io.Discard, set.Args(), machine, configs.Settings{})
	if err != nil {
		return nil, err
	}
	return o.TransformAll(t.Context(), targets, machine)
}

// interpretedVariant compares a region's variant with its original.
func interpretedVariant(t *testing.T, d variant.Transformed, name string, sizes []int64, features map[string]bool) (outcome string) {
	known := loopir.Known{}
	original, values, err := interpretedOriginal(d.Target, sizes, known)
	if outcome = uninterpreted(err); outcome != "" {
		return outcome
	}
	if err != nil {
		t.Errorf("%s, the original: %v", name, err)
		return "failed"
	}
	err = compareVariant(d, original, values, features, known)
	if outcome = uninterpreted(err); outcome != "" {
		return outcome
	}
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, d.Variant.Text)
		return "failed"
	}
	return "the same"
}

// compareVariant runs a region's variant behind each pass that changes it, and in the end in all
// ways, and notes what its code is made of.
func compareVariant(d variant.Transformed, original map[string]uint64, values map[string]int64, features map[string]bool, known loopir.Known) error {
	ctx := isl.NewContext()
	defer ctx.Close()
	g, err := d.Target.Analyze(ctx)
	if err != nil {
		return err
	}
	tree, proven, err := d.Variant.Recipe.Prove(g)
	if err != nil {
		return err
	}
	if tree.HasPhases() {
		proven = tree.United(g.Model)
	}
	machine, err := newInterpreter(g.Model, values, known)
	if err != nil {
		return err
	}
	before := ""
	program, err := codegen.Lower(g.Model, proven, codegen.Options{Tree: tree, Original: "original"}, func(pass string, p *loopir.Program) error {
		if text := p.Code.String(); text != before {
			before = text
			return compareIn(machine, original, p.Code, loopir.Machine{})
		}
		return nil
	})
	if err != nil {
		return err
	}
	loopir.Walk(program.Code, func(s loopir.Stmt) { features[strings.TrimPrefix(fmt.Sprintf("%T", s), "*loopir.")] = true })
	for _, passing := range []string{"Marked", "Copies", "Packed"} {
		if features[passing] {
			return fmt.Errorf("a node %s is left behind all passes", passing)
		}
	}
	for feature, has := range map[string]bool{"phases": tree.HasPhases(), "stages": codegen.HasStages(g.Model, tree)} {
		if has {
			features[feature] = true
		}
	}
	return cmp.Or(compareIn(machine, original, program.Code, loopir.Machine{Backwards: true}), compareIn(machine, original, program.Code, loopir.Machine{Alone: true}))
}

// compareIn compares what code leaves, when it is run in one way, with what the original leaves.
func compareIn(machine *loopir.Machine, original map[string]uint64, code loopir.Code, way loopir.Machine) error {
	machine.Like(way)
	left, err := machine.Run(code)
	if err != nil {
		return err
	}
	if difference := firstDifference(original, left); difference != "" {
		return fmt.Errorf("backwards %v, alone %v: %s", way.Backwards, way.Alone, difference)
	}
	return nil
}

// uninterpreted says why code cannot be interpreted, "" where it can.
func uninterpreted(err error) string {
	if errors.Is(err, loopir.ErrSteps) {
		return "too long"
	}
	return ""
}

// newInterpreter is a machine that takes code of some hundred thousand references.
func newInterpreter(model *scop.Model, values map[string]int64, known loopir.Known) (*loopir.Machine, error) {
	machine, err := loopir.NewMachine(model, values)
	if err == nil {
		machine.Steps, machine.Known = 400_000, known
	}
	return machine, err
}

// interpretedOriginal is what the loops of the source leave with some values of the parameters, and
// these.
func interpretedOriginal(t *pipeline.Target, sizes []int64, known loopir.Known) (map[string]uint64, map[string]int64, error) {
	ctx := isl.NewContext()
	defer ctx.Close()
	model, err := t.Written.Model(ctx)
	if err != nil {
		return nil, nil, err
	}
	values := map[string]int64{}
	for k, name := range t.Written.Parameters {
		values[name] = sizes[k%len(sizes)]
	}
	_, recipe, err := transform.Original(model)
	if err != nil {
		return nil, nil, err
	}
	tree, err := recipe.Replay(model.Program)
	if err != nil {
		return nil, nil, err
	}
	program, err := codegen.Lower(model, tree.Schedule(model), codegen.Options{Tree: tree, Original: "original"}, nil)
	if err != nil {
		return nil, nil, err
	}
	machine, err := newInterpreter(model, values, known)
	if err != nil {
		return nil, nil, err
	}
	left, err := machine.Run(program.Code)
	return left, maps.Clone(values), err
}

// firstDifference is the first element of the original's that is another one, or "".
func firstDifference(original, left map[string]uint64) string {
	first := ""
	for element, value := range original {
		if left[element] != value && (first == "" || element < first) {
			first = element
		}
	}
	if first == "" && len(left) != len(original) {
		return fmt.Sprintf("%d elements are written instead of %d", len(left), len(original))
	}
	return first
}
