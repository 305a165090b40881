package figure

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// hostile is a text that breaks markup which does not escape it.
const hostile = `</svg><script>alert("1")</script>&amp;'` + "\x00\n"

// checkSVG wants a well-formed element with a title, in the page's colours and font, and
// gives the number of its elements by name.
func checkSVG[Text ~string](t *testing.T, figure Text) map[string]int {
	t.Helper()
	svg := string(figure)
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
	checkPlaces(t, svg)
	if counts["svg"] != 1 || counts["title"] < 1 || !strings.Contains(svg, `role="img"`) {
		t.Errorf("elements %v", counts)
	}
	return counts
}

// place finds where paths begin and words stand.
var place = regexp.MustCompile(`"M(-?[\d.]+) (-?[\d.]+)|[ "(](?:x="|translate\()(-?[\d.]+)(?:" y="| )(-?[\d.]+)`)

// checkPlaces wants all that is drawn to be within the figure.
func checkPlaces(t *testing.T, svg string) {
	t.Helper()
	var wide, high float64
	_, box, _ := strings.Cut(svg, `viewBox="0 0 `)
	if _, err := fmt.Sscanf(box, "%g %g", &wide, &high); err != nil || wide <= 0 || high <= 0 {
		t.Errorf("no size: %v in %.200s", err, svg)
	}
	for _, found := range place.FindAllStringSubmatch(svg, -1) {
		x, errX := strconv.ParseFloat(found[1]+found[3], 64)
		y, errY := strconv.ParseFloat(found[2]+found[4], 64)
		if errX != nil || errY != nil || x < 0 || y < 0 || x > wide || y > high {
			t.Errorf("%s is out of %v by %v", found[0], wide, high)
		}
	}
}

func TestSpeedups(t *testing.T) {
	rows := []Interval{
		{Name: "2mm", Series: 0, Median: 13.6, Low: 13, High: 14, Tip: "tile 32x32"}, {Name: "2mm", Series: 1, Median: 8, Low: 7.9, High: 8.1},
		{Name: hostile, Series: 0, Median: 0.9, Low: 0.89, High: 0.92}, {Name: strings.Repeat("long", 30), Series: 99, Median: 1, Low: 1, High: 1},
		{Name: "broken", Median: math.NaN(), Low: 1, High: 1}, {Name: "zero", Median: 0, Low: 0, High: 0}, {Name: "huge", Median: math.Inf(1), Low: 1, High: math.Inf(1)},
	}
	svg, err := Speedups(hostile, hostile, rows, map[int]float64{0: 3.5, 1: math.NaN()})
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, svg)
	for _, want := range []string{"var(--series-0)", "var(--series-1)", "var(--other)", "var(--grid)", ">2mm<", ">10x<", "…<", "<title>tile 32x32</title>", "<title>geometric mean 3.50x</title>"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(string(svg), "broken") || strings.Count(string(svg), ">2mm<") != 1 {
		t.Error("a row that cannot be drawn, or a name twice")
	}
	if svg, err := Speedups("", "", rows[4:], nil); svg != "" || err != nil {
		t.Errorf("nothing to draw: %q, %v", svg, err)
	}
}

func TestStrip(t *testing.T) {
	var points []Point
	for i := range 5000 {
		points = append(points, Point{At: i, Ratio: 0.5 + float64(i*7919%1000)/100, Series: i % 9, Small: i%2 == 0, Tip: fmt.Sprint("trial ", i, hostile)})
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
	// The grid, the line at 1, the axes, and the ring are no marks; the figure has a title too.
	if counts["path"] != drawn+4 || counts["title"] != drawn+1 || counts["g"] != 4+Series+1+1 {
		t.Errorf("%d marks, the ring and the rest: %v", drawn, counts)
	}
	if !strings.Contains(string(svg), "<title>trial 4711&lt;/svg&gt;") || strings.Count(string(svg), "a6 6 0 1 0 12 0") != 1 {
		t.Error("the best has no tip, or no ring")
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
		trials = append(trials, Moment{time.Duration(i) * time.Second, float64(i%40) / 4, true, fmt.Sprint("trial ", i)})
	}
	for i := range 100 {
		trials = append(trials, Moment{2*time.Hour + time.Duration(i)*time.Second, 12, i > 50, fmt.Sprint("late ", i)})
	}
	svg, err := Timeline("session", "night", Session{Trials: trials, End: 3 * time.Hour, Finished: true, Resumed: 2 * time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, svg)
	for _, want := range []string{"stroke-dasharray", ">1h00<", ">10x<", "<title>trial 39</title>", "<title>late 51</title>", "<title>392 trials with a time</title>", "<title>8 trials without a time</title>", "<title>a pause</title>"} {
		if !strings.Contains(string(svg), want) {
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
	svg, err := HeatMap("tiles", "sizes", "c0.1", "c0.2", []Tile{{8, 16, 1.5, ""}, {16, 16, 2, ""}, {8, 64, 2.5, hostile}, {16, 64, 0.5, ""}, {32, 16, math.NaN(), ""}})
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, svg)
	for _, want := range []string{">tiles of c0.1<", ">64<", ">2.5<", ">0.5<", "<title>&lt;/svg&gt;"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(string(svg), ">32<") {
		t.Error("a size without a ratio has a column")
	}
	same, err := HeatMap("same", "", "x", "y", []Tile{{1, 1, 2, ""}})
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, same)
	var many []Tile
	for i := range int64(90) {
		many = append(many, Tile{X: 1000 + i, Y: 1, Ratio: 1 + float64(i)})
	}
	wide, err := HeatMap("many", "", "x", "y", many)
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, wide)
	if n := strings.Count(string(wide), ">10"); n < 8 || n > 20 {
		t.Errorf("%d of 90 sizes have a name in %v points", n, width)
	}
}

func TestTrade(t *testing.T) {
	points := []TradePoint{{0.5, 20, true, hostile}, {0.1, 30, true, "quick"}, {0.2, 25, true, ""}, {0.4, 90, false, "neither"}, {math.NaN(), 1, true, "unknown"}, {1, 0, false, ""}}
	svg, err := Trade("energy", hostile, points)
	if err != nil {
		t.Fatal(err)
	}
	counts := checkSVG(t, svg)
	// The grid, the axes and the line of the front are no marks.
	if counts["path"] != 4+3 || counts["title"] != 1+3 || strings.Contains(string(svg), "unknown") {
		t.Errorf("elements %v", counts)
	}
	for _, want := range []string{">joules<", ">seconds<", ">50<", "<title>quick</title>", "<title>neither</title>"} {
		if !strings.Contains(string(svg), want) {
			t.Errorf("no %q in %s", want, svg)
		}
	}
	one, err := Trade("one", "", points[:1])
	if err != nil {
		t.Fatal(err)
	}
	checkSVG(t, one)
	if none, err := Trade("", "", points[4:]); none != "" || err != nil {
		t.Errorf("nothing to draw: %q, %v", none, err)
	}
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

// All inks come out as properties, whatever the template makes of styles.
func TestInks(t *testing.T) {
	for k := range Series + 2 {
		svg, _, err := Strip("", "", []Point{{Ratio: 2, Series: k}}, 1, 10)
		want := fmt.Sprintf("var(--series-%d)", k)
		if k >= Series {
			want = "var(--other)"
		}
		if err != nil || !strings.Contains(string(svg), want) {
			t.Errorf("series %d: no %s, %v", k, want, err)
		}
		if !strings.Contains(string(Marker(k)), want) {
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
		for _, tick := range ratioTicks(c.low, c.high, ratioLabel) {
			labels = append(labels, tick.label)
		}
		if got := strings.Join(labels, " "); got != c.want {
			t.Errorf("%v to %v: %s, want %s", c.low, c.high, got, c.want)
		}
	}
}
