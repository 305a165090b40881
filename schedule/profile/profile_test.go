package profile_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/isl/points"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/schedule/profile"
	"polytune/scop"
	"polytune/scop/depend"
)

func programOf(t *testing.T, name string) *scop.Program {
	t.Helper()
	return kerneltest.File(t, name).Regions[0].Program
}

func treeOf(t *testing.T, p *scop.Program, recipe string) *schedule.Tree {
	t.Helper()
	parsed, err := command.Parse(p, recipe)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := parsed.Replay(p)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

const (
	fusedGemm = `classes {S0 S1}
band c0 permutable S0[i, j] -> [i, j, 0]; S1[i, k, j] -> [i, j, k]
tile c0.1 c0.2 c0.3 by 32 16 8
tile c0.1t c0.2t c0.3t by 4 4 4
`
	wavyJacobi = `classes {S0 S1}
band c0 permutable S0[t, i, j] -> [t, 2t + i, 2t + j]; S1[t, i, j] -> [t, 2t + i + 1, 2t + j + 1]
tile c0.1 c0.2 c0.3 by 4 8 8
wavefront c0.1t c0.2t
split c0 {S0} {S1}
sink c0.2
`
	phases = `classes {S0 S1 S2}
band c0 permutable S0[i, j, k] -> [i, j, k]; S1[i, j] -> [i, j, j]; S2[i, j, k] -> [i, j, k]
split c0 {S0} {S1} {S2}
tile c0.1 c0.2 c0.3 by 4 4 4
sink c0.2t
sink c0.1t
phases c0.3t
`
	triangles = `classes {S0 S1 S2}
band c0 S0[i, j, k] -> [i]; S1[i, j] -> [i]; S2[i, j, k] -> [i]
split c0 {S0} {S1} {S2}
band c0_0 S0[i, j, k] -> [j, k]
band c0_1 S1[i, j] -> [j]
band c0_2 permutable S2[i, j, k] -> [j, k]
tile c0_2.2 c0_2.3 by 4 4
`
)

// TestIterations compares the iterations of all loops with those found by
// looking at one instance after the other.
func TestIterations(t *testing.T) {
	for _, test := range []struct {
		kernel, recipe string
		values         map[string]int
	}{
		{"gemm", fusedGemm, map[string]int{"NI": 37, "NJ": 21, "NK": 9}},
		{"gemm", fusedGemm, map[string]int{"NI": 1, "NJ": 1, "NK": 0}},
		{"jacobi-2d", wavyJacobi, map[string]int{"TSTEPS": 6, "N": 13}},
		{"lu", triangles, map[string]int{"N": 11}},
		{"lu", phases, map[string]int{"N": 11}},
	} {
		program := programOf(t, test.kernel)
		tree := treeOf(t, program, test.recipe)
		ctx := isl.NewContext()
		p, err := profile.Of(ctx, tree, test.values)
		if err != nil {
			t.Fatalf("%s: %v", test.kernel, err)
		}
		oracle := newOracle(t, ctx, program, test.values)
		for k, class := range p.Classes {
			oracle.compare(t, test.kernel, tree.Classes[k], class.Node, nil)
		}
		trips, err := profile.Trips(ctx, tree, test.values)
		if want := tripsOf(p); err != nil || !maps.Equal(trips, want) {
			t.Errorf("%s: trips %v, %v, not %v", test.kernel, trips, err, want)
		}
		ctx.Close()
	}
}

// tripsOf are the trips of a profile's loops, by the loops' names.
func tripsOf(p *profile.Profile) map[string]float64 {
	trips := map[string]float64{}
	var note func(*profile.Node)
	note = func(n *profile.Node) {
		for _, l := range n.Loops {
			trips[l.Name] = l.Trips.Value
		}
		for _, part := range n.Parts {
			note(part)
		}
	}
	for _, class := range p.Classes {
		note(class.Node)
	}
	return trips
}

// oracle has all instances.
type oracle struct {
	instances  [][][]int64
	parameters []int64
}

func newOracle(t *testing.T, ctx *isl.Context, p *scop.Program, values map[string]int) *oracle {
	t.Helper()
	model, err := p.Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	o := &oracle{}
	for _, name := range p.Parameters {
		o.parameters = append(o.parameters, int64(values[name]))
	}
	for _, s := range model.Statements {
		set := s.Domain
		for k, v := range o.parameters {
			set = set.FixSi(isl.DimParam, k, int(v))
		}
		all, err := set.ProjectOut(isl.DimParam, 0, len(o.parameters)).Points(1 << 20)
		if err != nil {
			t.Fatal(err)
		}
		o.instances = append(o.instances, all)
	}
	return o
}

func (o *oracle) compare(t *testing.T, kernel string, n *schedule.Node, got *profile.Node, outside []*schedule.Loop) {
	t.Helper()
	chain := slices.Clone(outside)
	entries := o.count(n.Statements, chain)
	for k, loop := range n.Loops {
		chain = append(chain, loop)
		want, found := o.count(n.Statements, chain), got.Loops[k]
		if found.Iterations != (points.Count{Value: want, Exact: true}) {
			t.Errorf("%s: %s has %v iterations, not %+v", kernel, loop.Name, want, found.Iterations)
		}
		if entries > 0 && math.Abs(found.Trips.Value-want/entries) > 1e-9 {
			t.Errorf("%s: %s runs %v times, not %+v", kernel, loop.Name, want/entries, found.Trips)
		}
		entries = want
	}
	for _, part := range n.Parts {
		k := slices.IndexFunc(got.Parts, func(g *profile.Node) bool { return g.Name == part.Name })
		inside := o.in(part)
		if some := inside.count(part.Statements, nil) > 0; k < 0 || !some {
			if some || k >= 0 && part.Phase != nil {
				t.Errorf("%s: the part %s has instances: %v, but place %d", kernel, part.Name, some, k)
			}
			continue
		}
		inside.compare(t, kernel, part, got.Parts[k], chain)
	}
}

// in has the instances of the part's phase.
func (o *oracle) in(part *schedule.Node) *oracle {
	if part.Phase == nil {
		return o
	}
	own, phase := &oracle{parameters: o.parameters}, part.Phase.(*schedule.TilePhase)
	for s, all := range o.instances {
		tile := func(l *schedule.Loop, x []int64) int64 {
			return int64(math.Floor(float64(l.Terms[0].Rows[s].At(x, o.parameters)) / float64(l.Terms[0].Size)))
		}
		own.instances = append(own.instances, slices.DeleteFunc(slices.Clone(all), func(x []int64) bool {
			isOther := func(l *schedule.Loop) bool { return tile(l, x) != tile(phase.Outer, x) }
			return slices.ContainsFunc(phase.At, isOther) ||
				slices.ContainsFunc(phase.Elsewhere, func(l *schedule.Loop) bool { return !isOther(l) })
		}))
	}
	return own
}

// count is the number of different values of the loops.
func (o *oracle) count(statements []int, loops []*schedule.Loop) float64 {
	seen := map[string]bool{}
	for _, s := range statements {
		for _, x := range o.instances[s] {
			var b strings.Builder
			for _, loop := range loops {
				sum := 0.0
				for _, term := range loop.Terms {
					sum += math.Floor(float64(term.Rows[s].At(x, o.parameters)) / float64(max(term.Size, 1)))
				}
				fmt.Fprint(&b, sum, " ")
			}
			seen[b.String()] = true
		}
	}
	return float64(len(seen))
}

func exactly(n float64) points.Count { return points.Count{Value: n, Exact: true} }

// TestGemm checks everything else against formulas.
func TestGemm(t *testing.T) {
	program := programOf(t, "gemm")
	ctx := isl.NewContext()
	defer ctx.Close()
	p, err := profile.Of(ctx, treeOf(t, program, fusedGemm), map[string]int{"NI": 1000, "NJ": 1100, "NK": 1200})
	if err != nil {
		t.Fatal(err)
	}
	const i, j, k = 1000., 1100., 1200.
	c := p.Classes[0]
	if c.Instances != exactly(i*j+i*j*k) || c.Floating != exactly(i*j+2*i*j*k+i*k) || c.Integer != exactly(0) || c.ElementBytes != 8 {
		t.Errorf("instances %+v, operations %+v %+v of %d bytes", c.Instances, c.Floating, c.Integer, c.ElementBytes)
	}
	const scalars = 2 // alpha and beta
	data, traffic := 8*(i*j+i*k+k*j+scalars), 8*(2*i*j+i*k+k*j+scalars)
	if c.Data() != exactly(data) || c.Traffic() != exactly(traffic) {
		t.Errorf("data %+v, traffic %+v, want %v and %v", c.Data(), c.Traffic(), data, traffic)
	}
	tile := func(i, j, k float64) points.Count { return exactly(8 * (i*j + i*k + k*j + 1)) }
	want := []profile.Tile{{Loop: "c0.3tt", Level: 2, Bytes: tile(128, 64, 32)}, {Loop: "c0.3t", Level: 1, Bytes: tile(32, 16, 8)}}
	if !slices.Equal(c.Node.Tiles, want) {
		t.Errorf("tiles %+v, want %+v", c.Node.Tiles, want)
	}
	loops := c.Node.Loops
	if strides := loops[len(loops)-1].Strides; strides == nil || *strides != (profile.Strides{Same: 1, Next: 1, Apart: 1}) {
		t.Errorf("strides along k: %+v", strides)
	}
}

// TestTraffic has elements that the class itself makes: they are stored, and
// not loaded.
func TestTraffic(t *testing.T) {
	program := programOf(t, "2mm")
	const alpha, beta = 1, 1
	values := map[string]int{"NI": 10, "NJ": 20, "NK": 30, "NL": 40}
	for recipe, want := range map[string][]float64{
		"classes {S0} {S1} {S2} {S3}": {200, 200 + 300 + 600 + 200 + alpha, 400 + 400 + beta, 400 + 200 + 800 + 400},
		"classes {S0 S1} {S2 S3}":     {200 + 300 + 600 + alpha, 400 + 400 + 200 + 800 + beta},
		"classes {S0 S1 S2 S3}":       {200 + 300 + 600 + 400 + 400 + 800 + alpha + beta},
	} {
		ctx := isl.NewContext()
		p, err := profile.Of(ctx, treeOf(t, program, recipe), values)
		if err != nil {
			t.Fatal(err)
		}
		for k, class := range p.Classes {
			if class.Traffic() != exactly(8*want[k]) {
				t.Errorf("%s: class %d moves %+v bytes, want %v", recipe, k, class.Traffic(), 8*want[k])
			}
		}
		ctx.Close()
	}
}

func TestBadValues(t *testing.T) {
	program := programOf(t, "gemm")
	tree := treeOf(t, program, fusedGemm)
	ctx := isl.NewContext()
	defer ctx.Close()
	if _, err := profile.Of(ctx, tree, map[string]int{"NI": 3, "NJ": 3}); err == nil || !strings.Contains(err.Error(), "parameter NK has no value") {
		t.Errorf("without NK: %v", err)
	}
}

// A contracted array counts with the elements that it has memory for: one iteration's, or a whole
// tile's unless the loop is shorter.
func TestContractedData(t *testing.T) {
	ctx := isl.NewContext()
	defer ctx.Close()
	model, err := programOf(t, "doitgen").Model(ctx)
	if err != nil {
		t.Fatal(err)
	}
	program, err := depend.Expand(model, nil, scop.Room{Bytes: 1 << 30})
	if err != nil {
		t.Fatal(err)
	}
	const parts = `split c0 {S0 S1} {S2} {S3}
band c0_0 permutable S0[r, q, p] -> [q, p, 0]; S1[r, q, p, s] -> [q, p, s]
band c0_1 permutable S2[r, q, p] -> [q, p]
band c0_2 permutable S3[r, q, element_1] -> [q, element_1]
`
	const inLoop = "expand 1073741824\nclasses {S0 S1 S2 S3}\nband c0 permutable S0[r, q, p] -> [r]; S1[r, q, p, s] -> [r]; S2[r, q, p] -> [r]; S3[r, q, element_1] -> [r]\n" + parts
	for _, test := range []struct {
		recipe string
		want   float64
	}{
		{inLoop, 7 * 5 * 6},
		{inLoop + "contract sum_1 at c0.1", 5 * 6},
		{strings.Replace(strings.Replace(inLoop, "band c0 permutable", "blocks c0", 1), "-> [r]\nsplit", "-> [r] by 4\nsplit", 1) + "contract sum_1 at c0.1t", 4 * 5 * 6},
		{strings.Replace(strings.Replace(inLoop, "band c0 permutable", "blocks c0", 1), "-> [r]\nsplit", "-> [r] by 32\nsplit", 1) + "contract sum_1 at c0.1t", 7 * 5 * 6},
	} {
		got, err := profile.Of(ctx, treeOf(t, program, test.recipe), map[string]int{"NR": 7, "NQ": 5, "NP": 6})
		if err != nil {
			t.Fatal(err)
		}
		arrays := got.Classes[0].Arrays
		k := slices.IndexFunc(arrays, func(a profile.Array) bool { return a.Name == "sum_1" })
		if k < 0 || arrays[k].Elements.Value != test.want {
			t.Errorf("%s: %+v, want %v elements of sum_1", test.recipe, arrays, test.want)
		}
	}
}
