// Package written checks whole C programs as tune transform treats them: what the front end accepts
// is transformed by several partitions, and all programs have to print what the original does.
package written

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"regexp"
	"strings"
	"time"

	"polytune/frontend"
	"polytune/isl"
	"polytune/pipeline"
	"polytune/pipeline/limit"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/transform"
	"polytune/transform/hyperplane"
)

// Where a program can fail.
const (
	StageFrontend  = "frontend"
	StageTransform = "transform"
	StageCompile   = "compile"
	StageResult    = "result"
)

// Report is what became of one program.
type Report struct {
	// Stage is where the program failed, "" where it did not, and Message says how.
	Stage, Message string `json:",omitempty"`
	// Refusal is why the front end does not accept it, with names and numbers left out, and Place
	// the whole message.
	Refusal, Place string `json:",omitempty"`
	// Code is the program that is compiled wrongly or prints something else.
	Code string `json:",omitempty"`
	// IsNone says that the original does not compile, or ends badly.
	IsNone bool `json:",omitempty"`
	// Printed is what the original prints.
	Printed string `json:"-"`
	// Variants is how many programs were compared with the original, and Slow how many were given
	// up.
	Variants, Slow int
}

// grain is the work from which on loops have several threads, which all sizes but the smallest
// have.
const grain = 8

// machine is the one that variants are made for, the same on all machines.
var machine = runner.Machine{Cores: 2, CPUs: []int{0, 1}, Siblings: [][]int{{0}, {1}}, Architecture: "amd64",
	Vector: runner.Vector{Set: "AVX2", Bits: 256, Registers: 16, Fused: true}, Caches: []runner.Cache{
		{Level: 1, Kind: "Data", Size: 32 << 10, Line: 64, Associativity: 8}, {Level: 2, Kind: "Unified", Size: 1 << 20, Line: 64, Associativity: 8}}}

// way is how a variant is made.
type way struct {
	partition string
	// drawn says that chance chooses the options.
	drawn bool
}

var ways = []way{{"smart", false}, {"max", true}, {"none", true}, {"smart", true}}

// Check checks the program in a file of that text; seed chooses the options of variants that draw
// returns.
func Check(source []byte, random *rand.Rand, draw func(*rand.Rand) (transform.Options, error)) Report {
	return checkBy(ways, source, random, draw)
}

// checkBy is Check with the variants that are made in some ways.
func checkBy(ways []way, source []byte, random *rand.Rand, draw func(*rand.Rand) (transform.Options, error)) Report {
	var r Report
	c, err := newCompiled(source)
	if err != nil {
		return Report{IsNone: true, Message: err.Error()}
	}
	defer c.close()
	r.Printed = string(c.want)
	seen := map[string]bool{}
	for _, w := range ways {
		code, err := w.transformed(c.path(), random, draw)
		refused := frontend.ErrorList(nil)
		switch {
		case errors.As(err, &refused):
			r.Refusal, r.Place = Kind(refused[0]), refused.Error()
			return r
		case isl.IsLimit(err), errors.Is(err, context.DeadlineExceeded):
			r.Slow++
			continue
		case err != nil:
			r.Stage, r.Message = StageTransform, fmt.Sprintf("partition %s: %v", w.partition, err)
			return r
		}
		if seen[string(code)] {
			continue
		}
		seen[string(code)] = true
		r.Variants++
		if r.Stage, r.Message = judge(c, code); r.Stage != "" {
			r.Message, r.Code = fmt.Sprintf("partition %s: %s", w.partition, r.Message), string(code)
			return r
		}
	}
	return r
}

// transformed is the program's text with the region transformed.
func (w way) transformed(path string, random *rand.Rand, draw func(*rand.Rand) (transform.Options, error)) ([]byte, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	request := variant.Request{Partition: w.partition, Model: pipeline.ModelOptions{CoefficientBound: hyperplane.DefaultCoefficientBound, Degrees: 1}}
	request.Target = pipeline.Options{AssumeNoAlias: true, Privatize: true, Untile: true, Together: true}
	if w.drawn {
		request.Target.Privatize, request.Target.Inplace.On = random.IntN(3) > 0, random.IntN(3) == 0
		if random.IntN(3) == 0 {
			request.Target.Expand.Bytes = 1 << 20
		}
	}
	targets, err := request.Target.All([]string{path})
	if err != nil {
		return nil, err
	}
	var v variant.Variant
	if w.drawn {
		v, err = drawnVariant(ctx, targets[0], w.partition, random, draw)
	} else {
		if err = variant.ExpandWherePays(ctx, &request.Target, io.Discard, targets, &request.Model, machine); err == nil {
			v, _, err = request.Transform(ctx, targets[0], machine)
		}
	}
	if err == nil && v.Why != nil && !isl.IsLimit(v.Why) {
		err = v.Why
	}
	return v.Source, err
}

// drawnVariant is a variant with options that chance chooses.
func drawnVariant(ctx context.Context, t *pipeline.Target, partition string, random *rand.Rand, draw func(*rand.Rand) (transform.Options, error)) (v variant.Variant, err error) {
	t.Share = &limit.Share{Left: 8 * time.Second}
	chosen, err := t.Choose(ctx, partition, 1)
	if err != nil {
		return v, err
	}
	options, err := draw(random)
	if err != nil {
		return v, err
	}
	options.Grain = grain
	return variant.Of(ctx, t, chosen[0], options)
}

// particulars are what differs between messages of one kind.
var particulars = regexp.MustCompile(`\b(at line )?\d+\b|"[^"]*"`)

// Kind is a refusal without what is particular to a program: names, lines and numbers.
func Kind(e *frontend.Error) string {
	words := strings.Fields(particulars.ReplaceAllString(e.Message, "…"))
	return e.Construct + ": " + strings.Join(words, " ")
}
