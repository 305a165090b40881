package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/benchmarks"
)

// tooLong are the kernels of whose schedules, with tiles in phases and register blocks, isl makes
// neither a proof nor code in time where they are maps alone.
var tooLong = map[string]bool{"polybench/cholesky": true, "polybench/lu": true, "polybench/ludcmp": true, "sc10/lu": true, "sc10/ludcmp": true}

// TestSchedulesBothWays has --schedule read what --print-schedule and tune scop write of kernels: of
// one of each kind, or of all.
func TestSchedulesBothWays(t *testing.T) {
	kernels := []string{"polybench/symm", "polybench/doitgen", "plutoplus/heat-1dp", "polybench/trisolv"}
	if os.Getenv("POLYTUNE_LONG") != "" {
		kernels = nil
		all := benchmarks.All()
		for k := range all {
			kernels = append(kernels, all[k].Name)
		}
	}
	for _, kernel := range kernels {
		t.Run(kernel, func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			run := func(arguments ...string) (string, error) {
				c, stdout, stderr := tuneCommand(folder, arguments...)
				if err := c.Run(); err != nil {
					return stderr.String(), err
				}
				return stdout.String(), nil
			}
			for _, write := range [][]string{{"scop"}, {"transform", "--print-schedule"}} {
				text, err := run(append(write, "--bench", kernel)...)
				if err != nil {
					t.Fatal(err, text)
				}
				if err := os.WriteFile(filepath.Join(folder, "schedule"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				said, err := run("transform", "--bench", kernel, "--schedule", "schedule", "--print-recipe")
				if tooLong[kernel] && write[0] == "transform" {
					if err != nil && !strings.Contains(said, "stopped before it was done") {
						t.Errorf("%v: %v, %s", write, err, said)
					}
				} else if err != nil || !strings.Contains(said, "schedule { ") {
					t.Errorf("%v: %v, %s", write, err, said)
				}
			}
		})
	}
}
