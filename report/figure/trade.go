package figure

import (
	"cmp"
	"fmt"
	"html/template"
	"slices"
)

// TradePoint is a variant in Trade; Front says that none takes both less time and less energy.
type TradePoint struct {
	Seconds, Joules float64
	Front           bool
	// Tip is said of it to those who point at it.
	Tip string
}

// Trade draws variants by time and energy, both on logarithmic axes, and a line along the Pareto
// front. It is "" without a point that can be drawn.
func Trade(title, description string, points []TradePoint) (template.HTML, error) {
	points = slices.DeleteFunc(slices.Clone(points), func(p TradePoint) bool { return !usable(p.Seconds) || !usable(p.Joules) })
	if len(points) == 0 {
		return "", nil
	}
	var seconds, joules []float64
	for _, p := range points {
		seconds, joules = append(seconds, p.Seconds), append(joules, p.Joules)
	}
	slices.SortStableFunc(points, func(a, b TradePoint) int { return cmp.Compare(a.Seconds, b.Seconds) })
	c := newChart(title, description, 250, amountAxis("seconds", seconds), amountAxis("joules", joules))
	var front, others []mark
	path, command := "", "M"
	for _, p := range points {
		x, y := c.x.at(p.Seconds), c.y.at(p.Joules)
		if !p.Front {
			others = append(others, mark{at(x, y, shape(Series, 2)), p.Tip})
			continue
		}
		front = append(front, mark{at(x, y, shape(0, 3.4)), p.Tip})
		path += fmt.Sprintf("%s%v %v", command, coordinate(x), coordinate(y))
		command = "L"
	}
	c.add("points", filled(other), others...)
	if len(front) > 1 {
		c.add("", stroked(seriesInk(0), 1), mark{Path: path})
	}
	c.add("points", filled(seriesInk(0)), front...)
	return c.html()
}
