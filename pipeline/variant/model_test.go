package variant

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/pipeline"
	"polytune/pipeline/limit"
	"polytune/runner"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform"
)

// sayWhere are notes that name the phase and the statements.
var sayWhere = regexp.MustCompile(`^without tiling( and reordering)?, for which isl needs too long: (schedule|code|transformation|dependences): .*S0.*isl: the limit on operations`)

// With ever fewer operations allowed, a variant is first whole, then loses its
// tiles, and only then fails. The long test goes in smaller steps.
func TestVariantGivesUpStepByStep(t *testing.T) {
	targets, err := (&pipeline.Options{Bench: "polybench/seidel-2d"}).All(nil)
	if err != nil {
		t.Fatal(err)
	}
	usual := limit.Attempt
	defer func() { limit.Attempt = usual }()
	part := uint64(3)
	if kerneltest.Long() {
		part = 8
	}
	var met []string
	for limit.Attempt.Operations = 3_000_000; ; limit.Attempt.Operations -= limit.Attempt.Operations / part {
		v, err := Of(context.Background(), targets[0], space.Nest{{0}}, transform.Options{CacheBytes: 32 << 10})
		step := v.givenUp
		if note := v.Note(); (note == "") != (step == "") || step != "" && !sayWhere.MatchString(note) {
			t.Errorf("with %d operations the note is %q", limit.Attempt.Operations, note)
		}
		if err != nil {
			step = "all"
			if !isl.IsLimit(err) {
				t.Fatal(err)
			}
		}
		if len(met) == 0 || met[len(met)-1] != step {
			met = append(met, step)
		}
		if err != nil {
			break
		}
	}
	if len(met) < 3 || met[0] != "" || met[1] != "tiling" || met[len(met)-1] != "all" {
		t.Errorf("met %q", met)
	}
}

// What the models chose and a proof refuses becomes simpler, and the note says why; an error after
// which nothing goes on ends the attempts, and where all fail the error is the first one.
func TestFirstToSucceed(t *testing.T) {
	illegal := &pipeline.PhaseError{Phase: "schedule", Err: &depend.Violation{Dependence: &depend.Dependence{}}}
	list := attempts(transform.Options{})
	goOn, stop := func(error) bool { return true }, func(error) bool { return false }
	for name, c := range map[string]struct {
		goesOn  func(error) bool
		fails   int
		givenUp string
		fault   bool
	}{
		"the first":  {goOn, 0, "", false},
		"the second": {goOn, 1, "tiling", false},
		"the third":  {goOn, 2, "tiling and reordering", false},
		"none":       {goOn, 3, "", true},
		"no more":    {stop, 1, "", true},
	} {
		tried := 0
		v, err := firstToSucceed(list, c.goesOn, func(transform.Options) (Variant, error) {
			if tried++; tried == 1 && c.fails > 0 {
				return Variant{}, illegal
			} else if tried <= c.fails {
				return Variant{}, errors.New("another fault")
			}
			return Variant{Text: "recipe"}, nil
		})
		switch note := v.Note(); {
		case c.fault && !IsIllegal(err):
			t.Errorf("%s: the error is %v", name, err)
		case !c.fault && (err != nil || v.givenUp != c.givenUp || v.Text != "recipe"):
			t.Errorf("%s: without %q, recipe %q: %v", name, v.givenUp, v.Text, err)
		case !c.fault && c.fails > 0 && !strings.Contains(note, "without "+c.givenUp+", which failed by a fault of tune's own; please report it with the file: schedule: "):
			t.Errorf("%s: the note is %q", name, note)
		}
	}
}

// An error names the stage that made it: a proof that fails is one of the schedule.
func TestStagesOfErrors(t *testing.T) {
	if err := ofCode(nil); err != nil {
		t.Errorf("no error is %v", err)
	}
	for want, cause := range map[string]error{
		"schedule: ": fmt.Errorf("proof: %w", &depend.Violation{}),
		"code: ":     errors.New("no form in C"),
	} {
		if err := ofCode(cause); !strings.HasPrefix(err.Error(), want) || !errors.Is(err, cause) {
			t.Errorf("%v begins not with %q", err, want)
		}
	}
}

// A shape that is asked for meets a limit: the error names it, and is no limit any more, after
// which the loops of the source would take its place.
func TestShapeMeetsLimit(t *testing.T) {
	targets, err := (&pipeline.Options{Bench: "polybench/jacobi-2d"}).All(nil)
	if err != nil {
		t.Fatal(err)
	}
	usual := limit.Attempt
	defer func() { limit.Attempt = usual }()
	limit.Attempt.Operations = 40_000
	hexagons := transform.Stencil{Shape: transform.HexagonShape}
	_, err = Of(context.Background(), targets[0], space.Nest{{0, 0}}, transform.Options{CacheBytes: 32 << 10, Stencil: hexagons})
	if err == nil || isl.IsLimit(err) || !strings.Contains(err.Error(), "the limit on operations of isl's, 40000") {
		t.Errorf("hexagons: %v", err)
	}
	request := &Request{Model: pipeline.ModelOptions{Hexagon: true, CoefficientBound: 1, Degrees: 1}, Partition: "max"}
	if v, _, err := request.Transform(context.Background(), targets[0], runner.Machine{}); err == nil || isl.IsLimit(err) {
		t.Errorf("--hexagon: %v %q", err, v.Note())
	}
}
