package figure

import (
	_ "embed"
	"fmt"
	"html/template"
	"math"
	"strconv"
	"strings"
	"sync"
)

// figures is their template, which is parsed when the first one is drawn.
var (
	//go:embed figure.html
	source  string
	figures = sync.OnceValue(func() *template.Template { return template.Must(template.New("").Parse(source)) })
)

// drawing is what the template of a figure shows: groups of marks, each above those before it.
type drawing struct {
	Title, Description string
	Width, Height      coordinate
	Groups             []group
}

// group are marks and words that look alike. Class is what the page's style sheet knows them by.
type group struct {
	Class string
	Style template.CSS
	Marks []mark
	Words []words
}

// mark is a path. Tip is what a pointer that rests on it is told.
type mark struct{ Path, Tip string }

// words are a text beside a point: left of it or over it by their Anchor, Turned upwards.
type words struct {
	X, Y   coordinate
	Anchor string
	Turned bool
	Text   string
}

// coordinate is a length in the units of a figure, written with as many digits as can be seen.
type coordinate float64

// String implements fmt.Stringer.
func (c coordinate) String() string {
	return strconv.FormatFloat(math.Round(100*float64(c))/100+0, 'f', -1, 64)
}

// number writes a length.
func number(x float64) string { return coordinate(x).String() }

// Series is the number of colours and shapes that a legend can tell apart.
const Series = 6

// The page's colours, as custom properties; seriesInk has those of series.
const foreground, muted, grid, other = "var(--fg)", "var(--muted)", "var(--grid)", "var(--other)"

// seriesInk is the colour of a series; those beyond Series are like other.
func seriesInk(k int) string {
	if k < 0 || k >= Series {
		return other
	}
	return fmt.Sprintf("var(--series-%d)", k)
}

// filled and stroked are styles of marks in an ink. Inks are this package's own.
func filled(ink string) template.CSS { return template.CSS("fill:" + ink) }

func stroked(ink string, width float64) template.CSS {
	return template.CSS(fmt.Sprintf("fill:none;stroke:%s;stroke-width:%v", ink, width))
}

// html is the drawing as an element of a page.
func (d *drawing) html() (template.HTML, error) {
	var text strings.Builder
	if err := figures().Execute(&text, d); err != nil {
		return "", fmt.Errorf("drawing %q: %w", d.Title, err)
	}
	return template.HTML(Printable(strings.TrimSuffix(text.String(), "\n"))), nil
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
