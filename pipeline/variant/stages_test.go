package variant

import (
	"context"
	"os"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/pipeline"
	"polytune/space"
	"polytune/transform"
	"polytune/transform/hyperplane"
)

// piecesOf are kernels of many pieces, with what their code has to ask of the sizes. The short test
// has fewer pieces.
func piecesOf() map[string]string {
	pieces := map[string]string{"plutoplus/heat-2dp": ""}
	if kerneltest.Long() {
		pieces["plutoplus/swim"] = "M >= 0 && N >= 0) {"
	}
	return pieces
}

// The four pieces of heat-2dp get code for tiles that start together, and so do the eighty of swim,
// within the limits of an attempt.
func TestCodeOfVeryManyStatements(t *testing.T) {
	t.Parallel()
	for bench, condition := range piecesOf() {
		targets, err := (&pipeline.Options{Bench: bench}).All(nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := (&pipeline.Splitting{On: true}).Apply(context.Background(), os.Stderr, targets); err != nil {
			t.Fatal(err)
		}
		partition := make(space.Partition, len(targets[0].Unit.Program.Statements))
		options := transform.Options{CacheBytes: 32 << 10, Model: hyperplane.PlutoPlus, CoefficientBound: hyperplane.DefaultCoefficientBound, Diamond: transform.DiamondOne}
		v, err := Of(context.Background(), targets[0], space.Nest{partition}, options)
		if err != nil || v.givenUp != "" || !v.ConcurrentStart {
			t.Fatalf("%s: given up %q, starting together %v: %v", bench, v.Note(), v.ConcurrentStart, err)
		}
		if code := string(v.Source); strings.Count(code, "#pragma omp parallel for") != 1 || !strings.Contains(code, condition) {
			t.Errorf("%s: the code has not one parallel loop, for sizes that are not negative", bench)
		}
	}
}
