package check

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"polytune/internal/pipelinetest"
	"polytune/pipeline"
	"polytune/runner"
)

// TestCheckOnAFullDisk fills the file system on which variants are built: that ends the
// check with advice, and is no failure of a variant.
func TestCheckOnAFullDisk(t *testing.T) {
	folder := t.TempDir()
	if message, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder).CombinedOutput(); err != nil {
		t.Skipf("a small file system cannot be mounted here: %v: %s", err, message)
	}
	t.Cleanup(func() { exec.Command("umount", folder).Run() })
	t.Setenv("TMPDIR", folder)
	machine := pipelinetest.Somewhere().Machine
	o := &Options{Partition: "none", Target: pipeline.Options{Bench: "polybench/mvt", Privatize: true}, Model: pipeline.SessionModel}
	targets, err := o.Target.All(nil)
	if err != nil {
		t.Fatal(err)
	}
	candidates, err := o.candidates(t.Context(), targets[0], machine)
	if err != nil {
		t.Fatal(err)
	}
	checks, err := newChecks(t.Context(), o, targets[0], pipelinetest.StrictSettings(t), machine, []map[string]int{{"N": 20}})
	if err != nil {
		t.Fatal(err)
	}
	defer checks.builder.Close()
	if err := os.WriteFile(filepath.Join(folder, "filler"), make([]byte, 4<<20), 0o600); err == nil {
		t.Fatal("the disk is not full")
	}
	report, err := checks.run(t.Context(), candidates)
	var full *runner.NoSpaceError
	if !errors.As(err, &full) {
		t.Errorf("%+v, error %v", report, err)
	}
}
