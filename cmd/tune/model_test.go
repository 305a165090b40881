package main

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform"
)

// sayWhere are notes that name the phase and the statements.
var sayWhere = regexp.MustCompile(`^without tiling( and reordering)?, for which isl needs too long: (schedule|code|transformation|dependences): .*S0.*isl: the limit on operations`)

// With ever fewer operations allowed, a variant is first whole, then loses its
// tiles, and only then fails.
func TestVariantGivesUpStepByStep(t *testing.T) {
	targets, err := (&targetOptions{bench: "polybench/seidel-2d"}).all(nil)
	if err != nil {
		t.Fatal(err)
	}
	usual := attemptLimits
	defer func() { attemptLimits = usual }()
	var met []string
	for attemptLimits.operations = 3_000_000; ; attemptLimits.operations -= attemptLimits.operations / 8 {
		v, err := targets[0].variant(context.Background(), space.Nest{{0}}, transform.Options{CacheBytes: 32 << 10})
		step := v.givenUp
		if note := v.note(); (note == "") != (step == "") || step != "" && !sayWhere.MatchString(note) {
			t.Errorf("with %d operations the note is %q", attemptLimits.operations, note)
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

// What the models chose and a proof refuses becomes simpler, and the note says why; an
// error after which nothing goes on ends the attempts, and where all fail the error is the first one.
func TestFirstToSucceed(t *testing.T) {
	illegal := &phaseError{"schedule", &depend.Violation{Dependence: &depend.Dependence{}}}
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
		v, err := firstToSucceed(list, c.goesOn, func(transform.Options) (variant, error) {
			if tried++; tried == 1 && c.fails > 0 {
				return variant{}, illegal
			} else if tried <= c.fails {
				return variant{}, errors.New("another fault")
			}
			return variant{text: "recipe"}, nil
		})
		switch note := v.note(); {
		case c.fault && !isIllegal(err):
			t.Errorf("%s: the error is %v", name, err)
		case !c.fault && (err != nil || v.givenUp != c.givenUp || v.text != "recipe"):
			t.Errorf("%s: without %q, recipe %q: %v", name, v.givenUp, v.text, err)
		case !c.fault && c.fails > 0 && !strings.Contains(note, "without "+c.givenUp+", which failed by a fault of tune's own; please report it with the file: schedule: "):
			t.Errorf("%s: the note is %q", name, note)
		}
	}
}

// Programs of more statements have more of isl's work.
func TestLimitsOfPrograms(t *testing.T) {
	for statements, want := range map[int]uint64{1: 12, manyStatements: 12, 4 * manyStatements: 48} {
		got := limits{12, time.Minute}.of(&scop.Program{Statements: make([]scop.Statement, statements)})
		if got.operations != want || got.time != time.Duration(want/12)*time.Minute {
			t.Errorf("%d statements: %+v", statements, got)
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
