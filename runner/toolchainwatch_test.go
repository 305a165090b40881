package runner

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"polytune/internal/scripttest"
	"polytune/target/openmp/omp"
)

// TestToolchainWatch replaces a compiler by the same one, by another version and
// by nothing.
func TestToolchainWatch(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "cc")
	install := func(version string) {
		t.Helper()
		text := "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'mycc (gcc) " + version + "'; exit 0; }\n[ \"$1\" = -dumpfullversion ] && { echo " + version + "; exit 0; }\nexec gcc \"$@\"\n"
		scripttest.Write(t, path, text)
	}
	install("12.1.0")
	toolchain, err := FindToolchain(context.Background(), ToolchainSpec{Runtime: omp.Runtime{}, Name: "cc", Command: path, Flags: []string{"-O1"}, CheckFlags: []string{"-O0"}})
	if err != nil {
		t.Fatal(err)
	}
	watch := WatchToolchain(toolchain)
	if err := watch.Check(context.Background()); err != nil {
		t.Errorf("unchanged: %v", err)
	}
	install("12.1.0")
	if err := watch.Check(context.Background()); err != nil {
		t.Errorf("the same again: %v", err)
	}
	install("13.1.0")
	var changed *ToolchainChangedError
	if err := watch.Check(context.Background()); !errors.As(err, &changed) || !strings.Contains(err.Error(), "it was gcc 12.1.0") || !strings.Contains(err.Error(), "is gcc 13.1.0") {
		t.Errorf("another version: %v", err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := watch.Check(context.Background()); !errors.As(err, &changed) || !strings.Contains(err.Error(), "does not work") {
		t.Errorf("gone: %v", err)
	}
}

// TestFullTemporaryFolder builds where nothing can be written any more: that is no
// failure of the program.
func TestFullTemporaryFolder(t *testing.T) {
	folder := t.TempDir()
	if message, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", folder).CombinedOutput(); err != nil {
		t.Skipf("a small file system cannot be mounted here: %v: %s", err, message)
	}
	defer exec.Command("umount", folder).Run()
	t.Setenv("TMPDIR", folder)
	toolchain, err := exec.LookPath("gcc")
	if err != nil {
		t.Fatal(err)
	}
	builder, err := NewBuilder(BuilderOptions{Subject: Subject{Harness: Driver{}}, Toolchain: Toolchain{Path: toolchain}})
	if err != nil {
		t.Fatal(err)
	}
	defer builder.Close()
	_, err = builder.Build(context.Background(), Job{Source: "double x[8000] = {1.5}; int main(void) { return 0; }\n" + strings.Repeat("// long\n", 100000)})
	var full *NoSpaceError
	if !errors.As(err, &full) || !strings.Contains(err.Error(), "TMPDIR") {
		t.Errorf("error %v", err)
	}
	if err := BlameSpace("/", errors.New("else")); errors.As(err, &full) {
		t.Errorf("there is space: %v", err)
	}
}
