package layers_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"polytune/isl"
	"polytune/layers"
	"polytune/pipeline"
	"polytune/pipeline/variant"
)

// noting are functions whose statements note themselves: their number and their iterators.
const noting = `double note(int statement, int i, int j, double value);
void blur(int N, int M, double in[N][M], double by[N][M])
{
    double bx[N][M];
#pragma scop statements(bx, sum) assume-pure(note)
    for (int i = 0; i < N; i++)
        for (int j = 0; j < M - 2; j++)
            bx[i][j] = note(0, i, j, in[i][j] + in[i][j+2]);
    for (int i = 0; i < N - 2; i++)
        for (int j = 0; j < M - 2; j++)
            by[i][j] = note(1, i, j, bx[i][j] + bx[i+2][j]);
#pragma endscop
}
`

// behindIt is what runs it.
const behindIt = `
#include <stdio.h>
double note(int statement, int i, int j, double value) { printf("%d %d %d\n", statement, i, j); return value; }
int main(void) { static double in[9 * 11], by[9 * 11]; blur(9, 11, (void *)in, (void *)by); return 0; }
`

// TestOrder runs the code of schedules, and has Layer IV say in which order its instances run, and
// how often, in one thread: no instance is missing, and none is there that Layer IV has not.
func TestOrder(t *testing.T) {
	t.Parallel()
	for _, recipe := range []string{
		"original\n",
		"original\ntile sum.i sum.j by 4 3 as i0 j0 i1 j1\ncompute bx at j0\nparallel i0\n",
		"original\ntile sum.i sum.j by 2 5 as i0 j0 i1 j1\ninterchange i1 j1\nunroll bx.j by 4\n",
		"original\nshift sum.i sum by 2\nfuse bx.i sum.i\nparallel bx.j\n",
		"original\nreverse sum.j\ninterchange bx.i bx.j\nvectorize bx.i\n",
	} {
		want, got := ordered(t, recipe), noted(t, recipe)
		if !slices.Equal(want, got) {
			at := 0
			for at < min(len(want), len(got)) && want[at] == got[at] {
				at++
			}
			t.Errorf("%s%d instances run, and Layer IV has %d; the first that differs is number %d: %v and %v", recipe, len(got), len(want), at, got[at:min(at+3, len(got))], want[at:min(at+3, len(want))])
		}
	}
}

// noted is what the code of a recipe prints.
func noted(t *testing.T, recipe string) []string {
	t.Helper()
	at, commands, err := noteTarget(t).ReadRecipe(recipe)
	if err != nil {
		t.Fatal(err)
	}
	v, err := variant.Replay(context.Background(), at, commands)
	if err != nil {
		t.Fatalf("%s%v", recipe, err)
	}
	path := filepath.Join(t.TempDir(), "noted")
	if err := os.WriteFile(path+".c", append(v.Source, behindIt...), 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("gcc", "-w", "-o", path, path+".c").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, out, v.Source)
	}
	out, err := exec.Command(path).Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.Split(strings.TrimSpace(string(out)), "\n")
}

func noteTarget(t *testing.T) *pipeline.Target {
	t.Helper()
	targets, err := (&pipeline.Options{}).Regions(&pipeline.Target{Name: "test"}, "test.c", []byte(noting))
	if err != nil {
		t.Fatal(err)
	}
	return targets[0]
}

// ordered are the instances of Layer IV in the order of their times.
func ordered(t *testing.T, recipe string) []string {
	t.Helper()
	at, commands, err := noteTarget(t).ReadRecipe(recipe)
	if err != nil {
		t.Fatal(err)
	}
	tree, err := commands.Replay(at.Unit.Program)
	if err != nil {
		t.Fatal(err)
	}
	c := isl.NewContext()
	defer c.Close()
	m, err := tree.Program.Model(c)
	if err != nil {
		t.Fatal(err)
	}
	communication, err := layers.CommunicationOf(m, tree)
	if err != nil {
		t.Fatal(err)
	}
	type event struct {
		time []int64
		text string
	}
	var events []event
	for _, p := range communication.Computations {
		relation := c.ReadMap(p.Relation).IntersectParams(c.ReadSet("[N, M] -> { : N = 9 and M = 11 }"))
		points, err := relation.Wrap().Points(10000)
		if err != nil {
			t.Fatal(err)
		}
		number := map[string]int{"bx": 0, "sum": 1}[p.Name]
		for _, x := range points {
			events = append(events, event{x[2:], fmt.Sprintf("%d %d %d", number, x[0], x[1])})
		}
	}
	slices.SortFunc(events, func(a, b event) int { return slices.Compare(a.time, b.time) })
	list := make([]string, len(events))
	for k, e := range events {
		list[k] = e.text
	}
	return list
}
