package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"polytune/configs"
	"polytune/internal/jsondoc"
	"polytune/internal/oneline"
	"polytune/isl"
	"polytune/report"
	"polytune/runner"
	"polytune/session"
	"polytune/target/gpu"
	"polytune/target/registry"
)

type machineOptions struct {
	peaks bool
	json  bool
}

func newMachineCommand(global *globalOptions) *cobra.Command {
	o := &machineOptions{}
	c := &cobra.Command{
		Use:   "machine",
		Short: "Show this machine, its compilers and devices, and what would disturb timings",
		Long: `Show what this machine is, which compilers and which devices for kernels it has, and what
would disturb timings, with what to do about it; how long a cache line just now takes
from one processor to another and back, and the clock's frequency. --peaks measures how many
operations a second programs get out of the processor, and how many bytes out
of each cache and the memory, with 1, 2, 4, … threads, and keeps that in the
database.` + exitStatusHelp(),
		Example: "  tune machine\n  tune machine --json\n  tune machine --peaks --cc clang",
		Args:    maximumArgs(0),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return runMachine(c, o, settings)
		},
	}
	c.Flags().BoolVar(&o.peaks, "peaks", false, "measure, with the chosen compiler, what the machine can do at most; it takes a second or two for each number of threads")
	c.Flags().String("db", "", "the `database` of results (default $XDG_DATA_HOME/tune/tune.db)")
	c.Flags().Int("threads", 0, "for --peaks: the most threads (default one for each core)")
	c.Flags().String("cc", "", "for --peaks: the `compiler`: an entry of the settings' toolchains, a name on PATH, or a path")
	global.bind(c, map[string]string{"db": "db", "threads": "threads", "cc": "toolchain"})
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document")
	return c
}

// machineReport is the JSON document of tune machine.
type machineReport struct {
	Machine    runner.Machine    `json:"machine"`
	ISL        string            `json:"isl"`
	Toolchains []toolchainReport `json:"toolchains"`
	// Compilers are those on PATH, in the settings or not.
	Compilers    []runner.Compiler `json:"compilers"`
	Disturbances []runner.Warning  `json:"disturbances"`
	// Processors are those of timings, as they are just now.
	Processors runner.State `json:"processors"`
	// Devices are those of drivers, StandIns those that run or compile kernels for tests; NoDevices
	// says of a target without a device why that is.
	Devices   []runner.DeviceInfo `json:"devices"`
	StandIns  []runner.DeviceInfo `json:"stand_ins"`
	NoDevices map[string]string   `json:"no_devices"`
}

type toolchainReport struct {
	Name  string            `json:"name"`
	Found *runner.Toolchain `json:"found,omitempty"`
	Error string            `json:"error,omitempty"`
	// Missing says that the error is that there is no such command.
	Missing bool `json:"missing,omitempty"`
	// Peaks are what has been measured with the compiler here; nil for nothing.
	Peaks *runner.Peaks `json:"peaks,omitempty"`
}

func runMachine(c *cobra.Command, o *machineOptions, settings configs.Settings) error {
	machine, err := runner.Detect(settings.Machine.Name)
	if err != nil {
		return err
	}
	if o.peaks {
		if err := session.MeasurePeaks(c.Context(), c.ErrOrStderr(), machine, settings); err != nil {
			return err
		}
	}
	r := machineReport{Machine: machine, ISL: isl.Version(), Disturbances: machine.Disturbances(), Compilers: runner.Compilers(c.Context())}
	if r.Processors, err = runner.Look(c.Context(), machine.TimingCPUs(settings.Threads)); err != nil {
		return err
	}
	if r.Toolchains, err = toolchainReports(c.Context(), machine, settings); err != nil {
		return err
	}
	r.findDevices(c.Context(), settings)
	if o.json {
		return jsondoc.Write(c.OutOrStdout(), r)
	}
	r.print(c.OutOrStdout())
	return nil
}

// toolchainReports says of all configured compilers, and the chosen one if it
// is none of them, whether they are there.
func toolchainReports(ctx context.Context, machine runner.Machine, settings configs.Settings) ([]toolchainReport, error) {
	names := slices.Sorted(maps.Keys(settings.Toolchains))
	for _, t := range settings.SelectedToolchains() {
		if !slices.Contains(names, t.Name) {
			names = append(names, t.Name)
		}
	}
	var reports []toolchainReport
	for _, name := range names {
		if settings.Toolchains[name].IsForDevices() {
			continue
		}
		entry := toolchainReport{Name: name}
		settings.Toolchain = name
		found, err := runner.FindToolchain(ctx, registry.Default().Toolchains(settings)[0])
		if err != nil {
			entry.Error, entry.Missing = err.Error(), errors.Is(err, exec.ErrNotFound)
		} else {
			entry.Found = &found
			if entry.Peaks, err = session.KnownPeaks(ctx, os.Stderr, settings.DB, machine, found); err != nil {
				return nil, err
			}
		}
		reports = append(reports, entry)
	}
	return reports, nil
}

// findDevices asks for devices by a program of the first compiler that is there.
func (r *machineReport) findDevices(ctx context.Context, settings configs.Settings) {
	r.Devices, r.StandIns, r.NoDevices = []runner.DeviceInfo{}, []runner.DeviceInfo{}, map[string]string{}
	k := slices.IndexFunc(r.Toolchains, func(t toolchainReport) bool { return t.Found != nil })
	if k < 0 {
		return
	}
	found, err := runner.FindDevices(ctx, *r.Toolchains[k].Found, gpu.Compiler(settings))
	if err != nil {
		r.NoDevices["cuda"], r.NoDevices["opencl"] = err.Error(), err.Error()
		return
	}
	r.Devices, r.StandIns, r.NoDevices = found.Real, found.StandIns, found.Missing
}

func (r *machineReport) print(w io.Writer) {
	m := r.Machine
	fmt.Fprintf(w, "machine    %s  %s, %d cores, %s memory\n", strings.TrimSpace(m.ID+" "+m.Name), m.CPU, m.Cores, formatBytes(int64(m.Memory)))
	for _, cache := range m.Caches {
		ways := "ways unknown"
		if cache.Associativity > 0 {
			ways = fmt.Sprintf("%d-way", cache.Associativity)
		}
		fmt.Fprintf(w, "cache      L%d %s %s, %s, lines of %d bytes, shared by %d\n",
			cache.Level, cache.Kind, formatBytes(cache.Size), ways, cache.Line, len(cache.SharedBy))
	}
	if assumed, known := m.DataCaches(); !known {
		fmt.Fprintf(w, "cache      the system reports none; tiles are made for %s\n", formatBytes(assumed[0].Size))
	}
	fmt.Fprintf(w, "vectors    %s\n", vectorText(m.Vector))
	if text := report.ProcessorsText(r.Processors); text != "" {
		fmt.Fprintf(w, "just now   %s\n", text)
	}
	fmt.Fprintf(w, "isl        %s\n", oneline.First(r.ISL))
	r.printCompilers(w)
	r.printDevices(w)
	for _, d := range r.Disturbances {
		fmt.Fprintf(w, "warning    %s\n           %s\n", d.Message, d.Advice)
	}
}

// printCompilers prints the compilers of the settings, those that are not there
// in one line, and then the others on PATH.
func (r *machineReport) printCompilers(w io.Writer) {
	var missing []string
	known := map[string]bool{}
	for _, t := range r.Toolchains {
		switch {
		case t.Found != nil:
			fmt.Fprintf(w, "compiler   %s %s at %s for %s, %s\n", t.Name, t.Found.Version, t.Found.Path, t.Found.Target, vectorText(runner.VectorOf(r.Machine, *t.Found)))
			printPeaks(w, t.Peaks)
			known[t.Found.Resolved] = true
		case t.Missing:
			missing = append(missing, t.Name)
		default:
			fmt.Fprintf(w, "compiler   %s: %s\n", t.Name, oneline.First(t.Error))
		}
	}
	for _, c := range r.Compilers {
		if resolved, err := filepath.EvalSymlinks(c.Path); err == nil && !known[resolved] {
			fmt.Fprintf(w, "compiler   %s at %s is on PATH too; --cc %s chooses it\n", strings.TrimSpace(c.Family+" "+c.Version), c.Path, c.Command)
		}
	}
	if len(missing) > 0 {
		fmt.Fprintf(w, "compiler   not here, though in the settings: %s\n", strings.Join(missing, ", "))
	}
}

// printDevices prints the devices, and the names of what stands in for one.
func (r *machineReport) printDevices(w io.Writer) {
	for _, d := range r.Devices {
		doubles, more := "", ""
		if !d.HasDoubles {
			doubles = ", no doubles"
		}
		if d.MostShared > d.SharedMemory {
			more = fmt.Sprintf(" (%s where it asks for more)", formatBytes(int64(d.MostShared)))
		}
		fmt.Fprintf(w, "device     %s: %s, a %s with %d compute units, %s memory, %s shared by a block%s%s, driver %s\n",
			d.Target, d.Name, d.Kind, d.ComputeUnits, formatBytes(int64(d.Memory)), formatBytes(int64(d.SharedMemory)), more, doubles, d.Driver)
	}
	for _, target := range slices.Sorted(maps.Keys(r.NoDevices)) {
		fmt.Fprintf(w, "device     %s: none; %s\n", target, oneline.First(r.NoDevices[target]))
	}
	for _, d := range r.StandIns {
		fmt.Fprintf(w, "device     %s: %s for tests, by %s\n", d.Target, d.Name, d.Driver)
	}
}

// vectorText describes vector registers for people.
func vectorText(v runner.Vector) string {
	if v.Bits == 0 {
		return "no vector registers known"
	}
	fused := ""
	if v.Fused {
		fused = ", fused multiply-add"
	}
	return fmt.Sprintf("%s: %d registers of %d bits%s", v.Set, v.Registers, v.Bits, fused)
}

// printPeaks prints a line for each number of threads.
func printPeaks(w io.Writer, peaks *runner.Peaks) {
	if peaks == nil {
		fmt.Fprintln(w, "           peaks not measured; tune machine --peaks measures them")
		return
	}
	for _, rate := range peaks.Rates {
		fmt.Fprintf(w, "           %s\n", report.Rate(rate))
	}
}
