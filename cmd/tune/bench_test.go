package main

import (
	"bytes"
	"io"
	"testing"

	"polytune/internal/exit"
	"polytune/internal/storetest"
	"polytune/pipeline"
)

// BenchmarkCommands runs commands on a database with 100,000 trials, from their
// arguments to their answers: all but the start of a process.
func BenchmarkCommands(b *testing.B) {
	db := storetest.Open(b)
	if err := storetest.Fill(b.Context(), db, 100, 1000); err != nil {
		b.Fatal(err)
	}
	options := pipeline.Options{Bench: "polybench/2mm", Privatize: true}
	targets, err := options.All(nil)
	if err != nil {
		b.Fatal(err)
	}
	kernel, err := targets[0].Hash(&options)
	if err != nil {
		b.Fatal(err)
	}
	storetest.Session{Kernel: "polybench/2mm", KernelID: kernel.ID, Size: "large", Machine: "alpha",
		Variants: []storetest.Variant{{ID: "0-0-1-1.a", Partition: "0-0-1-1", Seconds: 0.5}}}.Record(b, db)
	b.Setenv("XDG_CONFIG_HOME", b.TempDir())
	for name, args := range map[string][]string{
		"best":   {"best", "--bench", "polybench/2mm", "--machine", "alpha"},
		"status": {"status"},
		"report": {"report", "-o", b.TempDir() + "/report.html"},
	} {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				var errors bytes.Buffer
				if status := run(append(args, "--db", db.Path()), io.Discard, &errors); status != exit.OK {
					b.Fatalf("exit status %d: %s", status, &errors)
				}
			}
		})
	}
}
