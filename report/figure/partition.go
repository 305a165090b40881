package figure

import (
	"fmt"
	"html"
	"slices"
	"strings"
)

// Partition draws a class vector: a box for each class, in order, with its statements.
// text is the same in words. Long ones go on in further lines.
func Partition(classes []int, text string) string {
	const (
		statement, box = 24.0, 22.0 // width of a statement's name, height of a box
		gap, widest    = 5.0, 240.0
		margin         = 1.0
	)
	order := slices.Clone(classes)
	slices.Sort(order)
	var body strings.Builder
	x, y, right := margin, margin, 0.0
	for _, class := range slices.Compact(order) {
		var names []string
		for s, c := range classes {
			if c == class {
				names = append(names, fmt.Sprintf("S%d", s))
			}
		}
		// A class that is longer than a line is drawn in pieces, below each other.
		for len(names) > 0 {
			fits := int((widest - x) / statement)
			if fits < len(names) && x > margin {
				x, y = margin, y+box+gap
				continue
			}
			piece := names[:min(max(fits, 1), len(names))]
			names = names[len(piece):]
			w := statement * float64(len(piece))
			fmt.Fprintf(&body, `<rect x="%s" y="%s" width="%s" height="%s" rx="4"/>`, number(x), number(y), number(w), number(box))
			for i, name := range piece {
				fmt.Fprintf(&body, `<text x="%s" y="%s">%s</text>`, number(x+statement*(float64(i)+0.5)), number(y+box*0.68), name)
			}
			x += w + gap
			right = max(right, x-gap)
			if len(names) > 0 {
				x, y = margin, y+box+gap
			}
		}
	}
	w, h := right+margin, y+box+margin
	text = html.EscapeString(Printable(text))
	return fmt.Sprintf(`<svg class="partition" viewBox="0 0 %s %s" style="width:%spx" role="img" aria-label="%s"><title>%s</title>%s</svg>`,
		number(w), number(h), number(w), text, text, body.String())
}
