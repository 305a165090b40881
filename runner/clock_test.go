package runner

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// TestMonotonicClocks checks that the measured programs read no clock that is set
// by people or by the network.
func TestMonotonicClocks(t *testing.T) {
	t.Parallel()
	templates, err := filepath.Glob("*.c.tmpl")
	if err != nil || len(templates) < 3 {
		t.Fatalf("%d templates, %v", len(templates), err)
	}
	clock := regexp.MustCompile(`clock_gettime\((\w+)|\b(gettimeofday|time|clock|ftime|omp_get_wtime)\(`)
	reads := 0
	for _, path := range templates {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range clock.FindAllSubmatch(text, -1) {
			reads++
			if string(call[1]) != "CLOCK_MONOTONIC" {
				t.Errorf("%s: %s", path, call[0])
			}
		}
	}
	if reads < 5 {
		t.Errorf("%d readings of clocks were found", reads)
	}
}
