package runner

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"polytune/internal/scripttest"
	"polytune/target/openmp/omp"
)

// TestFamilies has the first lines with which compilers answer --version.
func TestFamilies(t *testing.T) {
	for _, c := range []struct{ answer, macros, family, version string }{
		{"gcc (Debian 12.2.0-14+deb12u1) 12.2.0\nCopyright (C) 2022 Free Software Foundation, Inc.", "#define __GNUC__ 12\n", "gcc", "12.2.0"},
		{"cc (GCC) 8.5.0 20210514 (Red Hat 8.5.0-28)", "", "gcc", "8.5.0"},
		{"Debian clang version 19.1.7 (3+b1)\nTarget: x86_64-pc-linux-gnu", "#define __GNUC__ 4\n#define __clang__ 1\n", "clang", "19.1.7"},
		{"Apple LLVM 15.0.0", "#define __clang__ 1\n", "clang", "15.0.0"},
		{"Intel(R) oneAPI DPC++/C++ Compiler 2024.2.0 (2024.2.0.20240602)\nTarget: x86_64-unknown-linux-gnu", "#define __clang__ 1\n#define __INTEL_LLVM_COMPILER 20240200\n", "icx", "2024.2.0"},
		{"a wrapper 1.0 around clang", "#define __INTEL_LLVM_COMPILER 20240200\n#define __clang__ 1\n", "icx", "1.0"},
		{"icc (ICC) 2021.10.0 20230609\nCopyright (C) 1985-2023 Intel Corporation.", "#define __GNUC__ 8\n", "icc", "2021.10.0"},
		{"nvc 24.5-1 64-bit target on x86-64 Linux -tp zen3\nNVIDIA Compilers and Tools", "#define __GNUC__ 12\n", "nvc", "24.5"},
		{"tcc version 0.9.27", "#define __GNUC__ 2\n", "unknown", "0.9.27"},
		{"homemade", "", "unknown", "homemade"},
	} {
		var found Toolchain
		found.setVersion(c.answer, c.macros)
		if found.Family != c.family || found.Version != c.version {
			t.Errorf("%q: %s %s; want %s %s", c.answer, found.Family, found.Version, c.family, c.version)
		}
	}
}

// fakeICC answers like Intel's classic compiler, refuses flags that are none of
// its own, and lets gcc do the work.
const fakeICC = `case "$1" in
--version) echo "icc (ICC) 2021.10.0 20230609"; exit;;
-dumpmachine) exec gcc -dumpmachine;;
esac
flags=
for a; do
  case "$a" in
  -xHost) flags="$flags -march=native";;
  -qopenmp) flags="$flags -fopenmp";;
  -fp-model=*|-qopt-zmm-usage=*|-no-fma) ;;
  -fopenmp|-march=native|-ffp-contract=*|-Q) echo "icc: error #10006: $a" >&2; exit 1;;
  *) flags="$flags $a";;
  esac
done
exec gcc $flags`

func TestFakeICC(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "icc")
	scripttest.Write(t, path, "#!/bin/sh\n"+fakeICC+"\n")
	t.Setenv("PATH", folder+":"+os.Getenv("PATH"))
	found, err := FindToolchain(t.Context(), ToolchainSpec{Runtime: omp.Runtime{}, Name: "icc", Command: "icc",
		Flags: []string{"-O3", "-xHost", "-qopenmp"}, CheckFlags: []string{"-O1", "-no-fma", "-qopenmp"}, Libraries: []string{"-lm"}})
	if err != nil {
		t.Fatal(err)
	}
	own := gcc(t)
	if found.Family != "icc" || found.Version != "2021.10.0" || found.Path != path || found.Target != own.Target || found.Native == "" || found.ID == own.ID {
		t.Errorf("%+v", found)
	}
	if found.Vector == nil || *found.Vector != *own.Vector {
		t.Errorf("vectors %+v; gcc has %+v", found.Vector, own.Vector)
	}
	build(t, newBuilder(t, found, multiply, DriverOptions{}), multiplyOriginal, true)
}

// TestCompilers: what is on PATH is found once, whatever its names, and
// programs of other names are not executed.
func TestCompilers(t *testing.T) {
	first, second := t.TempDir(), t.TempDir()
	for k, folder := range []string{first, second} {
		for _, name := range []string{"gcc-9", "icx", "gcc-ar", "nvc++", "clang-format-19", "clang-19.1"} {
			text := fmt.Sprintf("#!/bin/sh\ncase $0 in *icx) echo 'Intel(R) oneAPI DPC++/C++ Compiler 2025.%d';; *) echo gcc %d.1;; esac\n", k, k)
			if name == "gcc-ar" || name == "nvc++" || name == "clang-format-19" {
				text = "#!/bin/sh\ntouch " + folder + "/executed\n"
			}
			scripttest.Write(t, filepath.Join(folder, name), text)
		}
	}
	for link, file := range map[string]string{"gcc": first + "/gcc-9", "clang": second + "/clang-19.1"} {
		if err := os.Symlink(file, filepath.Join(first, link)); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(first, "icc"), []byte("not a program"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", first+":/nowhere:"+second+":"+filepath.Dir(shell(t)))
	want := []Compiler{
		{"clang", first + "/clang", "gcc", "1.1"},
		{"clang-19.1", first + "/clang-19.1", "gcc", "0.1"},
		{"gcc", first + "/gcc", "gcc", "0.1"},
		{"icx", first + "/icx", "icx", "2025.0"},
	}
	got := slices.DeleteFunc(Compilers(t.Context()), func(c Compiler) bool {
		return filepath.Dir(c.Path) != first && filepath.Dir(c.Path) != second
	})
	if !slices.Equal(got, want) {
		t.Errorf("%+v; want %+v", got, want)
	}
	for _, folder := range []string{first, second} {
		if _, err := os.Stat(filepath.Join(folder, "executed")); err == nil {
			t.Error("a program that is no compiler was executed")
		}
	}
}

// shell is the path of sh, which scripts need.
func shell(t *testing.T) string {
	t.Helper()
	path, err := findCommand("sh", nil)
	if err != nil {
		t.Fatal(err)
	}
	return path
}
