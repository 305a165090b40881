package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"testing"

	"polytune/internal/storetest"
	"polytune/runner"
	"polytune/store"
)

// Three machines on three kernels. gemm: one variant is near the best everywhere; 2mm: the bests
// lose 20% and 25% elsewhere; atax: what is best on alpha was not tried on beta.
var compared = []storetest.Session{
	session("polybench/gemm", "alpha", "p.a 0 0.5", "q.b 0-1 0.51"),
	session("polybench/gemm", "beta", "p.a 0 0.26", "q.b 0-1 0.25"),
	session("polybench/2mm", "alpha", "p.a 0 0.5", "q.b 0-1 0.6"),
	session("polybench/2mm", "beta", "p.a 0 0.25", "q.b 0-1 0.2"),
	session("polybench/atax", "alpha", "p.a 0 0.5", "q.b 0-1 0.8"),
	session("polybench/atax", "beta", "p.x 0 0.4", "q.b 0-1 0.44"),
	session("polybench/lu", "alpha", "p.a 0 0.5"),
	session("polybench/lu", "beta", "p.a 0 wrong-result", "q.b 0-1 0.5"),
	session("polybench/mvt", "beta", "p.a 0 0.5"),
}

// session is one with variants written "ID PARTITION SECONDS|STATUS".
func session(kernel, machine string, variants ...string) storetest.Session {
	s := storetest.Session{Kernel: kernel, Size: "large", Machine: machine}
	switch machine {
	case "alpha":
		s.About = storetest.About("Alpha CPU", 4, 256, 32, 1024, 32768)
	case "beta":
		s.About = storetest.About("Beta CPU", 16, 512, 32, 2048, 32768)
	}
	for _, text := range variants {
		words := strings.Fields(text)
		v := storetest.Variant{ID: words[0], Partition: words[1]}
		if _, err := fmt.Sscan(words[2], &v.Seconds); err != nil {
			v.Status = store.Status(words[2])
		}
		s.Variants = append(s.Variants, v)
	}
	return s
}

func comparison(t *testing.T) (Comparison, *Findings) {
	t.Helper()
	db := storetest.Open(t)
	for _, s := range compared {
		s.Record(t, db)
	}
	f := gather(t, Selection{}, db)
	return Compare(f), f
}

func roughly(a, b float64) bool { return math.Abs(a-b) < 0.012*b }

func TestCompare(t *testing.T) {
	c, _ := comparison(t)
	kernels := map[string]KernelComparison{}
	for _, k := range c.Kernels {
		kernels[strings.TrimPrefix(k.Name, "polybench/")] = k
	}
	for _, want := range []struct {
		kernel, from        string
		variant, partition  float64
		status              store.Status
		variantIs, answerIs Answer
	}{
		{"gemm", "alpha", 1.04, 1.04, "", Yes, Yes},
		{"gemm", "beta", 1.02, 1.02, "", Yes, Yes},
		{"2mm", "alpha", 1.25, 1.25, "", No, No},
		{"2mm", "beta", 1.2, 1.2, "", No, No},
		{"atax", "alpha", 0, 1, "", Unknown, Yes},
		{"atax", "beta", 0, 1, "", Unknown, Yes},
		{"lu", "alpha", 0, 0, store.WrongResult, Unknown, Unknown},
		{"lu", "beta", 0, 0, "", Unknown, Unknown},
	} {
		k := kernels[want.kernel]
		if k.Variant.Answer != want.variantIs || k.Partition.Answer != want.answerIs {
			t.Errorf("%s: one variant %s, one partition %s; want %s, %s", want.kernel, k.Variant.Answer, k.Partition.Answer, want.variantIs, want.answerIs)
		}
		for _, cost := range k.Costs {
			if c.Places[cost.From].Label != want.from {
				continue
			}
			if cost.Variant.Known != (want.variant > 0) || want.variant > 0 && !roughly(cost.Variant.Median, want.variant) || cost.Variant.Status != want.status {
				t.Errorf("%s: the best of %s costs %+v elsewhere, want %v %s", want.kernel, want.from, cost.Variant, want.variant, want.status)
			}
			if cost.Partition.Known != (want.partition > 0) || want.partition > 0 && !roughly(cost.Partition.Median, want.partition) {
				t.Errorf("%s: the partition of the best of %s costs %+v elsewhere, want %v", want.kernel, want.from, cost.Partition, want.partition)
			}
		}
	}
	if k := kernels["2mm"]; !k.PartitionsDiffer || kernels["atax"].PartitionsDiffer || !k.Costs[0].Variant.Differs || k.Costs[0].Variant.Low <= 1 {
		t.Errorf("2mm: %+v", k)
	}
	if len(kernels["mvt"].Costs) != 0 || len(kernels["mvt"].Bests) != 1 {
		t.Errorf("mvt: %+v", kernels["mvt"])
	}
	if c.Compared != 4 || c.Variable != 1 || c.Unsettled != 1 {
		t.Errorf("%d compared, %d variable, %d unsettled", c.Compared, c.Variable, c.Unsettled)
	}
	// The geometric means of 1.04, 1.25 and 1 and of 1.02, 1.2 and 1.
	if len(c.Means) != 2 || c.Means[0].Kernels != 3 || !roughly(c.Means[0].Ratio, math.Cbrt(1.04*1.25)) || !roughly(c.Means[1].Ratio, math.Cbrt(1.02*1.2)) {
		t.Errorf("means %+v", c.Means)
	}
}

// Who was timed once is not said to be faster than the best.
func TestRatioOfFewRounds(t *testing.T) {
	summary := func(speedup, coverage float64) *store.Summary {
		return &store.Summary{Rounds: 1, Coverage: coverage, Speedup: store.Estimate{Median: speedup, Low: speedup, High: speedup}}
	}
	trial := func(id string, s *store.Summary) *Trial {
		return &Trial{UUID: id, Variant: id, Status: store.OK, Verified: true, Summary: s}
	}
	best := trial("best", summary(2, 1))
	for want, once := range map[string]float64{"not slower than the best there, in too few rounds": 3, "about 1.25 times the best there": 1.6} {
		r := attempts{"v": trial("v", summary(once, 0))}.ratio("v", best)
		if r.Text() != want || r.Bounded || r.Differs {
			t.Errorf("%+v: %s, want %s", r, r.Text(), want)
		}
	}
}

func TestCompareText(t *testing.T) {
	c, f := comparison(t)
	var out bytes.Buffer
	if err := WriteComparison(&out, c, 100); err != nil {
		t.Fatal(err)
	}
	golden(t, "compare.txt", out.String())
	out.Reset()
	if err := WriteTransfer(&out, "gamma", TransferTo(runner.Machine{ID: "gamma", Cores: 8}, f), c.Places, 1); err != nil {
		t.Fatal(err)
	}
	golden(t, "transfer.txt", out.String())
	out.Reset()
	if err := WriteComparison(&out, Compare(gather(t, Selection{}, storetest.Open(t))), 0); err != nil || !strings.Contains(out.String(), "No kernel has results in more than one place") {
		t.Errorf("an empty database: %v\n%s", err, &out)
	}
}

func TestComparisonJSON(t *testing.T) {
	c, f := comparison(t)
	var out bytes.Buffer
	if err := ComparisonJSON(&out, c, "gamma", TransferTo(runner.Machine{}, f)); err != nil {
		t.Fatal(err)
	}
	var document struct {
		Places  []struct{ Label, Name string }
		Kernels []struct {
			Kernel string
			Best   []struct{ Place, Variant string }
			Costs  []struct {
				From, On string
				Variant  struct {
					Status string
					Ratio  *float64
				}
			}
		}
		Variability struct{ Kernels, Variable, Unknown int }
		Transfer    []struct{ Variants []struct{ Variant string } }
	}
	if err := json.Unmarshal(out.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	if len(document.Places) != 2 || document.Places[0].Name != "alpha" || len(document.Kernels) != 5 || document.Variability.Kernels != 4 {
		t.Errorf("document %s", &out)
	}
	for _, k := range document.Kernels {
		for _, cost := range k.Costs {
			if (cost.Variant.Ratio != nil) != (cost.Variant.Status == "ok") {
				t.Errorf("%s: cost %+v", k.Kernel, cost)
			}
		}
	}
	if len(document.Transfer) != 5 || document.Transfer[2].Variants[0].Variant == "" {
		t.Errorf("transfer %+v", document.Transfer)
	}
}

// Near machines weigh more; what failed comes last; what one place has not tried counts there as
// typical.
func TestTransfer(t *testing.T) {
	db := storetest.Open(t)
	session("k", "alpha", "p.a 0 0.5", "q.b 0-1 0.6", "r.c 0-1-2 1").Record(t, db)
	session("k", "beta", "p.a 0 0.3", "q.b 0-1 0.2", "s.d 0-0-1 timeout", "t.e 0-1-0 0.25").Record(t, db)
	f := gather(t, Selection{}, db)
	order := func(m runner.Machine) string {
		list := TransferTo(m, f)
		if len(list) != 1 {
			t.Fatalf("%d lists", len(list))
		}
		var names []string
		for _, a := range list[0].Variants {
			names = append(names, a.Variant)
		}
		total := 0.0
		for _, s := range list[0].Sources {
			total += s.Weight
		}
		if math.Abs(total-1) > 1e-12 {
			t.Errorf("weights add up to %v", total)
		}
		return strings.Join(names, " ")
	}
	alphaLike := runner.Machine{ID: "new", Cores: 4, Vector: runner.Vector{Bits: 256}}
	betaLike := runner.Machine{ID: "new", Cores: 16, Vector: runner.Vector{Bits: 512}}
	if got := order(alphaLike); !strings.HasPrefix(got, "p.a ") || !strings.HasSuffix(got, " s.d") {
		t.Errorf("like alpha: %s", got)
	}
	if got := order(betaLike); !strings.HasPrefix(got, "q.b ") || !strings.HasSuffix(got, " s.d") {
		t.Errorf("like beta: %s", got)
	}
	// A machine does not learn from itself.
	if list := TransferTo(runner.Machine{ID: "id of alpha"}, f); len(list) != 1 || len(list[0].Sources) != 1 || f.Places[list[0].Sources[0].Place].Label != "beta" {
		t.Errorf("for alpha: %+v", list)
	}
	if list := TransferTo(runner.Machine{ID: "id of alpha"}, gather(t, Selection{Machine: "alpha"}, db)); len(list) != 0 {
		t.Errorf("from itself: %+v", list)
	}
}

func TestDistance(t *testing.T) {
	a := runner.Machine{Cores: 4, Vector: runner.Vector{Bits: 256}, Caches: []runner.Cache{{Level: 1, Kind: "Data", Size: 32 << 10}, {Level: 1, Kind: "Instruction", Size: 1 << 20}}}
	twice := a
	twice.Cores = 8
	both := twice
	both.Vector.Bits = 512
	for _, c := range []struct {
		a, b runner.Machine
		want float64
	}{{a, a, 0}, {a, twice, 1}, {twice, a, 1}, {a, both, math.Sqrt2}, {a, runner.Machine{}, 0}} {
		if got := Distance(c.a, c.b); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("distance %v, want %v", got, c.want)
		}
	}
}
