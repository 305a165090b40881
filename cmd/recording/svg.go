package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Sizes of the picture in pixels. A column is as wide as a letter of most fonts of this size; texts
// say how wide they are, so that others fit too.
const (
	fontSize     = 14
	columnWidth  = 8.4
	lineHeight   = 19
	baseline     = 14
	margin       = 16
	titleHeight  = 34
	footerHeight = 30
)

// colours are the 16 of terminals, on the window's background.
var colours = [...]string{
	"#848b98", "#f47067", "#7ecb8f", "#e0c285", "#79b8ff", "#d2a8ff", "#76d1d8", "#d5d9e0",
	"#9aa2ae", "#ff938a", "#a5e3b2", "#f2dca6", "#a5d0ff", "#e5ccff", "#a2e6eb", "#ffffff",
}

// look is the part of the style sheet that does not depend on the film.
const look = `
text{font-family:ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;font-size:14px;fill:#d5d9e0;white-space:pre}
.caption{font-size:12px}
.caption,.faint{fill:#9aa2ae}
.bold{font-weight:700}
.past{visibility:hidden}
`

// draw is the film as an SVG file.
func draw(f *film, command string) []byte {
	width := math.Ceil(float64(f.columns)*columnWidth) + 2*margin
	height := titleHeight + f.rows*lineHeight + footerHeight
	sheet := newSheet(f)
	var texts, b bytes.Buffer
	for _, s := range f.strips {
		class := ""
		if name := sheet.class(s); name != "" {
			class = ` class="` + name + `"`
		}
		fmt.Fprintf(&texts, "<text%s y=\"%d\" textLength=\"%s\">%s</text>\n", class, s.row*lineHeight+baseline, decimal(float64(len(s.cells))*columnWidth), markup(s.cells))
	}
	fmt.Fprintf(&b, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%.0f\" height=\"%d\" viewBox=\"0 0 %.0f %d\">\n", width, height, width, height)
	fmt.Fprintf(&b, "<title>A recording of a terminal: %s</title>\n", escaped(printable(command)))
	fmt.Fprintf(&b, "<style>%s%s</style>\n", look, sheet.text(f))
	fmt.Fprintf(&b, "<rect width=\"%.0f\" height=\"%d\" rx=\"8\" fill=\"#16191f\"/>\n", width, height)
	for i := range 3 {
		fmt.Fprintf(&b, "<circle cx=\"%d\" cy=\"%d\" r=\"5\" fill=\"#4b515c\"/>\n", margin+5+18*i, titleHeight/2)
	}
	fmt.Fprintf(&b, "<g transform=\"translate(%d,%d)\" xml:space=\"preserve\">\n", margin, titleHeight)
	b.Write(texts.Bytes())
	fmt.Fprintf(&b, "</g>\n<text class=\"caption\" x=\"%.0f\" y=\"%d\" text-anchor=\"end\">%s</text>\n</svg>\n", width-margin, height-11, escaped(f.caption()))
	return b.Bytes()
}

// caption says how the film differs from what happened.
func (f *film) caption() string {
	took := f.took.Round(time.Second)
	if took < 10*time.Second {
		took = f.took.Round(10 * time.Millisecond)
	}
	if f.shortened == 0 {
		return fmt.Sprintf("it took %v", took)
	}
	return fmt.Sprintf("it took %v; pauses over %v s shortened", took, f.shortened.Seconds())
}

// sheet is the part of the style sheet that moves the film.
type sheet struct {
	length time.Duration
	// names are those of the animations, by their steps.
	names map[string]string
	rules strings.Builder
}

// newSheet is a style sheet in which nothing moves yet.
func newSheet(f *film) *sheet { return &sheet{length: f.length, names: map[string]string{}} }

// class is what makes a text appear and vanish; it is empty for one that is there all the time.
func (s *sheet) class(t *strip) string {
	var steps strings.Builder
	now := time.Duration(0)
	for _, shown := range t.shown {
		if shown.from > 0 {
			steps.WriteString(s.percent(now) + "{visibility:hidden}")
		}
		steps.WriteString(s.percent(shown.from) + "{visibility:visible}")
		now = shown.to
	}
	switch {
	case now < s.length:
		steps.WriteString(s.percent(now) + "{visibility:hidden}")
		return s.animation(steps.String()) + " past"
	case t.shown[0].from == 0 && len(t.shown) == 1:
		return ""
	}
	return s.animation(steps.String())
}

// animation is the name of the animation with these steps.
func (s *sheet) animation(steps string) string {
	name, is := s.names[steps]
	if !is {
		name = "a" + strconv.Itoa(len(s.names))
		s.names[steps] = name
		fmt.Fprintf(&s.rules, "@keyframes %s{%s}\n.%s{animation-name:%s}\n", name, steps, name, name)
	}
	return name
}

// text is the style sheet. Its moving parts are for readers who have not asked for less motion; for
// the others, and where nothing is animated, the last screen stands.
func (s *sheet) text(f *film) string {
	var b strings.Builder
	for i, colour := range colours {
		if f.uses(i + 1) {
			fmt.Fprintf(&b, ".c%d{fill:%s}\n", i+1, colour)
		}
	}
	b.WriteString("@media (prefers-reduced-motion:no-preference){\n")
	fmt.Fprintf(&b, "text{animation:%ss step-end infinite}\n", decimal(s.length.Seconds()))
	b.WriteString(s.rules.String())
	b.WriteString("}\n")
	return b.String()
}

// uses says whether a text has that colour.
func (f *film) uses(colour int) bool {
	for _, s := range f.strips {
		for _, c := range s.cells {
			if c.style.colour == colour {
				return true
			}
		}
	}
	return false
}

// percent is a time as a part of the film's length.
func (s *sheet) percent(at time.Duration) string {
	return decimal(100*at.Seconds()/s.length.Seconds()) + "%"
}

// decimal is a number with at most three digits behind the point.
func decimal(x float64) string {
	return strconv.FormatFloat(math.Round(x*1000)/1000, 'f', -1, 64)
}

// markup is a line as XML: its text, with an element around each part that looks special.
func markup(cells []cell) string {
	var b strings.Builder
	for len(cells) > 0 {
		n := 1
		for n < len(cells) && cells[n].style == cells[0].style {
			n++
		}
		var text strings.Builder
		for _, c := range cells[:n] {
			text.WriteString(c.text)
		}
		if class := cells[0].style.class(); class != "" {
			fmt.Fprintf(&b, `<tspan class="%s">%s</tspan>`, class, escaped(text.String()))
		} else {
			b.WriteString(escaped(text.String()))
		}
		cells = cells[n:]
	}
	return b.String()
}

// class is a style's, as the style sheet knows it.
func (y style) class() string {
	var words []string
	if y.colour > 0 {
		words = append(words, "c"+strconv.Itoa(y.colour))
	}
	if y.bold {
		words = append(words, "bold")
	}
	if y.faint {
		words = append(words, "faint")
	}
	return strings.Join(words, " ")
}

// escaped is a text for XML, which has no place for a few characters that Unicode has.
func escaped(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text)) // a Builder fails at nothing
	return b.String()
}
