package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestExamples builds the programs of examples/ as their README says.
func TestExamples(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	if err := os.CopyFS(folder, os.DirFS("../../examples")); err != nil {
		t.Fatal(err)
	}
	run := func(program string, args ...string) (stdout, stderr string) {
		t.Helper()
		c, out, messages := tuneCommand(folder, args...)
		c.Path, c.Args[0] = findProgram(t, program), program
		c.Env = append(c.Env, "TUNE_CC_VERBOSE=1", "TUNE_CC_ANY=1", "TUNE_THREADS=1", "CC=tune cc --")
		if err := c.Run(); err != nil {
			t.Fatalf("%s %s: %v\n%s%s", program, strings.Join(args, " "), err, out, messages)
		}
		return out.String(), messages.String()
	}
	run("gcc", "-O1", "-o", "plain", "main.c", "product.c")
	want, _ := run(folder+"/plain", "50")
	c, _, messages := tuneCommand(folder, "product.c", "--param", "n=400", "--effort", "quick")
	c.Env = append(c.Env, "TUNE_TOOLCHAINS_GCC_FLAGS=-O3 -march=native -fopenmp", "TUNE_THREADS=1")
	if err := c.Run(); err != nil {
		t.Fatalf("tune: %v\n%s", err, messages)
	}
	check := func(t *testing.T, program, messages string) {
		if !strings.Contains(messages, "product.c:5: variant 0-") || strings.Contains(messages, "not among the arguments") {
			t.Errorf("no variant was compiled as it was timed:\n%s", messages)
		}
		if got, _ := run(program, "50"); got != want {
			t.Errorf("the program prints %q; want %q", got, want)
		}
	}
	t.Run("make", func(t *testing.T) {
		findProgram(t, "make")
		out, messages := run("make", "-j2", "-C", "make", "CC=tune cc --")
		check(t, folder+"/make/product", out+messages)
		if out, _ := run("make", "-C", "make", "CC=tune cc --"); !strings.Contains(out, "up to date") {
			t.Errorf("made again: %s", out)
		}
		if err := os.WriteFile(folder+"/product.h", []byte("#error no\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		again := exec.Command("make", "-C", folder+"/make", "CC=gcc")
		if text, err := again.CombinedOutput(); err == nil || !strings.Contains(string(text), "#error no") {
			t.Errorf("make does not know that the file depends on its header: %s", text)
		}
		if err := os.WriteFile(folder+"/product.h", []byte("void product(int n, double A[n][n], double B[n][n], double C[n][n]);\n"), 0o600); err != nil {
			t.Fatal(err)
		}
	})
	t.Run("cmake", func(t *testing.T) {
		if _, err := exec.LookPath("cmake"); err != nil {
			t.Skip("there is no cmake on this machine")
		}
		_, configured := run("cmake", "-S", "cmake", "-B", "build")
		out, messages := run("cmake", "--build", "build")
		check(t, folder+"/build/product", configured+out+messages)
		module, err := filepath.Abs("../../packaging/cmake")
		if err != nil {
			t.Fatal(err)
		}
		_, configured = run("cmake", "-S", "cmake", "-B", "found", "-Dpolytune_DIR="+module, "-DCMAKE_C_COMPILER=gcc")
		out, messages = run("cmake", "--build", "found")
		check(t, folder+"/found/product", configured+out+messages)
		if rules, _ := run("cmake", "--build", "found", "--target", "help"); !strings.Contains(rules, "product-tune") {
			t.Errorf("there is no target that tunes:\n%s", rules)
		}
	})
}

// TestInstallSaysWhatPathLacks asks make what is to be typed behind make install.
func TestInstallSaysWhatPathLacks(t *testing.T) {
	t.Parallel()
	const prefix = "/opt/tuners/polytune"
	for path, want := range map[string]string{
		os.Getenv("PATH"):                    `tune is not on PATH yet: export PATH="` + prefix + `/bin:$PATH"` + "\n",
		prefix + "/bin:" + os.Getenv("PATH"): "",
	} {
		c := exec.Command(findProgram(t, "make"), "--no-print-directory", "-C", "../..", "on-path", "PREFIX="+prefix)
		c.Env = append(os.Environ(), "PATH="+path, "MAKEFLAGS=")
		if out, err := c.CombinedOutput(); err != nil || string(out) != want {
			t.Errorf("PATH=%s: %v, %q instead of %q", path, err, out, want)
		}
	}
}

// TestInstallsWithBlanks installs a program below a folder whose name has a blank.
func TestInstallsWithBlanks(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "a folder")
	program := filepath.Join(folder, "stub")
	if err := errors.Join(os.Mkdir(folder, 0o700), os.WriteFile(program, []byte("#!/bin/sh\necho $1\n"), 0o700)); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(findProgram(t, "make"), "-s", "-C", "../..", "install-from", "FROM="+program, "PREFIX="+folder+"/pre fix", "DESTDIR=")
	c.Env = append(os.Environ(), "MAKEFLAGS=")
	if out, err := c.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	for _, name := range []string{"bin/tune", "bin/tune-cc", "share/cmake/polytune/polytuneConfig.cmake", "share/fish/vendor_completions.d/tune.fish", "share/zsh/site-functions/_tune", "share/bash-completion/completions/tune"} {
		if _, err := os.Stat(filepath.Join(folder, "pre fix", name)); err != nil {
			t.Error(err)
		}
	}
}

// findProgram is the path of a program that the test needs.
func findProgram(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Fatalf("%v; make test needs it", err)
	}
	if absolute, err := filepath.Abs(path); err == nil {
		return absolute
	}
	return path
}
