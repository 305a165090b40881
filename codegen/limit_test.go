package codegen_test

import (
	"errors"
	"testing"

	"polytune/benchmarks"
	"polytune/codegen"
	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform"
)

// Wherever the limit on isl's operations strikes, from dependences to code,
// the outcome is the limit's error: no panic, and never a program.
func TestOperationLimitAnywhere(t *testing.T) {
	parts := uint64(3)
	if kerneltest.Long() {
		parts = 8
	}
	for _, name := range []string{"polybench/2mm", "polybench/jacobi-1d"} {
		b, err := benchmarks.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		file, err := frontend.Parse(b.File, b.Source, frontend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for limit := uint64(100); ; limit += limit / parts {
			if limit > 100_000_000 {
				t.Fatalf("%s needs more than %d operations", name, limit)
			}
			err := limited(file, limit)
			if err == nil {
				break
			}
			var e *isl.Error
			if !errors.As(err, &e) || e.Code != isl.ErrorQuota {
				t.Fatalf("%s with %d operations: got %v, want the limit", name, limit, err)
			}
		}
	}
}

// limited makes the variant of the smart partition within a limit.
func limited(file *frontend.File, limit uint64) error {
	region := &file.Regions[0]
	ctx := isl.NewContext()
	defer ctx.Close()
	ctx.SetMaxOperations(limit)
	model, err := region.Program.Model(ctx)
	if err != nil {
		return err
	}
	graph, err := depend.Analyze(model)
	if err != nil {
		return err
	}
	s, err := space.New(graph, space.Options{})
	if err != nil {
		return err
	}
	partition, err := transform.Max(s, graph)
	if err != nil {
		return err
	}
	recipe, err := transform.Transform(graph, partition, transform.Options{CacheBytes: 32 << 10})
	if err != nil {
		return err
	}
	_, err = codegen.Program(graph, recipe, file.Unit(region))
	return err
}
