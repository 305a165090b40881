// Package hyperplane finds tiling hyperplanes: one affine row for each of some statements, along
// which no dependence goes backwards, by the integer programs of Pluto and Pluto+ (sections 2.5, 3
// and 4 of the Pluto+ paper, TOPLAS'16), and multiples of a face along which tiles start together
// (SC'12). It knows dependences and rows, and nothing of recipes or of machines.
//
// # Where to find what
//
//   - which integer programs, in which order: search.go; their constraints, equation by equation
//     (--dump-ilp prints them): unknowns.go, distances.go, independence.go, lazy.go, private.go,
//     tie.go; tiles that start together: start.go
//   - sizes that are numbers become parameters: unknowns.go, scop/depend/symbols.go, cone.go
//   - who asks: transform/nest.go
//   - why so: docs/decisions/0032-bounded-programs.md, 0034-pluto-plus-stages.md
package hyperplane

import (
	"cmp"
	"fmt"
	"time"

	"polytune/isl/ilp"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// SearchOperations limits the search for one hyperplane. The built-in kernels
// need less than 100, but those of swim's 80 pieces a good part of it.
const SearchOperations = 200_000

// box bounds the unknowns of a hyperplane program. Without bounds the cuts of
// the integer program can go on for ever where loop bounds are large constants.
type box struct {
	// coefficient bounds those of times, b in section 3.3 of the Pluto+ paper.
	coefficient int64
	// shift bounds constant shifts, parametric parametric ones; unlimitedValue
	// is no bound.
	shift, parametric int64
}

// boxes are those that the search for non-negative rows tries in turn until
// one has a solution. The paper's b = 4 comes second: where coefficients up to 2
// do, as they nearly always do, the search among them is faster by an order of
// magnitude; no kernel's hyperplanes differ.
var boxes = []box{{coefficient: 2, shift: 8}, {coefficient: 4, shift: 16}}

// DefaultCoefficientBound is b of section 3.3 of the Pluto+ paper.
const DefaultCoefficientBound = 4

// MaxCoefficientBound is the largest b that the paper has tried.
const MaxCoefficientBound = 1023

// stage is one of the programs that are tried in turn for a hyperplane.
type stage struct {
	model     Model
	treatment distances
	box       box
	// tied asks for mirrored rows for the pieces of a statement.
	tied bool
}

// stages are those of the model. A solution without any distance is the minimum
// of (12) and (19), so the small program that allows none comes before those
// that bound distances.
//
// With parametric shifts or reversals a hyperplane can nearly always be found:
// statements moved apart by N, one after the other, or one from -N to 0 and the
// next from 0 to N, respect whatever lies between them, and the loop that they
// share is none in fact. Shifts and reversals are there to bring statements
// together, so several statements have them only where distances become short;
// all other rows are non-negative ones. Short distances are smaller than others
// in the objective, so the order of stages is that of the objective too.
//
// The pieces of split statements are apart in space: they are brought together
// by reversals and parametric shifts (Figure 4 (g)), though a dependence may stay
// as long in time as it is when each point is written many times. So they have
// both at the last stage.
func (f *Finder) stages(statements []int) []stage {
	if f.Model == Pluto {
		return nonNegativeStages
	}
	b := int64(f.CoefficientBound)
	if b == 0 {
		b = DefaultCoefficientBound
	}
	unlimited := box{b, unlimitedValue, unlimitedValue}
	near := []stage{{model: PlutoPlus, treatment: zero, box: unlimited}, {model: PlutoPlus, treatment: short, box: unlimited}}
	if len(statements) == 1 {
		return append(near, stage{model: PlutoPlus, treatment: bounded, box: box{b, 0, 0}})
	}
	stages := append(near, nonNegativeStages[2:]...)
	if len(f.Program.Program.Cuts) > 0 {
		last := stage{model: PlutoPlus, treatment: bounded, box: unlimited}
		if f.isLarge(statements) {
			tied := last
			tied.tied = true
			stages = append(stages, tied)
		}
		stages = append(stages, last)
	}
	return stages
}

// nonNegativeStages are the stages of the model pluto.
var nonNegativeStages = []stage{
	{model: Pluto, treatment: zero, box: boxes[0]}, {model: Pluto, treatment: zero, box: boxes[1]},
	{model: Pluto, treatment: bounded, box: boxes[0]}, {model: Pluto, treatment: bounded, box: boxes[1]},
}

// Finder finds hyperplanes for the statements of one program.
type Finder struct {
	Program *scop.Model
	// Model is the family of hyperplanes to choose from.
	Model Model
	// CoefficientBound is b of section 3.3 of the Pluto+ paper; zero means
	// DefaultCoefficientBound. The model Pluto has bounds of its own.
	CoefficientBound int
	// Record is told of each integer program after it was solved or given up; nil tells nobody.
	Record func(Program)
}

// Question asks for one hyperplane: rows for the statements, legal for all active
// dependences and linearly independent of those found, of all statements or, in
// the lazy mode, of at least one. Statements that share a private variable have the same row.
type Question struct {
	Purpose    Purpose
	Statements []int
	Found      map[int][][]int64
	Active     []*depend.Dependence
	Privates   []scop.Private
	Lazy       bool
}

// Next finds the next hyperplane of a band, by statement; nil when there is none. When
// the search among rows with coefficients of both signs explodes, non-negative
// ones are looked for, and when that does too, any legal row will do.
func (f *Finder) Next(q Question) (map[int]schedule.Row, error) {
	rows, gaveUp, err := f.inStages(q, f.stages(q.Statements))
	if rows == nil && gaveUp && err == nil && f.Model == PlutoPlus {
		rows, gaveUp, err = f.inStages(q, nonNegativeStages)
	}
	if rows != nil || !gaveUp || err != nil {
		return rows, err
	}
	result, err := f.search(q, stage{model: Pluto, treatment: free, box: boxes[0]})
	return result.rows, err
}

// Parallel finds a hyperplane along which no active dependence has a distance; nil when there is
// none.
func (f *Finder) Parallel(q Question) (map[int]schedule.Row, error) {
	result, err := f.search(q, f.stages(q.Statements)[0])
	return result.rows, err
}

// Legal finds some hyperplane, however long its distances; nil when there is none, or when the
// search was given up, which gaveUp says.
func (f *Finder) Legal(q Question) (rows map[int]schedule.Row, gaveUp bool, err error) {
	result, err := f.search(q, stage{model: f.Model, treatment: free, box: boxes[1]})
	return result.rows, result.exceeded, err
}

// inStages asks the stages in turn; gaveUp says that the last one, without which
// nothing is known, was given up.
func (f *Finder) inStages(q Question, stages []stage) (rows map[int]schedule.Row, gaveUp bool, err error) {
	far := false
	for _, stage := range stages {
		if far && stage.treatment == short {
			continue
		}
		result, err := f.search(q, stage)
		if result.rows != nil || err != nil {
			return result.rows, false, err
		}
		far = far || result.far
		gaveUp = gaveUp || result.exceeded && stage.treatment == bounded
	}
	return nil, gaveUp, nil
}

// searchResult are rows, or why there are none: exceeded says that the program
// was given up, far that there are none with short distances either.
type searchResult struct {
	rows          map[int]schedule.Row
	exceeded, far bool
}

// search solves one hyperplane program.
func (f *Finder) search(q Question, stage stage) (result searchResult, err error) {
	started := time.Now()
	h, err := f.hyperplanesOf(q, stage)
	if err != nil {
		return result, fmt.Errorf("the hyperplanes of %s: %w", f.Program.Names(q.Statements), err)
	}
	problem := h.program.problem()
	answer, err := ilp.Lexmin(f.Program.Context, SearchOperations, problem)
	result.exceeded, result.far = answer.Exceeded, answer.Early
	record := Program{Purpose: q.Purpose, Statements: q.Statements, Unknowns: len(problem.Unknowns), Constraints: problem.Constraints(),
		Lazy: q.Lazy, Stage: stage.treatment.String(), Exceeded: answer.Exceeded, Solver: answer.Solver, program: h.program}
	if answer.Found {
		record.values = h.program.values(answer.Solution)
		result.rows = h.rows(record.values)
	}
	record.Seconds = time.Since(started).Seconds()
	f.record(record)
	if err != nil {
		return searchResult{}, fmt.Errorf("the hyperplanes of %s: %w", f.Program.Names(q.Statements), err)
	}
	return result, nil
}

func (f *Finder) record(p Program) {
	if f.Record != nil {
		f.Record(p)
	}
}

// hyperplanesOf writes the program of a question. Where no distance is allowed,
// what also holds for short ones comes first.
func (f *Finder) hyperplanesOf(q Question, stage stage) (*hyperplanes, error) {
	symbols, err := f.symbols()
	if err != nil {
		return nil, err
	}
	h := newHyperplanes(f.Program, symbols, q.Statements, stage)
	if stage.treatment != zero {
		err := h.addDependences(q.Active, func(d *depend.Dependence) error { return h.addDependence(d, stage.treatment) })
		return h, cmp.Or(err, h.addOthers(q, stage))
	}
	err = cmp.Or(h.addDependences(q.Active, h.addNoGrowth), h.addOthers(q, stage))
	h.program.lead()
	return h, cmp.Or(err, h.addDependences(q.Active, h.addNoDistance))
}

// symbols are the large numbers of the program that count as parameters.
func (f *Finder) symbols() (depend.Symbols, error) {
	return scop.Known(f.Program, largeNumbers{}, func() (depend.Symbols, error) { return depend.SymbolsOf(f.Program) })
}

// largeNumbers asks for the symbols of a model.
type largeNumbers struct{}

// addDependences adds the constraints of dependences.
func (h *hyperplanes) addDependences(dependences []*depend.Dependence, add func(d *depend.Dependence) error) error {
	for _, d := range dependences {
		if err := add(d); err != nil {
			return err
		}
	}
	return nil
}

// addOthers adds the constraints that are not about dependences.
func (h *hyperplanes) addOthers(q Question, stage stage) error {
	if q.Lazy {
		h.addLazyIndependence(q)
	}
	images := map[int]mirror{}
	if stage.tied {
		images = mirrors(h.scop, q.Statements)
	}
	for _, s := range q.Statements {
		image, tied := images[s]
		if tied {
			h.addTie(s, image)
		}
		if tied && image.isImage(q.Found[s], q.Found[image.first]) {
			continue
		}
		if err := h.addObjective(s, q); err != nil {
			return err
		}
	}
	for _, private := range q.Privates {
		h.addPrivate(private)
	}
	return nil
}

// addObjective adds what a statement's row has to be, whatever the dependences.
func (h *hyperplanes) addObjective(s int, q Question) error {
	if h.model == PlutoPlus {
		h.addSum(s)
	}
	if q.Lazy {
		return nil
	}
	return h.addIndependence(s, q.Found[s])
}
