package figure

import (
	"bytes"
	"fmt"
	"html"
	"regexp"
	"strconv"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"
)

// width is the width of all figures in points; the page scales them.
const width = 560 * vg.Length(1)

// about is what a figure says to those who do not see it.
type about struct{ title, description string }

// ink is a colour that the page decides: one of its custom properties.
type ink uint8

const (
	foreground ink = iota + 1
	muted
	grid
	other
	series
)

// Series is the number of colours and shapes that a legend can tell apart.
const Series = 6

// inkNames are the custom properties of the inks up to other.
var inkNames = map[ink]string{foreground: "--fg", muted: "--muted", grid: "--grid", other: "--other"}

// seriesInk is the colour of a series; those beyond Series are like other.
func seriesInk(k int) ink {
	if k < 0 || k >= Series {
		return other
	}
	return series + ink(k)
}

// property is the CSS value of an ink.
func (i ink) property() string {
	if i >= series {
		return fmt.Sprintf("var(--series-%d)", i-series)
	}
	return "var(" + inkNames[i] + ")"
}

// RGBA makes an ink a colour that no figure has otherwise, which stands for the
// property until inline puts that in its place.
func (i ink) RGBA() (r, g, b, a uint32) {
	return wide(inkRed), wide(inkGreen), wide(uint32(i)), 0xffff
}

// wide is the middle of the 16-bit values that become the given one of 8 bits,
// however that is rounded.
func wide(x uint32) uint32 { return x*0x101 + 0x80 }

const inkRed, inkGreen = 0xf0, 0x0d

var (
	inkPattern = regexp.MustCompile(fmt.Sprintf(`(?i)#%02x%02x([0-9a-f]{2})`, inkRed, inkGreen))
	// fontPattern is what the canvas says of the font besides its size.
	fontPattern = regexp.MustCompile(`font-family:[^;"]*;font-variant:[^;"]*;font-weight:[^;"]*;font-style:[^;"]*;?`)
)

// newPlot is a plot in the page's colours, without a background.
func newPlot() *plot.Plot {
	p := plot.New()
	p.BackgroundColor = nil
	for _, axis := range []*plot.Axis{&p.X, &p.Y} {
		axis.Color, axis.Tick.Color = muted, muted
		axis.Label.TextStyle.Color, axis.Tick.Label.Color = foreground, foreground
		axis.Label.TextStyle.Font, axis.Tick.Label.Font = textFont, textFont
		axis.Tick.Length = 4
	}
	return p
}

var textFont = font.Font{Typeface: "Liberation", Variant: "Sans", Size: 11}

// render draws the plot as an SVG element.
func render(p *plot.Plot, height vg.Length, a about) (string, error) {
	canvas := vgsvg.New(width, height)
	p.Draw(draw.New(canvas))
	var out bytes.Buffer
	if _, err := canvas.WriteTo(&out); err != nil {
		return "", fmt.Errorf("drawing %q: %w", a.title, err)
	}
	return inline(out.String(), height, a)
}

// inline makes an element of a page out of an SVG document.
func inline(document string, height vg.Length, a about) (string, error) {
	_, body, found := strings.Cut(document, "<svg")
	if found {
		_, body, found = strings.Cut(body, ">")
	}
	if !found {
		return "", fmt.Errorf("drawing %q: the canvas gave no SVG", a.title)
	}
	body = inkPattern.ReplaceAllStringFunc(body, func(code string) string {
		value, err := strconv.ParseUint(code[5:], 16, 8)
		if err != nil {
			return code
		}
		return ink(value).property()
	})
	body = fontPattern.ReplaceAllString(body, "")
	return Printable(open(float64(width), float64(height), a) + strings.ReplaceAll(body, "\n\t", " ")), nil
}

// Printable puts U+FFFD in the place of what no document may have: control characters other
// than white space, and bytes that are no UTF-8.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' || r == 0x7f || r == 0xfffe || r == 0xffff {
			return '\ufffd'
		}
		return r
	}, strings.ToValidUTF8(text, "\ufffd"))
}

// open begins an SVG element of the given size.
func open(w, h float64, a about) string {
	return fmt.Sprintf(`<svg viewBox="0 0 %s %s" role="img" aria-label="%s"><title>%s</title><desc>%s</desc>`,
		number(w), number(h), html.EscapeString(a.title), html.EscapeString(a.title), html.EscapeString(a.description))
}

// number writes a coordinate.
func number(x float64) string { return strconv.FormatFloat(x, 'f', -1, 32) }
