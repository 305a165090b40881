package tuner

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"polytune/store"
)

// disturbedSeconds are what a call of the disturbed variant takes at least in its first process; it is
// done in a fiftieth of that.
const disturbedSeconds = 0.005

// A variant whose first sample is of one call, in a process that others disturb, is timed again before
// it is sent away.
func TestFirstSampleTakenTwice(t *testing.T) {
	g := &generator{}
	r := request(t, g, "disturbed")
	r.Settings.Measurement.SampleSeconds, r.Settings.Limits.RunFloorSeconds = 0.1, 20
	r.Settings.Measurement.ScreeningFactor = 0.5 // nobody takes part in the race
	first := fmt.Sprintf("-DFIRST=%q", filepath.Join(t.TempDir(), "first"))
	for _, flags := range []*[]string{&r.Toolchain.Flags, &r.Toolchain.CheckFlags} {
		*flags = append(slices.Clone(*flags), first)
	}
	result, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	expectStatuses(t, result, r, map[string]store.Status{"original": store.OK, "disturbed": store.OK})
	for _, row := range result.Rows {
		if row.Seconds.Median > disturbedSeconds {
			t.Errorf("%s takes %v s, as in its first process", row.Variant, row.Seconds.Median)
		}
	}
}
