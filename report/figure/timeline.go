package figure

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"time"
)

// Moment is when a trial began, since the session's start.
type Moment struct {
	At time.Duration
	// Ratio is the trial's speed-up, 0 where it failed or was not finished.
	Ratio float64
	// Sure says that it may count as the best so far.
	Sure bool
	// Tip is said of it to those who point at it.
	Tip string
}

// Session is what Timeline draws.
type Session struct {
	// Trials are in the order in which they began.
	Trials []Moment
	// End is the end of the time axis: the last that is known of the session.
	End time.Duration
	// Finished says that the session ended there by itself.
	Finished bool
	// Resumed is when it was last resumed, 0 where it was not.
	Resumed time.Duration
}

// Timeline draws the best speed-up so far over the time of a session: a step where a variant began
// that is now known to be faster than all before it. Below are marks for the trials, in two rows:
// those with a time, and those that failed. Bands are pauses, in which no trial began for much
// longer than usual. It is "" without a trial.
func Timeline(title, description string, s Session) (template.HTML, error) {
	if len(s.Trials) == 0 {
		return "", nil
	}
	steps := steps(s.Trials)
	ratios := []float64{1}
	for _, step := range steps {
		ratios = append(ratios, step.Ratio)
	}
	y := ratioAxis("best so far", ratios)
	// A quarter of the height is for the marks.
	floor := y.low
	y.low *= math.Pow(y.high/y.low, -1.0/3)
	x := axis{name: "time since the session began", high: math.Max(max(s.End, s.Trials[len(s.Trials)-1].At).Seconds(), 1)}
	x.ticks = clockTicks(x.high)
	c := timeline{newChart(title, description, 210, x, y), s}
	for _, pause := range Pauses(s.Trials) {
		c.add("", filled(grid), mark{box(c.when(pause.From), c.y.from, c.when(pause.To), c.y.to), "a pause"})
	}
	if s.Resumed > 0 {
		c.add("", stroked(muted, 1)+";stroke-dasharray:2 2", mark{c.across(s.Resumed.Seconds()), "resumed"})
	}
	c.trials(c.y.at(floor))
	c.steps(steps)
	if s.Finished {
		c.add("", stroked(foreground, 1.2), mark{line(c.when(s.End), c.y.at(floor), c.when(s.End), c.y.to), "finished"})
	}
	return c.html()
}

// steps are the trials that were better than all before.
func steps(trials []Moment) []Moment {
	var list []Moment
	best := 1.0
	for _, t := range trials {
		if t.Sure && usable(t.Ratio) && t.Ratio > best {
			best = t.Ratio
			list = append(list, t)
		}
	}
	return list
}

// Pause is a stretch of a session in which no trial began.
type Pause struct{ From, To time.Duration }

// Pauses are the stretches between trials that are longer than a minute and twenty times as
// long as half of all are.
func Pauses(trials []Moment) []Pause {
	var gaps []time.Duration
	for i := 1; i < len(trials); i++ {
		gaps = append(gaps, trials[i].At-trials[i-1].At)
	}
	limit := max(20*middle(gaps), time.Minute)
	var list []Pause
	for i, gap := range gaps {
		if gap > limit {
			list = append(list, Pause{trials[i].At, trials[i+1].At})
		}
	}
	return list
}

// middle is the median, or 0 of nothing; the larger of two in the middle.
func middle(gaps []time.Duration) time.Duration {
	if len(gaps) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(gaps))
	return sorted[len(sorted)/2]
}

// clockTicks are at most seven round times.
func clockTicks(seconds float64) []tick {
	steps := []float64{1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 4 * 3600, 8 * 3600, 86400}
	step := steps[0]
	for _, step = range steps {
		if seconds/step <= 7 {
			break
		}
	}
	for seconds/step > 7 {
		step *= 2
	}
	var ticks []tick
	for at := 0.0; at <= seconds; at += step {
		ticks = append(ticks, tick{at, clockText(at)})
	}
	return ticks
}

func clockText(seconds float64) string {
	s := int(seconds)
	switch {
	case s == 0:
		return "0"
	case s >= 3600:
		return fmt.Sprintf("%dh%02d", s/3600, s/60%60)
	case s%60 == 0:
		return fmt.Sprintf("%d min", s/60)
	case s > 60:
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d s", s)
}

// timeline is the chart of Timeline.
type timeline struct {
	*chart
	Session
}

// when is where a time is.
func (c *timeline) when(d time.Duration) float64 { return c.x.at(d.Seconds()) }

// steps draws the line of the best so far, with a mark at each step.
func (c *timeline) steps(steps []Moment) {
	path := at(c.x.from, c.y.at(1), "")
	var marks []mark
	for _, step := range steps {
		x, y := coordinate(c.when(step.At)), coordinate(c.y.at(step.Ratio))
		path += fmt.Sprintf("H%vV%v", x, y)
		marks = append(marks, mark{at(float64(x), float64(y), shape(0, 2.2)), step.Tip})
	}
	c.add("", stroked(seriesInk(0), 1.8), mark{Path: path + fmt.Sprintf("H%v", coordinate(c.x.to))})
	c.add("points", filled(seriesInk(0)), marks...)
}

// trials draws a short line for each trial, above those with a time and below those without; lines that
// would lie on each other are one.
func (c *timeline) trials(floor float64) {
	middle := (floor + c.y.from) / 2
	for k, row := range []struct {
		isTimed     bool
		top, bottom float64
		text        string
	}{{true, floor + 4, middle - 1, "with a time"}, {false, middle + 2, c.y.from - 1, "without a time"}} {
		var path strings.Builder
		count, last := 0, -1.0
		for _, t := range c.Trials {
			if (t.Ratio > 0) != row.isTimed {
				continue
			}
			count++
			if here := c.when(t.At); here-last >= 0.8 {
				path.WriteString(line(here, row.top, here, row.bottom))
				last = here
			}
		}
		if count > 0 {
			c.add("", stroked(seriesInk(k), 0.8), mark{path.String(), fmt.Sprintf("%d trials %s", count, row.text)})
		}
	}
}
