package figure

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"strings"
	"testing"
	"time"
)

// hostile is a text that breaks markup which does not escape it.
const hostile = `</svg><script>alert("1")</script>&amp;'` + "\x00\n"

// checkSVG wants a well-formed element with a title, in the page's colours and font, and
// gives the number of its elements by name.
func checkSVG(t *testing.T, svg string) map[string]int {
	t.Helper()
	counts := map[string]int{}
	decoder := xml.NewDecoder(strings.NewReader(svg))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("not well-formed: %v\n%.2000s", err, svg)
		}
		if start, is := token.(xml.StartElement); is {
			counts[start.Name.Local]++
		}
	}
	for _, bad := range []string{"NaN", "Inf", "http", "<script", "#F00D", "font-family", "Liberation"} {
		if strings.Contains(svg, bad) {
			t.Errorf("the figure has %q:\n%.2000s", bad, svg)
		}
	}
	if counts["svg"] != 1 || counts["title"] != 1 || !strings.Contains(svg, `role="img"`) {
		t.Errorf("elements %v", counts)
	}
	return counts
}

func TestSpeedups(t *testing.T) {
	rows := []Interval{
		{Name: "2mm", Series: 0, Median: 13.6, Low: 13, High: 14}, {Name: "2mm", Series: 1, Median: 8, Low: 7.9, High: 8.1},
		{Name: hostile, Series: 0, Median: 0.9, Low: 0.89, High: 0.92}, {Name: strings.Repeat("long", 30), Series: 99, Median: 1, Low: 1, High: 1},
		{Name: "broken", Median: math.NaN(), Low: 1, High: 1}, {Name: "zero", Median: 0, Low: 0, High: 0}, {Name: "huge", Median: math.Inf(1), Low: 1, High: math.Inf(1)},
	}
	svg, err := Speedups(hostile, hostile, rows, map[int]float64{0: 3.5, 1: math.NaN()})
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, svg)
	for _, want := range []string{"var(--series-0)", "var(--series-1)", "var(--other)", "var(--grid)", ">2mm<", ">10x<", "…<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(svg, "broken") || strings.Count(svg, ">2mm<") != 1 {
		t.Error("a row that cannot be drawn, or a name twice")
	}
	if svg, err := Speedups("", "", rows[4:], nil); svg != "" || err != nil {
		t.Errorf("nothing to draw: %q, %v", svg, err)
	}
}

func TestStrip(t *testing.T) {
	var points []Point
	for i := range 5000 {
		points = append(points, Point{At: i, Ratio: 0.5 + float64(i*7919%1000)/100, Series: i % 9})
	}
	points[4711].Best, points[4711].Ratio = true, 12
	svg, drawn, err := Strip("all", "variants", points, 6000, 400)
	if err != nil {
		t.Fatal(err)
	}
	counts := checkSVG(t, svg)
	if drawn > 400 || drawn < 100 {
		t.Errorf("%d marks of 5000 points", drawn)
	}
	if !strings.Contains(svg, "A6,6") || counts["path"] < 8 {
		t.Errorf("the best has no ring, or series are missing: %v", counts)
	}
	few, drawn, err := Strip("few", "", points[:3], 3, 400)
	if err != nil || drawn != 3 {
		t.Errorf("%d marks of 3, %v", drawn, err)
	}
	checkSVG(t, few)
	one, drawn, err := Strip("one", "", []Point{{Ratio: 1}}, 1, 400)
	if err != nil || drawn != 1 {
		t.Errorf("%d marks of 1, %v", drawn, err)
	}
	checkSVG(t, one)
	if none, _, err := Strip("", "", []Point{{Ratio: -1}, {Ratio: math.NaN()}}, 2, 10); none != "" || err != nil {
		t.Errorf("nothing to draw: %q, %v", none, err)
	}
}

func TestTimeline(t *testing.T) {
	var trials []Moment
	for i := range 300 {
		trials = append(trials, Moment{time.Duration(i) * time.Second, float64(i%40) / 4, true})
	}
	for i := range 100 {
		trials = append(trials, Moment{2*time.Hour + time.Duration(i)*time.Second, 12, i > 50})
	}
	svg, err := Timeline("session", "night", Session{Trials: trials, End: 3 * time.Hour, Finished: true, Resumed: 2 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, svg)
	for _, want := range []string{"stroke-dasharray", ">1h00<", ">10x<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q in %s", want, svg)
		}
	}
	if pauses := Pauses(trials); len(pauses) != 1 || pauses[0].From != 299*time.Second || pauses[0].To != 2*time.Hour {
		t.Errorf("pauses %v", pauses)
	}
	failed, err := Timeline("failed", "", Session{Trials: []Moment{{}, {At: time.Second}}})
	if err != nil || failed == "" {
		t.Errorf("failures only: %v", err)
	}
	checkSVG(t, failed)
	if none, err := Timeline("", "", Session{}); none != "" || err != nil {
		t.Errorf("no trial: %q, %v", none, err)
	}
}

func TestHeatMap(t *testing.T) {
	svg, err := HeatMap("tiles", "sizes", "c0.1", "c0.2", []Tile{{8, 16, 1.5}, {16, 16, 2}, {8, 64, 2.5}, {16, 64, 0.5}, {32, 16, math.NaN()}})
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, svg)
	for _, want := range []string{">tiles of c0.1<", ">64<", ">2.5<", ">0.5<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(svg, ">32<") {
		t.Error("a size without a ratio has a column")
	}
	same, err := HeatMap("same", "", "x", "y", []Tile{{1, 1, 2}})
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, same)
}

func TestPartition(t *testing.T) {
	for _, c := range []struct {
		classes     []int
		boxes, text int
	}{{[]int{0, 1, 1, 2}, 3, 4}, {[]int{0}, 1, 1}, {make([]int, 40), 5, 40}, {[]int{2, 0, 1}, 3, 3}} {
		counts := checkSVG(t, Partition(c.classes, hostile))
		if counts["rect"] != c.boxes || counts["text"] != c.text {
			t.Errorf("%v: %v, want %d boxes", c.classes, counts, c.boxes)
		}
	}
	svg := Partition([]int{1, 0}, "x")
	if strings.Index(svg, ">S1<") > strings.Index(svg, ">S0<") {
		t.Error("classes are not in their order")
	}
	checkSVG(t, Partition(nil, ""))
}

// All inks come out as properties, whatever the canvas makes of colours.
func TestInks(t *testing.T) {
	for k := range Series + 2 {
		svg, _, err := Strip("", "", []Point{{Ratio: 2, Series: k}}, 1, 10)
		want := fmt.Sprintf("var(--series-%d)", k)
		if k >= Series {
			want = "var(--other)"
		}
		if err != nil || !strings.Contains(svg, want) {
			t.Errorf("series %d: no %s, %v", k, want, err)
		}
		if !strings.Contains(Marker(k), want) {
			t.Errorf("marker %d: %s", k, Marker(k))
		}
	}
}

func TestRatioTicks(t *testing.T) {
	for _, c := range []struct {
		low, high float64
		want      string
	}{
		{0.5, 30, "0.5x 1x 2x 5x 10x 20x"}, {0.95, 1.3, "1x 1.1x 1.2x 1.3x"}, {0.9, 2, "1x 1.2x 1.4x 1.6x 1.8x 2x"}, {1e-3, 1e4, "0.001x 0.01x 0.1x 1x 10x 100x 1000x 1e+04x"},
	} {
		var labels []string
		for _, tick := range ratioTicks(c.low, c.high) {
			labels = append(labels, tick.Label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%v to %v: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}
