package figure

import (
	"html/template"
	"math"
)

// Point is a variant in Strip.
type Point struct {
	// At is its place in the order of time, Ratio its speed-up.
	At     int
	Ratio  float64
	Series int
	// Small draws a smaller mark, for a ratio that is less sure; Best draws a ring around it.
	Small, Best bool
	// Tip is said of it to those who point at it.
	Tip string
}

// Strip draws speed-ups on a logarithmic axis in the order in which the variants were
// tried, out of total, with about most marks: where there are more points, one stands for those
// that would hide each other. drawn counts the marks. It is "" without a point that can be drawn.
func Strip(title, description string, points []Point, total, most int) (svg template.HTML, drawn int, err error) {
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
	c := newChart(title, description, 250, countAxis("trials, in the order in which they began", total), ratioAxis("times as fast as the original", ratios))
	// The series of the legend lie above the others.
	for k := Series; k >= 0; k-- {
		large, small := shape(k, 3.4), shape(k, 2)
		var marks []mark
		for _, point := range usablePoints {
			path := large
			if point.Small {
				path = small
			}
			if min(point.Series, Series) == k {
				marks = append(marks, mark{at(c.x.at(float64(point.At)+0.5), c.y.at(point.Ratio), path), point.Tip})
			}
		}
		c.add("points", filled(seriesInk(k)), marks...)
	}
	for _, point := range usablePoints {
		if point.Best {
			c.add("", stroked(foreground, 1.2), mark{Path: at(c.x.at(float64(point.At)+0.5), c.y.at(point.Ratio), shape(0, 6))})
		}
	}
	svg, err = c.html()
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
