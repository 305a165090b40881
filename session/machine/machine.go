// Package machine describes the machine that it runs on: its processors, compilers and devices, what
// it tells of energy, and what would disturb timings.
package machine

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

	"polytune/configs"
	"polytune/internal/oneline"
	"polytune/isl"
	"polytune/report"
	"polytune/runner"
	"polytune/runner/energy"
	"polytune/session"
	"polytune/target/gpu"
	"polytune/target/registry"
)

// Report is what tune machine says, its JSON document.
type Report struct {
	Machine    runner.Machine `json:"machine"`
	ISL        string         `json:"isl"`
	Toolchains []Toolchain    `json:"toolchains"`
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
	// Energy are the parts of the machine whose energy is counted; NoEnergy says why there are none.
	Energy   []string `json:"energy"`
	NoEnergy string   `json:"no_energy,omitempty"`
}

// Toolchain is a compiler of the settings, and what is known of it.
type Toolchain struct {
	Name  string            `json:"name"`
	Found *runner.Toolchain `json:"found,omitempty"`
	Error string            `json:"error,omitempty"`
	// Missing says that the error is that there is no such command.
	Missing bool `json:"missing,omitempty"`
	// Peaks are what has been measured with the compiler here; nil for nothing.
	Peaks *runner.Peaks `json:"peaks,omitempty"`
}

// Options say what is measured besides.
type Options struct {
	// Peaks measures the rates of the processor and its memories first.
	Peaks bool
}

// Describe finds out all of it. stderr is told how measurements go.
func Describe(ctx context.Context, stderr io.Writer, o Options, settings configs.Settings) (*Report, error) {
	machine, err := runner.Detect(settings.Machine.Name)
	if err != nil {
		return nil, err
	}
	if o.Peaks {
		if err := session.MeasurePeaks(ctx, stderr, machine, settings); err != nil {
			return nil, err
		}
	}
	r := &Report{Machine: machine, ISL: isl.Version(), Disturbances: machine.Disturbances(), Compilers: runner.Compilers(ctx)}
	if r.Processors, err = runner.Look(ctx, machine.TimingCPUs(settings.Threads)); err != nil {
		return nil, err
	}
	if r.Toolchains, err = toolchainReports(ctx, machine, settings); err != nil {
		return nil, err
	}
	r.findDevices(ctx, settings)
	r.findEnergy(settings)
	return r, nil
}

// findEnergy asks for the counters of energy.
func (r *Report) findEnergy(settings configs.Settings) {
	meter, err := energy.Find(settings.Measurement.Powercap)
	r.Energy = []string{}
	for _, c := range meter.Counters {
		r.Energy = append(r.Energy, c.Name)
	}
	if err != nil {
		r.NoEnergy = err.Error()
	}
}

// toolchainReports says of all configured compilers, and the chosen one if it
// is none of them, whether they are there.
func toolchainReports(ctx context.Context, machine runner.Machine, settings configs.Settings) ([]Toolchain, error) {
	names := slices.Sorted(maps.Keys(settings.Toolchains))
	for _, t := range settings.SelectedToolchains() {
		if !slices.Contains(names, t.Name) {
			names = append(names, t.Name)
		}
	}
	var reports []Toolchain
	for _, name := range names {
		if settings.Toolchains[name].IsForDevices() {
			continue
		}
		entry := Toolchain{Name: name}
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
func (r *Report) findDevices(ctx context.Context, settings configs.Settings) {
	r.Devices, r.StandIns, r.NoDevices = []runner.DeviceInfo{}, []runner.DeviceInfo{}, map[string]string{}
	k := slices.IndexFunc(r.Toolchains, func(t Toolchain) bool { return t.Found != nil })
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

// Print writes it for people.
func (r *Report) Print(w io.Writer) {
	m := r.Machine
	fmt.Fprintf(w, "machine    %s  %s, %d cores, %s memory\n", strings.TrimSpace(m.ID+" "+m.Name), m.CPU, m.Cores, report.Bytes(int64(m.Memory)))
	for _, cache := range m.Caches {
		ways := "ways unknown"
		if cache.Associativity > 0 {
			ways = fmt.Sprintf("%d-way", cache.Associativity)
		}
		fmt.Fprintf(w, "cache      L%d %s %s, %s, lines of %d bytes, shared by %d\n",
			cache.Level, cache.Kind, report.Bytes(cache.Size), ways, cache.Line, len(cache.SharedBy))
	}
	if assumed, known := m.DataCaches(); !known {
		fmt.Fprintf(w, "cache      the system reports none; tiles are made for %s\n", report.Bytes(assumed[0].Size))
	}
	fmt.Fprintf(w, "vectors    %s\n", vectorText(m.Vector))
	if text := report.ProcessorsText(r.Processors); text != "" {
		fmt.Fprintf(w, "just now   %s\n", text)
	}
	fmt.Fprintf(w, "isl        %s\n", oneline.First(r.ISL))
	r.printCompilers(w)
	r.printDevices(w)
	r.printEnergy(w)
	for _, d := range r.Disturbances {
		fmt.Fprintf(w, "warning    %s\n           %s\n", d.Message, d.Advice)
	}
}

// printCompilers prints the compilers of the settings, those that are not there
// in one line, and then the others on PATH.
func (r *Report) printCompilers(w io.Writer) {
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
func (r *Report) printDevices(w io.Writer) {
	for _, d := range r.Devices {
		doubles, more := "", ""
		if !d.HasDoubles {
			doubles = ", no doubles"
		}
		if d.MostShared > d.SharedMemory {
			more = fmt.Sprintf(" (%s where it asks for more)", report.Bytes(int64(d.MostShared)))
		}
		fmt.Fprintf(w, "device     %s: %s, a %s with %d compute units, %s memory, %s shared by a block%s%s, driver %s\n",
			d.Target, d.Name, d.Kind, d.ComputeUnits, report.Bytes(int64(d.Memory)), report.Bytes(int64(d.SharedMemory)), more, doubles, d.Driver)
	}
	for _, target := range slices.Sorted(maps.Keys(r.NoDevices)) {
		fmt.Fprintf(w, "device     %s: none; %s\n", target, oneline.First(r.NoDevices[target]))
	}
	for _, d := range r.StandIns {
		fmt.Fprintf(w, "device     %s: %s for tests, by %s\n", d.Target, d.Name, d.Driver)
	}
}

// printEnergy prints what is counted, or why nothing is.
func (r *Report) printEnergy(w io.Writer) {
	if r.NoEnergy != "" {
		fmt.Fprintf(w, "energy     %s\n", r.NoEnergy)
		return
	}
	fmt.Fprintf(w, "energy     counted for %s\n", strings.Join(r.Energy, ", "))
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
