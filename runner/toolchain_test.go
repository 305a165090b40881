package runner

import (
	"context"
	"strings"
	"testing"
)

func TestFindToolchain(t *testing.T) {
	found := gcc(t)
	if found.Family != "gcc" || found.ID == "" || !strings.Contains(found.Version, ".") || found.Target == "" || found.Native == "" || !strings.HasPrefix(found.Path, "/") {
		t.Errorf("%+v", found)
	}
	spec := ToolchainSpec{Name: "gcc", Command: "gcc", Flags: []string{"-O1"}}
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
		spec := ToolchainSpec{Name: c.name, Command: c.command, Flags: []string{"-fopenmp"}, CheckFlags: []string{"-fopenmp"}}
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
