package tuner

import (
	"context"
	"errors"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"polytune/internal/kerneltest"
	"polytune/store"
	"polytune/tuner/search"
)

// searchRequest has a space of 24 points around three sources, of which one is
// broken, with many texts of the same program.
func searchRequest(t *testing.T, g *generator, plan search.Plan) Request {
	t.Helper()
	r := request(t, g)
	r.Candidates = []Candidate{{Partition: []int{0, 0}, Axis: "blocked"}, {Partition: []int{0, 1}, Axis: "blocked"}}
	var points []search.Outcome
	for _, partition := range [][]int{{0, 0}, {0, 1}} {
		for _, source := range []string{"blocked", "backward", "broken"} {
			for _, more := range []string{"", "/a=1", "/a=2", "/a=3"} {
				points = append(points, search.Outcome{Point: search.Point{Partition: partition, Setting: source + more}})
			}
		}
	}
	r.Space, r.Plan = search.NewRecord(points, nil, nil), plan
	return r
}

var climbing = search.Plan{Strategy: "climb", Seed: 1, Batch: 4, Limit: 12}

// expectReplay searches once more with the outcomes that the store has, and wants
// the same batches.
func expectReplay(t *testing.T, r Request) {
	t.Helper()
	rows, err := r.Store.Recorded(t.Context(), store.RecordedQuery{Kernel: r.KernelID, Size: r.Size})
	if err != nil {
		t.Fatal(err)
	}
	all, err := Outcomes(rows)
	if err != nil {
		t.Fatal(err)
	}
	batches, outcomes := map[int][]string{}, map[string]search.Outcome{}
	for k, o := range all {
		batches[rows[k].Batch] = append(batches[rows[k].Batch], o.String())
		outcomes[o.String()] = o
	}
	again, err := search.New(r.Space, r.Plan)
	if err != nil {
		t.Fatal(err)
	}
	var last []search.Outcome
	for _, c := range r.Candidates {
		last = append(last, outcomes[(search.Point{Partition: c.Partition, Setting: c.Axis}).String()])
	}
	for number := 1; ; number++ {
		before := last
		points, err := again.Next(t.Context(), last)
		if err != nil {
			t.Fatal(err)
		}
		last = nil
		var texts []string
		for _, p := range points {
			texts = append(texts, p.String())
			last = append(last, outcomes[p.String()])
		}
		slices.Sort(texts)
		slices.Sort(batches[number])
		if !slices.Equal(texts, batches[number]) {
			t.Fatalf("batch %d is %q, and %q by the outcomes in the store, of which the last are %+v", number, batches[number], texts, before)
		}
		if len(points) == 0 {
			return
		}
	}
}

func TestSearch(t *testing.T) {
	g := &generator{}
	r := searchRequest(t, g, climbing)
	result, err := Tune(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if result.Tried != 14 || result.Candidates != 14 || !result.Complete {
		t.Errorf("tried %d of %d, complete %v", result.Tried, result.Candidates, result.Complete)
	}
	expectReplay(t, r)
	calls := g.calls.Load()
	second, err := Tune(t.Context(), r)
	if err != nil || !second.Recalled || second.Tried != 14 || second.Recipe != result.Recipe || g.calls.Load() != calls {
		t.Errorf("recalled %v, tried %d, recipe %q, %d more calls, %v", second.Recalled, second.Tried, second.Recipe, g.calls.Load()-calls, err)
	}
	for name, other := range map[string]func(*Request){
		"strategy":      func(r *Request) { r.Plan.Strategy = "random" },
		"seed":          func(r *Request) { r.Plan.Seed++ },
		"limit":         func(r *Request) { r.Plan.Limit++ },
		"no space":      func(r *Request) { r.Space = nil },
		"tolerance":     func(r *Request) { r.Settings.Verification.Tolerance *= 2 },
		"limit of time": func(r *Request) { r.Settings.Limits.RunMaxSeconds++ },
	} {
		changed := r
		other(&changed)
		a, errA := newSession(&r)
		b, errB := newSession(&changed)
		if errA != nil || errB != nil || string(a.key.Settings) == string(b.key.Settings) {
			t.Errorf("another %s is the same piece of work (%v, %v)", name, errA, errB)
		}
	}
	r.Plan.Strategy = "magic"
	if _, err := Tune(t.Context(), r); !errors.As(err, new(*search.UnknownStrategyError)) {
		t.Errorf("error %v", err)
	}
}

// However often a session is interrupted, it tries what an undisturbed one would have
// tried with the same timings, each candidate once. The short test interrupts it half as often.
func TestInterruptedSearch(t *testing.T) {
	step, races := 4, 6
	if kerneltest.Long() {
		step, races = 2, 12
	}
	r := searchRequest(t, &generator{}, climbing)
	interruptions := 0
	for k := range 40 {
		ctx, cancel := context.WithCancel(t.Context())
		events := 0
		r.Progress = func(e Event) {
			if events++; events == 4+step*k || e.Phase == Racing && k < races {
				cancel()
			}
		}
		_, err := Tune(ctx, r)
		cancel()
		if err == nil {
			break
		}
		interruptions++
		if !errors.Is(err, ErrInterrupted) {
			t.Fatal(err)
		}
	}
	r.Progress = nil
	result, err := Tune(t.Context(), r)
	if err != nil || result.Tried != 14 || !result.Complete || interruptions < 5 {
		t.Fatalf("tried %d, complete %v after %d interruptions, %v", result.Tried, result.Complete, interruptions, err)
	}
	expectReplay(t, r)
	trials, err := r.Store.Trials(t.Context(), mustKeyOf(t, r))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, trial := range trials {
		if seen[trial.Variant] {
			t.Errorf("variant %s has two trials", trial.Variant)
		}
		seen[trial.Variant] = true
	}
}

func mustKeyOf(t *testing.T, r Request) store.SessionKey {
	t.Helper()
	s, err := newSession(&r)
	if err != nil {
		t.Fatal(err)
	}
	return s.key
}

// What a resumed session knows from the store it does not generate again, and it
// knows which programs have been timed.
func TestResumedSessionKnowsPrograms(t *testing.T) {
	g := &generator{}
	r := request(t, g, "blocked", "broken", "blocked/a", "backward")
	ctx, cancel := context.WithCancel(t.Context())
	r.Progress = func(e Event) {
		if e.Done >= 2 {
			cancel()
		}
	}
	if _, err := Tune(ctx, r); !errors.Is(err, ErrInterrupted) {
		t.Fatal(err)
	}
	generated := map[string]bool{}
	g.at = func(axis string) { generated[axis] = true }
	r.Progress = nil
	session, found, err := r.Store.FindSession(t.Context(), mustKeyOf(t, r))
	if err != nil || !found {
		t.Fatal(found, err)
	}
	known, err := r.Store.Candidates(t.Context(), session.UUID)
	if err != nil || len(known) < 2 {
		t.Fatalf("%d candidates in the store, %v", len(known), err)
	}
	result, err := Tune(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	if generated["broken"] {
		t.Error("a candidate that had failed was generated again")
	}
	twins := 0
	for _, row := range result.Rows {
		if row.Twin != "" {
			twins++
		}
	}
	if twins != 1 {
		t.Errorf("%d twins, want one: %+v", twins, result.Rows)
	}
}

// manyPoints is a request with so many candidates that nothing can be made of but
// a few.
func manyPoints(t *testing.T, count int) Request {
	t.Helper()
	r := request(t, &generator{})
	for k := range count {
		axis := fmt.Sprintf("illegal/%d", k)
		if k%(count/4) == 0 {
			axis = fmt.Sprintf("blocked/%d", k)
		}
		r.Candidates = append(r.Candidates, Candidate{Partition: []int{0, k}, Axis: axis})
	}
	r.Generator = failing{r.Generator}
	return r
}

// failing makes recipes of some length that are not legal.
type failing struct{ Generator }

func (f failing) Generate(ctx context.Context, c Candidate) (Generated, error) {
	if strings.HasPrefix(c.Axis, "illegal") {
		return Generated{}, &IllegalError{Recipe: c.Axis + strings.Repeat("# a line of the recipe\n", 100), Err: errors.New(strings.Repeat("why ", 1000))}
	}
	return f.Generator.Generate(ctx, c)
}

// Ten thousand candidates need little memory: neither sources nor recipes are kept.
func TestMemoryOfManyCandidates(t *testing.T) {
	count := 100
	if os.Getenv("POLYTUNE_LONG") != "" {
		count = 10_000
	}
	r := manyPoints(t, count)
	most := uint64(0)
	r.Progress = func(e Event) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		most = max(most, m.Sys)
	}
	start := time.Now()
	result, err := Tune(t.Context(), r)
	if err != nil || result.Tried != count {
		t.Fatalf("tried %d of %d, %v", result.Tried, count, err)
	}
	t.Logf("%d candidates in %v, %v of it neither compiler nor program, %d MiB", count, time.Since(start), result.Overhead, most>>20)
	if most > 500<<20 {
		t.Errorf("%d candidates take %d MiB", count, most>>20)
	}
}

// Two tuners that share a search try the same batches, each candidate once between
// them, and give the same answer.
func TestTwoTunersShareASearch(t *testing.T) {
	first := searchRequest(t, &generator{}, climbing)
	second := sameWork(t, first)
	type answer struct {
		result Result
		err    error
	}
	answers := make(chan answer, 2)
	for _, r := range []Request{first, second} {
		go func() {
			result, err := Tune(context.Background(), r)
			answers <- answer{result, err}
		}()
	}
	a, b := <-answers, <-answers
	if a.err != nil || b.err != nil {
		t.Fatal(a.err, b.err)
	}
	if a.result.Tried != 14 || b.result.Tried != 14 || a.result.Best.Variant != b.result.Best.Variant {
		t.Errorf("tried %d and %d, best %s and %s", a.result.Tried, b.result.Tried, a.result.Best.Variant, b.result.Best.Variant)
	}
	expectReplay(t, first)
	trials, err := first.Store.Trials(t.Context(), mustKeyOf(t, first))
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for _, trial := range trials {
		if seen[trial.Variant] {
			t.Errorf("variant %s has two trials", trial.Variant)
		}
		seen[trial.Variant] = true
	}
}

// A search learns nothing of what is set aside, whichever compiler has built it.
func TestAside(t *testing.T) {
	s := &session{request: &Request{Aside: []string{"loops=source"}}}
	for axis, want := range map[string]bool{
		"loops=source": true, CompilerSetting("clang", "loops=source"): true,
		"": false, "loops=model": false, CompilerSetting("clang", ""): false, "loops=source tile=wide": false,
	} {
		if got := s.isAside(axis); got != want {
			t.Errorf("%q is set aside: %v", axis, got)
		}
	}
}
