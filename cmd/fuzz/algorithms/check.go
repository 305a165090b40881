// Package algorithms checks random algorithms: the C that they are made into, and variants of it,
// compute what Layer I says.
package algorithms

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"polytune/algorithm"
	"polytune/cmd/fuzz/written"
	"polytune/frontend"
	"polytune/isl"
	"polytune/language"
	"polytune/layers/run"
	"polytune/layers/run/beside"
	"polytune/pipeline/limit"
	"polytune/transform"
)

// Where an algorithm can fail, besides what written has.
const (
	StageLanguage = "language"
	StageLayer    = "layer I"
)

// Report is what became of one algorithm. Its Refusal is why Layer I does not evaluate it.
type Report = written.Report

// runSizes are those at which the functions are called.
var runSizes = []map[string]int{{"N": 1, "M": 1}, {"N": 2, "M": 5}, {"N": 6, "M": 3}, {"N": 9, "M": 11}}

// Check takes an algorithm through language, Layer I and the stages of transformation.
func Check(d *algorithm.Description, random *rand.Rand, draw func(*rand.Rand) (transform.Options, error)) Report {
	p, err := language.Compile(d)
	if err != nil {
		return Report{Stage: StageLanguage, Message: err.Error()}
	}
	source, err := sourceOf(p)
	if err != nil {
		return Report{Stage: written.StageFrontend, Message: err.Error(), Code: string(p.Source)}
	}
	text, err := source.Main(runSizes)
	if err != nil {
		return Report{Stage: written.StageFrontend, Message: err.Error(), Code: string(p.Source)}
	}
	r := written.Check([]byte(text), random, draw)
	switch {
	case r.Refusal != "":
		return Report{Stage: written.StageFrontend, Message: r.Place, Code: string(p.Source)}
	case r.IsNone:
		return Report{Stage: written.StageCompile, Message: r.Message, Code: string(p.Source)}
	case r.Stage != "":
		return r
	}
	difference, err := compare(source, r.Printed)
	switch {
	case isl.IsLimit(err):
		r.Slow++
	case errors.As(err, new(*run.Beyond)):
		r.Refusal = err.Error()
	case err != nil:
		r.Stage, r.Message, r.Code = StageLayer, err.Error(), string(p.Source)
	case difference != "":
		r.Stage, r.Message, r.Code = StageLayer, difference, string(p.Source)
	}
	return r
}

// sourceOf is the C of an algorithm as it is called.
func sourceOf(p *language.Program) (*beside.Source, error) {
	file, err := frontend.Parse(p.Name+".c", p.Source, frontend.Options{})
	if err != nil {
		return nil, err
	}
	return &beside.Source{Text: string(p.Source), Program: file.Regions[0].Program}, nil
}

// layerLimits bound isl's work for Layer I of one algorithm.
var layerLimits = limit.Limits{Operations: 50_000_000, Time: time.Minute}

// compare says where the C has left something else than Layer I says, "" for nowhere.
func compare(source *beside.Source, printed string) (difference string, err error) {
	runs, err := beside.Read([]byte(printed))
	if err != nil || len(runs) != len(runSizes) {
		return "", fmt.Errorf("%d calls print something: %w", len(runs), err)
	}
	c, _, end := limit.Context(context.Background(), layerLimits, nil)
	defer end()
	m, err := source.Program.Model(c)
	for k := 0; k < len(runs) && err == nil && difference == ""; k++ {
		difference, err = runs[k].Compare(m, run.Options{})
	}
	return difference, err
}
