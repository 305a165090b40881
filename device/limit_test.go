package device_test

import (
	"testing"

	"polytune/device"
	"polytune/frontend"
	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform"
)

// Wherever the limit on isl's operations strikes, from the choice of the schedule to the text of
// the kernels, the outcome is the limit's error: no panic, and never a program.
func TestLimitStrikesAnywhere(t *testing.T) {
	const regions = `void f(int n, double A[restrict n][n], double B[restrict n][n], double x[restrict n])
{
#pragma scop
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      B[i][j] = 0;
      for (int k = 0; k < n; k++) B[i][j] += A[i][k] * A[k][j];
    }
#pragma endscop
#pragma scop
  for (int t = 0; t < n; t++) {
    for (int i = 1; i < n - 1; i++) x[i] = A[i][0] + A[i - 1][0];
    for (int i = 1; i < n - 1; i++) A[i][0] = x[i] + x[i + 1];
  }
#pragma endscop
}
`
	file, err := frontend.Parse("f.c", []byte(regions), frontend.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for k := range file.Regions {
		region := &file.Regions[k]
		g := kerneltest.Analyze(t, region.Program)
		for limit := uint64(100); ; limit += limit / 6 {
			context := g.Model.Context
			context.SetMaxOperations(limit)
			err := codeWithin(g, file.Unit(region))
			context.TakeErr()
			if err == nil {
				context.SetMaxOperations(0)
				break
			}
			if !isl.IsLimit(err) {
				t.Errorf("region %d with %d operations: got %v, want the limit", k, limit, err)
			}
		}
	}
}

// codeWithin makes the kernels of the models' recipe: the error of the stage that had one.
func codeWithin(g *depend.Graph, unit scop.Unit) error {
	s, err := space.New(g, space.Options{})
	if err != nil {
		return err
	}
	partition, err := transform.SmartOnDevice(s, g)
	if err != nil {
		return err
	}
	recipe, _, err := transform.OnDevice(g, space.Nest{partition}, transform.Options{Device: &transform.Device{}})
	if err != nil {
		return err
	}
	_, err = device.Program(g, recipe, unit, device.CUDA)
	return err
}
