package runner

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"polytune/internal/scripttest"
	"polytune/target/openmp/omp"
)

// fakeModule is what a site's login shells define. One module changes PATH, one
// sets a variable, and one is not there, which the older `module` does not
// tell by its status. BASH_ENV is where a machine's own modules, such as Lmod, define `module` anew.
const fakeModule = `module() {
  [ "$1" = load ] || return 1
  shift
  for m; do
    case "$m" in
    fake-cc*) export PATH="$FAKE_SITE/bin:$PATH" LD_LIBRARY_PATH="$FAKE_SITE/lib" LOADEDMODULES="${LOADEDMODULES:+$LOADEDMODULES:}fake-cc/1.2";;
    tools) export TOOLS="a  b" LOADEDMODULES="${LOADEDMODULES:+$LOADEDMODULES:}tools"; unset SURPLUS;;
    fails) echo "no licence" >&2; return 1;;
    *) echo "Unable to locate a modulefile for '$m'" >&2;;
    esac
  done
}
unset BASH_ENV
echo "Welcome to the cluster"
`

// site makes login shells of this test know the fake modules, whose folder is
// given, with a compiler in its bin.
func site(t *testing.T) string {
	t.Helper()
	home := t.TempDir()
	t.Setenv("HOME", home)
	t.Setenv("FAKE_SITE", home)
	t.Setenv("LOADEDMODULES", "")
	compiler := "#!/bin/sh\necho \"$FAKE_SITE $LD_LIBRARY_PATH $TOOLS\" >\"$FAKE_SITE/seen\"\nexec gcc \"$@\"\n"
	for path, text := range map[string]string{".bash_profile": fakeModule, "bin/fake-cc": compiler} {
		path = filepath.Join(home, path)
		if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
			t.Fatal(err)
		}
		scripttest.Write(t, path, text)
	}
	return home
}

func TestToolchainOfModules(t *testing.T) {
	home := site(t)
	spec := ToolchainSpec{Runtime: omp.Runtime{}, Name: "fake", Command: "fake-cc", Flags: []string{"-O1"}, CheckFlags: []string{"-O1"}}
	if _, err := FindToolchain(t.Context(), spec); err == nil || !strings.Contains(err.Error(), "no compiler") {
		t.Fatalf("without its module: %v", err)
	}
	spec.Modules = []string{"fake-cc/1.2", "tools"}
	found, err := FindToolchain(t.Context(), spec)
	if err != nil {
		t.Fatal(err)
	}
	if found.Path != home+"/bin/fake-cc" || found.Modules != "fake-cc/1.2:tools" || found.Family != "gcc" {
		t.Errorf("%+v", found)
	}
	if path, _ := variable(found.Environment, "PATH"); path != home+"/bin:"+os.Getenv("PATH") {
		t.Errorf("PATH is %q", path)
	}
	if seen, _ := os.ReadFile(home + "/seen"); string(seen) != home+" "+home+"/lib a  b\n" {
		t.Errorf("the compiler saw %q", seen)
	}
	other := spec
	other.Modules = []string{"fake-cc"}
	if second, err := FindToolchain(t.Context(), other); err != nil || second.ID == found.ID {
		t.Errorf("with other modules: ID %s, %v", second.ID, err)
	}

	builder := newBuilder(t, found, multiply, DriverOptions{})
	binary := build(t, builder, multiplyOriginal, false)
	run := RunRequest{}.environment(binary.runtime, binary.environment)
	if path, _ := variable(run, "LD_LIBRARY_PATH"); path != home+"/lib" {
		t.Errorf("programs run with the library path %q", path)
	}
	if _, set := variable(run, "TOOLS"); set {
		t.Error("programs run with variables that are nothing to them")
	}
}

// A compiler of a module that is replaced by the same one stays what it is: it is looked
// at in the module's environment.
func TestWatchedToolchainOfModules(t *testing.T) {
	site(t)
	found, err := FindToolchain(t.Context(), ToolchainSpec{
		Runtime: omp.Runtime{}, Name: "fake", Command: "fake-cc", Flags: []string{"-O1"}, CheckFlags: []string{"-O1"}, Modules: []string{"fake-cc/1.2", "tools"}})
	if err != nil {
		t.Fatal(err)
	}
	watch := WatchToolchain(found)
	text, err := os.ReadFile(found.Path)
	if err != nil {
		t.Fatal(err)
	}
	scripttest.Write(t, found.Path, string(text))
	if err := watch.Check(t.Context()); err != nil {
		t.Errorf("the same again: %v", err)
	}
}

func TestModulesThatDoNotLoad(t *testing.T) {
	site(t)
	for _, c := range []struct {
		modules []string
		want    string
	}{
		{[]string{"fails"}, "no licence"},
		{[]string{"fake-cc", "none/3"}, "none/3 is not in LOADEDMODULES"},
		{[]string{"$(touch x); 'a"}, "Unable to locate a modulefile for '$(touch x); 'a'"},
	} {
		_, err := loadModules(t.Context(), c.modules)
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "toolchains.NAME.modules") {
			t.Errorf("%q: error %v", c.modules, err)
		}
	}
	t.Setenv("HOME", t.TempDir())
	if _, err := loadModules(t.Context(), []string{"gcc"}); err == nil || !strings.Contains(err.Error(), "login shell") {
		t.Errorf("without module: %v", err)
	}
}

func TestModuleChanges(t *testing.T) {
	for _, c := range []struct {
		name, own, before, after string
		want                     []string
	}{
		{"nothing", "A=1", "A=1\x00B=2", "A=1\x00B=2", nil},
		{"new", "", "A=1", "A=1\x00B=2=3", []string{"B=2=3"}},
		{"in front", "PATH=/own:/bin", "PATH=/bin", "PATH=/m:/bin", []string{"PATH=/m:/own:/bin"}},
		{"behind", "PATH=/own:/bin", "PATH=/bin", "PATH=/bin:/m", []string{"PATH=/own:/bin:/m"}},
		{"replaced", "PATH=/own", "PATH=/old:/bin", "PATH=/new:/bin", []string{"PATH=/new:/bin"}},
		{"unset", "A=1", "A=1", "", []string{"A="}},
		{"the shell's own", "", "SHLVL=1\x00PWD=/", "SHLVL=2\x00PWD=/x\x00_=y", nil},
	} {
		if got := moduleChanges(entries(c.own), entries(c.before), entries(c.after)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q; want %q", c.name, got, c.want)
		}
	}
}
