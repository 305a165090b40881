package tuner

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"polytune/store"
)

// A variant whose first sample is of one call, in a process that others disturb, is timed again before
// it is sent away.
func TestFirstSampleTakenTwice(t *testing.T) {
	g := &generator{}
	r := request(t, g, "disturbed")
	r.Settings.Measurement.SampleSeconds, r.Settings.Limits.RunFloorSeconds = 0.01, 20
	first := fmt.Sprintf("-DFIRST=%q", filepath.Join(t.TempDir(), "first"))
	for _, flags := range []*[]string{&r.Toolchain.Flags, &r.Toolchain.CheckFlags} {
		*flags = append(slices.Clone(*flags), first)
	}
	result, err := Tune(context.Background(), r)
	if err != nil {
		t.Fatal(err)
	}
	expectStatuses(t, result, r, map[string]store.Status{"original": store.OK, "disturbed": store.OK})
	if result.Race.Rounds == 0 {
		t.Errorf("no round of a race: %+v", result.Rows)
	}
}
