package figure

import (
	"fmt"
	"html"
	"math"
	"strings"
)

// Tiling are tiles in time and one dimension of space. Places along both are integers.
type Tiling struct {
	// Title says which tiles they are; Time and Space are the names of the axes.
	Title, Time, Space string
	// Rows are the names of what runs at a step, by the step modulo their number.
	Rows []string
	// Tiles are those around one whose instances are drawn, which is the first.
	Tiles []PhaseTile
	// Arrows are the dependences of its instances.
	Arrows []Arrow
}

// PhaseTile are the instances of a tile: one row for each step, from one on.
type PhaseTile struct {
	Phase int
	Step  int64
	Rows  []TileRow
}

// TileRow are the first and the last place of a tile at a step; the last is before the first where
// there is none.
type TileRow struct{ First, Last int64 }

// Arrow leads from an instance to one that depends on it. Inside says that both are in one tile.
type Arrow struct {
	FromStep, FromPlace, Step, Place int64
	Inside                           bool
}

// The colours of a picture of tiles, which stands by itself: of the fill of each phase, of that of
// the tile whose instances are drawn, and of lines.
var phaseColours = []struct{ fill, focus, line string }{{"#cfe2f3", "#9fc5e8", "#3d6f9e"}, {"#d9ead3", "#a9d39a", "#4f8a3c"}}

// arrowKinds are dependences on other tiles, and inside of one.
var arrowKinds = []struct{ name, colour, text string }{{"outside", "#c0392b", "dependence on another tile"}, {"inside", "#444444", "in the tile"}}

const (
	leastCell, mostCell, plotWidth = 10.0, 26.0, 820.0
	left, top, below               = 74.0, 44.0, 96.0
)

// leastPlaces is the number of places that are drawn at least.
const leastPlaces = 32

// tilePlot draws a Tiling, time upwards. Its cells are as wide as high.
type tilePlot struct {
	*Tiling
	body                     strings.Builder
	firstStep, lastStep      int64
	firstPlace, lastPlace    int64
	cell, width, height, dot float64
}

// Tiles draws tiles as an SVG document of its own.
func Tiles(t *Tiling) string {
	p := &tilePlot{Tiling: t}
	p.frame()
	p.add(`<svg xmlns="http://www.w3.org/2000/svg" width="%[1]s" height="%[2]s" viewBox="0 0 %[1]s %[2]s" role="img" font-family="Helvetica, Arial, sans-serif" font-size="13" fill="#222222">`,
		number(left+p.width+24), number(top+p.height+below))
	p.add(`<title>%s</title>`, html.EscapeString(Printable(t.Title)))
	p.add(`<defs><clipPath id="plot"><rect x="%s" y="%s" width="%s" height="%s"/></clipPath>`, number(left), number(top), number(p.width), number(p.height))
	for _, kind := range arrowKinds {
		p.add(`<marker id="%s" viewBox="0 0 6 6" refX="5.4" refY="3" markerWidth="5" markerHeight="5" orient="auto"><path d="M0 0.6L6 3L0 5.4z" fill="%s"/></marker>`, kind.name, kind.colour)
	}
	p.add(`</defs><rect width="100%%" height="100%%" fill="white"/>`)
	p.add(`<text x="%s" y="24" font-size="15" font-weight="bold">%s</text>`, number(left), html.EscapeString(Printable(t.Title)))
	p.add(`<g clip-path="url(#plot)">`)
	for k := range t.Tiles {
		p.tile(len(t.Tiles) - 1 - k)
	}
	p.instances()
	p.arrows()
	p.add(`</g>`)
	p.axes()
	p.legend()
	p.add(`</svg>`)
	return p.body.String() + "\n"
}

func (p *tilePlot) add(format string, args ...any) { fmt.Fprintf(&p.body, format+"\n", args...) }

// frame chooses what part of the plane is drawn: the first tile, and half a tile around.
func (p *tilePlot) frame() {
	focus := &p.Tiles[0]
	p.firstPlace, p.lastPlace = math.MaxInt64, math.MinInt64
	for _, row := range focus.Rows {
		p.firstPlace, p.lastPlace = min(p.firstPlace, row.First), max(p.lastPlace, row.Last)
	}
	steps, places := int64(len(focus.Rows)), p.lastPlace-p.firstPlace+1
	p.firstStep, p.lastStep = focus.Step-steps*3/8-1, focus.Step+steps+steps*3/8
	p.firstPlace, p.lastPlace = p.firstPlace-places/2-1, p.lastPlace+places/2+1
	if more := leastPlaces - (p.lastPlace - p.firstPlace + 1); more > 0 {
		p.firstPlace, p.lastPlace = p.firstPlace-more/2, p.lastPlace+(more+1)/2
	}
	p.cell = max(leastCell, min(mostCell, plotWidth/float64(p.lastPlace-p.firstPlace+1)))
	p.width, p.height = p.cell*float64(p.lastPlace-p.firstPlace+1), p.cell*float64(p.lastStep-p.firstStep+1)
	p.dot = 0.17 * p.cell
}

// x and y are where an instance is drawn.
func (p *tilePlot) x(place int64) float64 { return left + p.cell*(float64(place-p.firstPlace)+0.5) }
func (p *tilePlot) y(step int64) float64  { return top + p.cell*(float64(p.lastStep-step)+0.5) }

// tile draws the outline of a tile: through its outermost instances, with a margin.
func (p *tilePlot) tile(k int) {
	t := &p.Tiles[k]
	var up, down []string
	for a, row := range t.Rows {
		if row.Last >= row.First {
			y := number(p.y(t.Step + int64(a)))
			up, down = append(up, number(p.x(row.First))+","+y), append([]string{number(p.x(row.Last)) + "," + y}, down...)
		}
	}
	points, colours := strings.Join(append(up, down...), " "), phaseColours[t.Phase]
	fill, line := colours.fill, 1.0
	if k == 0 {
		fill, line = colours.focus, 1.8
	}
	margin := 0.68 * p.cell
	p.add(`<polygon points="%s" fill="%[2]s" stroke="%[2]s" stroke-width="%s" stroke-linejoin="round"/>`, points, colours.line, number(margin+2*line))
	p.add(`<polygon points="%s" fill="%[2]s" stroke="%[2]s" stroke-width="%s" stroke-linejoin="round"/>`, points, fill, number(margin))
}

// instances draws those of the first tile, and dots for those of the others.
func (p *tilePlot) instances() {
	for k := range p.Tiles {
		t := &p.Tiles[k]
		for a, row := range t.Rows {
			step := t.Step + int64(a)
			for place := max(row.First, p.firstPlace); place <= min(row.Last, p.lastPlace) && step >= p.firstStep && step <= p.lastStep; place++ {
				if k == 0 {
					p.instance(p.x(place), p.y(step), p.rowOf(step), p.dot)
				} else {
					p.add(`<circle cx="%s" cy="%s" r="%s" fill="%s" fill-opacity="0.45"/>`, number(p.x(place)), number(p.y(step)), number(0.45*p.dot), phaseColours[t.Phase].line)
				}
			}
		}
	}
}

// rowOf is the number of what runs at a step.
func (p *tilePlot) rowOf(step int64) int {
	count := int64(len(p.Rows))
	return int((step%count + count) % count)
}

// instance draws one instance: another shape for what runs at other steps.
func (p *tilePlot) instance(x, y float64, row int, radius float64) {
	shape := `fill="#222222"`
	if row%2 == 1 {
		shape = fmt.Sprintf(`fill="white" stroke="#222222" stroke-width="%s"`, number(min(1.4, 0.45*radius)))
	}
	if row%4 < 2 {
		p.add(`<circle cx="%s" cy="%s" r="%s" %s/>`, number(x), number(y), number(radius), shape)
		return
	}
	p.add(`<rect x="%s" y="%s" width="%[3]s" height="%[3]s" %s/>`, number(x-radius), number(y-radius), number(2*radius), shape)
}

// mostArrows is the number of arrows up to which all are drawn.
const mostArrows = 700

// arrows draws dependences: where there are too many, inside of the tile those of some instances
// alone.
func (p *tilePlot) arrows() {
	for _, a := range p.Arrows {
		if a.Inside && len(p.Arrows) > mostArrows && (a.Step%3 != 0 || a.Place%4 != 0) {
			continue
		}
		kind := arrowKinds[0]
		if a.Inside {
			kind = arrowKinds[1]
		}
		fromX, fromY, x, y := p.x(a.FromPlace), p.y(a.FromStep), p.x(a.Place), p.y(a.Step)
		length := math.Hypot(x-fromX, y-fromY)
		short := (p.dot + 1) / length
		p.add(`<line x1="%s" y1="%s" x2="%s" y2="%s" stroke="%s" stroke-width="1" marker-end="url(#%s)"/>`, number(fromX+short*(x-fromX)), number(fromY+short*(y-fromY)),
			number(x-short*(x-fromX)), number(y-short*(y-fromY)), kind.colour, kind.name)
	}
}

// axes draws a frame with numbers and names.
func (p *tilePlot) axes() {
	p.add(`<rect x="%s" y="%s" width="%s" height="%s" fill="none" stroke="#222222"/>`, number(left), number(top), number(p.width), number(p.height))
	bottom := top + p.height
	each := tickDistance(32 / p.cell)
	for place := roundUp(p.firstPlace, each); place <= p.lastPlace; place += each {
		p.add(`<path d="M%s %sv5" stroke="#222222"/><text x="%[1]s" y="%[3]s" text-anchor="middle">%d</text>`, number(p.x(place)), number(bottom), number(bottom+19), place)
	}
	each = tickDistance(18 / p.cell)
	for step := roundUp(p.firstStep, each); step <= p.lastStep; step += each {
		p.add(`<path d="M%s %sh-5" stroke="#222222"/><text x="%s" y="%s" text-anchor="end">%d</text>`, number(left), number(p.y(step)), number(left-9), number(p.y(step)+4.5), step)
	}
	p.add(`<text x="%s" y="%s" text-anchor="middle" font-size="14">%s</text>`, number(left+p.width/2), number(bottom+40), html.EscapeString(Printable(p.Space)))
	p.add(`<text transform="translate(22 %s) rotate(-90)" text-anchor="middle" font-size="14">%s</text>`, number(top+p.height/2), html.EscapeString(Printable(p.Time)))
}

// tickDistance is a round number that is not less than another one.
func tickDistance(least float64) int64 {
	for power := int64(1); ; power *= 10 {
		for _, n := range []int64{1, 2, 5} {
			if float64(n*power) >= least {
				return n * power
			}
		}
	}
}

// roundUp is the first multiple of a number from another one on.
func roundUp(from, each int64) int64 { return from + ((-from%each)+each)%each }

// legend says what the colours and shapes mean.
func (p *tilePlot) legend() {
	x, y := left, top+p.height+72
	item := func(draw func(x float64), text string) {
		draw(x + 8)
		p.add(`<text x="%s" y="%s">%s</text>`, number(x+24), number(y+4.5), html.EscapeString(Printable(text)))
		x += 24 + 7.1*float64(len([]rune(text))) + 16
	}
	for phase, colours := range phaseColours {
		item(func(x float64) {
			p.add(`<rect x="%s" y="%s" width="16" height="14" rx="3" fill="%s" stroke="%s"/>`, number(x-8), number(y-7), colours.focus, colours.line)
		}, fmt.Sprintf("phase %d", phase))
	}
	for row, name := range p.Rows {
		item(func(x float64) { p.instance(x, y, row, 4.4) }, name)
	}
	for _, kind := range arrowKinds {
		item(func(x float64) {
			p.add(`<line x1="%s" y1="%s" x2="%s" y2="%[2]s" stroke="%[4]s" marker-end="url(#%[5]s)"/>`, number(x-8), number(y), number(x+10), kind.colour, kind.name)
		}, kind.text)
	}
}
