package main

import (
	"context"
	"os"
	"strings"
	"testing"

	"polytune/space"
	"polytune/transform"
)

// The eighty pieces of swim get code for tiles that start together, within the
// limits of an attempt.
func TestCodeOfVeryManyStatements(t *testing.T) {
	t.Parallel()
	targets, err := (&targetOptions{bench: "plutoplus/swim"}).all(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&splitting{on: true}).apply(context.Background(), os.Stderr, targets); err != nil {
		t.Fatal(err)
	}
	partition := make(space.Partition, len(targets[0].region.Program.Statements))
	options := transform.Options{CacheBytes: 32 << 10, Model: transform.PlutoPlus, CoefficientBound: transform.DefaultCoefficientBound, Diamond: transform.DiamondOne}
	v, err := targets[0].variant(context.Background(), space.Nest{partition}, options)
	if err != nil || v.givenUp != "" || !v.concurrentStart {
		t.Fatalf("given up %q, starting together %v: %v", v.note(), v.concurrentStart, err)
	}
	if code := string(v.source); strings.Count(code, "#pragma omp parallel for") != 1 || !strings.Contains(code, "M >= 0 && N >= 0) {") {
		t.Error("the code has not one parallel loop, for sizes that are not negative")
	}
}
