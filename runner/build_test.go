package runner

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"polytune/scop"
)

func TestIdenticalBinaries(t *testing.T) {
	builder := newBuilder(t, gcc(t), multiply, DriverOptions{})
	first := build(t, builder, multiplyOriginal, false)
	second := build(t, builder, "/* another recipe */\n"+multiplyOriginal, false)
	third := build(t, builder, multiplyInterchanged, false)
	other := newBuilder(t, gcc(t), multiply, DriverOptions{})
	fourth := build(t, other, multiplyOriginal, false)
	if first.Hash != second.Hash || first.Hash != fourth.Hash || first.Path == second.Path {
		t.Error("the same code has different hashes")
	}
	if first.Hash == third.Hash || first.Hash == build(t, builder, multiplyOriginal, true).Hash {
		t.Error("different code has the same hash")
	}
	if err := builder.Discard(first); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(first.Path); err == nil {
		t.Error("a discarded binary is there")
	}
	if builder.Discard(Binary{Path: "/nowhere/v1/variant"}) == nil {
		t.Error("a foreign file is discarded")
	}
}

func TestParallelBuilds(t *testing.T) {
	builder := newBuilder(t, gcc(t), multiply, DriverOptions{})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if _, err := builder.Build(context.Background(), Job{Source: multiplyOriginal, Check: true}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	builder.Close()
	if _, err := os.Stat(builder.Work()); err == nil {
		t.Error("Close leaves the working directory")
	}
}

func TestKeep(t *testing.T) {
	builder, err := NewBuilder(BuilderOptions{Keep: true})
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(builder.Work())
	builder.Close()
	if _, err := os.Stat(builder.Work()); err != nil {
		t.Error(err)
	}
}

func TestSourceDirectory(t *testing.T) {
	directory := t.TempDir()
	if err := os.WriteFile(filepath.Join(directory, "own.h"), []byte("#define ONE 1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	driver, err := GenerateDriver(scop.Function{Name: "f"}, DriverOptions{})
	if err != nil {
		t.Fatal(err)
	}
	builder, err := NewBuilder(BuilderOptions{Toolchain: gcc(t), Subject: Subject{Harness: driver, SourceDir: directory, Preprocessor: []string{"-DTWO=2"}}})
	if err != nil {
		t.Fatal(err)
	}
	defer builder.Close()
	build(t, builder, "#include \"own.h\"\nint x = ONE + TWO;\nvoid f(void) {}\n#ifndef _OPENMP\n#error\n#endif\n", true)
}

// TestBadCompilers runs fake compilers that fail only at the variant.
func TestBadCompilers(t *testing.T) {
	work := `for last; do case "$last" in *.o) out=$last;; esac; done; case "$*" in *driver*.c*) echo >"$out"; exit 0;; esac; `
	for _, c := range []struct {
		name, text string
		check      func(*CompileError) bool
		want       string
	}{
		{"fails", `echo "variant.c:3: error: no" >&2; exit 1`, func(e *CompileError) bool { return e.ExitCode == 1 && e.Stage == "compile" }, "variant.c:3: error: no"},
		{"crashes", `kill -SEGV $$`, func(e *CompileError) bool { return e.Signal == syscall.SIGSEGV }, "signal 11"},
		{"hangs", `sleep 60`, func(e *CompileError) bool { return e.TimedOut }, "limits.build_seconds"},
		{"talks", `head -c 100000000 /dev/zero >&2; exit 1`, func(e *CompileError) bool { return len(e.Stderr) == DefaultOutputLimit }, "exit status 1"},
		{"makes nothing", `exit 0`, func(e *CompileError) bool { return e.ExitCode == 0 && e.Stage == "compile" }, "no usable file"},
		{"makes a part", `case "$*" in *-c*) echo >"$out";; *) printf '\177ELF\002\001' >variant;; esac`, func(e *CompileError) bool { return e.Stage == "inspect" }, "no usable file"},
	} {
		t.Run(c.name, func(t *testing.T) {
			limit := time.Minute
			if c.name == "hangs" {
				limit = time.Second
			}
			builder, err := NewBuilder(BuilderOptions{Subject: Subject{Harness: Driver{}}, Toolchain: Toolchain{Path: script(t, work+c.text)}, Limit: limit})
			if err != nil {
				t.Fatal(err)
			}
			defer builder.Close()
			_, err = builder.Build(context.Background(), Job{Source: "int x;"})
			var failure *CompileError
			if !errors.As(err, &failure) || !c.check(failure) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v", err)
			}
			if len(err.Error()) > 10000 {
				t.Errorf("a message of %d bytes", len(err.Error()))
			}
		})
	}
}

func TestBuildInterrupted(t *testing.T) {
	builder, err := NewBuilder(BuilderOptions{Subject: Subject{Harness: Driver{}}, Toolchain: Toolchain{Path: script(t, "sleep 60")}})
	if err != nil {
		t.Fatal(err)
	}
	defer builder.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 50*time.Millisecond)
	defer cancel()
	_, err = builder.Build(ctx, Job{})
	var failure *CompileError
	if !errors.As(err, &failure) || !failure.Interrupted {
		t.Errorf("error %v", err)
	}
	if _, err = builder.Build(ctx, Job{}); !errors.As(err, &failure) || !failure.Interrupted {
		t.Errorf("error %v", err)
	}
}
