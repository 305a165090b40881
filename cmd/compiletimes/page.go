package main

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"strings"
)

// page is the table of all kernels that were measured.
type page struct {
	tune string
	rows []measured
}

// measured is a kernel with our times by model, nil where it failed.
type measured struct {
	kernel
	models map[string]*phases
}

const introduction = `# Times of compilation

Seconds from C to C, tiled and parallel: *transform* is the time in which hyperplanes, bands, tiles and
parallel loops are found; *total* has the dependences, the proof that the schedule is legal, and the code
besides. Pluto and Pluto+ are the columns of Table III of the Pluto+ paper (Bondhugula, Acharya, Cohen,
TOPLAS 38(3), 2016; Intel Xeon E5-2680), whose PolyBench is an older version; *Pluto 2026* is the Pluto
compiler's master of that year on two cores of a Zen 5. Where a kernel has no number, none is published, or
ours failed. Ours are without index-set splitting and diamond tiling: the periodic programs, of the suite
plutoplus, are not tiled along time here, as they are in the paper's columns.

`

// print writes the page as Markdown.
func (p *page) print(w io.Writer) error {
	fmt.Fprint(w, introduction)
	fmt.Fprintf(w, "Made by `go run ./cmd/compiletimes` on %s%s.\n\n", p.machine(), load())
	fmt.Fprintln(w, "| kernel | ours, pluto: transform | codegen | total | ours, pluto+: transform | codegen | total | Pluto: transform | total | Pluto+: transform | total | Pluto 2026: transform | total | ours (pluto) / Pluto 2026 |")
	fmt.Fprintln(w, "|---"+strings.Repeat("|---:", 13)+"|")
	for _, row := range p.rows {
		fmt.Fprintf(w, "| %s | %s |\n", row.name, strings.Join(row.cells(), " | "))
	}
	fmt.Fprintln(w)
	p.printMeans(w)
	return nil
}

// machine is the machine in words, as tune sees it.
func (p *page) machine() string {
	output, err := exec.Command(p.tune, "machine", "--json").Output()
	var report struct {
		Machine struct {
			CPU   string `json:"cpu"`
			Cores int    `json:"cores"`
		} `json:"machine"`
	}
	if err != nil || json.Unmarshal(output, &report) != nil || report.Machine.CPU == "" {
		return "a machine that tune cannot describe"
	}
	return fmt.Sprintf("%s, %d cores", report.Machine.CPU, report.Machine.Cores)
}

// load says how many processes wanted to run in the last minutes: with more than
// there are cores the times are too long.
func load() string {
	text, err := os.ReadFile("/proc/loadavg")
	fields := strings.Fields(string(text))
	if err != nil || len(fields) < 2 {
		return ""
	}
	return "; load average over five minutes " + fields[1] + ", with which times grow beyond the number of cores"
}

func (m *measured) cells() []string {
	var cells []string
	for _, model := range models {
		if t := m.models[model]; t != nil {
			cells = append(cells, number(t.Transform), number(t.Codegen), number(t.Total))
		} else {
			cells = append(cells, "", "", "")
		}
	}
	for _, published := range []*seconds{m.pluto, m.plutoPlus, m.current} {
		if published != nil {
			cells = append(cells, number(published.transform), number(published.total))
		} else {
			cells = append(cells, "", "")
		}
	}
	ratio := ""
	if ours := m.models["pluto"]; ours != nil && m.current != nil {
		ratio = number(ours.Total / m.current.total)
	}
	return append(cells, ratio)
}

// number prints three decimals for what is short, fewer for what is long.
func number(value float64) string {
	if value >= 10 {
		return fmt.Sprintf("%.1f", value)
	}
	return fmt.Sprintf("%.3f", value)
}

// printMeans prints geometric means of ratios over the kernels that have both
// numbers.
func (p *page) printMeans(w io.Writer) {
	comparison := func(about string, ratio func(measured) float64) {
		sum, count := 0.0, 0
		for _, row := range p.rows {
			if r := ratio(row); r > 0 {
				sum += math.Log(r)
				count++
			}
		}
		if count > 0 {
			fmt.Fprintf(w, "- %s: %.2f in the geometric mean of %d kernels\n", about, math.Exp(sum/float64(count)), count)
		}
	}
	comparison("total, ours (pluto) / Pluto 2026", func(m measured) float64 {
		if m.models["pluto"] == nil || m.current == nil {
			return 0
		}
		return m.models["pluto"].Total / m.current.total
	})
	comparison("transform, ours (pluto) / Pluto 2026", func(m measured) float64 {
		if m.models["pluto"] == nil || m.current == nil {
			return 0
		}
		return m.models["pluto"].Transform / m.current.transform
	})
	comparison("transform, our pluto+ / our pluto", func(m measured) float64 {
		if m.models["pluto"] == nil || m.models["pluto+"] == nil {
			return 0
		}
		return m.models["pluto+"].Transform / m.models["pluto"].Transform
	})
	comparison("total, our pluto+ / our pluto", func(m measured) float64 {
		if m.models["pluto"] == nil || m.models["pluto+"] == nil {
			return 0
		}
		return m.models["pluto+"].Total / m.models["pluto"].Total
	})
}
