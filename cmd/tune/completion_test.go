package main

import (
	"testing"

	"github.com/spf13/pflag"
)

// What shells offer for a flag is accepted by it.
func TestCompletedValues(t *testing.T) {
	t.Parallel()
	root, offered := newRootCommand(), map[string]int{}
	for _, c := range append(root.Commands(), root) {
		c.Flags().VisitAll(func(f *pflag.Flag) {
			list, known := c.GetFlagCompletionFunc(f.Name)
			if !known || f.Name == "machine" || f.Name == "kernel" {
				return
			}
			values, _ := list(c, nil, "")
			offered[f.Name] += len(values)
			for _, value := range values {
				if err := f.Value.Set(value); err != nil {
					t.Errorf("%s --%s %s: %v", c.CommandPath(), f.Name, value, err)
				}
			}
		})
	}
	for _, name := range []string{"bench", "effort", "strategy", "size", "mode", "model", "partition", "format", "scheduler", "target", "timing", "objective", "gather", "dispatch"} {
		if offered[name] == 0 {
			t.Errorf("nothing is offered for --%s", name)
		}
	}
}
