package device_test

import (
	"testing"

	"polytune/device"
	"polytune/frontend"
)

// An array is copied to the device where some element is read that nothing has written before,
// also where data decide which one, and not where all are written first.
func TestCopiedIn(t *testing.T) {
	for _, test := range []struct {
		name, region string
		in           bool
	}{
		{"all are written before data choose", "for (int i = 0; i < n; i++) A[i] = 1; for (int k = 0; k < n; k++) B[k] = A[at[k]];", false},
		{"one is written before data choose", "for (int i = 0; i < n; i++) if (i < 1) A[i] = 1; for (int k = 0; k < n; k++) B[k] = A[at[k]]; for (int i = 1; i < n; i++) A[i] = 2;", true},
		{"none is written before data choose", "for (int k = 0; k < n; k++) B[k] = A[at[k]]; for (int i = 0; i < n; i++) A[i] = 2;", true},
		{"each is written before it is read", "for (int i = 0; i < n; i++) A[i] = 1; for (int k = 0; k < n; k++) B[k] = A[n - 1 - k];", false},
		{"some are read before they are written", "for (int k = 0; k < n; k++) B[k] = A[n - 1 - k] + A[k]; for (int i = 0; i < n; i++) A[i] = 2;", true},
		{"not all are written", "for (int i = 1; i < n; i++) A[i] = 1; for (int i = 1; i < n; i++) B[i] = A[i];", true},
	} {
		file, err := frontend.Parse("f.c", []byte("void f(int n, double A[n], double B[n], int at[n]) {\n#pragma scop\n"+test.region+"\n#pragma endscop\n}\n"), frontend.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, transfer := range codeOf(t, file, device.CUDA).Report.Transfers {
			if transfer.Array == "A" && transfer.In != test.in {
				t.Errorf("%s: A is copied to the device: %v, want %v", test.name, transfer.In, test.in)
			}
		}
	}
}
