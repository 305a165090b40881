package runner

import (
	"context"
	"os"
	"polytune/internal/remember"
	"polytune/target/openmp/omp"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestFindToolchain(t *testing.T) {
	found := gcc(t)
	if found.Family != "gcc" || found.ID == "" || !strings.Contains(found.Version, ".") || found.Target == "" || found.Native == "" || !strings.HasPrefix(found.Path, "/") {
		t.Errorf("%+v", found)
	}
	spec := ToolchainSpec{Runtime: omp.Runtime{}, Name: "gcc", Command: "gcc", Flags: []string{"-O1"}}
	first, err := FindToolchain(context.Background(), spec)
	if err != nil {
		t.Fatal(err)
	}
	spec.Name = "other"
	second, _ := FindToolchain(context.Background(), spec)
	spec.Flags = []string{"-O2"}
	third, _ := FindToolchain(context.Background(), spec)
	t.Setenv("LOADEDMODULES", "gcc/99")
	fourth, _ := FindToolchain(context.Background(), spec)
	if first.ID != second.ID || first.ID == third.ID || third.ID == fourth.ID || fourth.Modules != "gcc/99" {
		t.Errorf("IDs %s %s %s %s", first.ID, second.ID, third.ID, fourth.ID)
	}
}

// fakeClang answers like clang and cannot link OpenMP programs.
const fakeClang = `case "$1" in
--version) echo "Debian clang version 14.0.6";;
-dumpmachine) echo x86_64-pc-linux-gnu;;
*) echo "ld: cannot find -lomp" >&2; exit 1;;
esac`

func TestToolchainErrors(t *testing.T) {
	for _, c := range []struct {
		name, command string
		want          []string
	}{
		{"missing", "no-such-cc", []string{`no compiler "no-such-cc"`, "apt install no-such-cc", "--cc"}},
		{"missing path", "/no/such/cc", []string{"/no/such/cc", "--cc"}},
		{"fails", script(t, "echo broken licence >&2; exit 1"), []string{"--version", "broken licence", "exit status 1"}},
		{"crashes", script(t, "kill -ILL $$"), []string{"illegal instruction"}},
		{"no OpenMP", script(t, fakeClang), []string{"libomp-dev", "cannot find -lomp"}},
		{"program does not run", script(t, "case \"$1\" in --version) echo gcc 1.2.3;; -fopenmp) case \"$4\" in -*) exit 1;; esac; printf '#!/bin/sh\\necho no libgomp >&2\\nexit 127\\n' >\"$4\"; chmod +x \"$4\";; esac"), []string{"does not run", "no libgomp"}},
	} {
		spec := ToolchainSpec{Runtime: omp.Runtime{}, Name: c.name, Command: c.command, Flags: []string{"-fopenmp"}, CheckFlags: []string{"-fopenmp"}}
		_, err := FindToolchain(context.Background(), spec)
		if err == nil {
			t.Errorf("%s: found", c.name)
			continue
		}
		for _, want := range c.want {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: error %q lacks %q", c.name, err, want)
			}
		}
	}
}

// What a compiler answered is remembered for its file, flags and environment, for a day; a script
// is asked each time.
func TestToolchainMemory(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	spec := ToolchainSpec{Runtime: omp.Runtime{}, Name: "gcc", Command: "gcc", Flags: []string{"-O1"}}
	find := func() Toolchain {
		t.Helper()
		found, err := FindToolchain(t.Context(), spec)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	asked := find()
	memory := memoryOf(asked)
	if memory == "" {
		t.Skip("gcc is a script or has another name here: it is asked each time")
	}
	if kept, is := recalled(memory); !is || kept.ID != asked.ID || !reflect.DeepEqual(find(), asked) {
		t.Fatalf("remembered: %v, %+v, want %+v", is, kept, asked)
	}
	other := asked
	other.Version = "99.1"
	other.ID = other.hash()
	other.keep(memory)
	if found := find(); found.Version != "99.1" {
		t.Errorf("version %s: it was asked again", found.Version)
	}
	for name, change := range map[string]func(){
		"flags":       func() { spec.Flags = []string{"-O2"} },
		"environment": func() { spec.Flags = []string{"-O1"}; t.Setenv("LOADEDMODULES", "gcc/99") },
		"age": func() {
			t.Setenv("LOADEDMODULES", "")
			old := time.Now().Add(-2 * remember.Day)
			if err := os.Chtimes(string(memory), old, old); err != nil {
				t.Fatal(err)
			}
		},
		"no JSON":  func() { os.WriteFile(string(memory), []byte("{"), 0o600) },
		"other ID": func() { other.ID = "x"; other.keep(memory) },
	} {
		spec.Flags = []string{"-O1"}
		change()
		if found := find(); found.Version == "99.1" {
			t.Errorf("%s: what was remembered counts", name)
		}
		os.Unsetenv("LOADEDMODULES")
		other.ID = other.hash()
		other.keep(memory)
	}
	path := script(t, "exec gcc \"$@\"")
	if m := memoryOf(Toolchain{Path: path}); m != "" {
		t.Errorf("a script is remembered in %s", m)
	}
}
