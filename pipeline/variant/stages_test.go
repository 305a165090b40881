package variant

import (
	"context"
	"os"
	"strings"
	"testing"

	"polytune/pipeline"
	"polytune/space"
	"polytune/transform"
)

// The eighty pieces of swim get code for tiles that start together, within the
// limits of an attempt.
func TestCodeOfVeryManyStatements(t *testing.T) {
	t.Parallel()
	targets, err := (&pipeline.Options{Bench: "plutoplus/swim"}).All(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := (&pipeline.Splitting{On: true}).Apply(context.Background(), os.Stderr, targets); err != nil {
		t.Fatal(err)
	}
	partition := make(space.Partition, len(targets[0].Unit.Program.Statements))
	options := transform.Options{CacheBytes: 32 << 10, Model: transform.PlutoPlus, CoefficientBound: transform.DefaultCoefficientBound, Diamond: transform.DiamondOne}
	v, err := Of(context.Background(), targets[0], space.Nest{partition}, options)
	if err != nil || v.givenUp != "" || !v.ConcurrentStart {
		t.Fatalf("given up %q, starting together %v: %v", v.Note(), v.ConcurrentStart, err)
	}
	if code := string(v.Source); strings.Count(code, "#pragma omp parallel for") != 1 || !strings.Contains(code, "M >= 0 && N >= 0) {") {
		t.Error("the code has not one parallel loop, for sizes that are not negative")
	}
}
