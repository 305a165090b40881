package figure

import (
	"fmt"
	"html/template"
	"strings"
)

const (
	// width is that of all charts; the page scales them. The size of a text is 11.
	width = 560.0
	// lineHeight is the room that a line of text takes, and tickLength that of a tick with a gap.
	lineHeight, tickLength = 15.0, 7.0
)

// chart is a figure with two axes.
type chart struct {
	drawing
	x, y axis
}

// newChart lays a figure out, with room for the words of its axes, and draws these.
func newChart(title, description string, height float64, x, y axis) *chart {
	left := tickLength
	for _, t := range y.ticks {
		left = max(left, textWidth(t.label)+tickLength)
	}
	if y.name != "" {
		left += lineHeight + 4
	}
	x.from, x.to = left, width-16
	y.from, y.to = height-tickLength-2*lineHeight, 8
	c := &chart{drawing{Title: title, Description: description, Width: width, Height: coordinate(height)}, x, y}
	c.grid()
	c.ticks()
	return c
}

// add adds marks that look alike, if there are any.
func (c *chart) add(class string, style template.CSS, marks ...mark) {
	if len(marks) > 0 {
		c.Groups = append(c.Groups, group{Class: class, Style: style, Marks: marks})
	}
}

// across is a line at a value of the horizontal axis, and along at one of the vertical.
func (c *chart) across(x float64) string { return line(c.x.at(x), c.y.from, c.x.at(x), c.y.to) }
func (c *chart) along(y float64) string  { return line(c.x.from, c.y.at(y), c.x.to, c.y.at(y)) }

// grid draws the lines at the ticks of the axes that have them.
func (c *chart) grid() {
	var thin, one strings.Builder
	for _, side := range []struct {
		*axis
		line func(float64) string
	}{{&c.x, c.across}, {&c.y, c.along}} {
		if side.hasGrid {
			for _, t := range side.ticks {
				thin.WriteString(side.line(t.value))
			}
		}
		if side.hasOne {
			one.WriteString(side.line(1))
		}
	}
	if thin.Len() > 0 {
		c.add("", stroked(grid, 0.7), mark{Path: thin.String()})
	}
	if one.Len() > 0 {
		c.add("", stroked(muted, 1), mark{Path: one.String()})
	}
}

// ticks draws the axes with their ticks and words. A word that would lie on the one before it is
// left out.
func (c *chart) ticks() {
	var lines strings.Builder
	var texts []words
	if bottom := c.y.from; !c.x.isBare {
		lines.WriteString(line(c.x.from, bottom, c.x.to, bottom))
	}
	free := 0.0
	for _, t := range c.x.ticks {
		at, half := c.x.at(t.value), textWidth(t.label)/2
		if !c.x.isBare {
			lines.WriteString(line(at, c.y.from, at, c.y.from+4))
		}
		if at-half >= free {
			texts = append(texts, words{X: coordinate(at), Y: coordinate(c.y.from + tickLength + 9), Anchor: "middle", Text: t.label})
			free = at + half + 4
		}
	}
	if !c.y.isBare {
		lines.WriteString(line(c.x.from, c.y.from, c.x.from, c.y.to))
	}
	for _, t := range c.y.ticks {
		at := c.y.at(t.value)
		if !c.y.isBare {
			lines.WriteString(line(c.x.from-4, at, c.x.from, at))
		}
		texts = append(texts, words{X: coordinate(c.x.from - tickLength), Y: coordinate(at + 4), Anchor: "end", Text: t.label})
	}
	texts = append(texts, words{X: coordinate((c.x.from + c.x.to) / 2), Y: coordinate(c.y.from + tickLength + lineHeight + 10), Anchor: "middle", Text: c.x.name})
	if c.y.name != "" {
		texts = append(texts, words{X: 10, Y: coordinate((c.y.from + c.y.to) / 2), Anchor: "middle", Turned: true, Text: c.y.name})
	}
	if lines.Len() > 0 {
		c.add("", stroked(muted, 0.8), mark{Path: lines.String()})
	}
	c.Groups = append(c.Groups, group{Style: filled(foreground), Words: texts})
}

// line is a path between two points, box one around a rectangle.
func line(x1, y1, x2, y2 float64) string {
	return fmt.Sprintf("M%v %vL%v %v", coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2))
}

func box(x1, y1, x2, y2 float64) string {
	return fmt.Sprintf("M%v %vH%vV%vH%vz", coordinate(x1), coordinate(y1), coordinate(x2), coordinate(y2), coordinate(x1))
}

// textWidth is about how wide a text is in the page's font, rather more than less.
func textWidth(text string) (wide float64) {
	for _, r := range text {
		switch {
		case r >= 0x1100:
			wide += 11
		case strings.ContainsRune("mwMW@%", r):
			wide += 10
		case 'A' <= r && r <= 'Z':
			wide += 8
		case strings.ContainsRune("ijltf.,:;'|!/-() ", r):
			wide += 3.7
		default:
			wide += 6.2
		}
	}
	return wide
}
