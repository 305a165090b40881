package boxes_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/schedule/command"
	"polytune/scop/boxes"
)

// The instances that store elements early are those behind which their execution does not write the
// element again, as all instances of a small problem tell one by one.
func TestLastWrites(t *testing.T) {
	const (
		gemm = "classes {S0 S1}\nband c0 permutable S0[i, j] -> [i, j, 0]; S1[i, k, j] -> [i, j, k]\nsplit c0 {S0} {S1}\ntile c0.1 c0.2 c0.3 by 2 2 3\n" +
			"block c0.1t c0.2t\nsink c0.1\nsink c0.2\nthread c0.1 c0.2 by 2 2\ncopy C at c0.2t to shared early\n"
		jacobi = "classes {S0 S1}\nband c0 S0[t, i] -> [2t, i]; S1[t, i] -> [2t + 1, i]\nhexagon c0.1 c0.2 by 2 2 slopes 1 1\n" +
			"block c0p0.2h\nthread c0p0.2 by 2\nbarrier c0p0.1\nblock c0p1.2h\nthread c0p1.2 by 2\nbarrier c0p1.1\n" +
			"copy A at c0p0.2h to shared early\ncopy B at c0p0.2h to shared early\ncopy A at c0p1.2h to shared early\ncopy B at c0p1.2h to shared early\n"
		heat = "classes {S0}\nband c0 S0[t, i, j] -> [t, i, j]\nhexagon c0.1 c0.2 c0.3 by 2 1 3 slopes 1 1 1\nblock c0p0.2h\nthread c0p0.2 c0p0.3 by 1 3\nbarrier c0p0.1\nblock c0p1.2h\n" +
			"thread c0p1.2 c0p1.3 by 1 3\nbarrier c0p1.1\nbarrier c0p0.3h\nbarrier c0p1.3h\ncopy A at c0p0.3h to shared early\ncopy A at c0p1.3h to shared early\n"
	)
	for _, test := range []struct{ kernel, recipe, sizes string }{
		{"polybench/gemm", gemm, "NI = 5 and NJ = 4 and NK = 7"},
		{"polybench/jacobi-1d", jacobi, "TSTEPS = 5 and N = 17"},
		{"hex/heat-2d", heat, "TSTEPS = 5 and N = 8"},
	} {
		g := kerneltest.Graph(t, test.kernel)
		recipe, err := command.Parse(g.Model.Program, test.recipe)
		if err != nil {
			t.Fatal(err)
		}
		_, proven, err := recipe.Prove(g)
		if err != nil {
			t.Fatalf("%s: %v", test.kernel, err)
		}
		small := g.Model.Context.ReadSet(g.Model.Program.ParametersText() + "{ : " + test.sizes + " }")
		found := 0
		for _, kernel := range boxes.Kernels(proven.Tree.Root(), proven.Marks) {
			all, err := boxes.In(g.Model, proven.Marks, kernel)
			if err != nil {
				t.Fatal(err)
			}
			for _, box := range all {
				found++
				var got []string
				for _, use := range box.Uses {
					if use.Write {
						got = append(got, lines(t, use.Last.IntersectParams(small), use.Statement.Name)...)
					}
				}
				slices.Sort(got)
				if want := lastByHand(t, box, small); !slices.Equal(got, want) {
					t.Errorf("%s, %v: %d instances store, %d have to", test.kernel, box, len(got), len(want))
				}
			}
		}
		if found < 1 {
			t.Errorf("%s has no boxes", test.kernel)
		}
	}
}

// write is an instance that writes an element in an execution of a box, at a time of the source.
type write struct {
	place string
	time  []int64
	line  string
}

// lastByHand are the instances that write an element of a box last in each execution.
func lastByHand(t *testing.T, box *boxes.Box, small *isl.Set) (want []string) {
	t.Helper()
	latest := map[string]write{}
	for _, use := range box.Uses {
		if !use.Write {
			continue
		}
		depth := use.Statement.Depth()
		for _, p := range pointsOf(t, use.Runs.IntersectParams(small)) {
			instance := p[len(p)-depth:]
			w := write{time: timeOf(use.Statement.Statement.Position, instance), line: fmt.Sprint(use.Statement.Name, p)}
			var equal []string
			for k, value := range instance {
				equal = append(equal, fmt.Sprintf("i%d = %d", k, value))
			}
			only := small.Context().ReadSet("{ " + use.Statement.Name + "[" + strings.Join(namesOf("i", depth), ", ") + "] : " + strings.Join(equal, " and ") + " }")
			elements := use.Statement.Accesses[use.Number].IntersectParams(small).IntersectDomain(only).Range()
			element, any := elements.ProjectOut(isl.DimParam, 0, elements.Dim(isl.DimParam)).Point()
			if !any {
				t.Fatalf("%s writes nothing", w.line)
			}
			w.place = fmt.Sprint(p[:len(p)-depth], element)
			if before, is := latest[w.place]; !is || slices.Compare(before.time, w.time) < 0 {
				latest[w.place] = w
			}
		}
	}
	for _, w := range latest {
		want = append(want, w.line)
	}
	slices.Sort(want)
	return want
}

// timeOf is when an instance runs in the source: places of loops and iterators in turn.
func timeOf(position []int, instance []int64) (time []int64) {
	for k, place := range position {
		if time = append(time, int64(place)); k < len(instance) {
			time = append(time, instance[k])
		}
	}
	return time
}

func namesOf(name string, count int) (names []string) {
	for k := range count {
		names = append(names, fmt.Sprint(name, k))
	}
	return names
}

func lines(t *testing.T, pairs *isl.Map, name string) (list []string) {
	t.Helper()
	for _, p := range pointsOf(t, pairs) {
		list = append(list, fmt.Sprint(name, p))
	}
	return list
}

// pointsOf are the pairs of a relation, for one value of each parameter.
func pointsOf(t *testing.T, pairs *isl.Map) [][]int64 {
	t.Helper()
	set := pairs.Wrap()
	points, err := set.ProjectOut(isl.DimParam, 0, set.Dim(isl.DimParam)).Points(1 << 14)
	if err != nil {
		t.Fatal(err)
	}
	return points
}
