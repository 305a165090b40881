package device

import (
	"cmp"
	"slices"
	"strings"

	"polytune/loopir"
	"polytune/scop/mark"
)

// Report says what was made, for people and JSON.
type Report struct {
	Kernels   []KernelReport `json:"kernels"`
	Transfers []Transfer     `json:"transfers"`
	Host      []HostReport   `json:"host"`
}

// KernelReport is about a kernel: its grid and its blocks along x, y and z.
type KernelReport struct {
	Name     string    `json:"name"`
	Node     string    `json:"node"`
	Grid     [3]string `json:"grid"`
	Block    [3]int64  `json:"block"`
	Shared   int64     `json:"shared_bytes"`
	Barriers int       `json:"barriers"`
	// GridBarriers are those at which all blocks wait; Resident says that blocks stay, and that
	// there are only as many as run at once.
	GridBarriers int           `json:"grid_barriers,omitempty"`
	Resident     bool          `json:"resident,omitempty"`
	Arrays       []ArrayReport `json:"arrays"`
	Estimate     Occupancy     `json:"estimate"`
	// VectorLoads are about the boxes whose elements are loaded several at once.
	VectorLoads []VectorReport `json:"vector_loads,omitempty"`
	Core        *Core          `json:"core,omitempty"`
	// Reductions are the clauses under which threads have accumulators of their own.
	Reductions []string `json:"reductions,omitempty"`
}

// ArrayReport says in which memory a kernel has an array.
type ArrayReport struct {
	Array  string `json:"array"`
	Memory string `json:"memory"`
}

// HostReport says which statements stay on the host, and why.
type HostReport struct {
	Statements []string `json:"statements"`
	Reason     string   `json:"reason"`
}

// report is that of the program.
func (h *host) report() Report {
	r := Report{Kernels: []KernelReport{}, Transfers: []Transfer{}, Host: h.hostReports()}
	for _, k := range h.kernels {
		node, _, _ := strings.Cut(k.Of, ".")
		report := KernelReport{Name: k.Name, Node: node, Grid: [3]string{"1", "1", "1"}, Block: k.Threads, Shared: k.SharedBytes, Resident: k.waitsTogether(), Arrays: []ArrayReport{}, Estimate: k.Occupancy, VectorLoads: k.Vectors, Core: k.Core}
		for d, span := range k.spans() {
			if span != nil {
				report.Grid[d] = h.text(linearOf(span.Count()).expression())
			}
		}
		for _, l := range k.Blocks {
			report.Grid[l.Share.Dimension] = joinedText(report.Grid[l.Share.Dimension], h.count(withoutLets(k.Body, l)))
		}
		loopir.Walk(k.Body, func(s loopir.Stmt) {
			switch s := s.(type) {
			case *loopir.Barrier:
				if s.Grid {
					report.GridBarriers++
				} else {
					report.Barriers++
				}
			case *loopir.AddUp:
				report.Barriers += barriersOf(s, k.Threads)
			}
		})
		for _, clause := range k.AddsUp {
			report.Reductions = append(report.Reductions, clause.String())
		}
		for _, a := range k.Arrays {
			report.Arrays = append(report.Arrays, k.memoriesOf(a)...)
		}
		r.Kernels = append(r.Kernels, report)
	}
	for _, a := range h.list {
		if (a.In || a.Out) && !a.HostAlone {
			r.Transfers = append(r.Transfers, Transfer{a.Name, a.In, a.Out})
		}
	}
	return r
}

// joinedText is the number of blocks of several loops along one dimension.
func joinedText(before, count string) string {
	if before == "1" || before == count {
		return count
	}
	return "max(" + before + ", " + count + ")"
}

// hostReports are about the statements that run on the host, those with one reason together.
func (h *host) hostReports() []HostReport {
	reports := []HostReport{}
	for i := range h.unit.Program.Statements {
		if !h.ran[i] {
			continue
		}
		s, reason := h.unit.Program.Statements[i].Spelling(), cmp.Or(h.refused[i], "no kernel of the schedule has it")
		k := slices.IndexFunc(reports, func(r HostReport) bool { return r.Reason == reason })
		if k < 0 {
			k, reports = len(reports), append(reports, HostReport{Reason: reason})
		}
		reports[k].Statements = append(reports[k].Statements, s)
	}
	return reports
}

// memoriesOf are the memories in which a kernel has an array, each once: those of its copies, and
// where the array is where statements use it there.
func (k *Kernel) memoriesOf(a *Array) (reports []ArrayReport) {
	add := func(memory mark.Memory) {
		if report := (ArrayReport{a.Name, string(memory)}); !slices.Contains(reports, report) {
			reports = append(reports, report)
		}
	}
	for _, box := range k.Boxes {
		if box.Array == a.Name {
			add(box.Memory)
		}
	}
	switch {
	case a.Constant:
		add(mark.Constant)
	case slices.Contains(k.Direct, a):
		add("global")
	}
	return reports
}
