package report

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"slices"
	"strings"
	"testing"

	"polytune/internal/storetest"
	"polytune/store"
	"polytune/tuner"
)

const indifference = 0.01

// twoMM is a session on 2mm in which b is the best, c as fast, and others failed.
var twoMM = storetest.Session{
	Kernel: "polybench/2mm", Size: "large", Machine: "alpha",
	Variants: []storetest.Variant{
		{ID: "0-0-1-1.a", Partition: "0-0-1-1", Seconds: 0.5, Recipe: "tile c0.1 c0.2 by 32 64\ntile c0.1t by 4"},
		{ID: "0-1-1-2.b", Partition: "0-1-1-2", Seconds: 0.25},
		{ID: "0-1-2-3.c", Partition: "0-1-2-3", Seconds: 0.2505},
		{ID: "0-1-2-3.d", Partition: "0-1-2-3", Seconds: 0.1, Rounds: 1},
		{ID: "0-0-0-1.w", Partition: "0-0-0-1", Status: store.WrongResult, Detail: "D[3][0] is 1.5, expected 1.25\nmore"},
		{ID: "0-0-0-1.t", Partition: "0-0-0-1", Status: store.Timeout, Detail: "the run took more than 2s"},
	},
}

func gather(t *testing.T, s Selection, databases ...*store.Store) *Findings {
	t.Helper()
	f, err := Gather(t.Context(), s, indifference, databases...)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestGather(t *testing.T) {
	db := storetest.Open(t)
	twoMM.Record(t, db)
	f := gather(t, Selection{}, db)
	if len(f.Cells) != 1 || len(f.Places) != 1 || f.Places[0].Label != "alpha" {
		t.Fatalf("findings %+v", f)
	}
	c := f.Cells[0]
	if c.Name() != "polybench/2mm" || len(c.Trials) != 7 || len(c.Sessions) != 1 {
		t.Errorf("cell %s with %d trials of %d sessions", c.Name(), len(c.Trials), len(c.Sessions))
	}
	if c.Best == nil || c.Best.Variant != "0-1-1-2.b" || !slices.Equal(c.Best.Partition, []int{0, 1, 1, 2}) {
		t.Fatalf("best %+v", c.Best)
	}
	if c.Baseline == nil || c.Baseline.Variant != store.Original || c.Baseline.Summary.Speedup.Median != 1 {
		t.Errorf("baseline %+v", c.Baseline)
	}
	if c.Verdict.Verdict != tuner.Tied || !slices.Equal(c.Verdict.Rivals, []string{"0-1-2-3.c"}) || c.VerdictWords() != "tied with 1 other" {
		t.Errorf("verdict %+v: %s", c.Verdict, c.VerdictWords())
	}
	if got := TrialsText(c.Counts("")); got != "4 ok, 1 wrong-result, 1 timeout" {
		t.Errorf("trials: %s", got)
	}
	if tiles := c.Trials[1].Tiles; len(tiles) != 2 || tiles["c0.1"] != 32 || tiles["c0.2"] != 64 {
		t.Errorf("tiles of %s: %v", c.Trials[1].Variant, tiles)
	}
	if detail := c.Trials[5].Detail; detail != "D[3][0] is 1.5, expected 1.25" {
		t.Errorf("detail %q", detail)
	}
}

func TestVerdictWords(t *testing.T) {
	for want, variants := range map[string][]storetest.Variant{
		"nothing is faster":  {{ID: "0.a", Partition: "0", Seconds: 2}},
		"best":               {{ID: "0.a", Partition: "0", Seconds: 0.5}, {ID: "0.b", Partition: "0", Seconds: 0.6}},
		"tied with 2 others": {{ID: "0.a", Partition: "0", Seconds: 0.5}, {ID: "0.b", Partition: "0", Seconds: 0.5}, {ID: "0.c", Partition: "0", Seconds: 0.5}},
	} {
		db := storetest.Open(t)
		storetest.Session{Kernel: "k", Size: "s", Machine: "m", Variants: variants}.Record(t, db)
		if got := gather(t, Selection{}, db).Cells[0].VerdictWords(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
	few := Cell{Trials: make([]Trial, 1), Best: &Trial{Variant: "0.a", Summary: &store.Summary{Rounds: 1}}}
	open := Cell{Best: &Trial{Variant: "0.a", Summary: &store.Summary{Coverage: 1}}, Verdict: tuner.Judgement{Verdict: tuner.NotSeparated, Rivals: []string{"x"}}}
	alone := open
	alone.Verdict.Rivals = nil
	if got := alone.VerdictWords(); got != "too few rounds to tell" {
		t.Errorf("without rivals: %q", got)
	}
	for want, c := range map[string]Cell{"too few rounds to tell": few, "not separated from 1 other": open, "nothing timed yet": {Trials: make([]Trial, 1)}, "nothing tried": {}} {
		if got := c.VerdictWords(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// A verdict tells who was never compared, and that rounds are missing.
func TestVerdictText(t *testing.T) {
	result := tuner.Result{Best: tuner.Row{Variant: "0.a", Rounds: 9, Certainty: store.Faster, Speedup: store.Estimate{Median: 2, Low: 2, High: 2}}, Complete: true}
	for _, c := range []struct {
		verdict         tuner.Verdict
		rivals          []string
		behind, further int
		want            []string
	}{
		{tuner.Best, nil, 0, 0, []string{"best: 0.a"}},
		{tuner.Best, nil, 1, 0, []string{"best: 0.a", "; 1 other behind in the few timings that they had"}},
		{tuner.Tied, []string{"0.b"}, 7, 0, []string{"tied: 0.a", "as fast: 0.b; 7 others behind"}},
		{tuner.NotSeparated, nil, 3, 6, []string{"too few rounds to tell: first is 0.a", "; about 6 more rounds would tell"}},
		{tuner.NotSeparated, []string{"0.b"}, 0, 0, []string{"not separated: first is 0.a", "perhaps as fast or faster: 0.b"}},
	} {
		result.Verdict, result.Rivals, result.Behind, result.Further = c.verdict, c.rivals, c.behind, c.further
		text := VerdictText(result)
		for _, want := range c.want {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %q", text, want)
			}
		}
		if (c.behind == 0 || c.verdict == tuner.NotSeparated) && strings.Contains(text, "behind") {
			t.Errorf("%s tells of who is behind", text)
		}
	}
}

// An interval above 1 that is no claim says why; one that is no interval of rounds has nothing to
// say.
func TestBeyondInterval(t *testing.T) {
	for _, c := range []struct {
		low       float64
		certainty store.Certainty
		want      bool
	}{{1.2, store.Bounded, true}, {0.9, store.Bounded, false}, {1.2, store.Raced, false}} {
		r := tuner.Result{Best: tuner.Row{Variant: store.Original}, First: tuner.Row{Variant: "0.a", Certainty: c.certainty, Speedup: store.Estimate{Median: 2, Low: c.low, High: 3}},
			Rivals: []string{"0.a"}, Verdict: tuner.NotSeparated, Complete: true}
		if text := VerdictText(r); strings.Contains(text, "an interval holds for one look") != c.want {
			t.Errorf("%+v: %s", c, text)
		}
	}
}

// What two databases have in common counts once, and the order does not matter.
func TestGatherUnites(t *testing.T) {
	one, two := storetest.Open(t), storetest.Open(t)
	twoMM.Record(t, one)
	beta := twoMM
	beta.Machine = "beta"
	beta.Record(t, two)
	text := func(databases ...*store.Store) string {
		var out bytes.Buffer
		f := gather(t, Selection{}, databases...)
		if err := Markdown(&out, f); err != nil {
			t.Fatal(err)
		}
		return out.String()
	}
	want := text(one, two)
	for name, got := range map[string]string{"turned": text(two, one), "repeated": text(one, two, one, two)} {
		if got != want {
			t.Errorf("%s:\n%s\nwant:\n%s", name, got, want)
		}
	}
	f := gather(t, Selection{}, one, two, one)
	if len(f.Cells) != 2 || len(f.Cells[0].Trials) != 7 || len(f.Cells[0].Sessions) != 1 || len(f.Machines) != 2 {
		t.Errorf("%d cells, the first with %d trials", len(f.Cells), len(f.Cells[0].Trials))
	}
}

func TestSelection(t *testing.T) {
	db := storetest.Open(t)
	twoMM.Record(t, db)
	for _, s := range []storetest.Session{
		{Kernel: "polybench/gemm", Size: "mini", Machine: "alpha"}, {Kernel: "gemm", Size: "mini", Machine: "beta"},
		{Kernel: "gemm", KernelID: "another source", Size: "mini", Machine: "beta"},
	} {
		s.Record(t, db)
	}
	for want, selection := range map[int]Selection{
		4: {}, 3: {Kernel: "gemm"}, 1: {Kernel: "polybench/gemm"}, 2: {Machine: "id of beta"}, 0: {Kernel: "mm"},
	} {
		if f := gather(t, selection, db); len(f.Cells) != want || len(f.Kernels) != 3 {
			t.Errorf("%+v: %d cells, want %d; kernels %v", selection, len(f.Cells), want, f.Kernels)
		}
	}
	f := gather(t, Selection{KernelIDs: []string{"another source"}}, db)
	if len(f.Cells) != 1 || f.Cells[0].Name() != "gemm" {
		t.Errorf("by source: %+v", f.Cells)
	}
	versions := gather(t, Selection{Kernel: "gemm", Machine: "beta"}, db)
	if len(versions.Cells) != 2 || versions.Cells[0].Name() != "gemm (source another )" {
		t.Errorf("versions are called %q", versions.Cells[0].Name())
	}
	if !(Selection{}).All() || (Selection{Size: "mini"}).All() {
		t.Error("All")
	}
}

func TestLabels(t *testing.T) {
	place := func(id, name, compiler string) Place {
		return Place{Machine: Machine{Machine: store.Machine{ID: id, Name: name}}, Toolchain: Toolchain{Toolchain: store.Toolchain{ID: "id of " + compiler, Name: compiler, Version: "12"}}}
	}
	for want, places := range map[string][]Place{
		"alpha|beta": {place("1", "alpha", "gcc"), place("2", "beta", "gcc")},
		"alpha, gcc 12|alpha, clang 12|0815, gcc 12":        {place("1", "alpha", "gcc"), place("1", "alpha", "clang"), place("0815", "", "gcc")},
		"alpha 1, gcc 12 id of gc|alpha 2, gcc 12 id of gc": {place("1", "alpha", "gcc"), place("2", "alpha", "gcc")},
	} {
		label(places)
		var labels []string
		for _, p := range places {
			labels = append(labels, p.Label)
		}
		if got := strings.Join(labels, "|"); got != want {
			t.Errorf("labels %s, want %s", got, want)
		}
	}
}

func TestMarkdown(t *testing.T) {
	db := storetest.Open(t)
	twoMM.Record(t, db)
	storetest.Session{Kernel: "my|file <b>", Size: "N=7", Machine: "alpha", Variants: []storetest.Variant{{ID: "0.a", Partition: "0", Seconds: 4}}}.Record(t, db)
	storetest.Session{Kernel: "polybench/failing", Size: "large", Machine: "beta",
		Variants: []storetest.Variant{{ID: "0.a", Partition: "0", Status: store.Crashed}}}.Record(t, db)
	var out bytes.Buffer
	if err := Markdown(&out, gather(t, Selection{}, db)); err != nil {
		t.Fatal(err)
	}
	golden(t, "summary.md", out.String())
	out.Reset()
	if err := Markdown(&out, gather(t, Selection{}, storetest.Open(t))); err != nil || !strings.Contains(out.String(), "Nothing has been tuned.") {
		t.Errorf("an empty database: %v\n%s", err, &out)
	}
}

// What CSV has is what the store has, whatever the texts.
func TestCSV(t *testing.T) {
	db := storetest.Open(t)
	session := twoMM
	session.Kernel, session.Size = "a \"quoted\", name\nof two lines", "N=1,M=2"
	uuid := session.Record(t, db)
	var out bytes.Buffer
	if err := CSV(t.Context(), &out, Selection{}, db); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != 8 || !slices.Equal(rows[0], csvColumns) {
		t.Fatalf("%d rows, head %q", len(rows), rows[0])
	}
	column := func(row []string, name string) string { return row[slices.Index(csvColumns, name)] }
	bests := 0
	for i, row := range rows[1:] {
		if column(row, "session") != uuid || column(row, "kernel") != session.Kernel || column(row, "size") != session.Size || column(row, "machine") != "alpha" {
			t.Errorf("row %q", row)
		}
		if i > 0 && column(row, "variant") != session.Variants[i-1].ID {
			t.Errorf("row %d is about %s", i, column(row, "variant"))
		}
		if column(row, "best") == "true" {
			bests++
		}
	}
	a, w := rows[2], rows[6]
	if column(a, "recipe") != twoMM.Variants[0].Recipe || column(a, "rounds") != "10" || column(a, "status") != "ok" {
		t.Errorf("row %q", a)
	}
	if seconds := column(a, "seconds"); !strings.HasPrefix(seconds, "0.50") && !strings.HasPrefix(seconds, "0.49") {
		t.Errorf("seconds %s", seconds)
	}
	if column(w, "status") != "wrong-result" || column(w, "seconds") != "" || column(w, "verified") != "false" || !strings.Contains(column(w, "detail"), "\nmore") {
		t.Errorf("row %q", w)
	}
	if bests != 1 {
		t.Errorf("%d rows are best", bests)
	}
	out.Reset()
	if err := CSV(t.Context(), &out, Selection{Kernel: "other"}, db); err != nil || strings.Count(out.String(), "\n") != 1 {
		t.Errorf("nothing selected: %v\n%s", err, &out)
	}
}

// The best of a report is that of the store's view.
func TestBestIsThatOfTheStore(t *testing.T) {
	db := storetest.Open(t)
	for i := range 12 {
		session := storetest.Session{Kernel: fmt.Sprintf("k%d", i%3), Size: []string{"small", "large"}[i%2], Machine: []string{"alpha", "beta"}[i/6], Settings: []byte(fmt.Sprintf(`{"effort":%d}`, i))}
		for v := range 5 {
			session.Variants = append(session.Variants, storetest.Variant{ID: fmt.Sprintf("0-1.%d", v), Partition: "0-1", Seconds: 0.2 + 0.1*float64((v*7+i*3)%11), Rounds: 1 + (v+i)%3*5})
		}
		session.Record(t, db)
	}
	best, err := db.Best(t.Context(), store.BestQuery{})
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]bool{}
	for _, b := range best {
		want[b.Trial] = true
	}
	f := gather(t, Selection{}, db)
	for _, c := range f.Cells {
		if c.Best == nil || !want[c.Best.UUID] {
			t.Errorf("%s %s: best %+v is not that of the store", c.Name(), c.Size, c.Best)
		}
		for i := range c.Trials {
			if trial := &c.Trials[i]; trial.Timed() && ByRank(trial, c.Best) < 0 {
				t.Errorf("%s: %s ranks before the best %s", c.Name(), trial.Variant, c.Best.Variant)
			}
		}
	}
	if len(f.Cells) != len(best) {
		t.Errorf("%d cells, %d bests", len(f.Cells), len(best))
	}
}

// In a session of several compilers the best may be of any of them, also where another
// session, with that compiler's original for the baseline, is better.
func TestBestOfSeveralCompilers(t *testing.T) {
	db := storetest.Open(t)
	a := storetest.Variant{ID: "0-1.a", Partition: "0-1", Recipe: "fuse", Seconds: 0.5}
	byClang := storetest.Variant{ID: store.BuiltBy(a.ID, "clang"), Partition: "0-1", Recipe: "fuse", Compiler: "clang", Seconds: 0.25}
	original := storetest.Variant{ID: store.BuiltBy(store.Original, "clang"), Compiler: "clang", Seconds: 0.9}
	storetest.Session{Kernel: "k", Size: "large", Machine: "alpha", Variants: []storetest.Variant{a, byClang, original}}.Record(t, db)
	for _, better := range []bool{false, true} {
		if better {
			storetest.Session{Kernel: "k", Size: "large", Machine: "alpha", Compiler: "clang", Variants: []storetest.Variant{{ID: a.ID, Partition: "0-1", Recipe: "fuse", Seconds: 0.1}}}.Record(t, db)
		}
		f := gather(t, Selection{}, db)
		for _, c := range f.Cells {
			want := map[string]string{"id of gcc": byClang.ID, "id of clang": a.ID}[c.toolchain]
			if c.Best == nil || c.Best.Variant != want || c.Verdict.Winner != want || c.Baseline == nil || c.Baseline.Variant != store.Original {
				t.Errorf("%s: best %+v, the verdict's %s, baseline %+v; want %s", c.toolchain, c.Best, c.Verdict.Winner, c.Baseline, want)
			}
		}
		if len(f.Cells) != 1+map[bool]int{true: 1}[better] {
			t.Errorf("%d cells", len(f.Cells))
		}
	}
	var out bytes.Buffer
	if err := CSV(t.Context(), &out, Selection{}, db); err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(&out).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	column := func(row []string, name string) string { return row[slices.Index(csvColumns, name)] }
	for _, row := range rows[1:] {
		_, compiler := store.SplitVariant(column(row, "variant"))
		if compiler != "" && (column(row, "toolchain") != "clang 19.1.7" || column(row, "toolchain_id") != "id of clang") {
			t.Errorf("row %q", row)
		}
	}
	if text := VariantPartition(original.ID, nil); text != "as written" {
		t.Errorf("the original by clang is drawn as %q", text)
	}
}
