package page

import (
	"fmt"
	"html/template"

	"polytune/report"
	"polytune/report/figure"
)

// frontView is a variant on the Pareto front of time and energy.
type frontView struct {
	Variant, Time, Energy, Product string
	Partition                      template.HTML
}

// addFront draws the variants by time and energy, and lists those of the front; nothing where the
// machine told no energy.
func (v *cellView) addFront(c *report.Cell) error {
	front := c.Front()
	if len(front) == 0 {
		return nil
	}
	on := map[string]bool{}
	for _, t := range front {
		on[t.UUID] = true
		v.Front = append(v.Front, frontView{Variant: t.Variant, Time: report.Seconds(t.Summary.Seconds.Median), Energy: report.Joules(t.Joules),
			Product: fmt.Sprintf("%.3g J·s", t.Joules*t.Summary.Seconds.Median), Partition: drawPartition(t)})
	}
	var points []figure.TradePoint
	for i := range c.Trials {
		if t := &c.Trials[i]; t.Timed() && t.Joules > 0 {
			points = append(points, figure.TradePoint{Seconds: t.Summary.Seconds.Median, Joules: t.Joules, Front: on[t.UUID],
				Tip: tip(c, t) + ", " + report.Joules(t.Joules)})
		}
	}
	svg, err := figure.Trade("Time and energy of "+c.Name(), fmt.Sprintf("%d variants, of which %d are on the Pareto front.", len(points), len(front)), points)
	v.FrontPlot = svg
	return err
}
