package transform

import (
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/space"
)

// Every nest of the space, or some of them, becomes a schedule that is proven,
// and in which the statements share the loops that it says, no more where it
// parts them, which is read off the schedule tree.
func TestNests(t *testing.T) {
	limit, most := 2, 4
	if kerneltest.Long() {
		limit, most = 60, 9
	}
	for _, b := range kerneltest.Some() {
		program := programOf(t, b.Name, b.Source)
		if n := len(program.Statements); n < 2 || n > most || slices.Contains(tooDeep, b.Name) {
			continue
		}
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			g := kerneltest.Analyze(t, program)
			for depth := 2; depth <= 3; depth++ {
				for _, n := range spreadNests(t, g, space.Options{}, depth, limit) {
					mark := g.Model.Context.Mark()
					checkNest(t, g, n, asFound)
					g.Model.Context.Release(mark)
				}
			}
		})
	}
}

// tooDeep are kernels of so many loops that listing their nests takes seconds.
var tooDeep = []string{"tiramisu/conv", "tiramisu/vgg-block", "tiramisu/baryon", "tiramisu/conv2d"}

// spreadNests are at most limit of the first nests of the space, at equal
// distances.
func spreadNests(t testing.TB, g *depend.Graph, options space.Options, depth, limit int) []space.Nest {
	t.Helper()
	l, err := space.NewLevels(g, options, depth)
	if err != nil {
		t.Fatal(err)
	}
	var all, some []space.Nest
	for n, err := range l.All() {
		if err != nil {
			t.Fatal(err)
		}
		if all = append(all, n); len(all) == 20*limit {
			break
		}
	}
	for k := range min(limit, len(all)) {
		some = append(some, all[k*len(all)/min(limit, len(all))])
	}
	return some
}

func checkNest(t *testing.T, g *depend.Graph, n space.Nest, options Options) {
	t.Helper()
	recipe, err := TransformNest(g, n, options)
	if err != nil {
		t.Errorf("%s %s: %v", g.Model.Program.Name, n, err)
		return
	}
	tree, _, err := recipe.Prove(g)
	if err != nil {
		t.Errorf("%s %s: %v\n%s", g.Model.Program.Name, n, err, recipe.Text(g.Model.Program))
		return
	}
	paths := pathsOf(tree.Classes)
	for s := range paths {
		for r := range s {
			if problem := checkPair(g.Model.Program, n, paths, r, s); problem != "" {
				t.Errorf("%s %s: S%d and S%d %s\n%s", g.Model.Program.Name, n, r, s, problem, recipe.Text(g.Model.Program))
			}
		}
	}
}

// pathStep is a node on the way to a statement, and its place among its siblings.
type pathStep struct {
	place int
	node  *schedule.Node
}

// pathsOf are the ways to all statements.
func pathsOf(nodes []*schedule.Node) map[int][]pathStep {
	paths := map[int][]pathStep{}
	for place, node := range nodes {
		for _, s := range node.Statements {
			paths[s] = append(paths[s], pathStep{place, node})
		}
		for s, rest := range pathsOf(node.Parts) {
			paths[s] = append(paths[s], rest...)
		}
	}
	return paths
}

// checkPair says what two statements do that the nest does not say, or "".
func checkPair(p *scop.Program, n space.Nest, paths map[int][]pathStep, r, s int) string {
	level := 0
	for level < len(n) && n[level][r] == n[level][s] {
		level++
	}
	var loops []*schedule.Loop
	var around *schedule.Node
	k := 0
	for ; k < len(paths[r]) && k < len(paths[s]) && paths[r][k].node == paths[s][k].node; k++ {
		around = paths[r][k].node
		loops = append(loops, around.Loops...)
	}
	switch {
	case len(loops) < level && !exhausted(p, around, loops):
		return "share too few loops"
	case level < len(n) && len(loops) > level:
		return "share too many loops"
	case level < len(n) && (k == len(paths[r]) || k == len(paths[s])):
		return "are not parted"
	case level < len(n) && (paths[r][k].place < paths[s][k].place) != (n[level][r] < n[level][s]):
		return "run in the wrong order"
	}
	return ""
}

// exhausted says whether the loops tell all instances of each of the node's
// statements apart, so that there is no further loop to share.
func exhausted(p *scop.Program, node *schedule.Node, loops []*schedule.Loop) bool {
	if node == nil {
		return false
	}
	for _, s := range node.Statements {
		var rows [][]int64
		for _, loop := range loops {
			rows = append(rows, loop.Terms[0].Rows[s].Iterators)
		}
		if depth := p.Statements[s].Depth(); scop.Rank(rows, depth) < depth {
			return false
		}
	}
	return true
}

// Statements that no non-negative rows fuse share the loop whose rows the
// space of signed rows gives: Figure 2 of the Pluto+ paper. Without leave to
// reverse loops they cannot.
func TestSignedClass(t *testing.T) {
	g := graphOf(t, "reversed", []byte(`void f(int n, double a[n], double b[n], double c[n]) {
#pragma scop
  for (int i = 0; i < n; i++) b[i] = 2 * a[i];
  for (int i = 0; i < n; i++) c[i] = b[n - 1 - i];
#pragma endscop
}
`))
	fused := space.Nest{{0, 0}}
	if _, err := TransformNest(g, fused, asFound); err == nil || !strings.Contains(err.Error(), "cannot share a loop") {
		t.Errorf("without signed rows: %v", err)
	}
	signed := asFound
	signed.Space.Signed = true
	checkNest(t, g, fused, signed)
	checkPartition(t, g, fused.Partition(), signed)
}
