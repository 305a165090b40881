package main

import (
	"bytes"
	"context"
	"encoding/json"
	"slices"
	"testing"

	"polytune/internal/exit"
	"polytune/pipeline"
	"polytune/pipeline/transformed"
	"polytune/pipeline/variant"
	"polytune/scop"
	"polytune/scop/depend"
)

// reported are transformations whose JSON document is compared with the
// dependences: bands of all widths, parts, split statements, private copies,
// diamonds, wavefronts, loops of no band.
var reported = [][]string{
	{"--bench", "polybench/2mm", "--partition", "max"},
	{"--bench", "polybench/atax", "--model", "pluto+"},
	{"--bench", "polybench/trisolv", "--model", "pluto+", "--partition", "max"},
	{"--bench", "polybench/gramschmidt", "--partition", "max"},
	{"--bench", "polybench/durbin", "--partition", "max"},
	{"--bench", "polybench/lu"},
	{"--bench", "polybench/gramschmidt"},
	{"--bench", "polybench/bicg"},
	{"--bench", "polybench/seidel-2d", "--degrees", "2"},
	{"--bench", "polybench/jacobi-1d", "--diamond", "--partition", "max"},
	{"--bench", "polybench/symm", "--model", "pluto+", "--partition", "max"},
	{"--bench", "plutoplus/heat-1dp", "--model", "pluto+", "--iss", "--diamond", "--partition", "max"},
	{"--bench", "plutoplus/lbm-ldc-d2q9", "--tile", "none"},
}

// What the document says of rows and loops is what isl finds by intersecting
// the relations of the dependences with the rows alone.
func TestReportsAreTrue(t *testing.T) {
	met := map[string]bool{}
	for _, args := range reported {
		t.Run(args[1], func(t *testing.T) {
			o := &transformOptions{Request: variant.Request{Target: pipeline.Options{Bench: args[1], Privatize: true}}}
			if slices.Contains(args, "--iss") {
				o.Splitting.On = true
			}
			r, target := documentOf(t, o, args)
			err := target.WithGraph(context.Background(), func(g *depend.Graph) error {
				for _, class := range r.Classes {
					checkRows(t, g.Model.Program, class)
					checkBands(t, g, class.Bands, met)
				}
				return nil
			})
			if err != nil {
				t.Fatal(err)
			}
			checkSeconds(t, r)
		})
	}
	for _, kind := range []string{"parallel", "sequential", "vector", "permutable", "alone"} {
		if !met[kind] {
			t.Errorf("no loop is %s", kind)
		}
	}
}

// documentOf runs tune transform and reads its document; the target is the one that
// it is about.
func documentOf(t *testing.T, o *transformOptions, args []string) (r transformed.Document, target *pipeline.Target) {
	t.Helper()
	var stdout, stderr bytes.Buffer
	if status := run(append([]string{"transform", "--json"}, args...), &stdout, &stderr); status != exit.OK {
		t.Fatalf("exit status %d: %s", status, stderr.String())
	}
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	targets, err := o.Target.All(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := o.Splitting.Apply(context.Background(), &stderr, targets); err != nil {
		t.Fatal(err)
	}
	return r, targets[0]
}

// checkRows checks that the rows of a class have one coefficient for each
// iterator and parameter, and that those of a statement determine its instances.
func checkRows(t *testing.T, p *scop.Program, class transformed.Class) {
	t.Helper()
	for _, name := range class.Statements {
		depth := p.Statements[statementNamed(p, name)].Depth()
		var rows [][]int64
		for _, band := range class.Bands {
			for _, member := range band.Members {
				row, ok := member.Rows[name]
				if !ok {
					continue
				}
				if len(row.Iterators) != depth || len(row.Parameters) != len(p.Parameters) {
					t.Errorf("%s has the row %+v for %d loops and %d parameters", name, row, depth, len(p.Parameters))
				}
				rows = append(rows, row.Iterators)
			}
		}
		if scop.Rank(rows, depth) != depth {
			t.Errorf("the rows %v of %s leave some of its %d loops open", rows, name, depth)
		}
	}
}

func statementNamed(p *scop.Program, name string) int {
	return slices.IndexFunc(p.Statements, func(s scop.Statement) bool { return s.Spelling() == name })
}

// checkBands compares what is said of the bands of a class with the dependences
// that have equal values of all rows outside.
func checkBands(t *testing.T, g *depend.Graph, bands []transformed.Band, met map[string]bool) {
	t.Helper()
	active := slices.Clone(g.Dependences)
	for number, band := range bands {
		permutable := true
		for k, member := range band.Members {
			forward, parallel := distancesAlong(t, g, active, member)
			permutable = permutable && forward
			if parallel != member.Parallel {
				t.Errorf("loop %d of band %d is said to be parallel: %v", k, number, member.Parallel)
			}
			met["parallel"] = met["parallel"] || parallel
			met["sequential"] = met["sequential"] || !parallel
			met["vector"] = met["vector"] || member.Vector
		}
		if permutable != band.Permutable {
			t.Errorf("band %d is said to be permutable: %v", number, band.Permutable)
		}
		met["permutable"] = met["permutable"] || len(band.Members) > 1
		met["alone"] = met["alone"] || len(band.Members) == 1
		for _, member := range band.Members {
			active = equalAlong(t, g, active, member)
		}
	}
}

// distancesAlong says of the dependences between statements of a loop whether
// none goes backwards along it, and whether none goes anywhere.
func distancesAlong(t *testing.T, g *depend.Graph, active []*depend.Dependence, member transformed.Member) (forward, parallel bool) {
	t.Helper()
	forward, parallel = true, true
	for _, d := range active {
		if !isAround(g, d, member) {
			continue
		}
		backwards, onwards := compared(t, g, d, member, ">"), compared(t, g, d, member, "<")
		forward = forward && backwards == nil
		parallel = parallel && backwards == nil && onwards == nil
	}
	return forward, parallel
}

// equalAlong are the parts of the dependences with no distance along a loop;
// those that the loop is not around stay.
func equalAlong(t *testing.T, g *depend.Graph, active []*depend.Dependence, member transformed.Member) (rest []*depend.Dependence) {
	t.Helper()
	for _, d := range active {
		if isAround(g, d, member) {
			d = compared(t, g, d, member, "=")
		}
		if d != nil {
			rest = append(rest, d)
		}
	}
	return rest
}

// isAround says whether a loop is around both statements of a dependence.
func isAround(g *depend.Graph, d *depend.Dependence, member transformed.Member) bool {
	_, source := member.Rows[g.Model.Program.Statements[d.Source].Spelling()]
	_, target := member.Rows[g.Model.Program.Statements[d.Target].Spelling()]
	return source && target
}

// compared is the part of a dependence whose times compare as the operator
// says, nil when it is empty.
func compared(t *testing.T, g *depend.Graph, d *depend.Dependence, member transformed.Member, operator string) *depend.Dependence {
	t.Helper()
	row := func(s int) scop.Row {
		r := member.Rows[g.Model.Program.Statements[s].Spelling()]
		return scop.Row{Iterators: r.Iterators, Parameters: r.Parameters, Constant: r.Constant}
	}
	part := d.Where(g.Time(d.Source, row(d.Source)), operator, g.Time(d.Target, row(d.Target)))
	empty, err := part.IsEmpty()
	if err != nil {
		t.Fatal(err)
	}
	if empty {
		return nil
	}
	return part
}

// checkSeconds checks that the phases add up, and that the integer programs take
// no longer than the phases in which they are solved.
func checkSeconds(t *testing.T, r transformed.Document) {
	t.Helper()
	sum, solving := 0.0, 0.0
	for name, seconds := range r.Seconds {
		if seconds < 0 {
			t.Errorf("the phase %s took %v s", name, seconds)
		}
		if name != "total" {
			sum += seconds
		}
	}
	for _, p := range r.ILP {
		solving += p.Seconds
		if p.Variables < 1 || p.Constraints < 1 || p.Solver == "" || p.Purpose == "" {
			t.Errorf("integer program %+v", p)
		}
	}
	if d := sum - r.Seconds["total"]; d < -1e-6 || d > 1e-6 {
		t.Errorf("the phases take %v s, all %v s", sum, r.Seconds["total"])
	}
	if solving > r.Seconds["transform"] {
		t.Errorf("the integer programs take %v s of %v s", solving, r.Seconds["transform"])
	}
}
