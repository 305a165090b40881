package figure

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Interval is one row of Speedups: a ratio with its interval.
type Interval struct {
	// Name says whose it is. Rows with equal names that follow each other share one
	// line of the figure.
	Name string
	// Series gives the colour and the shape.
	Series            int
	Median, Low, High float64
}

// longestName bounds the names on an axis, in characters.
const longestName = 30

// Speedups draws ratios as dots with intervals on a logarithmic axis, and a dashed line
// at each of the means, in the colour of the series with its number. It is "" without a
// row that can be drawn.
func Speedups(title, description string, rows []Interval, means map[int]float64) (string, error) {
	v := intervals{means: means}
	var names []string
	var values []float64
	for _, row := range rows {
		if !usable(row.Median) || !usable(row.Low) || !usable(row.High) {
			continue
		}
		name := shorten(row.Name, longestName)
		if len(names) == 0 || v.rows[len(v.rows)-1].Name != row.Name {
			names = append(names, name)
		}
		v.rows, v.lines = append(v.rows, row), append(v.lines, len(names)-1)
		values = append(values, row.Low, row.High)
	}
	if len(names) == 0 {
		return "", nil
	}
	p := newPlot()
	low, high := ratioRange(values)
	setRatioAxis(&p.X, low, high)
	p.X.Label.Text = "times as fast as the original"
	p.Y.Min, p.Y.Max = -0.5, float64(len(names))-0.5
	p.Y.Tick.Marker = plot.ConstantTicks(downwards(names))
	p.Y.Tick.Length, p.Y.LineStyle.Width, p.Y.Padding = 0, 0, 4
	v.count = len(names)
	p.Add(verticals{ratioTicks(low, high)}, v)
	return render(p, vg.Length(60+18*len(names)), about{title, description})
}

// downwards are the ticks of names from the top of an axis to its bottom.
func downwards(names []string) []plot.Tick {
	ticks := make([]plot.Tick, len(names))
	for i, name := range names {
		ticks[i] = plot.Tick{Value: float64(len(names) - 1 - i), Label: name}
	}
	return ticks
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

// intervals is the plotter of Speedups.
type intervals struct {
	rows []Interval
	// lines are the lines of the rows, from the top; there are count.
	lines []int
	count int
	means map[int]float64
}

// Plot implements plot.Plotter.
func (v intervals) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	c.StrokeLine2(draw.LineStyle{Color: muted, Width: 1}, x(1), c.Min.Y, x(1), c.Max.Y)
	for k, mean := range v.means {
		if usable(mean) && mean >= p.X.Min && mean <= p.X.Max {
			c.StrokeLine2(draw.LineStyle{Color: seriesInk(k), Width: 1, Dashes: []vg.Length{4, 3}}, x(mean), c.Min.Y, x(mean), c.Max.Y)
		}
	}
	for i, row := range v.rows {
		at := y(float64(v.count-1-v.lines[i])) + v.shift(i)
		c.StrokeLine2(draw.LineStyle{Color: seriesInk(row.Series), Width: 1.5}, x(row.Low), at, x(row.High), at)
		var path vg.Path
		addShape(&path, row.Series, vg.Point{X: x(row.Median), Y: at}, 3.5)
		c.SetColor(seriesInk(row.Series))
		c.Fill(path)
	}
}

// shift keeps rows that share a line apart.
func (v intervals) shift(row int) vg.Length {
	first, last := row, row
	for first > 0 && v.lines[first-1] == v.lines[row] {
		first--
	}
	for last+1 < len(v.lines) && v.lines[last+1] == v.lines[row] {
		last++
	}
	if first == last {
		return 0
	}
	step := math.Min(4, 12/float64(last-first))
	return vg.Length(step * (float64(last+first)/2 - float64(row)))
}

// verticals draws lines of a grid at the ticks of the horizontal axis.
type verticals struct{ ticks []plot.Tick }

// Plot implements plot.Plotter.
func (v verticals) Plot(c draw.Canvas, p *plot.Plot) {
	x, _ := p.Transforms(&c)
	for _, tick := range v.ticks {
		c.StrokeLine2(draw.LineStyle{Color: grid, Width: 0.5}, x(tick.Value), c.Min.Y, x(tick.Value), c.Max.Y)
	}
}

// horizontals draws lines of a grid at the ticks of the vertical axis, and a stronger one
// at 1, where nothing is gained.
type horizontals struct{ ticks []plot.Tick }

// Plot implements plot.Plotter.
func (v horizontals) Plot(c draw.Canvas, p *plot.Plot) {
	_, y := p.Transforms(&c)
	for _, tick := range v.ticks {
		c.StrokeLine2(draw.LineStyle{Color: grid, Width: 0.5}, c.Min.X, y(tick.Value), c.Max.X, y(tick.Value))
	}
	c.StrokeLine2(draw.LineStyle{Color: muted, Width: 1}, c.Min.X, y(1), c.Max.X, y(1))
}
