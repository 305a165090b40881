// Package configs holds the settings of polytune: the built-in defaults
// (default.yaml, embedded), and the loader that lets a file, the environment
// and the flags of the command line override them, in that order of strength.
//
// # Where to find what
//
//   - how a setting gets its value: load.go; its meaning: default.yaml
//   - job arrays of clusters: batch.go, configs/batch/
//   - why so: docs/decisions/0108-batch-jobs.md
package configs

import (
	_ "embed"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"
)

// Default is the text of default.yaml: every setting, its built-in value and
// its meaning.
//
//go:embed default.yaml
var Default []byte

// Settings are all settings of a run. The meaning of each is in default.yaml.
type Settings struct {
	// DB is the path of the database; "" for the default place.
	DB string `mapstructure:"db"`
	// Threads is the number of OpenMP threads; 0 for one per usable core.
	Threads int `mapstructure:"threads"`
	// Jobs is the number of parallel compilers; 0 for one per usable core.
	Jobs int `mapstructure:"jobs"`
	// Toolchain is the key of Toolchains that is used; tune TARGET takes several, with
	// commas between them.
	Toolchain string `mapstructure:"toolchain"`
	// Device is what kernels run on; tune check takes several, with commas between them.
	Device       string               `mapstructure:"device"`
	Machine      Machine              `mapstructure:"machine"`
	Toolchains   map[string]Toolchain `mapstructure:"toolchains"`
	MPI          MPI                  `mapstructure:"mpi"`
	CC           Wrapper              `mapstructure:"cc"`
	Limits       Limits               `mapstructure:"limits"`
	Measurement  Measurement          `mapstructure:"measurement"`
	Search       Search               `mapstructure:"search"`
	Verification Verification         `mapstructure:"verification"`
	Publish      Publish              `mapstructure:"publish"`
}

// JobsOn is the number of jobs on a machine with so many usable cores.
func (s Settings) JobsOn(cores int) int {
	if s.Jobs > 0 {
		return s.Jobs
	}
	return max(cores, 1)
}

// Machine holds what the user says about this machine.
type Machine struct {
	Name string `mapstructure:"name"`
}

// Toolchain is a compiler and how to call it.
type Toolchain struct {
	// Name is the entry's key in Settings.Toolchains.
	Name string `mapstructure:"-"`
	// Command is a name on PATH or a path.
	Command string `mapstructure:"command"`
	// Flags are for timed programs, CheckFlags for bitwise comparison.
	Flags      []string `mapstructure:"flags"`
	CheckFlags []string `mapstructure:"check_flags"`
	// Libraries follow the object files when linking.
	Libraries []string `mapstructure:"libraries"`
	// Modules are environment modules to load before the compiler is looked for.
	Modules []string `mapstructure:"modules"`
}

// MPI says how programs on several ranks are built and started.
type MPI struct {
	// Compiler is a name on PATH or a path; Launch are words in which {ranks} stands for the number.
	Compiler string `mapstructure:"compiler"`
	Launch   string `mapstructure:"launch"`
}

// Wrapper says what `tune cc` does.
type Wrapper struct {
	// Compiler is the real compiler as words; "" for that of Settings.Toolchain.
	Compiler string `mapstructure:"compiler"`
	// Size and Machine choose among results; "" for any size and this machine.
	Size    string `mapstructure:"size"`
	Machine string `mapstructure:"machine"`
	// Any takes the first variant, whether or not it is known to be faster.
	Any     bool `mapstructure:"any"`
	Verbose bool `mapstructure:"verbose"`
	// Dispatch is "sizes" where programs choose among the results for all sizes when they run.
	Dispatch string `mapstructure:"dispatch"`
	// AssumeNoAlias and AssumePure say how regions are read, as the flags of the other commands do.
	AssumeNoAlias bool     `mapstructure:"assume_no_alias"`
	AssumePure    []string `mapstructure:"assume_pure"`
}

// Limits bound what one compiler or one measured program may use.
type Limits struct {
	BuildSeconds    float64 `mapstructure:"build_seconds"`
	RunFactor       float64 `mapstructure:"run_factor"`
	RunFloorSeconds float64 `mapstructure:"run_floor_seconds"`
	RunMaxSeconds   float64 `mapstructure:"run_max_seconds"`
	MemoryGiB       float64 `mapstructure:"memory_gib"`
}

// Measurement says how variants are timed.
type Measurement struct {
	RoundsMin       int     `mapstructure:"rounds_min"`
	RoundsMax       int     `mapstructure:"rounds_max"`
	ScreeningFactor float64 `mapstructure:"screening_factor"`
	SampleSeconds   float64 `mapstructure:"sample_seconds"`
	Indifference    float64 `mapstructure:"indifference"`
	// Powercap is the folder with counters of energy.
	Powercap string `mapstructure:"powercap"`
}

// Search says how many candidates are tried.
type Search struct {
	// Candidates bounds those of normal effort behind the models' defaults.
	Candidates int `mapstructure:"candidates"`
	// Patience is the number of candidates in a row without a better one after
	// which full effort without a budget ends.
	Patience int `mapstructure:"patience"`
}

// Verification says how far results may be from the original's at full size.
type Verification struct {
	Tolerance       float64 `mapstructure:"tolerance"`
	ToleranceSingle float64 `mapstructure:"tolerance_single"`
}

// Publish says where copies of the database go while a session runs.
type Publish struct {
	// File is "" for no copies.
	File    string  `mapstructure:"file"`
	Seconds float64 `mapstructure:"seconds"`
}

// Every is the time between two copies.
func (p Publish) Every() time.Duration { return seconds(p.Seconds) }

// Build is the wall-clock limit of one compiler run.
func (l Limits) Build() time.Duration { return seconds(l.BuildSeconds) }

// Run is the wall-clock limit of a measured run whose best known duration is
// best: RunFactor times that, not under RunFloorSeconds and not over
// RunMaxSeconds. With no known duration (best <= 0) it is RunMaxSeconds.
func (l Limits) Run(best time.Duration) time.Duration {
	if best <= 0 {
		return seconds(l.RunMaxSeconds)
	}
	limit := max(best.Seconds()*l.RunFactor, l.RunFloorSeconds)
	return seconds(min(limit, l.RunMaxSeconds))
}

// Memory is the address-space limit of a measured run in bytes; 0 for none.
func (l Limits) Memory() uint64 { return uint64(l.MemoryGiB * (1 << 30)) }

// SelectedToolchains are the entries of Toolchains that Toolchain names. A name
// that is no entry is taken as a compiler command, so that "gcc-14" or a path
// works without a settings file; its flags are those of the entry that fits.
func (s Settings) SelectedToolchains() []Toolchain {
	var list []Toolchain
	for name := range strings.SplitSeq(s.Toolchain, ",") {
		name = strings.TrimSpace(name)
		toolchain, ok := s.Toolchains[strings.ToLower(name)]
		if !ok {
			toolchain = s.Toolchains[fittingEntry(name)]
			toolchain.Name, toolchain.Command, toolchain.Modules = name, name, nil
		}
		list = append(list, toolchain)
	}
	return list
}

// Devices are the names in Device.
func (s Settings) Devices() (names []string) {
	for name := range strings.SplitSeq(s.Device, ",") {
		names = append(names, strings.TrimSpace(name))
	}
	return names
}

// SelectedToolchain is the first of the SelectedToolchains.
func (s Settings) SelectedToolchain() Toolchain { return s.SelectedToolchains()[0] }

// CUDA is the key of the compiler of CUDA C among Toolchains.
const CUDA = "nvcc"

// IsForDevices says whether the compiler is for kernels alone.
func (t Toolchain) IsForDevices() bool { return fittingEntry(t.Command) == CUDA }

// fittingEntry is the built-in entry whose flags a compiler takes, as its file
// name tells: "clang" for amdclang-17, "icx" for icx and oneapi-icx, and "gcc"
// where it tells nothing.
func fittingEntry(command string) string {
	name := strings.ToLower(command[strings.LastIndexByte(command, '/')+1:])
	if strings.Contains(name, "clang") {
		return "clang"
	}
	for word := range strings.FieldsFuncSeq(name, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		if slices.Contains([]string{"icx", "icc", "nvc", CUDA}, word) {
			return word
		}
	}
	return "gcc"
}

// complete names each toolchain by its key and gives entries that lack a
// part the one of the built-in entry that fits the compiler.
func (s *Settings) complete(builtin map[string]Toolchain) {
	for name, t := range s.Toolchains {
		t.Name = name
		model := builtin[fittingEntry(t.Command)]
		if t.Flags == nil {
			t.Flags = slices.Clone(model.Flags)
		}
		if t.CheckFlags == nil {
			t.CheckFlags = slices.Clone(model.CheckFlags)
		}
		if t.Libraries == nil {
			t.Libraries = slices.Clone(model.Libraries)
		}
		s.Toolchains[name] = t
	}
}

// validate reports the first setting whose value makes no sense.
func (s Settings) validate() error {
	checks := []struct {
		key   string
		value float64
		low   float64
		high  float64
	}{
		{"threads", float64(s.Threads), 0, 1 << 20},
		{"jobs", float64(s.Jobs), 0, 1 << 20},
		{"limits.build_seconds", s.Limits.BuildSeconds, 0.001, 1e6},
		{"limits.run_factor", s.Limits.RunFactor, 1, 1e6},
		{"limits.run_floor_seconds", s.Limits.RunFloorSeconds, 0, 1e6},
		{"limits.run_max_seconds", s.Limits.RunMaxSeconds, 0.001, 1e6},
		{"limits.memory_gib", s.Limits.MemoryGiB, 0, 1e9},
		{"measurement.rounds_min", float64(s.Measurement.RoundsMin), 1, 1e6},
		{"measurement.rounds_max", float64(s.Measurement.RoundsMax), float64(s.Measurement.RoundsMin), 1e6},
		{"measurement.screening_factor", s.Measurement.ScreeningFactor, 1, 1e6},
		{"measurement.sample_seconds", s.Measurement.SampleSeconds, 0, 3600},
		{"measurement.indifference", s.Measurement.Indifference, 0, 1},
		{"search.candidates", float64(s.Search.Candidates), 1, 1e6},
		{"search.patience", float64(s.Search.Patience), 1, 1e6},
		{"verification.tolerance", s.Verification.Tolerance, 0, 1},
		{"verification.tolerance_single", s.Verification.ToleranceSingle, 0, 1},
		{"publish.seconds", s.Publish.Seconds, 0.1, 1e6},
	}
	for _, c := range checks {
		if math.IsNaN(c.value) || c.value < c.low || c.value > c.high {
			return fmt.Errorf("setting %s is %v; it must be between %v and %v", c.key, c.value, c.low, c.high)
		}
	}
	if strings.TrimSpace(s.Toolchain) == "" {
		return fmt.Errorf("setting toolchain is empty; name one of %s, or a compiler", strings.Join(s.toolchainNames(), ", "))
	}
	for _, t := range s.SelectedToolchains() {
		if t.Command == "" {
			return fmt.Errorf("setting toolchain is %q, in which a name is missing; several are written as gcc,clang", s.Toolchain)
		}
		if t.IsForDevices() {
			return fmt.Errorf("setting toolchain is %q, which compiles kernels for devices alone; name a compiler of C", s.Toolchain)
		}
	}
	if d := s.CC.Dispatch; d != "" && d != "sizes" {
		return fmt.Errorf("setting cc.dispatch is %q; it is sizes or empty", d)
	}
	if slices.Contains(s.Devices(), "") {
		return fmt.Errorf("setting device is %q, in which a name is missing; several are written as emulation,ptx", s.Device)
	}
	for _, name := range s.toolchainNames() {
		if s.Toolchains[name].Command == "" {
			return fmt.Errorf("setting toolchains.%s.command is empty; name the compiler to run", name)
		}
	}
	return nil
}

func (s Settings) toolchainNames() []string {
	var names []string
	for name := range s.Toolchains {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

func seconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }
