package report

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"polytune/runner"
	"polytune/store"
	"polytune/tuner"
)

var update = flag.Bool("update", false, "write the golden files anew")

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("%s differs (go test -update writes it anew):\n%s\nwant:\n%s", name, got, want)
	}
}

func around(x float64) store.Estimate {
	return store.Estimate{Median: x, Low: x * 0.985, High: x * 1.02}
}

func timed(variant string, partition []int, seconds float64, rounds int) tuner.Row {
	certainty := store.Screened
	if rounds > 1 {
		certainty = store.Bounded
	}
	return tuner.Row{
		Variant: variant, Partition: partition, Status: store.OK, Rounds: rounds, Certainty: certainty,
		Seconds: around(seconds), Speedup: around(1.42 / seconds), Coverage: 0.99,
	}
}

// result is that of a session on 2mm.
func result() tuner.Result {
	baseline := timed("original", []int{0, 1, 2, 3}, 1.42, 12)
	baseline.Speedup = store.Estimate{Median: 1, Low: 1, High: 1}
	twin := timed("0-0-1-1.77aa0001", []int{0, 0, 1, 1}, 0.112, 12)
	twin.Twin = "0-0-1-1.77aa0000"
	r := tuner.Result{
		Kernel: "polybench/2mm", Size: "large",
		Machine:   runner.Machine{ID: "5d1f2c", CPU: "Intel(R) Xeon(R) Processor", Cores: 2},
		Toolchain: runner.Toolchain{ID: "9c41d8", Name: "gcc", Version: "12.2.0"},
		Threads:   2, Baseline: around(1.42), BaselineCertainty: store.Bounded, Recipe: "classes {S0} {S1 S2} {S3}\nparallel c0.1t\n",
		Race: tuner.Race{
			Rounds: 14, Disturbances: []tuner.Disturbance{{Round: 4, Cause: tuner.Level, Ratio: 1.082}, {Round: 9, Cause: tuner.Stolen, Ratio: 0.11}},
			Noise:     tuner.Noise{Variants: []string{"original"}, Rounds: 12, Ratio: store.Estimate{Median: 0.9973, Low: 0.992, High: 1.0004}, Certainty: store.Bounded},
			RoundTrip: tuner.Spread{Rounds: 14, Median: 92e-9, Low: 88e-9, High: 391e-9},
		},
		Warnings: []runner.Warning{{Kind: "virtual", Message: "this is a virtual machine", Advice: "wait"}},
		Verdict:  tuner.Best, Claims: tuner.Claims{Compared: 3, Slower: 3, P: 3.0 / 2048}, Legal: 16, Candidates: 64, Tried: 64, Complete: true, Elapsed: 154 * time.Second,
		Rows: []tuner.Row{
			baseline,
			timed("0-0-1-1.77aa0000", []int{0, 0, 1, 1}, 0.112, 12), twin,
			timed("0-1-1-2.3fa9c1d0", []int{0, 1, 1, 2}, 0.104, 12),
			timed("0-1-2-3.1b2c3d4e", []int{0, 1, 2, 3}, 0.1047, 12),
			timed("1-2-0-3.0a0b0c0d", []int{1, 2, 0, 3}, 0.31, 1),
			{Variant: "0-0-0-1.00112233", Partition: []int{0, 0, 0, 1}, Status: store.Timeout, Detail: "the run took more than 2s and was killed"},
			{Variant: "0-0-0-1.44556677", Partition: []int{0, 0, 0, 1}, Status: store.CompileFailed, Detail: "compile: gcc failed with exit status 1:\nvariant.c:9: error"},
		},
	}
	r.Rows[3].Setting = "tile=sizes tile.1=204 tile.2=912 registers=6x16 pack=off"
	r.Rows[5].Setting = "tile=wide vector=off"
	r.Best = r.Rows[3]
	return r
}

func tableOf(t *testing.T, r tuner.Result, width int) string {
	t.Helper()
	var out bytes.Buffer
	if err := Table(&out, r, width, true); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

// quietTable is the table for those who do not ask what timings are worth.
func quietTable(t *testing.T, r tuner.Result) string {
	t.Helper()
	var out bytes.Buffer
	if err := Table(&out, r, 0, false); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestTable(t *testing.T) {
	best := result()
	golden(t, "best.txt", tableOf(t, best, 0))
	golden(t, "narrow.txt", tableOf(t, best, 80))

	tied := result()
	tied.Verdict, tied.Rivals, tied.Recalled = tuner.Tied, []string{"0-1-2-3.1b2c3d4e"}, true
	golden(t, "tied.txt", tableOf(t, tied, 0))

	open := result()
	open.Verdict, open.Rivals, open.Further, open.Complete, open.Tried = tuner.NotSeparated, []string{"0-1-2-3.1b2c3d4e"}, 14, false, 40
	open.Rows = append(open.Rows, tuner.Row{
		Variant: "0-1-1-1.deadbeef", Partition: []int{0, 1, 1, 1}, Status: store.WrongResult,
		Detail: "at NI=7, NJ=9: wrong result: D[3][0] is 1.5, expected 1.25 (2 of 63 elements of D differ) (its source is in tune-wrong-results/polybench-2mm.0-1-1-1.deadbeef.c)",
	})
	golden(t, "not-separated.txt", tableOf(t, open, 0))
	open.Busy, open.Overhead = "cc1 uses 90% of a processor", time.Second
	golden(t, "quiet.txt", quietTable(t, open))

	original := result()
	original.Race = tuner.Race{
		RoundTrip: tuner.Spread{Rounds: 8, Median: 61e-9, Low: 60e-9, High: 64e-9}, Frequency: tuner.Spread{Rounds: 8, Median: 3.1e9, Low: 2.9e9, High: 3.104e9},
		Rounds: 8, Disturbances: original.Race.Disturbances[:1], Drift: tuner.Drift{Ratio: 1.041, Step: 7, P: 0.002},
		Noise: tuner.Noise{Variants: []string{"0-1-2-3.1b2c3d4e"}, Rounds: 7, Ratio: store.Estimate{Median: 1, Low: 0.9996, High: 1.0004}, Certainty: store.Bounded},
	}
	original.Warnings = append(original.Warnings, original.Warnings...)
	original.Rows = original.Rows[:1]
	original.Best = original.Rows[0]
	golden(t, "original.txt", tableOf(t, original, 0))
}

// What the timings are worth is for those who ask; the end says what was found, and what is next.
func TestEnding(t *testing.T) {
	t.Parallel()
	r := result()
	r.Toolchain.Flags = []string{"-O3", "-march=native"}
	var end bytes.Buffer
	if err := Ending(&end, r, []string{"tune explain", "tune emit"}); err != nil {
		t.Fatal(err)
	}
	r.Busy, r.Overhead = "cc1 uses 90% of a processor", time.Second
	unknown := r
	unknown.Best, unknown.First, unknown.Verdict, unknown.Rivals = r.Rows[0], r.Rows[3], tuner.NotSeparated, []string{r.Rows[3].Variant}
	for _, r := range []tuner.Result{r, unknown} {
		quiet, loud := quietTable(t, r), tableOf(t, r, 0)
		for _, word := range []string{"claims:", "noise:", "disturbed", "processors:", "tune machine", "timed while", "(cc1", "without a compiler", "the original"} {
			if strings.Contains(quiet, word) || !strings.Contains(loud, word) {
				t.Errorf("%q is in\n%s\nor is not in\n%s", word, quiet, loud)
			}
		}
		if !strings.Contains(quiet, BusyMark) {
			t.Errorf("nothing says that other programs were there:\n%s", quiet)
		}
	}
	if got, want := end.String(), "\n2mm: 14 times as fast as gcc -O3 (13 to 14) on this machine.\nNext: tune explain\n      tune emit\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Best = r.Rows[0]
	if got, want := Gain(r), "nothing is known to be faster than gcc -O3 on this machine"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Verdict, r.First, r.Rivals = tuner.NotSeparated, r.Rows[5], []string{r.Rows[5].Variant}
	if got, want := Gain(r), "nothing is known yet to be faster than gcc -O3 on this machine; 1-2-0-3.0a0b0c0d may be, about 4.6 times as fast in 1 round"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	r.Best = r.Rows[5]
	if got, want := Gain(r), "about 4.6 times as fast as gcc -O3 on this machine, by too few rounds for an interval"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	end.Reset()
	if err := Ending(&end, tuner.Result{}, nil); err != nil || end.Len() > 0 {
		t.Errorf("%v: %s", err, &end)
	}
}

// What a session has waited for others is told with its time, and instead of results where there
// are none.
func TestWaitingIsTold(t *testing.T) {
	t.Parallel()
	waited, none := result(), tuner.Result{Elapsed: 40 * time.Second, Waited: 39 * time.Second}
	waited.Waited = 30 * time.Second
	for want, r := range map[string]tuner.Result{
		"2m34s, 30s of it waiting for other tuners on this machine\n":         waited,
		"nothing was timed yet: 39s waiting for other tuners on this machine": none,
	} {
		if text := tableOf(t, r, 0); !strings.Contains(text, want) {
			t.Errorf("%q is not in\n%s", want, text)
		}
	}
	waited.Waited = time.Second
	if text := tableOf(t, waited, 0); strings.Contains(text, "waiting") {
		t.Errorf("a second of minutes is told:\n%s", text)
	}
}

func TestLongTableIsCut(t *testing.T) {
	r := result()
	for i := range 60 {
		r.Rows = append(r.Rows, timed(fmt.Sprintf("0-1-2-3.%08d", i), []int{0, 1, 2, 3}, 0.2+0.01*float64(i), 3))
	}
	text := tableOf(t, r, 0)
	if lines := strings.Count(text, "\n"); lines > 37 || !strings.Contains(text, "\n… and 44 more, up to 790 ms\n") || !strings.Contains(text, "baseline") {
		t.Errorf("%d lines:\n%s", lines, text)
	}
	for _, text := range []string{tableOf(t, tuner.Result{}, 0), quietTable(t, tuner.Result{})} {
		if strings.Count(text, "nothing was timed yet") != 1 {
			t.Error(text)
		}
	}
}

func TestNarrowTableFits(t *testing.T) {
	r := result()
	classes := make([]int, 30)
	for i := range classes {
		classes[i] = i / 2
	}
	r.Rows = append(r.Rows, timed("0-1.1", classes, 0.2, 3))
	table, _, _ := strings.Cut(tableOf(t, r, 100), "\n\nnot timed")
	for _, line := range strings.Split(table, "\n") {
		if utf8.RuneCountInString(line) > 100 {
			t.Errorf("%d characters: %s", utf8.RuneCountInString(line), line)
		}
	}
}

// What cannot be found out of the processors is said once, or not at all.
func TestProcessorsText(t *testing.T) {
	for want, state := range map[string]runner.State{
		"": {},
		"a cache line takes 46 ns between processors and back; the system does not tell the clock's frequency": {RoundTrip: 46e-9},
		"the clock runs at 2.10 GHz": {Frequency: 2.1e9},
		"a cache line takes 230 ns between processors and back; the clock runs at 3.50 GHz": {RoundTrip: 230e-9, Frequency: 3.5e9},
	} {
		if got := ProcessorsText(state); got != want {
			t.Errorf("%+v: %q, want %q", state, got, want)
		}
	}
}

func TestJSON(t *testing.T) {
	r := result()
	var out bytes.Buffer
	if err := JSON(&out, r); err != nil {
		t.Fatal(err)
	}
	golden(t, "best.json", out.String())

	contract := `{"kernel":"2mm","size":"large","machine":{"id":"…","cpu":"…","cores":2},"toolchain":{"id":"…","name":"gcc","version":"12.2.0"},
     "baseline":{"seconds":{"median":0,"low":0,"high":0}},
     "best":{"variant":"…","partition":[0,1,1,2],"how":"…","recipe":"…","seconds":{"median":0,"low":0,"high":0},
             "speedup":{"median":0,"low":0,"high":0}},
     "verdict":"best","tied":["…"],
     "space":{"legal":16,"variants":64,"tried":64},
     "trials":{"ok":60,"compile-failed":0,"wrong-result":0,"timeout":4},
     "claims":{"compared":3,"slower":3,"p":0},
     "noise":{"variants":["original"],"rounds":12,"ratio":{"median":0,"low":0,"high":0}},
     "race":{"rounds":14,"disturbed":[{"round":1,"cause":"level","ratio":0}],"round_trip":{"median":0,"low":0,"high":0}},"warnings":["virtual"],"unfinished":false,"busy":""}`
	if got, want := shape(t, out.Bytes()), shape(t, []byte(contract)); !reflect.DeepEqual(got, want) {
		t.Errorf("fields\n%v\nwant\n%v", got, want)
	}
	out.Reset()
	if err := JSON(&out, tuner.Result{}); err != nil || !strings.Contains(out.String(), `"partition":[]`) || !strings.Contains(out.String(), `"tied":[]`) {
		t.Errorf("%v: %s", err, out.String())
	}
}

// shape is a JSON document with the kinds of its values in their place.
func shape(t *testing.T, text []byte) any {
	t.Helper()
	var document any
	if err := json.Unmarshal(text, &document); err != nil {
		t.Fatal(err)
	}
	return kinds(document)
}

func kinds(value any) any {
	if object, is := value.(map[string]any); is {
		fields := map[string]any{}
		for name, v := range object {
			fields[name] = kinds(v)
		}
		return fields
	}
	return fmt.Sprintf("%T", value)
}

func TestFormats(t *testing.T) {
	for seconds, want := range map[float64]string{
		1.4249: "1.42 s", 123.4: "123 s", 0.10449: "104 ms", 0.0009996: "1.00 ms", 12.34e-6: "12.3 µs", 5e-9: "5.00 ns", 0.9999: "1.00 s", 2345: "2345 s",
	} {
		if got := Seconds(seconds); got != want {
			t.Errorf("%v seconds: %q, want %q", seconds, got, want)
		}
	}
	for text, classes := range map[string][]int{"{S0} {S1 S2} {S3}": {0, 1, 1, 2}, "{S2} {S0} {S1}": {1, 2, 0}, "{S0 S1}": {0, 0}} {
		if got := Partition(classes); got != text {
			t.Errorf("partition %v: %q, want %q", classes, got, text)
		}
	}
	for d, want := range map[time.Duration]string{45 * time.Second: "45s", 200 * time.Second: "3m20s", 125 * time.Minute: "2h05m", 0: "0s"} {
		if got := Duration(d); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
	for _, test := range []struct {
		ratio     store.Estimate
		certainty store.Certainty
		want      string
	}{
		{store.Estimate{Median: 4.2, Low: 4.1, High: 4.3}, store.Bounded, "4.20x [4.10, 4.30]"},
		{store.Estimate{Median: 4.2, Low: 4.2, High: 4.2}, store.Screened, "about 4.20x"},
		{store.Estimate{Median: 4.2, Low: 4.1, High: 4.3}, store.Raced, "about 4.20x"},
		{store.Estimate{Median: 4.2, Low: 4.1, High: 4.3}, store.Faster, "4.20x [4.10, 4.30]"},
		// The original was timed once.
		{store.Estimate{Median: 448.8, Low: 448.8, High: 448.8}, store.Raced, "about 448.80x"},
		{store.Estimate{Median: 1, Low: 1, High: 1}, store.Bounded, "1.00x [1.00, 1.00]"},
		// Slow variants differ, too.
		{store.Estimate{Median: 0.0029, Low: 0.00284, High: 0.0031}, store.Bounded, "0.0029x [0.0028, 0.0031]"},
		{store.Estimate{Median: 0.099, Low: 0.099, High: 0.099}, store.Screened, "about 0.099x"},
		{store.Estimate{Median: 0.1, Low: 0.01, High: 0.11}, store.Bounded, "0.10x [0.010, 0.11]"},
		{store.Estimate{}, store.Screened, "about 0.00x"},
	} {
		if got := Speedup(test.ratio, test.certainty); got != test.want {
			t.Errorf("%v of certainty %d: %q, want %q", test.ratio, test.certainty, got, test.want)
		}
	}
}

// events are those of a short session, with the seconds at which they come.
var events = []tuner.Event{
	{Phase: tuner.Preparing, Total: 64, Left: -1},
	{Phase: tuner.Building, Total: 64, Elapsed: 3 * time.Second, Left: -1},
	{Phase: tuner.Building, Done: 1, Total: 64, Elapsed: 4 * time.Second, Left: 150 * time.Second},
	{Phase: tuner.Screening, Done: 9, Total: 64, Elapsed: 14 * time.Second, Left: 100 * time.Second, Best: "0-1-1-2.3fa9c1d0", Seconds: 0.104, Speedup: 13.65},
	{Phase: tuner.Screening, Done: 10, Total: 64, Elapsed: 15 * time.Second, Left: 100 * time.Second, Message: "WRONG RESULT of variant 0-1-1-1.deadbeef: D[3][0] is 1.5, expected 1.25"},
	{Phase: tuner.Racing, Round: 2, Contenders: 24, Total: 64, Done: 64, Elapsed: 80 * time.Second, Left: 55 * time.Second, Best: "0-1-1-2.3fa9c1d0", Seconds: 0.104, Speedup: 13.65,
		Trials: map[store.Status]int{store.OK: 2, store.Timeout: 3, store.Crashed: 1, store.WrongResult: 1}},
	{Phase: tuner.Finished, Elapsed: 150 * time.Second},
}

func show(p *Progress) {
	start := time.Unix(1e9, 0)
	for _, e := range events {
		p.now = func() time.Time { return start.Add(e.Elapsed) }
		p.Update(e)
	}
	p.Close()
}

func TestProgress(t *testing.T) {
	var plain, live bytes.Buffer
	show(&Progress{out: &plain})
	golden(t, "progress.txt", plain.String())
	show(&Progress{out: &live, width: func() int { return 60 }})
	golden(t, "live.txt", strings.ReplaceAll(strings.ReplaceAll(live.String(), "\x1b[K", "<clear>"), "\r", "<return>\n"))
	for _, line := range strings.Split(live.String(), "\r") {
		if line, _, _ := strings.Cut(line, "\x1b"); utf8.RuneCountInString(line) >= 60 {
			t.Errorf("too long for the terminal: %q", line)
		}
	}
}

// Columns stay in line whatever letters names have: some take two places of a terminal, accents none.
func TestWideNames(t *testing.T) {
	t.Parallel()
	cells := [][]string{{"name", "time", "note"}, {"行列積", "1 ms", "x"}, {"a\u0301bc", "12 ms", "y"}, {"µs", "1 s", "z"}}
	want := []string{"name     time  note", "行列積   1 ms  x", "a\u0301bc     12 ms  y", "µs        1 s  z"}
	if got := align(cells, 1); !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	for width, want := range map[int]string{0: "行列積", 6: "行列積", 5: "行列…", 4: "行…", 3: "行…", 1: "…"} {
		if got := cut("行列積", width); got != want {
			t.Errorf("cut to %d: %q, want %q", width, got, want)
		}
	}
}
