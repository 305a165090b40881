// Package targettext gives tests of the pipeline's packages a target without a file of its own.
package targettext

import (
	"os"
	"path/filepath"
	"testing"

	"polytune/pipeline"
)

// Of is the first target of a C file with this text.
func Of(t *testing.T, text string) *pipeline.Target {
	t.Helper()
	file := filepath.Join(t.TempDir(), "program.c")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	o := pipeline.Options{Privatize: true}
	targets, err := o.All([]string{file})
	if err != nil {
		t.Fatal(err)
	}
	return targets[0]
}
