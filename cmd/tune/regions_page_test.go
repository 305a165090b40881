package main

import (
	"fmt"
	"os"
	"path/filepath"
	"polytune/internal/kerneltest"
	"regexp"
	"strings"
	"testing"
)

// shownC is a block of C.
var shownC = regexp.MustCompile("(?s)\n```c\n(.*?)```")

// TestRegionsPage checks each program that docs/regions.md shows: variants of it compute what it
// computes, and where a comment says that loops run in parallel, they do in the recipe; that such
// loops have their pragma in the code is what TestAccounted shows. The long test has the partitions
// max and none, too.
func TestRegionsPage(t *testing.T) {
	t.Parallel()
	blocks := shownC.FindAllStringSubmatch(readPage(t, "docs/regions.md"), -1)
	if len(blocks) == 0 {
		t.Fatal("the page shows no program")
	}
	partitions := "smart"
	if kerneltest.Long() {
		partitions = "max,smart,none"
	}
	for k, block := range blocks {
		t.Run(fmt.Sprint(k+1), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			if err := os.WriteFile(filepath.Join(folder, "shown.c"), []byte(block[1]), 0o600); err != nil {
				t.Fatal(err)
			}
			c, stdout, stderr := tuneCommand(folder, "check", "--json", "shown.c", "--partition", partitions)
			if err := c.Run(); err != nil {
				t.Fatalf("%v: %s%s\n%s", err, stdout, stderr, block[1])
			}
			if strings.Contains(block[1], "in parallel") && !strings.Contains(stdout.String(), `\nparallel c`) {
				t.Errorf("no parallel loop in\n%s%s", stdout, stderr)
			}
		})
	}
}
