package main

import (
	"os"
	"path/filepath"
	"testing"

	"polytune/cmd/fuzz/written"
	"polytune/internal/randomc"
)

// Saved programs of the kind that people write, which failed once, are accepted and print what they
// are to print.
func TestSavedWritten(t *testing.T) {
	paths, err := filepath.Glob(filepath.Join("testdata", "programs", "written", "*.c"))
	if err != nil || len(paths) == 0 {
		t.Fatalf("%d programs: %v", len(paths), err)
	}
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			source, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if r := written.Check(source, draw(seedIn(path), streamOptions), drawOptions); r.Stage != "" || r.Refusal != "" || r.IsNone || r.Variants == 0 {
				t.Errorf("%+v", r)
			}
		})
	}
}

// Random programs of that kind are transformed or refused, and never computed wrongly.
func TestWritten(t *testing.T) {
	t.Parallel()
	accepted := 0
	for seed := range uint64(4) {
		r := written.Check([]byte(randomc.New(seed).Source()), draw(seed, streamOptions), drawOptions)
		if r.Stage != "" || r.IsNone {
			t.Errorf("seed %d: %+v", seed, r)
		}
		if r.Refusal == "" {
			accepted++
		}
	}
	if accepted == 0 {
		t.Error("all programs are refused")
	}
}
