package report

import (
	"fmt"
	"io"
	"strings"

	"polytune/isl/points"
	"polytune/runner/counters"
)

// countersText says what was counted, beside the estimates.
func (e *Explanation) countersText(w io.Writer) {
	if e.NotCounted != "" {
		fmt.Fprintf(w, "  %s\n", e.NotCounted)
	}
	c := e.Counted
	if c == nil {
		return
	}
	var words []string
	if c.Instructions != nil {
		words = append(words, amount(*c.Instructions, "instructions"))
		if c.Cycles != nil && *c.Cycles > 0 {
			words = append(words, fmt.Sprintf("%.2f for each cycle", *c.Instructions / *c.Cycles))
		}
	}
	fmt.Fprintf(w, "  counted: %s\n", strings.Join(words, ", "))
	if c.Operations != nil {
		share := ""
		if c.VectorShare != nil {
			share = fmt.Sprintf(", %s of them by vectors", percent(*c.VectorShare))
		}
		fmt.Fprintf(w, "    %s%s (estimate %s)\n", operations(points.Count{Value: *c.Operations, Exact: true}, "FLOP"), share, operations(e.Operations, "FLOP"))
	}
	for _, level := range counters.Levels {
		if misses, known := c.Misses[level]; known {
			fmt.Fprintf(w, "    %s of %s: lines of %s%s\n", amount(misses, "misses"), level, size(misses*cacheLine), e.estimateOf(level))
		}
	}
	if len(c.Missing) > 0 {
		fmt.Fprintf(w, "    not counted by this processor: %s\n", strings.Join(c.Missing, ", "))
	}
}

// amount is a number of things.
func amount(value float64, unit string) string {
	return strings.ReplaceAll(operations(points.Count{Value: value, Exact: true}, " "+unit), "  ", " ")
}

// cacheLine is the bytes that a miss loads.
const cacheLine = 64

// estimateOf is what the model says that has to be moved, beside the misses of the last level.
func (e *Explanation) estimateOf(level string) string {
	if level != counters.Levels[len(counters.Levels)-1] {
		return ""
	}
	return fmt.Sprintf(" (estimate %s to move)", sizeOf(e.Traffic))
}
