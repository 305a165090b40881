package main

import (
	"errors"
	"fmt"
	"hash/fnv"
	"io"
	"maps"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/spf13/pflag"
	"golang.org/x/sync/errgroup"

	"polytune/codegen"
	"polytune/configs"
	"polytune/internal/pipelinetest"
	"polytune/isl"
	"polytune/loopir"
	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/transform"
)

// interpretedPoints are the points of the space that are interpreted: whose code is no lines of text, as that
// of register blocks and of vectors of our own still is.
var interpretedPoints = map[string]string{"models": "", "tiles": "tile=sizes,tile.1=4,tile.2=6,tile.3=4,tile.4=4"}

// withoutLines are the settings of axes with which no code is lines of text.
const withoutLines = "registers=off,pack=off,overlap=off,stores=plain,interleave=off"

// interpretedSize is the value of parameter k of a program: small, different, and no multiple of a tile.
func interpretedSize(k int) int64 { return []int64{5, 7, 6, 9, 4}[k%5] }

// TestInterpreted runs the code of all benchmarks and saved programs of the fuzzer in the interpreter: each
// instance reads what it reads in the order of the source, with loops of threads and lanes forwards and
// backwards, with several threads and with one. That holds for code in two stages and in phases, of which
// the proof sees another tree than the code is made of.
func TestInterpreted(t *testing.T) {
	t.Parallel()
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	var mutex sync.Mutex
	counts := map[string]int{}
	for _, f := range frozenCases(t) {
		for name, point := range interpretedPoints {
			if f.machine != "avx2" || !pipelinetest.Long() && !f.isInterpretedShort(name) {
				continue
			}
			group.Go(func() error {
				outcome := interpreted(t, f, point)
				mutex.Lock()
				counts[outcome]++
				mutex.Unlock()
				return nil
			})
		}
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	if counts["the same"] < 4*(counts["lines of text"]+counts["too long"]) {
		t.Errorf("most code cannot be interpreted: %v", counts)
	}
}

// isInterpretedShort says whether a short test has the case, with a point: one of each fourth program.
func (f frozen) isInterpretedShort(point string) bool {
	sum := fnv.New32()
	io.WriteString(sum, f.program)
	number := sum.Sum32()
	return f.partition == "smart" && number%4 == 0 && (point == "tiles") == (number%8 == 0)
}

// interpreted compares the variants of a case with the original, and says how that ended.
func interpreted(t *testing.T, f frozen, point string) (outcome string) {
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
		return "failed"
	}
	for _, d := range done {
		if outcome = interpretedVariant(d, t, f.String()+" "+point); outcome != "the same" {
			return outcome
		}
	}
	return outcome
}

// transformedAt are the variants of a case at a point of the space, without lines of text.
func (f frozen) transformedAt(t *testing.T, point string) ([]variant.Transformed, error) {
	o, set := &transformOptions{}, pflag.NewFlagSet("", pflag.ContinueOnError)
	o.flags(set)
	arguments := []string{"--partition", f.partition, "--point", strings.Trim(point+","+withoutLines, ","), "--bench", f.program}
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
func interpretedVariant(d variant.Transformed, t *testing.T, name string) (outcome string) {
	original, values, err := interpretedOriginal(d.Target)
	if outcome = uninterpreted(err); outcome != "" {
		return outcome
	}
	if err != nil {
		t.Errorf("%s, the original: %v", name, err)
		return "failed"
	}
	err = compareVariant(d, original, values)
	if outcome = uninterpreted(err); outcome != "" {
		return outcome
	}
	if err != nil {
		t.Errorf("%s: %v\n%s", name, err, d.Variant.Text)
		return "failed"
	}
	return "the same"
}

// compareVariant runs a region's variant in all ways.
func compareVariant(d variant.Transformed, original map[string]uint64, values map[string]int64) error {
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
	code, err := codegen.Lower(g.Model, proven, tree, "original")
	if err != nil {
		return err
	}
	machine, err := loopir.NewMachine(g.Model, values)
	if err != nil {
		return err
	}
	for _, way := range []loopir.Machine{{}, {Backwards: true}, {Alone: true}} {
		machine.Backwards, machine.Alone = way.Backwards, way.Alone
		left, err := machine.Run(code)
		if err != nil {
			return err
		}
		if difference := firstDifference(original, left); difference != "" {
			return fmt.Errorf("backwards %v, alone %v: %s", way.Backwards, way.Alone, difference)
		}
	}
	return nil
}

// uninterpreted says why code cannot be interpreted, "" where it can.
func uninterpreted(err error) string {
	for reason, text := range map[error]string{loopir.ErrRaw: "lines of text", loopir.ErrSteps: "too long"} {
		if errors.Is(err, reason) {
			return text
		}
	}
	return ""
}

// interpretedOriginal is what the loops of the source leave, and the values of the parameters.
func interpretedOriginal(t *pipeline.Target) (map[string]uint64, map[string]int64, error) {
	ctx := isl.NewContext()
	defer ctx.Close()
	model, err := t.Written.Model(ctx)
	if err != nil {
		return nil, nil, err
	}
	values := map[string]int64{}
	for k, name := range t.Written.Parameters {
		values[name] = interpretedSize(k)
	}
	_, recipe, err := transform.Original(model)
	if err != nil {
		return nil, nil, err
	}
	tree, err := recipe.Replay(model.Program)
	if err != nil {
		return nil, nil, err
	}
	code, err := codegen.Lower(model, tree.Schedule(model), tree, "original")
	if err != nil {
		return nil, nil, err
	}
	machine, err := loopir.NewMachine(model, values)
	if err != nil {
		return nil, nil, err
	}
	left, err := machine.Run(code)
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
