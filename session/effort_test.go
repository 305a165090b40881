package session

import (
	"testing"
	"time"

	"polytune/configs"
	"polytune/runner"
	"polytune/tuner"
	"polytune/tuner/search"
)

func TestSearchPlan(t *testing.T) {
	settings := configs.Settings{Search: configs.Search{Candidates: 80, Patience: 200}, Measurement: configs.Measurement{Indifference: 0.01}}
	for _, c := range []struct {
		options Options
		effort  tuner.Effort
		cores   int
		want    search.Plan
	}{
		{Options{Seed: 3}, tuner.Normal, 2, search.Plan{Strategy: "climb", Seed: 3, Batch: 8, Limit: 80, Improvement: 0.01}},
		{Options{}, tuner.Full, 16, search.Plan{Strategy: "surrogate", Batch: 32, Patience: 200, Improvement: 0.01}},
		{Options{Budget: time.Hour, Strategy: "random"}, tuner.Full, 128, search.Plan{Strategy: "random", Batch: 64, Improvement: 0.01}},
	} {
		if got := c.options.searchPlan(c.effort, settings, runner.Machine{Cores: c.cores}); got != c.want {
			t.Errorf("%s: %+v, want %+v", c.effort, got, c.want)
		}
	}
}
