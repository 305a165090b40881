package figure

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// TradePoint is a variant in Trade; Front says that none takes both less time and less energy.
type TradePoint struct {
	Seconds, Joules float64
	Front           bool
}

// Trade draws variants by time and energy, both on logarithmic axes, and a line along the Pareto
// front. It is "" without a point that can be drawn.
func Trade(title, description string, points []TradePoint) (string, error) {
	points = slices.DeleteFunc(slices.Clone(points), func(p TradePoint) bool { return !usable(p.Seconds) || !usable(p.Joules) })
	if len(points) == 0 {
		return "", nil
	}
	var seconds, joules []float64
	for _, p := range points {
		seconds, joules = append(seconds, p.Seconds), append(joules, p.Joules)
	}
	p := newPlot()
	p.X.Label.Text, p.Y.Label.Text = "seconds", "joules"
	setAmountAxis(&p.X, seconds)
	setAmountAxis(&p.Y, joules)
	p.Add(trade{points})
	return render(p, 240, about{title, description})
}

// setAmountAxis makes an axis logarithmic, for amounts above zero.
func setAmountAxis(axis *plot.Axis, amounts []float64) {
	low, high := slices.Min(amounts), slices.Max(amounts)
	room := math.Max(math.Pow(high/low, 0.08), 1.05)
	axis.Min, axis.Max = low/room, high*room
	axis.Scale = plot.LogScale{}
	ticks := ratioTicks(axis.Min, axis.Max)
	for i := range ticks {
		ticks[i].Label = strconv.FormatFloat(ticks[i].Value, 'g', 4, 64)
	}
	axis.Tick.Marker = plot.ConstantTicks(ticks)
}

// trade is the plotter of Trade.
type trade struct{ points []TradePoint }

// Plot implements plot.Plotter.
func (v trade) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := func(point TradePoint) vg.Point { return vg.Point{X: x(point.Seconds), Y: y(point.Joules)} }
	var others, marks vg.Path
	var front []TradePoint
	for _, point := range v.points {
		if point.Front {
			front = append(front, point)
			addShape(&marks, 0, at(point), 3.4)
			continue
		}
		addShape(&others, Series, at(point), 2)
	}
	slices.SortFunc(front, func(a, b TradePoint) int { return cmp.Compare(a.Seconds, b.Seconds) })
	var line vg.Path
	for i, point := range front {
		if i == 0 {
			line.Move(at(point))
		} else {
			line.Line(at(point))
		}
	}
	c.SetColor(other)
	if len(others) > 0 {
		c.Fill(others)
	}
	c.SetLineStyle(draw.LineStyle{Color: seriesInk(0), Width: 1})
	if len(front) > 1 {
		c.Stroke(line)
	}
	c.SetColor(seriesInk(0))
	if len(marks) > 0 {
		c.Fill(marks)
	}
}
