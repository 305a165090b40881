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

// measured is a kernel with our times by model, and those of pluto+ by the bound
// of the coefficients, nil where it failed.
type measured struct {
	kernel
	models map[string]*phases
	bounds map[int]*phases
}

const introduction = `# Times of compilation

Seconds from C to C, tiled and parallel: *transform* is the time in which the partition, hyperplanes,
bands, tiles and parallel loops are found; *total* is all that the command does, from reading C and the
dependences to the proof that the schedule is legal, and the code. Pluto and Pluto+ are the columns of Table III of the Pluto+ paper (Bondhugula, Acharya, Cohen,
TOPLAS 38(3), 2016; Intel Xeon E5-2680), whose PolyBench is an older version; *Pluto 2026* is the Pluto
compiler's master of that year on two cores of a Zen 5. Where a kernel has no number, none is published, or
ours failed. The periodic programs, of the suite plutoplus, have their statements split, the pieces fused
and their tiles start together (--iss --diamond --partition max), as in the paper.

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
	p.printBounds(w)
	return nil
}

// printBounds prints how the time of pluto+ depends on the bound of its
// coefficients, the paper's Figure 9 for all kernels.
func (p *page) printBounds(w io.Writer) {
	fmt.Fprint(w, "\n## The bound of coefficients\n\nSeconds of *transform* by pluto+, for bounds b of the coefficients, and the largest over the smallest.\n\n| kernel |")
	for _, bound := range bounds {
		fmt.Fprintf(w, " b = %d |", bound)
	}
	fmt.Fprintln(w, " largest / smallest |")
	fmt.Fprintln(w, "|---"+strings.Repeat("|---:", len(bounds)+1)+"|")
	for _, row := range p.rows {
		fmt.Fprintf(w, "| %s |", row.name)
		least, most := math.Inf(1), 0.0
		for _, bound := range bounds {
			cell := ""
			if t := row.bounds[bound]; t != nil {
				cell, least, most = number(t.Transform), min(least, t.Transform), max(most, t.Transform)
			}
			fmt.Fprintf(w, " %s |", cell)
		}
		fmt.Fprintf(w, " %.2f |\n", most/least)
	}
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
	for _, c := range comparisons {
		sum, count := 0.0, 0
		for _, row := range p.rows {
			if above, below := c.above(row), c.below(row); above > 0 && below > 0 {
				sum += math.Log(above / below)
				count++
			}
		}
		if count > 0 {
			fmt.Fprintf(w, "- %s: %.2f in the geometric mean of %d kernels\n", c.about, math.Exp(sum/float64(count)), count)
		}
	}
}

// comparisons are the ratios of times that are summed up; a time is 0 where it is
// not known.
var comparisons = []struct {
	about        string
	above, below func(measured) float64
}{
	{"total, ours (pluto) / Pluto 2026", ourTotal(pluto), func(m measured) float64 { return m.current.orZero().total }},
	{"transform, ours (pluto) / Pluto 2026", ourTransform(pluto), func(m measured) float64 { return m.current.orZero().transform }},
	{"transform, our pluto+ / our pluto, PolyBench", ofPart(false, ourTransform(plutoPlus)), ourTransform(pluto)},
	{"total, our pluto+ / our pluto, PolyBench", ofPart(false, ourTotal(plutoPlus)), ourTotal(pluto)},
	{"transform, our pluto+ / the paper's, PolyBench", ofPart(false, ourTransform(plutoPlus)), func(m measured) float64 { return m.plutoPlus.orZero().transform }},
	{"total, our pluto+ / the paper's, PolyBench", ofPart(false, ourTotal(plutoPlus)), func(m measured) float64 { return m.plutoPlus.orZero().total }},
	{"transform, our pluto+ / the paper's, periodic", ofPart(true, ourTransform(plutoPlus)), func(m measured) float64 { return m.plutoPlus.orZero().transform }},
	{"total, our pluto+ / the paper's, periodic", ofPart(true, ourTotal(plutoPlus)), func(m measured) float64 { return m.plutoPlus.orZero().total }},
}

func ourTransform(model string) func(measured) float64 {
	return func(m measured) float64 { return m.models[model].orZero().Transform }
}

func ourTotal(model string) func(measured) float64 {
	return func(m measured) float64 { return m.models[model].orZero().Total }
}

// ofPart is the time for kernels of one part of Table III, 0 for others.
func ofPart(periodic bool, time func(measured) float64) func(measured) float64 {
	return func(m measured) float64 {
		if m.isPeriodic() != periodic {
			return 0
		}
		return time(m)
	}
}

func (s *seconds) orZero() seconds {
	if s == nil {
		return seconds{}
	}
	return *s
}

func (p *phases) orZero() phases {
	if p == nil {
		return phases{}
	}
	return *p
}
