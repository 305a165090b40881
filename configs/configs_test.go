package configs

import (
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"
)

func load(t *testing.T, file string, bind ...func(*Loader)) (Settings, error) {
	t.Helper()
	loader, err := NewLoader()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range bind {
		b(loader)
	}
	return loader.Load(file)
}

func write(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "config.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestDefaults(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	s, err := load(t, "")
	if err != nil {
		t.Fatal(err)
	}
	gcc := s.SelectedToolchain()
	if gcc.Name != "gcc" || gcc.Command != "gcc" || !slices.Contains(gcc.Flags, "-fopenmp") || !slices.Equal(gcc.Libraries, []string{"-lm"}) {
		t.Errorf("toolchain %+v", gcc)
	}
	if !slices.Contains(gcc.CheckFlags, "-ffp-contract=off") {
		t.Errorf("check flags %v", gcc.CheckFlags)
	}
	if s.Limits.Build() != time.Minute || s.Verification.Tolerance != 1e-6 || s.Measurement.RoundsMax < s.Measurement.RoundsMin {
		t.Errorf("settings %+v", s)
	}
}

// TestEverySettingIsInTheFile keeps default.yaml and Settings in step.
func TestEverySettingIsInTheFile(t *testing.T) {
	if err := checkKeys("default.yaml", Default); err != nil {
		t.Error(err)
	}
	loader, err := NewLoader()
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range knownKeys() {
		if name := strings.ReplaceAll(key, "*", "gcc"); !loader.values.InConfig(name) && !loader.values.IsSet(name) {
			t.Errorf("default.yaml lacks %s", name)
		}
	}
}

func TestStrength(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	file := write(t, "threads: 3\njobs: 3\nmachine: {name: from-file}\ndb: file.db\ntoolchains:\n  gcc: {flags: -O2 -fopenmp}\n  new: {command: gcc-14}\n")
	t.Setenv("TUNE_MACHINE_NAME", "from-env")
	t.Setenv("TUNE_THREADS", "5")
	t.Setenv("TUNE_DB", "env.db")
	t.Setenv("TUNE_TOOLCHAINS_GCC_LIBRARIES", "-lm -lfoo")
	flags := pflag.NewFlagSet("tune", pflag.ContinueOnError)
	flags.String("db", "", "")
	flags.Int("threads", 0, "")
	if err := flags.Parse([]string{"--db", "flag.db"}); err != nil {
		t.Fatal(err)
	}
	s, err := load(t, file, func(l *Loader) {
		for _, name := range []string{"db", "threads"} {
			if err := l.Bind(name, flags.Lookup(name)); err != nil {
				t.Fatal(err)
			}
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	if s.DB != "flag.db" || s.Threads != 5 || s.Machine.Name != "from-env" || s.Jobs != 3 {
		t.Errorf("settings %+v", s)
	}
	gcc := s.Toolchains["gcc"]
	if !slices.Equal(gcc.Flags, []string{"-O2", "-fopenmp"}) || gcc.Command != "gcc" || !slices.Equal(gcc.Libraries, []string{"-lm", "-lfoo"}) {
		t.Errorf("gcc %+v", gcc)
	}
	want := Toolchain{Name: "new", Command: "gcc-14", Flags: []string{"-O3", "-march=native", "-fopenmp"},
		CheckFlags: []string{"-O1", "-ffp-contract=off", "-fopenmp"}, Libraries: []string{"-lm"}}
	if !reflect.DeepEqual(s.Toolchains["new"], want) {
		t.Errorf("new %+v", s.Toolchains["new"])
	}
}

func TestCompilerByCommand(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	t.Setenv("TUNE_TOOLCHAIN", "/opt/llvm/bin/clang-19")
	s, err := load(t, "")
	if err != nil {
		t.Fatal(err)
	}
	if c := s.SelectedToolchain(); c.Command != "/opt/llvm/bin/clang-19" || len(c.Flags) == 0 {
		t.Errorf("%+v", c)
	}
}

// TestFlagsFit: a compiler that no setting describes gets the flags of the
// built-in entry that its name tells.
func TestFlagsFit(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	for command, entry := range map[string]string{
		"gcc-14": "gcc", "/usr/bin/cc": "gcc", "mpicc": "gcc", "x86_64-linux-gnu-gcc-12": "gcc", "/clang/bin/gcc": "gcc",
		"clang-19": "clang", "/opt/rocm/bin/amdclang": "clang",
		"/opt/intel/icx": "icx", "icx-2024": "icx", "icc": "icc", "nvc-24.5": "nvc",
	} {
		s, err := load(t, write(t, "toolchain: "+command+"\ntoolchains: {own: {command: "+command+", modules: [a/1, b]}}\n"))
		if err != nil {
			t.Fatal(err)
		}
		want := s.Toolchains[entry]
		for _, got := range []Toolchain{s.SelectedToolchain(), s.Toolchains["own"]} {
			if got.Command != command || !slices.Equal(got.Flags, want.Flags) || !slices.Equal(got.CheckFlags, want.CheckFlags) {
				t.Errorf("%s: %+v; want the flags of %s", command, got, entry)
			}
		}
		if own := s.Toolchains["own"]; !slices.Equal(own.Modules, []string{"a/1", "b"}) {
			t.Errorf("modules %q", own.Modules)
		}
	}
}

func TestBadFiles(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"unknown", "threads: 1\nthread: 2\n", `:2: no setting "thread"; did you mean "threads"?`},
		{"unknown below", "limits:\n  build_second: 3\n", `:2: no setting "limits.build_second"; did you mean "limits.build_seconds"?`},
		{"unknown in toolchain", "toolchains:\n  icx:\n    flag: -O3\n", `"toolchains.icx.flags"`},
		{"wrong section", "measurement:\n  build_seconds: 3\n", `no setting "measurement.build_seconds"`},
		{"wrong type", "threads: many\n", "threads"},
		{"boolean", "threads: true\n", "threads"},
		{"range", "threads: -1\n", "setting threads is -1"},
		{"rounds", "measurement: {rounds_min: 9, rounds_max: 8}\n", "measurement.rounds_max"},
		{"not a number", "limits: {run_factor: .nan}\n", "limits.run_factor"},
		{"no C compiler", "toolchain: nvcc\n", "name a compiler of C"},
		{"no device", "device: emulation,\n", "a name is missing"},
		{"no command", "toolchains: {own: {flags: -O3}}\n", "toolchains.own.command"},
		{"section as value", "limits: 3\n", "limits"},
		{"list", "- 1\n", `"key: value"`},
		{"syntax", "a: [\n", "yaml"},
	} {
		t.Run(c.name, func(t *testing.T) {
			file := write(t, c.text)
			_, err := load(t, file)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("error %v, want %q in it", err, c.want)
			}
		})
	}
}

func TestFiles(t *testing.T) {
	if _, err := load(t, filepath.Join(t.TempDir(), "none.yaml")); err == nil {
		t.Error("a missing named file is no error")
	}
	if _, err := load(t, write(t, "")); err != nil {
		t.Errorf("empty file: %v", err)
	}
	home := t.TempDir()
	t.Setenv("XDG_CONFIG_HOME", home)
	os.MkdirAll(filepath.Join(home, "tune"), 0o700)
	os.WriteFile(UserFile(), []byte("jobs: 7\n"), 0o600)
	if s, err := load(t, ""); err != nil || s.Jobs != 7 {
		t.Errorf("user file: %v %+v", err, s)
	}
}

// TestDevices: the setting names several, and NVIDIA's compiler has flags of its own.
func TestDevices(t *testing.T) {
	t.Setenv("XDG_CONFIG_HOME", t.TempDir())
	s, err := load(t, write(t, "device: emulation, ptx\ntoolchains: {nvcc: {command: nvcc-12}}\n"))
	if err != nil || !slices.Equal(s.Devices(), []string{"emulation", "ptx"}) {
		t.Errorf("devices %q, error %v", s.Devices(), err)
	}
	if nvcc := s.Toolchains[CUDA]; !nvcc.IsForDevices() || !slices.Contains(nvcc.CheckFlags, "-fmad=false") || s.SelectedToolchain().IsForDevices() {
		t.Errorf("%+v", nvcc)
	}
}

func TestRunLimit(t *testing.T) {
	l := Limits{RunFactor: 2.5, RunFloorSeconds: 1, RunMaxSeconds: 100}
	for best, want := range map[time.Duration]time.Duration{
		0: 100 * time.Second, time.Millisecond: time.Second, 10 * time.Second: 25 * time.Second, time.Hour: 100 * time.Second,
	} {
		if got := l.Run(best); got != want {
			t.Errorf("limit of %v is %v, want %v", best, got, want)
		}
	}
}
