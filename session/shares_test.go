package session

import (
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"polytune/configs"
	"polytune/internal/opendb"
	"polytune/pipeline"
	"polytune/runner"
	"polytune/store"
	"polytune/tuner"
)

// How long candidates take to be found beside other tests nobody knows.
func init() { LeastPreparing = time.Minute }

// Regions share the time by what can still be won of each; all have a fair part.
func TestFirstShare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		// seconds are those of the best variants so far, 0 for a region that was not timed.
		seconds []float64
		want    time.Duration
	}{
		{"alone", []float64{1}, 60 * time.Second},
		{"alone, not timed", []float64{0}, 60 * time.Second},
		{"alike", []float64{2, 2, 2}, 20 * time.Second},
		{"all there is to win", []float64{1, 0.0001, 0.0001}, 40 * time.Second},
		{"nothing to win", []float64{0.0001, 1, 1}, 10 * time.Second},
		{"three times the other", []float64{3, 1}, 37500 * time.Millisecond},
		{"not timed as the mean of the others", []float64{0, 1, 3}, 20 * time.Second},
		{"nothing was timed", []float64{0, 0, 0}, 20 * time.Second},
	} {
		var regions []*RegionRun
		for _, seconds := range c.seconds {
			regions = append(regions, &RegionRun{result: tuner.Result{Best: tuner.Row{Seconds: store.Estimate{Median: seconds}}}})
		}
		if got := firstShare(time.Minute, regions); math.Abs((got - c.want).Seconds()) > 0.01 {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

// One after the other regions get all of the time, whatever they leave.
func TestSharesAreAllOfTheTime(t *testing.T) {
	t.Parallel()
	var regions []*RegionRun
	for _, seconds := range []float64{5, 0.1, 0, 2} {
		regions = append(regions, &RegionRun{result: tuner.Result{Best: tuner.Row{Seconds: store.Estimate{Median: seconds}}}})
	}
	for _, used := range []float64{1, 0.3} {
		left, last := time.Minute, time.Duration(0)
		for k := range regions {
			last = firstShare(left, regions[k:])
			if equal := left / time.Duration(len(regions)-k); last < equal/2 {
				t.Errorf("region %d gets %v of %v", k, last, left)
			}
			left -= time.Duration(float64(last) * used)
		}
		if want := time.Duration(float64(last) * (1 - used)); (left - want).Abs() > time.Millisecond {
			t.Errorf("%v is left of the last share %v", left, last)
		}
	}
}

// What is finished is not gone on with: neither what is complete nor an endless search that the
// budget ended as it should.
func TestUnfinished(t *testing.T) {
	t.Parallel()
	regions := []*RegionRun{{}, {begun: true, result: tuner.Result{Early: true}}, {begun: true, result: tuner.Result{Complete: true}}, {begun: true}}
	if open := unfinished(regions); len(open) != 2 || open[0] != regions[0] || open[1] != regions[1] {
		t.Errorf("%d regions are unfinished", len(open))
	}
}

// What a budget bounds in the preparation, the search may ask for as long as the session takes: the
// sizes of a partition's tiles are found when it comes to that partition.
func TestSearchOutlivesPreparation(t *testing.T) {
	t.Parallel()
	o := &Options{Target: pipeline.Options{Bench: "gemver", Privatize: true}, Size: "mini", Effort: "normal"}
	settings, err := configs.Builtin()
	if err != nil {
		t.Fatal(err)
	}
	r := Run{Options: o, Settings: settings, Effort: tuner.Normal}
	if r.Machine, err = runner.Detect("test"); err != nil {
		t.Fatal(err)
	}
	targets, err := o.Targets(t.Context(), nil, r.Machine, r.Settings, func(_ string, err error) error { return err })
	if err != nil {
		t.Fatal(err)
	}
	if r.Toolchains, err = FindToolchains(t.Context(), &o.Target, r.Settings); err != nil {
		t.Fatal(err)
	}
	if r.DB, err = opendb.Open(t.Context(), os.Stderr, filepath.Join(t.TempDir(), "a.db"), store.Open); err != nil {
		t.Fatal(err)
	}
	defer r.DB.Close()
	g := &RegionRun{target: targets[0]}
	if err := r.prepare(t.Context(), g, time.Hour); err != nil || g.request == nil {
		t.Fatalf("no request: %v", err)
	}
	for point, err := range g.request.Space.All(t.Context()) {
		if err != nil || strings.Contains(point.Setting, "tile.") {
			if err != nil {
				t.Errorf("no partition has sizes of tiles: %v", err)
			}
			return
		}
	}
	t.Error("no partition has sizes of tiles")
}
