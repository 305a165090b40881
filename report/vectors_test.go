package report

import (
	"testing"

	"polytune/device"
)

// What is loaded in vectors is said once for each array and condition.
func TestVectorsText(t *testing.T) {
	loads := []device.VectorReport{{Array: "A", Bytes: 16, If: "n % 2 == 0"}, {Array: "A", Bytes: 16, If: "n % 2 == 0"}, {Array: "B", Bytes: 16}}
	if got, want := vectorsText(loads), "; A is loaded 16 bytes at once if n % 2 == 0; B is loaded 16 bytes at once"; got != want || vectorsText(nil) != "" {
		t.Errorf("got %q, want %q", got, want)
	}
}
