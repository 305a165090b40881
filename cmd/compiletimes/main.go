// Command compiletimes measures how long tune takes from C to C, tiled and
// parallel, and prints a page with Table III of the Pluto+ paper beside it:
//
//	go run ./cmd/compiletimes -tune bin/tune > docs/compile-times.md
//
// Every kernel is transformed -repeat times by each model; the least time of
// each phase counts, which other work on the machine disturbs least.
//
// EXIT STATUS: 0 done, 1 error, 2 usage.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
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
		row := measured{kernel: k, models: map[string]*phases{}}
		for _, model := range models {
			row.models[model] = measure(*tune, k.name, model, *repeat, *limit)
		}
		p.rows = append(p.rows, row)
	}
	if err := p.print(os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "compiletimes:", err)
		os.Exit(1)
	}
}

// models are those that are measured.
var models = []string{"pluto", "pluto+"}

// phases are the seconds of one transformation.
type phases struct {
	Dependences float64 `json:"dependences"`
	Transform   float64 `json:"transform"`
	Codegen     float64 `json:"codegen"`
	Total       float64 `json:"total"`
}

// least takes the smaller of each time.
func (p *phases) least(o phases) {
	p.Dependences, p.Transform = min(p.Dependences, o.Dependences), min(p.Transform, o.Transform)
	p.Codegen, p.Total = min(p.Codegen, o.Codegen), min(p.Total, o.Total)
}

// measure is the least time of the phases for a kernel, or nil, with a message,
// when it cannot be transformed.
func measure(tune, kernel, model string, repeat int, limit time.Duration) *phases {
	var best *phases
	for range repeat {
		once, err := transform(tune, kernel, model, limit)
		if err != nil {
			fmt.Fprintf(os.Stderr, "compiletimes: %s by %s: %v\n", kernel, model, err)
			return nil
		}
		if best == nil {
			best = &once
		}
		best.least(once)
	}
	return best
}

func transform(tune, kernel, model string, limit time.Duration) (phases, error) {
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	output, err := exec.CommandContext(ctx, tune, "transform", "--bench", kernel, "--model", model, "--json").Output()
	var failed *exec.ExitError
	if errors.As(err, &failed) {
		err = fmt.Errorf("%w: %s", err, strings.TrimSpace(string(failed.Stderr)))
	}
	if err != nil {
		return phases{}, err
	}
	var report struct{ Seconds phases }
	err = json.Unmarshal(output, &report)
	return report.Seconds, err
}
