package command

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/schedule"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

var update = flag.Bool("update", false, "write the golden files")

// picture is the nest of a tree: its loops, with what they run over, and its statements.
func picture(t *schedule.Tree) string {
	var b strings.Builder
	p := t.Program
	var show func(nodes []*schedule.Node, indent int)
	show = func(nodes []*schedule.Node, indent int) {
		for _, n := range nodes {
			inside := indent
			for _, l := range n.Loops {
				var runs []string
				for s := range p.Statements {
					var terms []string
					for _, term := range l.Terms {
						if _, has := term.Rows[s]; has {
							text := term.Rows[s].Text(p.IteratorNames(s), p.Parameters)
							if term.Size > 1 {
								text = fmt.Sprintf("floor((%s)/%d)", text, term.Size)
							}
							if term.Factor != 0 {
								text = fmt.Sprintf("%d*%s", term.Factor, text)
							}
							terms = append(terms, text)
						}
					}
					if len(terms) > 0 {
						runs = append(runs, p.Statements[s].Name+": "+strings.Join(terms, " + "))
					}
				}
				fmt.Fprintf(&b, "%sfor %s = %s%s\n", strings.Repeat("  ", inside), t.Written(l.Name), strings.Join(runs, ", "), marksText(l))
				inside++
			}
			if len(n.Parts) == 0 {
				for _, s := range n.Statements {
					fmt.Fprintf(&b, "%s%s\n", strings.Repeat("  ", inside), p.Statements[s].Name)
				}
			}
			show(n.Parts, inside)
		}
	}
	show(t.Classes, 0)
	return b.String()
}

func marksText(l *schedule.Loop) (text string) {
	for _, m := range l.Marks {
		text += " " + strings.TrimSpace(m.String())
	}
	return text
}

// placedCases are recipes of the commands that change a program as it is written, for gemm as its
// source has it and for jacobi-1d.
var placedCases = []struct{ kernel, recipe string }{
	{"gemm", "original\n"},
	{"gemm", "original\ndistribute S0.i\n"},
	{"gemm", "original\ndistribute S0.i\ninterchange S1.i S1.j\n"},
	{"gemm", "original\ndistribute S0.i\nreorder S1.j S1.i S1.k\n"},
	{"gemm", "original\nreverse S0.j\n"},
	{"gemm", "original\ndistribute S0.i\nunimodular S1.i S1.j by [0 1; 1 2]\n"},
	{"gemm", "original\ndistribute S0.i\nskew S1.k by 2 S1.i\ntile S1.i S1.k by 4 8 as a b\nwavefront a b\nvectorize S1.j\n"},
	{"gemm", "original\ndistribute S0.i\ntile S1.k by 16\nsink S1.i\n"},
	{"gemm", "original\ndistribute S0.i\nregisters S1.i S1.j by 2 4\n"},
	{"gemm", "original\ndistribute S0.i\nafter S1 S0 at S0.i\n"},
	{"gemm", "original\ndistribute S0.i\ntile S0.i S0.j by 4 8\nafter S1 S0 at S0.it\n"},
	{"gemm", "original\ndistribute S0.i\ninterchange S1.k S1.j\nafter S1 S0 at S0.j\n"},
	{"gemm", "original\nbefore S0 S1 at root\n"},
	{"gemm", "original\nafter S1 S0 at root\n"},
	{"gemm", "original\ndistribute S0.i\nfuse S0.i S1.i\n"},
	{"gemm", "original\ndistribute S0.i\ninterchange S1.k S1.j\nfuse S0.j S1.j\n"},
	{"gemm", "original\nunroll S1.j by 4\nvectorize S0.j by 8\n"},
	{"gemm", "schedule { S0[i, j] -> [0, floor(i/4), i, j, 0]; S1[i, k, j] -> [0, floor(i/4), i, j, k + 1] }\n"},
	{"gemm", "schedule { S0[i, j] -> [1, i mod 4, floor(i/4), j, 0]; S1[i, k, j] -> [2, floor(k/8), i, j, k] }\n"},
	{"gemm", "classes {S0} {S1}\nband c0 S0[i, j] -> [floor(i/4), j mod 4, i, j]\nband c1 permutable S1[i, k, j] -> [floor(i/4), floor(k/8), i, k, j]\nparallel c1.1t\n"},
	{"gemm", "schedule { S0[i, j] -> [0, i, j, 0, 0] : i < 8; S0[i, j] -> [1, -i, j, 0, 0] : i >= 8; S1[i, k, j] -> [2, max(i, k), k, i, j] }\n"},
	{"jacobi-1d", "original\n"},
	{"jacobi-1d", "original\nfuse S0.i S1.i shifting\nunimodular S0.t S0.i by [1 0; 2 1]\ntile S0.t S0.i by 4 8\n"},
	{"jacobi-1d", "original\nfuse S0.i S1.i shifting\nskew S0.i by 2 S0.t\nregisters S0.t by 4\n"},
	{"jacobi-1d", "original\nshift S1.i S1 by 1\nafter S1 S0 at S0.i\n"},
}

// The commands that change a program as it is written make these nests, all of them proven.
func TestPlaced(t *testing.T) {
	const golden = "testdata/placed.golden"
	var b strings.Builder
	for _, test := range placedCases {
		g := kerneltest.Graph(t, "polybench/"+test.kernel)
		_, settled, err := proven(g, test.recipe)
		if err != nil {
			t.Errorf("%s: %s%v", test.kernel, test.recipe, err)
			continue
		}
		tree, err := settled.Replay(g.Model.Program)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&b, "# %s\n%s-->\n%s\n", test.kernel, settled.NamedText(g.Model.Program), picture(tree))
	}
	kerneltest.Golden(t, golden, b.String(), *update)
}

// proven is the schedule of a recipe that is proven, and the recipe with what it finds.
func proven(g *depend.Graph, text string) (mark.Schedule, schedule.Recipe, error) {
	recipe, err := Parse(g.Model.Program, text)
	if err != nil {
		return mark.Schedule{}, nil, err
	}
	settled, _, err := recipe.Settled(g)
	if err != nil {
		return mark.Schedule{}, nil, err
	}
	_, made, err := settled.Prove(g)
	return made, settled, err
}

// What undoes itself leaves the schedule as it is without, and a schedule that says the program's
// own order is that order.
func TestUndone(t *testing.T) {
	const start = "original\ndistribute S0.i\n"
	const own = "schedule { S0[i, j] -> [0, i, j, 0]; S1[i, k, j] -> [1, i, k, j] }\n"
	for plain, more := range map[string][]string{
		start: {
			start + "reverse S1.i\nreverse S1.i\n", start + "interchange S1.i S1.j\ninterchange S1.j S1.i\n", start + "reorder S1.j S1.i S1.k\nreorder S1.i S1.k S1.j\n",
			start + "skew S1.k by 3 S1.i\nskew S1.k by -3 S1.i\n", start + "unimodular S1.i S1.k by [1 2; 0 1]\nunimodular S1.i S1.k by [1 -2; 0 1]\n",
			start + "after S1 S0 at S0.i\nafter S1 S0 at root\n", start + "fuse S0.i S1.i\ndistribute S0.i\n", own,
		},
		"original\n": {start + "fuse S0.i S1.i\n", start + "after S1 S0 at S0.i\n", start + "before S0 S1 at S1.i\n", "schedule { S0[i, j] -> [i, 0, j, 0]; S1[i, k, j] -> [i, 1, k, j] }\n"},
	} {
		g := kerneltest.Graph(t, "polybench/gemm")
		want, _, err := proven(g, plain)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range more {
			got, _, err := proven(g, text)
			if err != nil {
				t.Errorf("%s%v", text, err)
				continue
			}
			if same, err := sameOrder(got.Tree, want.Tree); err != nil || !same {
				t.Errorf("%s(%v) is\n%s\nand not\n%s", text, err, got, want)
			}
		}
	}
}

// sameOrder says whether two schedules are the same map, or trees.
func sameOrder(a, b *isl.Schedule) (bool, error) {
	if same, err := a.PlainIsEqual(b); same || err != nil {
		return same, err
	}
	return a.Map().String() == b.Map().String(), nil
}

// The shifts that are found are the least: with one iteration less along any loop it is illegal.
func TestLeastShifts(t *testing.T) {
	for _, test := range []struct{ kernel, start, fuse, want string }{
		{"polybench/jacobi-1d", "original\n", "fuse S0.i S1.i shifting\n", "shift c0_1.2 S1 by 1"},
		{"polybench/jacobi-2d", "original\n", "fuse S0.j S1.j shifting\n", "shift c0_1.2 S1 by 1"},
		{"polybench/2mm", "original\n", "fuse S0.i S2.i shifting\n", ""},
		{"polybench/fdtd-2d", "original\n", "fuse S1.i S2.i S3.i shifting\n", "shift c0_3.2 S3 by 1"},
	} {
		g := kerneltest.Graph(t, test.kernel)
		p := g.Model.Program
		_, settled, err := proven(g, test.start+test.fuse)
		if err != nil {
			t.Errorf("%s: %v", test.kernel, err)
			continue
		}
		if text := settled.Text(p); !strings.Contains(text, test.want) || test.want == "" && strings.Contains(text, "shift") {
			t.Errorf("%s: found\n%swant %s", test.kernel, text, test.want)
		}
		for k, c := range settled {
			shift, is := c.(Shift)
			if !is {
				continue
			}
			less := append(schedule.Recipe{}, settled...)
			if shift.By--; shift.By == 0 {
				less = append(less[:k], less[k+1:]...)
			} else {
				less[k] = shift
			}
			if _, _, err := less.Prove(g); !depend.IsIllegal(err) {
				t.Errorf("%s: one less is legal, too (%v):\n%s", test.kernel, err, less.Text(p))
			}
		}
	}
}

// Where a dependence is longer the larger the program is, no number of iterations is enough.
func TestNoShift(t *testing.T) {
	g := kerneltest.Graph(t, "polybench/gemver")
	_, _, err := proven(g, "original\nfuse S0.i S1.i shifting\n")
	if err == nil || !strings.Contains(err.Error(), "recipe line 2: fuse S0.i S1.i shifting: no shift is enough: what S1 needs of S0 is further away with larger sizes") {
		t.Errorf("got %v", err)
	}
}

// What cannot be done is refused.
func TestBadPlaces(t *testing.T) {
	const apart = "original\ndistribute S0.i S0.j\n"
	for text, want := range map[string]string{
		"original\ninterchange S0.i S1.k":                                        "are not in one chain of loops",
		apart + "interchange S1.i S1.i":                                          `loop "S1.i" is named twice`,
		apart + "parallel S1.i\ninterchange S1.i S1.k":                           `loop "S1.i" is marked already; interchange loops before`,
		apart + "reorder S1.i":                                                   "two loops or more",
		apart + "tile S1.i by 4\nreverse S1.i":                                   "is tiled or marked already; reverse it before",
		apart + "tile S1.i by 4\nreverse S1.it":                                  "is no plain loop over points",
		apart + "unimodular S1.i S1.j by [1 0; 0 2]":                             "has the determinant 2",
		apart + "unimodular S1.i S1.j by [1 0; 1 0]":                             "has the determinant 0",
		apart + "unimodular S1.i S1.j by [1 0]":                                  "a matrix for 2 loops has 2 rows, not 1",
		apart + "unimodular S1.i S1.j by [1; 0 1]":                               "a matrix for 2 loops has 2 columns, and row 1 has 1",
		apart + "unimodular S1.i S1.j by 1 0":                                    "a matrix is written [1 0; 2 1]",
		apart + "unimodular S1.i S1.j by [1 x; 0 1]":                             `in the matrix [1 x; 0 1] the size "x" is not a number`,
		apart + "unimodular S1.i S1.j by [1 70000; 0 1]":                         "70000 is too large",
		apart + strings.Repeat("unimodular S1.i S1.j by [1 60000; 0 1]\n", 2):    "would have a coefficient of 120000; 65536 is the most",
		apart + "after S0 S0 at S0.i":                                            "cannot have a place beside itself",
		apart + "after S1 S0 at S1.i":                                            `statement S0 is not inside loop "S1.i"`,
		apart + "after S0 S1 at S1.k":                                            "statement S0 has 2 loops, too few to share",
		apart + "parallel S0.i\nafter S1 S0 at S0.i":                             `loop "S0.i" is a wavefront, or marked already`,
		apart + "vectorize S1.k\nafter S1 S0 at S0.i":                            "is tiled or marked already; give S1 its place before",
		apart + "after S1 S0 at S9.i":                                            `there is no loop "S9.i"`,
		apart + "fuse S0.i S1.j":                                                 "do not have as many plain loops",
		apart + "fuse S0.i":                                                      "needs two nodes or more",
		apart + "tile S0.i by 4\nfuse S0.i S1.i":                                 "do not have as many plain loops",
		apart + "unroll S1.k by 1":                                               "1 iterations one after the other are not from 2 to 1024",
		apart + "unroll S1.k by 1000000":                                         "1000000 iterations one after the other are not from 2 to 1024",
		apart + "parallel S1.i\nunroll S1.i by 2":                                "are shared by threads",
		apart + "vectorize S1.k by 6":                                            "6 lanes are not a power of two",
		apart + "parallel S1.k\nvectorize S1.k by 8":                             "threads share the iterations",
		"schedule { S0[i, j] -> [i, j] }":                                        "statement S1 has no map; its instances would not run",
		"schedule { S0[i, j] -> [i, j]; S1[i, j, k] -> [i, j, k] }":              "statement S1 has 3 values, and S0 has 2",
		"schedule { S0[i, j] -> [i]; S0[i, j] -> [j] }":                          "instances of S0 have several times, and would run more than once: the iterators do not determine value number 1",
		"schedule { S0[i, j] -> [i, j] : i > 0 }":                                "instances of S0 have no time, and would not run: for example [N] -> { S0[i = 0, j = 0] : N = 1 }",
		"schedule { S0[i] -> [i] }":                                              "statement S0 has 2 loops, not 1",
		"schedule S0[i, j] -> [i]":                                               "a schedule is written",
		"schedule { S9[i] -> [i] }":                                              `there is no statement "S9"`,
		"original\nschedule { S0[i, j] -> [i, j, 0]; S1[i, j, k] -> [i, j, k] }": "a schedule comes once",
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

// What a line breaks, and what only the whole leaves out, is refused by the proof.
func TestIllegalPlaces(t *testing.T) {
	for text, blamed := range map[string]string{
		"original\ndistribute S0.i S0.j\nreverse S1.k\n":                                             "reverse S1.k",
		"original\nbefore S1 S0 at root\n":                                                           "before S1 S0 at root",
		"original\nparallel S1.k\n":                                                                  "parallel S1.k",
		"original\nvectorize S1.k by 4\n":                                                            "vectorize S1.k by 4",
		"schedule { S0[i, j] -> [1, i, j, 0]; S1[i, j, k] -> [0, i, j, k] }\n":                       "schedule { S0[i, j] -> [1, i, j, 0]; S1[i, j, k] -> [0, i, j, k] }",
		"schedule { S0[i, j] -> [i, j mod 4, floor(j/4), 0]; S1[i, j, k] -> [i, j, -k, 1] }\n":       "schedule { S0[i, j] -> [i, j mod 4, floor(j/4), 0]; S1[i, j, k] -> [i, j, -k, 1] }",
		"schedule { S0[i, j] -> [0, i, j, 0]; S1[i, j, k] -> [1, i, j, floor(k/2)] }\n":              "",
		"original\ndistribute S0.i S0.j\nskew S1.k by -1 S1.i\ninterchange S1.i S1.k\nparallel S1.k": "parallel S1.k",
	} {
		g := kerneltest.Analyze(t, gemm())
		p := g.Model.Program
		recipe, err := Parse(p, text)
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = recipe.Prove(g)
		at, is := err.(*schedule.CommandError)
		switch {
		case !depend.IsIllegal(err):
			t.Errorf("%s: %v", text, err)
		case blamed == "" && is, blamed != "" && (!is || at.Text != blamed):
			t.Errorf("%s: %v", text, err)
		}
	}
}
