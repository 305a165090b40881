package figure

import (
	"fmt"
	"math"
	"slices"
	"time"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Moment is when a trial began, since the session's start.
type Moment struct {
	At time.Duration
	// Ratio is the trial's speed-up, 0 where it failed or was not finished.
	Ratio float64
	// Sure says that it may count as the best so far.
	Sure bool
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
func Timeline(title, description string, s Session) (string, error) {
	if len(s.Trials) == 0 {
		return "", nil
	}
	v := timeline{Session: s, steps: steps(s.Trials), pauses: Pauses(s.Trials)}
	ratios := []float64{1}
	for _, step := range v.steps {
		ratios = append(ratios, step.Ratio)
	}
	p := newPlot()
	low, high := ratioRange(ratios)
	setRatioAxis(&p.Y, low, high)
	p.Y.Label.Text = "best so far"
	// A quarter of the height is for the marks.
	p.Y.Min = low * math.Pow(high/low, -1.0/3)
	v.floor = low
	p.X.Min, p.X.Max = 0, math.Max(max(s.End, s.Trials[len(s.Trials)-1].At).Seconds(), 1)
	p.X.Tick.Marker = plot.ConstantTicks(clockTicks(p.X.Max))
	p.X.Label.Text = "time since the session began"
	p.Add(horizontals{ratioTicks(low, high)}, v)
	return render(p, 200, about{title, description})
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
func clockTicks(seconds float64) []plot.Tick {
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
	var ticks []plot.Tick
	for at := 0.0; at <= seconds; at += step {
		ticks = append(ticks, plot.Tick{Value: at, Label: clockText(at)})
	}
	return ticks
}

func clockText(seconds float64) string {
	s := int(seconds)
	switch {
	case s >= 3600:
		return fmt.Sprintf("%dh%02d", s/3600, s/60%60)
	case s%60 == 0:
		return fmt.Sprintf("%d min", s/60)
	case s > 60:
		return fmt.Sprintf("%d:%02d", s/60, s%60)
	}
	return fmt.Sprintf("%d s", s)
}

// timeline is the plotter of Timeline.
type timeline struct {
	Session
	steps  []Moment
	pauses []Pause
	// floor is the ratio below which the marks are.
	floor float64
}

// Plot implements plot.Plotter.
func (v timeline) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	at := func(d time.Duration) vg.Length { return x(d.Seconds()) }
	floor := y(v.floor)
	for _, pause := range v.pauses {
		c.SetColor(grid)
		c.Fill(vg.Rectangle{Min: vg.Point{X: at(pause.From), Y: c.Min.Y}, Max: vg.Point{X: at(pause.To), Y: c.Max.Y}}.Path())
	}
	if v.Resumed > 0 {
		c.StrokeLine2(draw.LineStyle{Color: muted, Width: 1, Dashes: []vg.Length{2, 2}}, at(v.Resumed), c.Min.Y, at(v.Resumed), c.Max.Y)
	}
	v.marks(c, at, floor)
	line := []vg.Point{{X: at(0), Y: y(1)}}
	for _, step := range v.steps {
		last := line[len(line)-1]
		line = append(line, vg.Point{X: at(step.At), Y: last.Y}, vg.Point{X: at(step.At), Y: y(step.Ratio)})
	}
	line = append(line, vg.Point{X: c.Max.X, Y: line[len(line)-1].Y})
	c.StrokeLines(draw.LineStyle{Color: seriesInk(0), Width: 1.8}, line)
	if v.Finished {
		c.StrokeLine2(draw.LineStyle{Color: foreground, Width: 1.2}, at(v.End), floor, at(v.End), c.Max.Y)
	}
}

// marks draws a short line for each trial; marks that would lie on each other are one.
func (v timeline) marks(c draw.Canvas, at func(time.Duration) vg.Length, floor vg.Length) {
	middle := c.Min.Y + (floor-c.Min.Y)/2
	var timed, failed vg.Path
	lastTimed, lastFailed := vg.Length(-1), vg.Length(-1)
	for _, t := range v.Trials {
		path, last, low, high := &failed, &lastFailed, c.Min.Y+1, middle-2
		if t.Ratio > 0 {
			path, last, low, high = &timed, &lastTimed, middle+1, floor-4
		}
		if here := at(t.At); here-*last >= 0.8 {
			path.Move(vg.Point{X: here, Y: low})
			path.Line(vg.Point{X: here, Y: high})
			*last = here
		}
	}
	for _, row := range []struct {
		path vg.Path
		ink  ink
	}{{timed, seriesInk(0)}, {failed, seriesInk(1)}} {
		if len(row.path) > 0 {
			c.SetLineStyle(draw.LineStyle{Color: row.ink, Width: 0.8})
			c.Stroke(row.path)
		}
	}
}
