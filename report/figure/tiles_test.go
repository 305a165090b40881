package figure

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
)

// tiling is a tile of a shape like a hexagon with its neighbour, and arrows into and inside of it.
func tiling(width int64) *Tiling {
	t := &Tiling{Title: hostile, Time: hostile, Space: hostile, Rows: []string{"S0", hostile}}
	for phase := range 2 {
		t.Tiles = append(t.Tiles, PhaseTile{Phase: phase, Step: int64(2 - 2*phase), Rows: []TileRow{{0, width}, {-1, width + 1}, {-1, width + 1}, {0, width}, {1, 0}}})
	}
	for place := range width {
		t.Arrows = append(t.Arrows, Arrow{2, place, 3, place, true}, Arrow{1, place, 2, place, false})
	}
	return t
}

// A picture of tiles is a document by itself, well-formed whatever the names are, with each
// instance of the tile and each dependence, as far as there is room.
func TestTiles(t *testing.T) {
	for width, arrows := range map[int64]int{6: 12, 600: 600 + 150} {
		svg := Tiles(tiling(width))
		counts := map[string]int{}
		decoder := xml.NewDecoder(strings.NewReader(svg))
		for {
			token, err := decoder.Token()
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				t.Fatalf("not well-formed: %v\n%.2000s", err, svg)
			}
			if start, is := token.(xml.StartElement); is {
				counts[start.Name.Local]++
			}
		}
		if counts["svg"] != 1 || counts["title"] != 1 || counts["polygon"] != 4 || counts["circle"] < int(4*width) || counts["line"] != arrows+2 {
			t.Errorf("%d wide: %v", width, counts)
		}
		if strings.Contains(svg, "NaN") || strings.Contains(svg, "<script") || strings.Contains(svg, "var(") {
			t.Errorf("%.2000s", svg)
		}
	}
}
