package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/handout"
	"polytune/internal/storetest"
	"polytune/pipeline"
)

const copyRegion = `void keep(int n, double a[n], const double b[n])
{
#pragma scop
    for (int i = 0; i < n; i++)
        a[i] = b[i];
#pragma endscop
}
`

// The commands that hand something out give the original unless a variant is known to be
// faster, say so with the rounds that would tell, and take the first with --any.
func TestHandedOut(t *testing.T) {
	t.Parallel()
	const recipe = "classes {S0}\nband c0 permutable S0[i] -> [i]\nparallel c0.1\n"
	for _, c := range []struct {
		name    string
		variant storetest.Variant
		// given says that the variant is, told that the user is told of it otherwise.
		given, told bool
		words       string
	}{
		{"known to be faster", storetest.Variant{Seconds: 0.5}, true, false, ""},
		{"slower", storetest.Variant{Seconds: 1.5}, false, false, ""},
		{"too few rounds", storetest.Variant{Seconds: 0.9, Rounds: 3}, false, true, "about 1.11x over it in 3 rounds; about 6 more rounds would tell"},
		{"timed once", storetest.Variant{Seconds: 0.1, Rounds: 1}, false, true, "about 10.00x over it in 1 round; about 9 more rounds would tell"},
		{"as fast", storetest.Variant{Seconds: 0.9999}, false, true, "over it in 10 rounds"},
	} {
		t.Run(c.name, func(t *testing.T) {
			folder := t.TempDir()
			if err := os.WriteFile(filepath.Join(folder, "keep.c"), []byte(copyRegion), 0o644); err != nil {
				t.Fatal(err)
			}
			db := storetest.Open(t)
			c.variant.ID, c.variant.Partition, c.variant.Recipe = "0.aaaaaaaa", "0", recipe
			storetest.Session{Kernel: "keep", KernelID: kernelOf(t, filepath.Join(folder, "keep.c")), Size: "n=50", Machine: "alpha",
				Variants: []storetest.Variant{c.variant}}.Record(t, db)
			read := func(args ...string) (out, messages string) {
				run, stdout, stderr := tuneCommand(folder, append(args, "keep.c", "--machine", "alpha", "--db", db.Path())...)
				if err := run.Run(); err != nil {
					t.Fatalf("tune %v: %v: %s", args, err, stderr)
				}
				return stdout.String(), stderr.String()
			}
			for _, any := range []bool{false, true} {
				var flags []string
				if any {
					flags = []string{"--any"}
				}
				first := c.given || any && c.told
				var document handout.Report
				text, _ := read(append([]string{"best", "--json"}, flags...)...)
				if err := json.Unmarshal([]byte(text), &document); err != nil || (document.Best.Variant == "0.aaaaaaaa") != first {
					t.Errorf("any %v: best is %s, %v", any, text, err)
				}
				open := c.told && !any
				if (document.First != nil) != open || (document.Further != nil) != open {
					t.Errorf("any %v: first and further rounds of %s", any, text)
				}
				people, _ := read(append([]string{"best"}, flags...)...)
				emitted, note := read(append([]string{"emit"}, flags...)...)
				if strings.Contains(emitted, "#pragma omp") != first || strings.Contains(emitted, "nothing is known to be faster") != open {
					t.Errorf("any %v: emitted %s", any, emitted)
				}
				for _, said := range []string{people, note} {
					if strings.Contains(said, "no variant is known to be faster") != open || open && !strings.Contains(said, c.words) {
						t.Errorf("any %v: said %s", any, said)
					}
				}
			}
		})
	}
}

// kernelOf is the identity of the only region of a file.
func kernelOf(t *testing.T, path string) string {
	t.Helper()
	options := &pipeline.Options{Privatize: true}
	targets, err := options.All([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	kernel, err := targets[0].Hash(options)
	if err != nil {
		t.Fatal(err)
	}
	return kernel.ID
}
