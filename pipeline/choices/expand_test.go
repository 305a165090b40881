package choices

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"polytune/pipeline"
	"polytune/pipeline/variant"
	"polytune/runner"
	variants "polytune/space/variant"
	"polytune/transform"
)

// The axis "expand" expands temporaries where the models leave them, and says so where there
// are none.
func TestExpandAxis(t *testing.T) {
	for _, test := range []struct {
		kernel string
		want   bool
	}{{"polybench/gramschmidt", true}, {"polybench/gemm", false}} {
		o := pipeline.Options{Bench: test.kernel, Privatize: true}
		targets, err := o.All(nil)
		if err != nil {
			t.Fatal(err)
		}
		nests, err := targets[0].Choose(t.Context(), variant.DecidingPartition, 1)
		if err != nil {
			t.Fatal(err)
		}
		p, err := variant.At(t.Context(), targets[0], nests[0], "expand=on", transform.Options{CacheBytes: 32 << 10})
		if wrong := new(variants.SettingError); !test.want && errors.As(err, &wrong) {
			continue
		}
		if err != nil {
			t.Fatal(err)
		}
		v, err := variant.Of(t.Context(), p.Target, p.Nest, p.Options)
		if err != nil || !test.want || !strings.HasPrefix(v.Text, "expand ") {
			t.Errorf("%s: %v\n%s", test.kernel, err, v.Text)
		}
		probe, err := NewProbe(t.Context(), targets[0], runner.Machine{Cores: 2, Caches: []runner.Cache{{Level: 1, Kind: "Data", Size: 32 << 10}}})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.ContainsFunc(probe.axes(), func(a variants.Axis) bool { return a.Name == variant.ExpandAxis.Name }) {
			t.Errorf("%s: the axis is not offered", test.kernel)
		}
	}
}
