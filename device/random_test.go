package device_test

import (
	"math/rand/v2"
	"os"
	"slices"
	"testing"

	"polytune/codegen"
	"polytune/device"
	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// starts are recipes behind which chance has blocks, threads and barriers.
var starts = []struct{ kernel, recipe string }{
	{"gemm", "classes {S0 S1}\nband c0 S0[i, j] -> [i]; S1[i, k, j] -> [i]\nsplit c0 {S0} {S1}\nband c0_0 permutable S0[i, j] -> [j]\nband c0_1 permutable S1[i, k, j] -> [k, j]\n"},
	{"gemm", product},
	{"jacobi-1d", stencil1},
	{"jacobi-1d", "classes {S0 S1}\nband c0 S0[t, i] -> [t]; S1[t, i] -> [t]\nsplit c0 {S0} {S1}\nband c0_0 permutable S0[t, i] -> [i]\nband c0_1 permutable S1[t, i] -> [2i]\n"},
	{"jacobi-1d", "classes {S0 S1}\nband c0 permutable S0[t, i] -> [t, 2t + i]; S1[t, i] -> [t, 2t + i + 1]\nsplit c0 {S0} {S1}\n"},
	{"jacobi-2d", stencil2},
	{"mvt", "classes {S0 S1}\nband c0 S0[i, j] -> [i]; S1[i, j] -> [i]\nband c0 S0[i, j] -> [j]; S1[i, j] -> [j]\nsplit c0 {S0} {S1}\n"},
	{"atax", "classes {S0 S1 S2 S3}\nband c0 S0[i] -> [0]; S1[i] -> [i]; S2[i, j] -> [i]; S3[i, j] -> [i]\nband c0 S0[i] -> [i]; S1[i] -> [0]; S2[i, j] -> [j]; S3[i, j] -> [j]\nsplit c0 {S0} {S1} {S2} {S3}\n"},
	{"trisolv", "classes {S0 S1 S2}\nband c0 S0[i] -> [i]; S1[i, j] -> [i]; S2[i] -> [i]\nband c0 S0[i] -> [0]; S1[i, j] -> [j]; S2[i] -> [N]\n"},
}

// words are the commands that chance has in turn: barriers are there before threads need them.
var words = [][]string{
	{"kernel", "barrier", "barrier", "barrier", "thread", "thread"},
	{"tile", "block", "barrier", "barrier", "thread", "thread", "unroll"},
	{"tile", "kernel", "barrier", "barrier", "barrier", "thread"},
	{"block", "block", "barrier", "thread", "thread"},
	{"tile", "resident", "barrier", "block", "thread"},
	{"tile", "sink", "kernel", "block", "barrier", "thread", "thread", "thread"},
	{"tile", "block", "barrier", "thread", boxed, boxed},
	{"tile", "kernel", "barrier", "barrier", "thread", boxed, boxed},
}

// boxed stands for copies in the memories of a device.
const boxed = "boxed"

// Whatever chance has of a device in a recipe, and as few barriers as the proof takes, where there
// is a kernel it leaves what the source does.
func TestRandomRecipes(t *testing.T) {
	count := uint64(2)
	if os.Getenv("POLYTUNE_LONG") != "" {
		count = 60
	}
	mapped := 0
	for _, start := range starts {
		g := kerneltest.Graph(t, "polybench/"+start.kernel)
		for seed := range count {
			random := rand.New(rand.NewPCG(seed, 41))
			recipe := leastBarriers(g, drawn(g, madeRecipe(t, g, start.recipe), random))
			if runs(t, g, recipe) {
				mapped++
			}
		}
	}
	if mapped < len(starts) {
		t.Errorf("only %d recipes have kernels", mapped)
	}
}

// runs compares the loops of a recipe, if there are kernels, with the source's.
func runs(t *testing.T, g *depend.Graph, recipe schedule.Recipe) (has bool) {
	t.Helper()
	tree, proven, err := recipe.Prove(g)
	if err != nil {
		return false
	}
	program, err := codegen.Lower(g.Model, proven, codegen.Options{Tree: tree, Original: "original", Passes: device.Passes}, nil)
	if err != nil {
		g.Model.Context.TakeErr()
		return false
	}
	machine, wanted := source(t, g)
	if where := difference(machine, wanted, program.Code); where != "" {
		t.Errorf("%s\n%s%s", where, recipe.Text(g.Model.Program), program)
	}
	return true
}

// drawn is a recipe with commands that chance proposes, as far as they are legal.
func drawn(g *depend.Graph, recipe schedule.Recipe, random *rand.Rand) schedule.Recipe {
	for _, word := range words[random.IntN(len(words))] {
		tree, err := recipe.Replay(g.Model.Program)
		if err != nil {
			return recipe
		}
		if word == boxed {
			recipe = withCopy(g, recipe, tree, random)
			continue
		}
		if with := append(slices.Clip(recipe), shrunk(command.All[word].Random(random, tree))...); isLegal(g, with) {
			recipe = with
		}
	}
	return recipe
}

// withCopy is a recipe with a copy of an array at the first loop, in an order that chance chooses,
// where it is legal: of what all references touch, or of what one does.
func withCopy(g *depend.Graph, recipe schedule.Recipe, tree *schedule.Tree, random *rand.Rand) schedule.Recipe {
	var loops []string
	tree.Walk(func(n *schedule.Node) bool {
		for _, l := range n.Loops {
			loops = append(loops, l.Name)
		}
		return true
	})
	random.Shuffle(len(loops), func(a, b int) { loops[a], loops[b] = loops[b], loops[a] })
	s := &g.Model.Statements[random.IntN(len(g.Model.Statements))]
	k := random.IntN(len(s.Statement.Accesses))
	c := command.Copy{Array: s.Statement.Accesses[k].Array, Memory: string([]mark.Memory{mark.Shared, mark.Own}[random.IntN(2)])}
	c.Early = c.Memory == string(mark.Shared) && s.Statement.Accesses[k].Write && random.IntN(2) == 0
	if random.IntN(2) == 0 {
		c.References = g.Model.Program.Reference(s, k)
	}
	for _, c.Loop = range loops {
		if with := append(slices.Clip(recipe), c); isLegal(g, with) {
			return with
		}
	}
	return recipe
}

// shrunk are commands whose numbers of threads, and sizes of tiles, are 2 to 4: small arrays have
// several blocks.
func shrunk(commands []schedule.Command) []schedule.Command {
	for k, c := range commands {
		switch c := c.(type) {
		case command.Tile:
			c.Sizes = leastOf(c.Sizes)
			commands[k] = c
		case command.Thread:
			c.Sizes = leastOf(c.Sizes)
			commands[k] = c
		}
	}
	return commands
}

func leastOf(sizes []int64) (made []int64) {
	for _, size := range sizes {
		made = append(made, 2+size%3)
	}
	return made
}

// leastBarriers is a recipe without the barriers that the proof does not need.
func leastBarriers(g *depend.Graph, recipe schedule.Recipe) schedule.Recipe {
	for k := len(recipe) - 1; k >= 0; k-- {
		if _, is := recipe[k].(command.Barrier); is {
			if without := slices.Delete(slices.Clone(recipe), k, k+1); isLegal(g, without) {
				recipe = without
			}
		}
	}
	return recipe
}

func isLegal(g *depend.Graph, recipe schedule.Recipe) bool {
	_, _, err := recipe.Prove(g)
	if isl.IsLimit(err) {
		g.Model.Context.TakeErr()
	}
	return err == nil
}
