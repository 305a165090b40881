package scan

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"polytune/internal/usage"
	"polytune/isl/points"
	"polytune/pipeline"
	"polytune/pipeline/limit"
	"polytune/schedule/profile"
)

// countLimits are those of counting the operations of one nest.
var countLimits = limit.Limits{Time: 2 * time.Second, Operations: 10_000_000}

// count notes the operations of all iterations of the nests that can be tuned, where the values of
// their parameters are given. A value for a name that stands in no file is a mistake.
func (r *Report) count(ctx context.Context, params string) error {
	if params == "" {
		return nil
	}
	values, err := pipeline.ParseParameters(params)
	if err != nil {
		return err
	}
	for name := range values {
		if !r.mentions(name) {
			return usage.Mistake(fmt.Errorf("no file has the name %s; the parameters of the nests that can be tuned are %s", name, strings.Join(r.parameters(), ", ")))
		}
	}
	for _, f := range r.Files {
		for _, n := range f.Nests {
			if n.program != nil {
				n.count(ctx, values)
			}
		}
	}
	return nil
}

// mentions says whether a name stands in one of the files.
func (r *Report) mentions(name string) bool {
	word := regexp.MustCompile(`\b` + regexp.QuoteMeta(name) + `\b`)
	return slices.ContainsFunc(r.Files, func(f *File) bool { return word.Match(f.source) })
}

// parameters are those of all nests that can be tuned, as the source spells them.
func (r *Report) parameters() (all []string) {
	for _, f := range r.Files {
		for _, n := range f.Nests {
			if n.program == nil {
				continue
			}
			for _, name := range n.program.Parameters {
				all = append(all, n.program.Spelling(name))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// count notes the nest's operations for these values; what cannot be counted within the limits has
// no number.
func (n *Nest) count(ctx context.Context, values map[string]int) {
	own := n.program.ParameterValues(values)
	for _, name := range n.program.Parameters {
		if _, given := own[name]; !given {
			n.Missing = append(n.Missing, n.program.Spelling(name))
		}
	}
	if len(n.Missing) > 0 {
		return
	}
	counter, _, end := limit.Context(ctx, countLimits, nil)
	defer end()
	total, err := profile.Operations(counter, n.program, own)
	if err == nil {
		n.Total = &total
	}
}

// totalText is the number of operations, as far as it is known.
func (n *Nest) totalText() string {
	switch {
	case n.Total != nil:
		return countText(*n.Total)
	case len(n.Missing) > 0:
		return "needs " + strings.Join(n.Missing, ", ")
	}
	return "-"
}

// countText is a number with three digits and its unit, "2.64 G" or "about 2.64 G".
func countText(c points.Count) string {
	value, unit := c.Value, ""
	for _, next := range []string{" k", " M", " G", " T", " P"} {
		if value < 1000 {
			break
		}
		value, unit = value/1000, next
	}
	text := fmt.Sprintf("%.3g%s", value, unit)
	if !c.Exact {
		return "about " + text
	}
	return text
}
