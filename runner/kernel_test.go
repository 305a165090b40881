package runner

import (
	"context"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"polytune/internal/quicklink"
	"polytune/scop"
	"polytune/target/openmp/omp"
)

// multiply is a small matrix product with a scalar, the kernel of most tests.
var multiply = scop.Function{Name: "multiply", Static: true, Arguments: []scop.Argument{
	{Name: "NI", Type: "int", Role: scop.Size},
	{Name: "NJ", Type: "long", Role: scop.Size},
	{Name: "NK", Type: "unsigned", Role: scop.Size},
	{Name: "alpha", Type: "double", Role: scop.Scalar},
	{Name: "C", Type: "double", Role: scop.Pointer, Extents: []string{"NI", "NJ"}},
	{Name: "A", Type: "double", Role: scop.Pointer, Extents: []string{"NI", "NK"}},
	{Name: "B", Type: "float", Role: scop.Pointer, Extents: []string{"NK", "NJ"}},
	{Name: "count", Type: "short int", Role: scop.Pointer, Extents: []string{"NI + 1"}},
}}

const multiplyHead = `static void multiply(int NI, long NJ, unsigned NK, double alpha,
  double C[NI][NJ], double A[NI][NK], float B[NK][NJ], short count[NI + 1])
{
`

const multiplyOriginal = multiplyHead + `
  for (int i = 0; i < NI; i++) {
    count[i] += 1;
    for (long j = 0; j < NJ; j++)
      for (unsigned k = 0; k < NK; k++)
        C[i][j] += alpha * A[i][k] * B[k][j];
  }
}
`

const multiplyInterchanged = multiplyHead + `
  for (int i = 0; i < NI; i++)
    count[i] += 1;
#pragma omp parallel for
  for (int i = 0; i < NI; i++)
    for (unsigned k = 0; k < NK; k++)
      for (long j = 0; j < NJ; j++)
        C[i][j] += alpha * A[i][k] * B[k][j];
}
`

// body is multiply with other statements.
func body(statements string) string { return multiplyHead + statements + "\n}\n" }

var multiplyRequest = RunRequest{
	Params: map[string]int{"NI": 7, "NJ": 9, "NK": 11}, Scalars: map[string]float64{"alpha": 0.5}, Limit: 20 * time.Second, Threads: 2,
}

var foundGCC = sync.OnceValues(func() (Toolchain, error) {
	return FindToolchain(context.Background(), ToolchainSpec{
		Runtime: omp.Runtime{}, Name: "gcc", Command: "gcc",
		Flags:      []string{"-O1", "-march=native", "-fopenmp", "-Wall", "-Wextra", "-Werror"},
		CheckFlags: []string{"-O0", "-ffp-contract=off", "-fopenmp", "-Wall", "-Wextra", "-Werror"},
		Libraries:  append(quicklink.Options(), "-lm"),
	})
})

func gcc(t *testing.T) Toolchain {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Fatal("no gcc on this machine; make test installs it")
	}
	toolchain, err := foundGCC()
	if err != nil {
		t.Fatal(err)
	}
	return toolchain
}

func newBuilder(t *testing.T, toolchain Toolchain, function scop.Function, options DriverOptions) *Builder {
	t.Helper()
	driver, err := GenerateDriver(function, options)
	if err != nil {
		t.Fatal(err)
	}
	builder, err := NewBuilder(BuilderOptions{Toolchain: toolchain, Subject: Subject{Harness: driver}, Jobs: 2, Limit: 30 * time.Second})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { builder.Close() })
	return builder
}

func build(t *testing.T, builder *Builder, source string, check bool) Binary {
	t.Helper()
	binary, err := builder.Build(context.Background(), Job{Source: source, Check: check})
	if err != nil {
		t.Fatal(err)
	}
	return binary
}

func dump(t *testing.T, binary Binary, request RunRequest) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "dump")
	if err := Dump(context.Background(), binary, request, path); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestCompareVariants(t *testing.T) {
	builder := newBuilder(t, gcc(t), multiply, DriverOptions{Seed: 1})
	reference := dump(t, build(t, builder, multiplyOriginal, true), multiplyRequest)

	if err := Compare(reference, dump(t, build(t, builder, multiplyInterchanged, true), multiplyRequest)); err != nil {
		t.Errorf("a correct variant: %v", err)
	}
	wrong := strings.Replace(multiplyInterchanged, "count[i] += 1;", "count[i] += i == 5 ? 2 : 1;", 1)
	err := Compare(reference, dump(t, build(t, builder, wrong, true), multiplyRequest))
	var mismatch *Mismatch
	if !errors.As(err, &mismatch) {
		t.Fatalf("a wrong variant: %v", err)
	}
	if mismatch.Array != "count" || mismatch.Element != "count[5]" || mismatch.Count != 1 || mismatch.Elements != 8 {
		t.Errorf("mismatch %+v", mismatch)
	}
	wrong = strings.Replace(multiplyInterchanged, "long j = 0;", "long j = i == 3 ? 2 : 0;", 1)
	err = Compare(reference, dump(t, build(t, builder, wrong, true), multiplyRequest))
	if !errors.As(err, &mismatch) || mismatch.Array != "C" || mismatch.Element != "C[3][0]" || mismatch.Count != 2 {
		t.Errorf("mismatch %v", err)
	}
	if text := mismatch.Error(); !strings.Contains(text, "C[3][0] is "+mismatch.Got+", expected "+mismatch.Expected) {
		t.Error(text)
	}
}

func TestTime(t *testing.T) {
	builder := newBuilder(t, gcc(t), multiply, DriverOptions{Seed: 1})
	request := TimeRequest{RunRequest: multiplyRequest, Samples: 3, Repetitions: 2, Warmups: 1}
	reference, err := Time(context.Background(), build(t, builder, multiplyOriginal, false), request)
	if err != nil {
		t.Fatal(err)
	}
	if len(reference.Seconds) != 3 || reference.PeakMemory == 0 || reference.Usage.MaxResident == 0 || reference.Wall <= 0 {
		t.Errorf("timing %+v", reference)
	}
	if len(reference.Fingerprints) != 4 || reference.Fingerprints[0].Name != "C" || reference.Fingerprints[0].Count != 63 {
		t.Errorf("fingerprints %+v", reference.Fingerprints)
	}
	tolerance := Tolerance{Double: 1e-9, Single: 1e-5}
	for _, c := range []struct{ name, source, want string }{
		{"correct", multiplyInterchanged, ""},
		{"wrong", strings.Replace(multiplyInterchanged, "NK; k++", "NK - (i == 6); k++", 1), "array C"},
		{"NaN", strings.Replace(multiplyInterchanged, "count[i] += 1;", "{ count[i] += 1; C[i][0] = __builtin_nan(\"\"); }", 1), "array C: 7 elements are NaN"},
		{"integer", strings.Replace(multiplyInterchanged, "count[i] += 1;", "count[i] += 2;", 1), "array count"},
	} {
		got, err := Time(context.Background(), build(t, builder, c.source, false), request)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		err = CompareFingerprints(reference.Fingerprints, got.Fingerprints, tolerance)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}
