package page

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"polytune/internal/storetest"
	"polytune/report"
	"polytune/store"
)

var update = flag.Bool("update", false, "write the golden files anew")

var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// pageOf makes the page of databases and checks its form: well-formed, as the template is written
// as XML, with nothing from a network.
func pageOf(t *testing.T, databases ...*store.Store) string {
	t.Helper()
	f, err := report.Gather(t.Context(), report.Selection{}, 0.01, databases...)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := Write(&out, f, noon); err != nil {
		t.Fatal(err)
	}
	text := out.String()
	decoder := xml.NewDecoder(strings.NewReader(text))
	for {
		_, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
	}
	for _, bad := range []string{"http:", "https:", "src=", "@import", "url(", "NaN", "ZgotmplZ"} {
		if strings.Contains(text, bad) {
			t.Errorf("the page has %q", bad)
		}
	}
	return text
}

// structure are the words of the page without its figures and styles, one element a line.
func structure(text string) string {
	for _, part := range []string{`(?s)<style>.*?</style>`, `(?s)<script>.*?</script>`, `(?s)<desc>.*?</desc>.*?</svg>`, `(?s)<title>[^<]*</title>(<rect|<text).*?</svg>`, `<path [^>]*/></svg>`} {
		text = regexp.MustCompile(part).ReplaceAllString(text, "")
	}
	text = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f-]{27}`).ReplaceAllString(text, "UUID")
	text = regexp.MustCompile(`\d+ [A-Z][a-z]+ \d{4}, [0-9:]+ UTC`).ReplaceAllString(text, "DATE")
	text = regexp.MustCompile(`<code>/[^<]*tune.db`).ReplaceAllString(text, "<code>tune.db")
	return regexp.MustCompile(`(<(section|h\d|table|tr|p|li|figure|details|dt|figcaption))`).ReplaceAllString(text, "\n$1")
}

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
		t.Errorf("%s differs (go test -update writes it anew):\n%s", name, got)
	}
}

// tiled is a session with two sizes of tiles, failures and two leaders.
func tiled(kernel, machine string) storetest.Session {
	s := storetest.Session{Kernel: kernel, Size: "large", Machine: machine, About: storetest.About(machine+" CPU", 4, 256, 32, 1024),
		Settings: []byte(`{"threads":4}`), Details: []byte(`{"host":"node7","disturbances":[{"kind":"load","message":"the load is 3.2","advice":"wait"}]}`)}
	for x := range 3 {
		for y := range 3 {
			s.Variants = append(s.Variants, storetest.Variant{ID: fmt.Sprintf("0-1.%d%d", x, y), Partition: "0-1", Seconds: 0.5 / float64(1+x+y),
				Recipe: fmt.Sprintf("tile c0.1 c0.2 by %d %d", 16<<x, 32<<y)})
		}
	}
	return s
}

func TestPage(t *testing.T) {
	db := storetest.Open(t)
	one := tiled("polybench/2mm", "alpha")
	one.Variants = append(one.Variants, storetest.Variant{ID: "0-0.w", Partition: "0-0", Status: store.WrongResult, Detail: "A[0] is 1, expected 2"},
		storetest.Variant{ID: "0-0.t", Partition: "0-0", Status: store.Timeout, Detail: "too slow"}, storetest.Variant{ID: "0-0.s", Partition: "0-0", Seconds: 3, Rounds: 1})
	session := one.Record(t, db)
	for _, c := range []store.Candidate{{Partition: "0-1", Setting: "tile=sizes tile.1=16 tile.2=64 vector=off", Variant: "0-1.01"}, {Partition: "0-1", Setting: "", Variant: "0-1.00"}} {
		if err := db.RecordCandidates(t.Context(), session, c); err != nil {
			t.Fatal(err)
		}
	}
	two := tiled("polybench/2mm", "beta")
	two.Variants = two.Variants[:4]
	two.Record(t, db)
	text := pageOf(t, db)
	for element, least := range map[string]int{`viewBox`: 10, `class="partition"`: 4, `<h3>Tile sizes</h3>`: 1, `<h3>All variants</h3>`: 2, `Machines compared`: 1,
		// Each figure says what a mark is: the strip, the heat map, the leaders of both machines, and steps of the timeline.
		"tile 16x64, no vector": 5, "the models": 4,
	} {
		if n := strings.Count(text, element); n < least {
			t.Errorf("%d of %s, want %d", n, element, least)
		}
	}
	golden(t, "page.txt", structure(text))
}

func TestEmptyPage(t *testing.T) {
	if text := pageOf(t, storetest.Open(t)); !strings.Contains(text, "Nothing here yet") || strings.Contains(text, "<svg") {
		t.Error(text)
	}
}

func TestFailuresOnly(t *testing.T) {
	db := storetest.Open(t)
	storetest.Session{Kernel: "k", Size: "s", Machine: "m", Open: true,
		Variants: []storetest.Variant{{ID: "0.a", Partition: "0", Status: store.Crashed, Detail: "signal 11"}}}.Record(t, db)
	text := pageOf(t, db)
	for _, want := range []string{"1 crashed, such as <code>0.a</code>: signal 11", "nothing is faster", "not finished"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q", want)
		}
	}
}

// Texts from outside never become markup.
func TestHostileTexts(t *testing.T) {
	const hostile = `"><script>alert(1)</script><svg onload=x>' & ${x} {{.}}` + "\x01\x0b\ufffe\xff"
	db := storetest.Open(t)
	storetest.Session{Kernel: hostile, Size: hostile, Machine: hostile, Compiler: hostile,
		About: storetest.About("cpu", 2, 128), Settings: []byte(`{"arguments":["</code><script>alert(2)</script>"]}`), Details: []byte(`{"host":"<b>","disturbances":"none"}`),
		Variants: []storetest.Variant{{ID: hostile, Partition: "0", Seconds: 0.5}, {ID: "<i>", Partition: "0", Status: store.WrongResult, Detail: hostile}}}.Record(t, db)
	text := pageOf(t, db)
	if strings.Count(text, "<script") != 1 || strings.Contains(text, "<b>") || strings.Contains(text, "<i>") || strings.Contains(text, "<svg onload") {
		t.Error("markup from outside")
	}
}

func TestManyKernels(t *testing.T) {
	db := storetest.Open(t)
	for i := range 30 {
		s := tiled(fmt.Sprintf("suite/kernel%02d", i), "alpha")
		s.Variants = s.Variants[:4]
		s.Record(t, db)
	}
	text := pageOf(t, db)
	if strings.Count(text, `<section class="cell">`) != 30 || len(text) > 2<<20 {
		t.Errorf("%d sections in %d bytes", strings.Count(text, `<section class="cell">`), len(text))
	}
}

// BenchmarkReport makes the page of 100,000 trials of ten kernels.
func BenchmarkReport(b *testing.B) {
	db := storetest.Open(b)
	if err := storetest.Fill(b.Context(), db, 10, 10000); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		f, err := report.Gather(b.Context(), report.Selection{}, 0.01, db)
		if err != nil {
			b.Fatal(err)
		}
		var out bytes.Buffer
		if err := Write(&out, f, noon); err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(float64(out.Len())/1e6, "MB/page")
	}
}

// BenchmarkCSV writes 100,000 trials.
func BenchmarkCSV(b *testing.B) {
	db := storetest.Open(b)
	if err := storetest.Fill(b.Context(), db, 10, 10000); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := report.CSV(b.Context(), io.Discard, report.Selection{}, db); err != nil {
			b.Fatal(err)
		}
	}
}
