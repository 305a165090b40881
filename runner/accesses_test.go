package runner

import (
	"path/filepath"
	"testing"
)

// sumsText has a kernel of 32 threads, each of which loads an element of one array, and stores,
// loads and stores one of another.
const sumsText = `
__global__ void sums(const double *a, double *b) {
  __shared__ double s[32];
  const int i = threadIdx.x;
  s[i] = a[i];
  __syncthreads();
  b[i] = s[i] + s[31 - i];
  b[i] += s[i];
}

int main() {
  double *a, *b, *other;
  cudaMalloc((void **) &a, 32 * sizeof *a);
  cudaMalloc((void **) &other, 32 * sizeof *a);
  cudaMalloc((void **) &b, 32 * sizeof *b);
  cudaFree(other);
  for (int n = 0; n < 3; n++)
    TUNE_LAUNCH(sums, dim3(2), dim3(32), a, b);
  b[0] = a[0];
  return 0;
}
`

// Accesses of kernels to the device's memory are counted, those of shared memory and of the host
// are not.
func TestAccesses(t *testing.T) {
	device := Device{Kind: Emulation, Name: "random"}
	program, err := emulated(t, sumsText, device)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "accesses")
	request := RunRequest{Device: device}.Counting(path)
	outcome, err := Execute(t.Context(), Command{Argv: []string{program}, Dir: filepath.Dir(program), Env: append(device.environment(), request.Env...)})
	if err != nil || !outcome.OK() {
		t.Fatal(err, outcome)
	}
	counted, err := ReadAccesses(path)
	if err != nil {
		t.Fatal(err)
	}
	if want := (Accesses{Loads: 3 * 2 * 64, Stores: 3 * 2 * 64}); counted == nil || *counted != want {
		t.Errorf("counted %+v, want %+v", counted, want)
	}
	if again, err := ReadAccesses(path); again != nil || err != nil {
		t.Errorf("the file is still there: %v, %v", again, err)
	}
}
