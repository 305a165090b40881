// Command compiletimes measures how long tune takes from C to C, tiled and
// parallel, and prints a page with Table III of the Pluto+ paper beside it:
//
//	go run ./cmd/compiletimes -tune bin/tune > docs/compile-times.md
//
// Every kernel is transformed -repeat times by each model, and by pluto+ with
// other bounds of the coefficients; the least time of each phase counts, which
// other work on the machine disturbs least. Its benchmarks measure the same:
//
//	go test ./cmd/compiletimes -bench . -benchtime 1x
//
// EXIT STATUS: 0 done, 1 error, 2 usage.
//
// # Where to find what
//
//   - the page that is made: docs/compile-times.md
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"
)

func main() {
	tune := flag.String("tune", "bin/tune", "the `program` to measure")
	repeat := flag.Int("repeat", 3, "how often each kernel is transformed")
	limit := flag.Duration("limit", 2*time.Minute, "time for one transformation")
	only := flag.String("only", "", "measure only kernels whose name contains this `text`")
	flag.Parse()
	p := page{tune: *tune}
	for _, k := range kernels {
		if !strings.Contains(k.name, *only) {
			continue
		}
		row := measured{kernel: k, models: map[string]*phases{}, bounds: map[int]*phases{}}
		for _, model := range models {
			row.models[model] = measure(*tune, k.arguments(model, defaultBound), *repeat, *limit)
		}
		for _, bound := range bounds {
			row.bounds[bound] = measure(*tune, k.arguments(plutoPlus, bound), *repeat, *limit)
		}
		p.rows = append(p.rows, row)
	}
	err := p.print(os.Stdout)
	if err == nil {
		err = p.printRegions(os.Stdout, *repeat, *limit)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "compiletimes:", err)
		os.Exit(1)
	}
}

const (
	pluto     = "pluto"
	plutoPlus = "pluto+"
)

// models are those that are measured.
var models = []string{pluto, plutoPlus}

// bounds are the bounds b of coefficients (section 3.3 of the Pluto+ paper) that
// pluto+ is measured with, from the least to the largest that the paper tries.
var bounds = []int{1, 2, defaultBound, 16, 1023}

// defaultBound is the paper's b.
const defaultBound = 4

// arguments are those of the transformation of a kernel. The paper splits the
// statements of periodic programs, has their tiles start together, and fuses
// the pieces (section 5.1: -iss, -partlbtile).
func (k kernel) arguments(model string, bound int) []string {
	list := []string{"transform", "--json", "--bench", k.name, "--model", model}
	if model == plutoPlus {
		list = append(list, "--coefficient-bound", strconv.Itoa(bound))
	}
	if k.isPeriodic() {
		list = append(list, "--iss", "--diamond", "--partition", "max")
	}
	return list
}

// isPeriodic says whether the kernel stands in the lower part of Table III.
func (k kernel) isPeriodic() bool { return strings.HasPrefix(k.name, "plutoplus/") }

// phases are the seconds of one transformation.
type phases struct {
	Dependences float64 `json:"dependences"`
	Transform   float64 `json:"transform"`
	Codegen     float64 `json:"codegen"`
	Other       float64 `json:"other"`
	Total       float64 `json:"total"`
}

// least takes the smaller of each time.
func (p *phases) least(o phases) {
	p.Dependences, p.Transform = min(p.Dependences, o.Dependences), min(p.Transform, o.Transform)
	p.Codegen, p.Other, p.Total = min(p.Codegen, o.Codegen), min(p.Other, o.Other), min(p.Total, o.Total)
}

// measure is the least time of the phases of a transformation, or nil, with a
// message, when it fails.
func measure(tune string, arguments []string, repeat int, limit time.Duration) *phases {
	var best *phases
	for range repeat {
		once, err := transform(tune, arguments, limit)
		if err != nil {
			fmt.Fprintf(os.Stderr, "compiletimes: tune %s: %v\n", strings.Join(arguments, " "), err)
			return nil
		}
		if best == nil {
			best = &once
		}
		best.least(once)
	}
	return best
}

// transform runs tune once.
func transform(tune string, arguments []string, limit time.Duration) (phases, error) {
	c, end := command(tune, arguments, limit)
	defer end()
	output, err := c.Output()
	if err != nil {
		return phases{}, withMessage(err)
	}
	var report struct{ Seconds phases }
	err = json.Unmarshal(output, &report)
	return report.Seconds, err
}

// command is a run of tune that ends at the limit. end is to be called behind it.
func command(tune string, arguments []string, limit time.Duration) (c *exec.Cmd, end context.CancelFunc) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	return exec.CommandContext(ctx, tune, arguments...), cancel
}

// withMessage is the error of a command with what it has said.
func withMessage(err error) error {
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		return fmt.Errorf("%w: %s", err, strings.TrimSpace(string(failed.Stderr)))
	}
	return err
}
