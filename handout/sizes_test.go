package handout

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"polytune/codegen"
	"polytune/pipeline"
	"polytune/store"
)

const sizedSource = `#include <stdio.h>
#include <stdlib.h>
static int chosen;
static void f(int n, int m, double a[n][m])
{
#pragma scop
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            a[i][j] = 0;
#pragma endscop
}
int main(int count, char **words)
{
    static double a[1000000];
    for (int k = 1; k + 1 < count; k += 2) {
        int n = atoi(words[k]), m = atoi(words[k + 1]);
        chosen = 0;
        f(n, m, (double (*)[m]) a);
        printf("%d ", chosen);
    }
}
`

// A program takes the result whose size is the nearest by ratios, on its machine where that matters,
// and the original below the least size that gains and where that is the nearest.
func TestChoiceBySizes(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	path := filepath.Join(folder, "f.c")
	// The region stands in a function of a file with main, which has no sizes; read without it.
	library, _, _ := strings.Cut(sizedSource, "int main")
	if err := os.WriteFile(path, []byte(library), 0o600); err != nil {
		t.Fatal(err)
	}
	at := func(size, variant, machine string) store.Best {
		return store.Best{Size: size, Machine: machine, Variant: store.Variant{ID: variant}}
	}
	for name, c := range map[string]struct {
		machines []codegen.Machine
		results  []store.Best
		want     string
	}{
		"sizes": {nil, []store.Best{at("m=10 n=10", store.Original, "x"), at("m=100 n=100", "0.b", "x"), at("m=400 n=1000", "0.c", "x"), at("m=1000 n=900", store.Original, "x"), at("m=100 n=100", "0.z", "x")},
			"0 0 100 100 400 400 0 0 "},
		"machines": {[]codegen.Machine{{ID: "here", Processor: "none such"}, {ID: "there"}}, []store.Best{at("m=1 n=1", "0.b", "there"), at("m=100 n=100", "0.d", "here")},
			"0 0 1 1 1 1 1 1 "},
	} {
		targets, err := (&pipeline.Options{}).All([]string{path})
		if err != nil {
			t.Fatal(err)
		}
		d := codegen.NewDispatcher(c.machines, targets[0].Region.Names)
		var ids []string
		for _, m := range c.machines {
			ids = append(ids, m.ID)
		}
		text, err := ChoiceBySizes(targets[0], d, c.results, ids, func(b store.Best) (string, error) {
			var m, n int
			_, err := fmt.Sscanf(b.Size, "m=%d n=%d", &m, &n)
			return fmt.Sprintf("    chosen = %d;\n", m), err
		})
		if err != nil {
			t.Fatal(err)
		}
		_, main, _ := strings.Cut(sizedSource, "int main")
		source, err := d.Complete([]byte(string(targets[0].Region.Replace([]byte(library), text))+"int main"+main), "")
		if err != nil {
			t.Fatal(err)
		}
		program := filepath.Join(folder, name)
		if err := os.WriteFile(program+".c", source, 0o600); err != nil {
			t.Fatal(err)
		}
		if said, err := exec.Command("gcc", "-std=gnu99", "-Wall", "-Wextra", "-Werror", program+".c", "-o", program).CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", name, err, said)
		}
		// Below the least size that gains, the least, one near it, two near the largest, one that the
		// original has, and one without an element.
		c2 := exec.Command(program, "10", "10", "99", "100", "100", "100", "150", "150", "1000", "300", "900", "500", "900", "1000", "1", "100000")
		c2.Env = append(os.Environ(), "POLYTUNE_MACHINE=there")
		if name == "machines" {
			c2.Args = append([]string{program, "0", "5", "0", "0"}, c2.Args[5:]...)
		}
		got, err := c2.Output()
		if err != nil || !strings.HasPrefix(string(got), "0 0 ") || string(got) != c.want {
			t.Errorf("%s: %s (%v), want %s", name, got, err, c.want)
		}
	}
	if _, err := valuesAt(&pipeline.Target{Name: "f"}, "run 10", []string{"n"}); err == nil {
		t.Error("the size of a run has values")
	}
}
