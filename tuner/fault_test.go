package tuner

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"polytune/internal/kerneltest"
	"polytune/internal/scripttest"
	"polytune/runner"
	"polytune/store"
	"polytune/target/openmp/omp"
)

// compilerScript is a compiler of a version of our own: it fails where it is
// given the word "fails", and is gcc otherwise.
func compilerScript(t *testing.T, path, version, extra string) {
	t.Helper()
	text := "#!/bin/sh\n[ \"$1\" = --version ] && { echo 'gcc " + version + "'; exit 0; }\n[ \"$1\" = -dumpfullversion ] && { echo " + version + "; exit 0; }\n" +
		extra + "\nexec gcc \"$@\"\n"
	scripttest.Write(t, path, text)
}

// withCompiler gives a request a compiler of our own.
func withCompiler(t *testing.T, r *Request, path string) {
	t.Helper()
	found, err := runner.FindToolchain(context.Background(), runner.ToolchainSpec{
		Runtime: omp.Runtime{}, Name: "gcc", Command: path, Flags: r.Toolchain.Flags, CheckFlags: r.Toolchain.CheckFlags, Libraries: r.Toolchain.Libraries})
	if err != nil {
		t.Fatal(err)
	}
	r.Toolchain = found
}

// TestCompilerIsReplaced upgrades the compiler while a session builds: the session
// ends and says so, nothing that the new compiler has built is among its trials,
// and the next one is another piece of work. One upgrade is to a compiler
// that refuses everything: these failures are none of the variants. The long test
// has one to a compiler that works, too.
func TestCompilerIsReplaced(t *testing.T) {
	upgrades := map[string]string{"fails": `case "$*" in *variant.c*) exit 1 ;; esac`}
	if kerneltest.Long() {
		upgrades["works"] = ""
	}
	for name, extra := range upgrades {
		t.Run(name, func(t *testing.T) {
			g := &generator{}
			r := request(t, g, "blocked", "backward", "slow")
			path := filepath.Join(t.TempDir(), "cc")
			compilerScript(t, path, "12.1.0", "")
			withCompiler(t, &r, path)
			r.Settings.Jobs = 1
			var once sync.Once
			g.at = func(axis string) {
				if axis == "backward" {
					once.Do(func() { compilerScript(t, path, "13.1.0", extra) })
				}
			}
			_, err := Tune(context.Background(), r)
			var changed *runner.ToolchainChangedError
			if !errors.As(err, &changed) || !strings.Contains(err.Error(), "gcc 12.1.0") {
				t.Fatalf("error %v", err)
			}
			trials, err := r.Store.Trials(context.Background(), mustKey(t, r))
			if err != nil {
				t.Fatal(err)
			}
			if slices.ContainsFunc(trials, func(trial store.Trial) bool {
				return strings.HasPrefix(trial.Variant, "0-1.") || strings.HasPrefix(trial.Variant, "0-2.")
			}) {
				t.Errorf("trials of the new compiler among those of the old one: %+v", trials)
			}
			compilerScript(t, path, "13.1.0", "")
			withCompiler(t, &r, path)
			result, err := Tune(context.Background(), r)
			if err != nil || result.Recalled || result.Tried != 3 {
				t.Errorf("the next session: recalled %v, tried %d, %v", result.Recalled, result.Tried, err)
			}
		})
	}
}

// TestHungryVariant has a variant that takes more memory than it may: it fails,
// alone, and the tuner does not suffer.
func TestHungryVariant(t *testing.T) {
	sources["hungry"] = "    for (int i = 0; i < n; i++) {\n      char *p = __builtin_malloc(1L << 26);\n      for (long k = 0; k < 1L << 26; k += 4096) p[k] = 1;\n      b[i] = b[i] * 0.5 + a[i] / (b[i] + r + p[0]);\n    }\n}\n"
	defer delete(sources, "hungry")
	r := request(t, &generator{}, "hungry", "blocked")
	r.Settings.Limits.MemoryGiB, r.Settings.Limits.RunFloorSeconds = 0.5, 20
	result, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	expectStatuses(t, result, r, map[string]store.Status{"original": store.OK, "hungry": store.Crashed, "blocked": store.OK})
}

// TestNotANumber has a variant whose results are no numbers at the timed size
// alone: it is wrong.
func TestNotANumber(t *testing.T) {
	sources["nan"] = "    for (int i = 0; i < n; i++)\n      b[i] = n > 1000 && i == 7 ? __builtin_nan(\"\") : b[i] * 0.5 + a[i] / (b[i] + r + 1.0);\n}\n"
	defer delete(sources, "nan")
	r := request(t, &generator{}, "nan")
	result, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	expectStatuses(t, result, r, map[string]store.Status{"original": store.OK, "nan": store.WrongResult})
	if result.Best.Variant != store.Original || !strings.Contains(detail(result, store.WrongResult), "NaN") {
		t.Errorf("best %s; %s", result.Best.Variant, detail(result, store.WrongResult))
	}
}

// TestFullDiskEndsTheSession fills the file system on which variants are built: the
// session ends with advice, no variant is blamed, and the same request goes on.
func TestFullDiskEndsTheSession(t *testing.T) {
	r := request(t, &generator{}, "blocked", "backward")
	folder := t.TempDir()
	if message, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", folder).CombinedOutput(); err != nil {
		t.Skipf("a small file system cannot be mounted here: %v: %s", err, message)
	}
	unmount := func() { exec.Command("umount", folder).Run() }
	defer unmount()
	t.Setenv("TMPDIR", folder)
	_, err := Tune(context.Background(), r)
	var full *runner.NoSpaceError
	if !errors.As(err, &full) {
		t.Fatalf("error %v", err)
	}
	unmount()
	result, err := Tune(context.Background(), r)
	if err != nil || result.Counts()[store.OK] != 2 {
		t.Errorf("%v, %v", result.Counts(), err)
	}
}

// What a program or a compiler prints need be no UTF-8, and may be cut within a character:
// the detail of its trial is text all the same.
func TestDetailIsText(t *testing.T) {
	for _, printed := range []string{"\xff\xfe", strings.Repeat("x", detailLimit-1) + "‘", strings.Repeat("‘", detailLimit)} {
		if f := newFailure(store.CompileFailed, printed); !utf8.ValidString(f.detail) || len(f.detail) > detailLimit+len(" …") {
			t.Errorf("%q… becomes %q… with %d bytes", printed[:2], f.detail[:2], len(f.detail))
		}
	}
}

// TestOptimisedProgramsAreChecked has a compiler's optimisations make a mistake at small sizes
// alone, which neither the checked build nor the timed size shows. Where nothing but rounding is
// different, the variant is right.
func TestOptimisedProgramsAreChecked(t *testing.T) {
	r := request(t, &generator{}, "mistaken", "rounded", "blocked")
	r.Toolchain.Flags = append(slices.Clone(r.Toolchain.Flags), "-DOPTIMIZED")
	r.Toolchain.CheckFlags = append(slices.Clone(r.Toolchain.CheckFlags), "-DSTRICT")
	result, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	expectStatuses(t, result, r, map[string]store.Status{"original": store.OK, "mistaken": store.WrongResult, "rounded": store.OK, "blocked": store.OK})
	if got := detail(result, store.WrongResult); !strings.Contains(got, "optimised as it is to be timed: at n=13: wrong result: b[12]") {
		t.Errorf("the detail of the wrong result is %q", got)
	}
}
