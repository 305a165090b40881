package isl

import (
	"fmt"
	"strings"
)

// Lexicographic is the schedule that runs instances of a tuple's name in the order of their iterators,
// of which the first single ones have one value and no loop.
func (c *Context) Lexicographic(instances *UnionSet, name string, iterators []string, single int) *Schedule {
	var b strings.Builder
	fmt.Fprintf(&b, "domain: %q\n", instances.String())
	for depth, iterator := range iterators[single:] {
		indent := strings.Repeat("  ", depth)
		fmt.Fprintf(&b, "%schild:\n%s  schedule: \"[{ %s[%s] -> [(%s)] }]\"\n", indent, indent, name, strings.Join(iterators, ", "), iterator)
	}
	return c.ReadSchedule(b.String())
}
