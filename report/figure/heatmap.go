package figure

import (
	"fmt"
	"html/template"
	"math"
	"slices"
)

// Tile is one field of HeatMap: a ratio at two sizes. Tip is said of it to those who point at it.
type Tile struct {
	X, Y  int64
	Ratio float64
	Tip   string
}

// HeatMap draws ratios at pairs of sizes, the fastest darkest, each with its number. The
// axes have the sizes that occur, in order; what was not tried stays empty.
func HeatMap(title, description, xName, yName string, tiles []Tile) (template.HTML, error) {
	tiles = slices.DeleteFunc(slices.Clone(tiles), func(t Tile) bool { return !usable(t.Ratio) })
	if len(tiles) == 0 {
		return "", nil
	}
	var xs, ys []int64
	low, high := tiles[0].Ratio, tiles[0].Ratio
	for _, t := range tiles {
		xs, ys = append(xs, t.X), append(ys, t.Y)
		low, high = min(low, t.Ratio), max(high, t.Ratio)
	}
	xs, ys = ordered(xs), ordered(ys)
	c := newChart(title, description, float64(54+26*len(ys)), namesAxis("tiles of "+xName, names(xs)), namesAxis("tiles of "+yName, names(ys)))
	for _, t := range tiles {
		column, _ := slices.BinarySearch(xs, t.X)
		row, _ := slices.BinarySearch(ys, t.Y)
		x, y := float64(column), float64(row)
		left, right := c.x.at(x-0.48), c.x.at(x+0.48)
		share := 1.0
		if high > low {
			share = math.Log(t.Ratio/low) / math.Log(high/low)
		}
		fill, ink := scaleColors(share)
		c.add("", filled(fill), mark{box(left, c.y.at(y-0.46), right, c.y.at(y+0.46)), t.Tip})
		if label := fmt.Sprintf("%.3g", t.Ratio); textWidth(label) < right-left {
			text := words{X: coordinate((left + right) / 2), Y: coordinate(c.y.at(y) + 4), Anchor: "middle", Text: label}
			c.Groups = append(c.Groups, group{Style: filled(ink) + ";pointer-events:none", Words: []words{text}})
		}
	}
	return c.html()
}

func ordered(sizes []int64) []int64 {
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

func names(sizes []int64) (list []string) {
	for _, size := range sizes {
		list = append(list, fmt.Sprint(size))
	}
	return list
}

// scaleColors are the colour of a share from 0 to 1 and that of text on it: from a light yellow
// to a dark blue, which differ in lightness for everybody's eyes and on paper.
func scaleColors(share float64) (fill, text string) {
	stops := [][3]float64{{0xff, 0xf3, 0xc4}, {0x7c, 0xc4, 0xb8}, {0x1d, 0x3f, 0x72}}
	share = math.Max(0, math.Min(share, 1)) * float64(len(stops)-1)
	k := min(int(share), len(stops)-2)
	fill = "#"
	for i, from := range stops[k] {
		fill += fmt.Sprintf("%02x", uint8(math.Round(from+(share-float64(k))*(stops[k+1][i]-from))))
	}
	if share > 1.3 {
		return fill, "#ffffff"
	}
	return fill, "#111111"
}
