package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"polytune/internal/randomprogram"
)

// maxMemory bounds the memory of a worker and of the processes it starts.
const maxMemory = 6 << 30

// work checks the program that it reads, as the campaign does, and writes the report.
func (c *campaign) work(in io.Reader, out io.Writer) error {
	if err := limitMemory(); err != nil {
		return err
	}
	text, err := io.ReadAll(in)
	if err != nil {
		return err
	}
	p, err := randomprogram.Decode(text)
	if err != nil {
		return err
	}
	r := report{}
	switch {
	case c.stencils:
		r = reported(func(r *report) error { return checkStencil(p, r) })
	case c.devices:
		r = reported(func(r *report) error { return checkKernels(p, c.variants, r) })
	default:
		r = check(p, "", c.variants)
	}
	return json.NewEncoder(out).Encode(r)
}

// checkApart checks the program in a process of its own.
func (c *campaign) checkApart(ctx context.Context, p *randomprogram.Program) report {
	out, err := apart(ctx, c.limit, p.Encode(), "-worker", "-variants", fmt.Sprint(c.variants), fmt.Sprintf("-stencils=%v", c.stencils), fmt.Sprintf("-devices=%v", c.devices))
	var r report
	if err == nil {
		err = json.Unmarshal(out, &r)
	}
	switch {
	case errors.Is(err, tooSlow{}):
		return report{TooSlow: true}
	case err != nil:
		return report{Stage: stageCrash, Message: err.Error()}
	}
	return r
}

func firstLines(text string, count int) string {
	lines := strings.SplitAfterN(text, "\n", count+1)
	return strings.Join(lines[:min(count, len(lines))], "")
}
