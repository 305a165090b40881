package figure

import (
	"fmt"
	"html/template"
	"maps"
	"math"
	"slices"
)

// Interval is one row of Speedups: a ratio with its interval.
type Interval struct {
	// Name says whose it is. Rows with equal names that follow each other share one
	// line of the figure.
	Name string
	// Series gives the colour and the shape.
	Series            int
	Median, Low, High float64
	// Tip is said of it to those who point at it.
	Tip string
}

// longestName bounds the names on an axis, in characters.
const longestName = 30

// Speedups draws ratios as dots with intervals on a logarithmic axis, and a dashed line
// at each of the means, in the colour of the series with its number. It is "" without a
// row that can be drawn.
func Speedups(title, description string, rows []Interval, means map[int]float64) (template.HTML, error) {
	rows = slices.DeleteFunc(slices.Clone(rows), func(r Interval) bool { return !usable(r.Median) || !usable(r.Low) || !usable(r.High) })
	if len(rows) == 0 {
		return "", nil
	}
	var names []string
	var values []float64
	// lines are the lines of the rows, from the top.
	lines := make([]int, len(rows))
	for i, row := range rows {
		if i == 0 || rows[i-1].Name != row.Name {
			names = append(names, shorten(row.Name, longestName))
		}
		lines[i] = len(names) - 1
		values = append(values, row.Low, row.High)
	}
	slices.Reverse(names)
	c := newChart(title, description, float64(60+18*len(names)), ratioAxis("times as fast as the original", values), namesAxis("", names))
	for _, k := range slices.Sorted(maps.Keys(means)) {
		if mean := means[k]; usable(mean) && mean >= c.x.low && mean <= c.x.high {
			c.add("", stroked(seriesInk(k), 1)+";stroke-dasharray:4 3", mark{c.across(mean), fmt.Sprintf("geometric mean %.2fx", mean)})
		}
	}
	for i, row := range rows {
		y := c.y.at(float64(len(names)-1-lines[i])) + shift(lines, i)
		ink := seriesInk(row.Series)
		path := line(c.x.at(row.Low), y, c.x.at(row.High), y) + at(c.x.at(row.Median), y, shape(min(row.Series, Series), 3))
		c.add("intervals", filled(ink)+template.CSS(";stroke-width:1.5;stroke:"+ink), mark{path, row.Tip})
	}
	return c.html()
}

// shorten cuts a text to so many characters, and makes an empty one visible.
func shorten(text string, most int) string {
	runes := []rune(text)
	switch {
	case len(runes) == 0:
		return "–"
	case len(runes) > most:
		return string(runes[:most-1]) + "…"
	}
	return text
}

// shift keeps rows that share a line apart.
func shift(lines []int, row int) float64 {
	first, last := row, row
	for first > 0 && lines[first-1] == lines[row] {
		first--
	}
	for last+1 < len(lines) && lines[last+1] == lines[row] {
		last++
	}
	if first == last {
		return 0
	}
	step := math.Min(4, 12/float64(last-first))
	return step * (float64(row) - float64(last+first)/2)
}
