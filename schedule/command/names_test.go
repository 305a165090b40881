package command

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/schedule"
	"polytune/scop"
)

// inOwnNames is a recipe with the own names of loops.
func inOwnNames(t *testing.T, p *scop.Program, text string) string {
	t.Helper()
	recipe, err := Parse(p, text)
	if err != nil {
		t.Fatal(err)
	}
	tree := schedule.NewTree(p)
	for k, c := range recipe {
		recipe[k] = tree.InOwnNames(c)
		if err := tree.Do(c); err != nil {
			t.Fatalf("%s: %v", schedule.Text(c, p), err)
		}
	}
	return recipe.Text(p)
}

// Each name of a loop is that loop's, wherever earlier lines have moved it.
func TestNames(t *testing.T) {
	const apart = "original\ndistribute S0.i S0.j\n"
	for _, test := range []struct{ recipe, line, want string }{
		{"original\n", "parallel S0.i", "parallel c0.1"},
		{"original\n", "parallel S1.i", "parallel c0.1"},
		{"original\n", "parallel S1.k", "parallel c0_1.3"},
		{apart, "parallel S0.i", "parallel c0_0.1"},
		{apart, "parallel S1.i", "parallel c0_1.1"},
		{apart + "interchange S1.i S1.k\n", "parallel S1.i", "parallel c0_1.1"},
		{apart + "tile S1.i S1.j by 4 4\n", "parallel S1.it", "parallel c0_1.1t"},
		{apart + "tile S1.i S1.j by 4 4\ntile S1.it by 2\n", "parallel S1.itt", "parallel c0_1.1tt"},
		{apart + "tile S1.i S1.j by 4 4 as a b c d\n", "interchange b d", "interchange c0_1.2t c0_1.2"},
		{apart + "tile S1.i S1.j by 4 4 as a b\n", "interchange a S1.j", "interchange c0_1.1t c0_1.2"},
		{apart + "registers S1.i by 4\n", "parallel S1.ir", "parallel c0_1.1r"},
		{apart + "name S1.k sum\nunroll sum by 4\n", "unroll sum by 2", "unroll c0_1.3 by 2"},
		{apart + "skew S1.k by 2 S1.i\n", "parallel S1.k", "parallel c0_1.3"},
		{apart + "unimodular S1.i S1.k by [0 1; 1 0]\n", "parallel S1.k", "parallel c0_1.3"},
		{apart + "after S1 S0 at S0.i\n", "parallel S1.i", "parallel c0_0.1"},
		{apart + "after S1 S0 at S0.i\n", "parallel S1.j", "parallel c0_1.2"},
		{apart + "fuse S0.i S1.i\n", "parallel S1.i", "parallel c0_0.1"},
		{"classes {S0} {S1}\nband c0 permutable S0[i, j] -> [j, i + j]\nband c1 permutable S1[i, j, k] -> [i, i + j, 2i + k]\n", "parallel S0.i", "parallel c0.2"},
		{"classes {S0} {S1}\nband c0 permutable S0[i, j] -> [j, i + j]\nband c1 permutable S1[i, j, k] -> [i, i + j, 2i + k]\n", "parallel S1.k", "parallel c1.3"},
		{"classes {S0 S1}\nblocks c0 S0[i, j] -> [i]; S1[i, j, k] -> [i] by 4\nsplit c0 {S0} {S1}\nband c0_0 S0[i, j] -> [i, j]\nband c0_1 S1[i, j, k] -> [k, i, j]\n", "parallel S1.i", "parallel c0_1.3"},
		{"classes {S0 S1}\nblocks c0 S0[i, j] -> [i]; S1[i, j, k] -> [i] by 4\nsplit c0 {S0} {S1}\nband c0_0 S0[i, j] -> [i, j]\nband c0_1 S1[i, j, k] -> [k, i, j]\n", "parallel S1.it", "parallel c0.1t"},
		{"schedule { S0[i, j] -> [0, floor(i/4), i, j, 0]; S1[i, j, k] -> [1, floor(k/2), i, j, k] }\n", "parallel S1.kt", "parallel c1.1t"},
		{"schedule { S0[i, j] -> [0, floor(i/4), i, j, 0]; S1[i, j, k] -> [1, floor(k/2), i, j, k] }\n", "parallel S1.k", "parallel c1.4"},
	} {
		own := inOwnNames(t, gemm(), test.recipe+test.line+"\n")
		if !strings.HasSuffix(own, "\n"+test.want+"\n") {
			t.Errorf("%s%s is\n%swant %s", test.recipe, test.line, own, test.want)
		}
	}
}

// Names that are gone, that several loops have, or that nothing may have, are errors that say so.
func TestBadNames(t *testing.T) {
	const apart, tiled = "original\ndistribute S0.i S0.j\n", "original\ndistribute S0.i S0.j\ntile S1.i S1.j by 4 4 as a b\n"
	for text, want := range map[string]string{
		"original\nparallel S1.x":                                  `there is no loop "S1.x"; there are S1.i S1.j S1.k S0.i S0.j`,
		"original\nparallel c0.9":                                  `there is no loop "c0.9"; there are c0.1 c0.2 c0_1.3`,
		"original\nparallel S0.k":                                  `there is no loop "S0.k"; there are S0.i S0.j S1.k S1.i S1.j`,
		apart + "parallel c0.2":                                    `there is no loop "c0.2" any more: line 2, distribute S0.i S0.j, has taken it away`,
		"original\nname S1.k sum\nfuse S0.i S0.i":                  `node "S0.i" is named twice`,
		tiled + "tile a S1.x by 2 2":                               `there is no loop "S1.x"`,
		tiled + "tile a S1.k by 2 2":                               `loop "S1.k" does not come right inside "a"`,
		apart + "tile S1.i S1.j by 4 4 as a":                       "1 names for 2 tile loops and 2 loops over their points",
		apart + "tile S1.i S1.j by 4 4 as a b c":                   "3 names for 2 tile loops",
		apart + "tile S1.i S1.j by 4 4 as a a":                     `two loops cannot both be called "a"`,
		tiled + "name S1.k a":                                      `another loop is called "a" already`,
		"original\nname S1.k c7":                                   `"c7" cannot be a name of a loop`,
		"original\nname S1.k 7":                                    `"7" cannot be a name of a loop`,
		"original\nname S1.k a.b":                                  `"a.b" cannot be a name of a loop`,
		"original\nname S1.k while":                                `"while" is a word of C`,
		"original\nname S1.k j":                                    `"j" is an iterator of the source`,
		"original\nname S1.k N":                                    `"N" is a parameter`,
		"original\nname S1.k S0":                                   `"S0" is a statement`,
		"original\noriginal":                                       "the tree is there already; original comes once",
		"classes {S0} {S1}\noriginal":                              "the tree is there already; original comes once",
		"original\nclasses {S0} {S1}":                              "the classes are given already",
		phases + "phases c1.3t\nparallel S1.it":                    `"S1.it" are 4 loops: c1p0.1t c1p1.1t c1p2.1t c1p3.1t; name one of these`,
		"original\ndistribute S0.j\nname S0.j a\nafter S0 S1 at a": `statement S1 is not inside loop "a"; it is inside S0.i S1.j S1.k root`,
	} {
		p := gemm()
		recipe, err := Parse(p, text)
		if err == nil {
			_, err = recipe.Replay(p)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s\ngot %v, want %s", text, err, want)
		}
	}
}

// The models' recipes are printed with names of the source, and read so they are the same.
func TestNamesOfRecipes(t *testing.T) {
	read := 0
	for _, kernel := range []string{"polybench/gemm", "polybench/2mm", "polybench/jacobi-2d", "polybench/lu", "polybench/adi", "polybench/mvt", "tiramisu/nb", "tiramisu/conv", "sc10/gemver"} {
		p := kerneltest.File(t, kernel).Regions[0].Program
		text, err := os.ReadFile(filepath.Join("../../transform/testdata", strings.ReplaceAll(kernel, "/", "-")+".recipe"))
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range strings.Split(string(text), "\n# ") {
			_, one, _ = strings.Cut(one, "\n")
			recipe, err := Parse(p, one)
			if err != nil {
				t.Fatal(err)
			}
			named := recipe.NamedText(p)
			if inOwnNames(t, p, named) != recipe.Text(p) {
				t.Errorf("%s: read as another recipe:\n%s", kernel, named)
			}
			if strings.Contains(named, "S0.i") || strings.Contains(named, "S1.i") {
				read++
			}
		}
	}
	if read < 5 {
		t.Errorf("%d recipes are printed with names of the source", read)
	}
}
