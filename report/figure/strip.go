package figure

import (
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Point is a variant in Strip.
type Point struct {
	// At is its place in the order of time, Ratio its speed-up.
	At     int
	Ratio  float64
	Series int
	// Small draws a smaller mark, for a ratio that is less sure; Best draws a ring around it.
	Small, Best bool
}

// Strip draws speed-ups on a logarithmic axis in the order in which the variants were
// tried, out of total, with about most marks: where there are more points, one stands for those
// that would hide each other. drawn counts the marks. It is "" without a point that can be drawn.
func Strip(title, description string, points []Point, total, most int) (svg string, drawn int, err error) {
	var usablePoints []Point
	var ratios []float64
	for _, point := range points {
		if usable(point.Ratio) {
			usablePoints, ratios = append(usablePoints, point), append(ratios, point.Ratio)
		}
	}
	if len(ratios) == 0 {
		return "", 0, nil
	}
	low, high := ratioRange(ratios)
	usablePoints = thin(usablePoints, total, most, low, high)
	p := newPlot()
	setRatioAxis(&p.Y, low, high)
	p.Y.Label.Text = "times as fast as the original"
	p.X.Min, p.X.Max = 0, float64(max(total, 1))
	p.X.Label.Text = "trials, in the order in which they began"
	p.X.Tick.Marker = plot.ConstantTicks(countTicks(total))
	p.Add(horizontals{ratioTicks(low, high)}, strip{usablePoints})
	svg, err = render(p, 240, about{title, description})
	return svg, len(usablePoints), err
}

// thin keeps one point of each series for each place of a grid, which is made coarser until
// few enough are left; the best stay.
func thin(points []Point, total, most int, low, high float64) []Point {
	type place struct {
		x, y, series int
		small, best  bool
	}
	for columns := 280.0; len(points) > most && columns >= 2; columns /= 1.5 {
		rows := columns / 2
		seen := map[place]bool{}
		var kept []Point
		for _, p := range points {
			at := place{int(columns * float64(p.At) / float64(total)), int(rows * math.Log(p.Ratio/low) / math.Log(high/low)), p.Series, p.Small, p.Best}
			if !seen[at] {
				seen[at] = true
				kept = append(kept, p)
			}
		}
		points = kept
	}
	return points
}

// countTicks are round numbers up to total.
func countTicks(total int) []plot.Tick {
	ticks := []plot.Tick{{Value: 0, Label: "0"}}
	if total < 2 {
		return append(ticks, plot.Tick{Value: 1, Label: "1"})
	}
	return plot.DefaultTicks{}.Ticks(0, float64(total))
}

// strip is the plotter of Strip.
type strip struct{ points []Point }

// Plot implements plot.Plotter. All marks of a series are one path.
func (v strip) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := func(point Point) vg.Point { return vg.Point{X: x(float64(point.At) + 0.5), Y: y(point.Ratio)} }
	// The series of the legend lie above the others.
	for k := Series; k >= 0; k-- {
		var path vg.Path
		for _, point := range v.points {
			if min(point.Series, Series) == k {
				radius := vg.Length(3.4)
				if point.Small {
					radius = 2
				}
				addShape(&path, k, at(point), radius)
			}
		}
		if len(path) > 0 {
			c.SetColor(seriesInk(k))
			c.Fill(path)
		}
	}
	for _, point := range v.points {
		if point.Best {
			var ring vg.Path
			center := at(point)
			ring.Move(vg.Point{X: center.X + 6, Y: center.Y})
			ring.Arc(center, 6, 0, 2*math.Pi)
			c.SetLineStyle(draw.LineStyle{Color: foreground, Width: 1.2})
			c.Stroke(ring)
		}
	}
}
