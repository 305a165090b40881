// Package transformed makes the JSON document of tune transform.
package transformed

import (
	"maps"
	"slices"
	"strings"

	"polytune/device"
	"polytune/pipeline"
	"polytune/pipeline/check"
	"polytune/pipeline/variant"
	"polytune/report"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/space"
	"polytune/target/registry"
	"polytune/transform/hyperplane"
)

// Expansion is an expanded array in the JSON document of tune transform.
type Expansion struct {
	Array      string   `json:"array"`
	Name       string   `json:"name"`
	Statements []string `json:"statements"`
	// Extents are C expressions of the program's parameters, those of the
	// temporary itself last; an element has ElementBytes.
	Extents      []string `json:"extents"`
	ElementBytes int      `json:"element_bytes"`
}

func reportExpansions(p *scop.Program) []Expansion {
	var list []Expansion
	for _, e := range p.Expansions {
		list = append(list, Expansion{Array: e.Array, Name: e.Name, Statements: statementNames(p, e.Statements),
			Extents: e.Spelled, ElementBytes: p.Array(e.Name).Size})
	}
	return list
}

// Placement is a temporary in the JSON document of tune transform that has its values in
// elements of an array.
type Placement struct {
	Array   string `json:"array"`
	Element string `json:"element"`
}

func reportPlacements(p *scop.Program) (list []Placement) {
	for _, l := range p.Placements {
		list = append(list, Placement{l.Array, l.Element})
	}
	return list
}

// Document is the JSON document of tune transform.
type Document struct {
	Kernel          string             `json:"kernel"`
	Target          string             `json:"target"`
	Partition       space.Partition    `json:"partition"`
	Nest            string             `json:"nest,omitempty"`
	Model           string             `json:"model"`
	Recipe          string             `json:"recipe"`
	Classes         []Class            `json:"classes"`
	ILP             []Program          `json:"ilp"`
	Lazy            bool               `json:"lazy"`
	IndexSetSplit   bool               `json:"index_set_split"`
	ConcurrentStart bool               `json:"concurrent_start"`
	Seconds         map[string]float64 `json:"seconds"`
	// Declined is what the code lacks of the schedule.
	Declined []report.DeclinedExplanation `json:"declined,omitempty"`
	// Untiled are the iterators of loops over tiles of the source that are left out.
	Untiled []string `json:"untiled,omitempty"`
	// Placements are the temporaries that have their values in elements of arrays.
	Placements []Placement `json:"placements,omitempty"`
	// Expansions are the arrays of --expand, and ExpansionBytes what they take
	// together at the sizes of a benchmark.
	Expansions []Expansion `json:"expansions,omitempty"`
	// Report is about the kernels of a device, nil for none.
	*device.Report
	ExpansionBytes map[string]int64 `json:"expansion_bytes,omitempty"`
}

// Program is one integer program that was solved for rows of the recipe,
// in the order in which they were.
type Program struct {
	// Purpose is one of "hyperplanes", "joining" and "concurrent start", see
	// hyperplane.Purpose.
	Purpose     hyperplane.Purpose `json:"purpose"`
	Solver      string             `json:"solver"`
	Variables   int                `json:"variables"`
	Constraints int                `json:"constraints"`
	Seconds     float64            `json:"seconds"`
	// Exceeded says that it was given up at the limit on operations.
	Exceeded bool `json:"exceeded,omitempty"`
}

// Class is one class of the partition with its bands, outermost first,
// those of parts that run one after the other in the order of the parts.
type Class struct {
	Statements []string `json:"statements"`
	Bands      []Band   `json:"bands"`
}

// Band is a band of loops. Permutable says that no dependence that is not
// carried outside goes backwards along any of them.
type Band struct {
	Permutable bool     `json:"permutable"`
	Tiled      bool     `json:"tiled"`
	Members    []Member `json:"members"`
}

// Member is one loop. Parallel says that it carries no dependence; the
// recipe tells whether it runs on several threads. Reductions are the clauses
// under which it, or the loop over its tiles, runs on threads or in lanes.
type Member struct {
	Parallel   bool           `json:"parallel"`
	Vector     bool           `json:"vector"`
	Reductions []string       `json:"reductions,omitempty"`
	Rows       map[string]Row `json:"rows"`
}

// Row is the affine schedule of one statement, before tiling and
// wavefront skewing: for a diamond, that of its tiles.
type Row struct {
	Iterators  []int64 `json:"iterators"`
	Parameters []int64 `json:"parameters"`
	Constant   int64   `json:"constant"`
}

// Of is the document of a region that was transformed.
func Of(d *variant.Transformed) (Document, error) {
	program := d.Target.Unit.Program
	tree, err := command.ReplayTogether(d.Variant.Recipe, program)
	if d.Variant.IsUnchanged() {
		tree, err = &schedule.Tree{Program: program}, nil
	}
	if err != nil {
		return Document{}, err
	}
	r := Document{Kernel: d.Target.Name, Target: targetName(d), Partition: d.Nest.Partition(), Nest: check.NestText(d.Nest), Model: d.Model, Recipe: d.Variant.Text,
		Classes: []Class{}, ILP: []Program{}, Lazy: d.Variant.Explanation.Lazy,
		IndexSetSplit: len(program.Cuts) > 0, ConcurrentStart: d.Variant.ConcurrentStart, Seconds: Seconds(d.Variant.Phases),
		Untiled: program.Untiled, Placements: reportPlacements(program), Expansions: reportExpansions(program), ExpansionBytes: d.Target.ExpansionBytes(),
		Declined: report.DeclinedExplanations(d.Variant.Notes.Declined)}
	if d.Variant.Device != nil {
		r.Report = &d.Variant.Device.Report
	}
	for _, ilp := range d.Variant.Explanation.Programs {
		r.ILP = append(r.ILP, Program{Purpose: ilp.Purpose, Solver: ilp.Solver, Variables: ilp.Unknowns, Constraints: ilp.Constraints, Seconds: ilp.Seconds, Exceeded: ilp.Exceeded})
	}
	for _, class := range tree.Classes {
		r.Classes = append(r.Classes, Class{
			Statements: statementNames(program, class.Statements),
			Bands:      appendBands(&d.Variant, []Band{}, program, class),
		})
	}
	return r, nil
}

func statementNames(p *scop.Program, statements []int) []string {
	names := make([]string, len(statements))
	for i, s := range statements {
		names[i] = p.Statements[s].Spelling()
	}
	return names
}

// appendBands appends the bands of a node and then those of its parts.
func appendBands(v *variant.Variant, bands []Band, p *scop.Program, n *schedule.Node) []Band {
	last := -1
	for _, loop := range n.Loops {
		last = max(last, loop.Band)
	}
	for number := range last + 1 {
		if band, ok := reportBand(v, p, n, number); ok {
			bands = append(bands, band)
		}
	}
	for _, part := range n.Parts {
		bands = appendBands(v, bands, p, part)
	}
	return bands
}

// reportBand is the node's band of the number, with its loops in the order in which the recipe gave
// them; ok is false when there are only loops over tiles, as those of command.Blocks.
func reportBand(v *variant.Variant, p *scop.Program, n *schedule.Node, number int) (band Band, ok bool) {
	points := map[string]*Member{}
	band.Permutable = true
	reductions := map[string][]string{}
	for _, loop := range n.Loops {
		if loop.Band != number {
			continue
		}
		point := strings.TrimRight(loop.Name, "rt")
		for _, c := range loop.Reductions() {
			if text := c.String(); !slices.Contains(reductions[point], text) {
				reductions[point] = append(reductions[point], text)
			}
		}
		if loop.Level > 0 {
			band.Tiled = true
			continue
		}
		if loop.Block {
			continue
		}
		facts := v.Loops[loop.Name]
		band.Permutable = band.Permutable && facts.Forward
		points[loop.Name] = &Member{Parallel: facts.Parallel, Vector: loop.IsVector(), Rows: reportRows(p, loop.TilingRows())}
	}
	for _, name := range slices.SortedFunc(maps.Keys(points), compareDepth) {
		points[name].Reductions = reductions[name]
		band.Members = append(band.Members, *points[name])
	}
	return band, len(points) > 0
}

// compareDepth orders loops of one node by their depth: c0.9 before c0.10.
func compareDepth(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

func reportRows(p *scop.Program, rows map[int]schedule.Row) map[string]Row {
	reports := map[string]Row{}
	for statement, row := range rows {
		reports[p.Statements[statement].Spelling()] = Row{
			Iterators: append([]int64{}, row.Iterators...), Parameters: append([]int64{}, row.Parameters...), Constant: row.Constant,
		}
	}
	return reports
}

// Seconds are the durations by phase, and their sum.
func Seconds(p pipeline.Phases) map[string]float64 {
	return map[string]float64{
		"dependences": p.Dependences.Seconds(), "transform": p.Transform.Seconds(), "codegen": p.Codegen.Seconds(),
		"other": p.Other.Seconds(), "total": p.Total().Seconds(),
	}
}

// targetName is what --target calls what the code is made for.
func targetName(d *variant.Transformed) string {
	if on := d.Target.On; on != registry.Default() {
		return on.Name()
	}
	return "cpu"
}
