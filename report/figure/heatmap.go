package figure

import (
	"fmt"
	"image/color"
	"math"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Tile is one field of HeatMap: a ratio at two sizes.
type Tile struct {
	X, Y  int64
	Ratio float64
}

// HeatMap draws ratios at pairs of sizes, the fastest darkest, each with its number. The
// axes have the sizes that occur, in order; what was not tried stays empty.
func HeatMap(title, description, xName, yName string, tiles []Tile) (string, error) {
	v := heatMap{}
	var ratios []float64
	for _, t := range tiles {
		if usable(t.Ratio) {
			v.tiles, ratios = append(v.tiles, t), append(ratios, t.Ratio)
			v.xs, v.ys = append(v.xs, t.X), append(v.ys, t.Y)
		}
	}
	if len(ratios) == 0 {
		return "", nil
	}
	v.xs, v.ys = ordered(v.xs), ordered(v.ys)
	v.low, v.high = slices.Min(ratios), slices.Max(ratios)
	p := newPlot()
	for _, side := range []struct {
		axis  *plot.Axis
		name  string
		sizes []int64
	}{{&p.X, xName, v.xs}, {&p.Y, yName, v.ys}} {
		side.axis.Min, side.axis.Max = -0.5, float64(len(side.sizes))-0.5
		side.axis.Label.Text = "tiles of " + side.name
		side.axis.Tick.Length, side.axis.LineStyle.Width = 0, 0
		side.axis.Tick.Marker = plot.ConstantTicks(sizeTicks(side.sizes))
	}
	p.Add(v)
	return render(p, vg.Length(70+26*len(v.ys)), about{title, description})
}

func ordered(sizes []int64) []int64 {
	slices.Sort(sizes)
	return slices.Compact(sizes)
}

func sizeTicks(sizes []int64) []plot.Tick {
	ticks := make([]plot.Tick, len(sizes))
	for i, size := range sizes {
		ticks[i] = plot.Tick{Value: float64(i), Label: fmt.Sprint(size)}
	}
	return ticks
}

// heatMap is the plotter of HeatMap.
type heatMap struct {
	tiles     []Tile
	xs, ys    []int64
	low, high float64
}

// Plot implements plot.Plotter.
func (v heatMap) Plot(c draw.Canvas, p *plot.Plot) {
	x, y := p.Transforms(&c)
	for _, t := range v.tiles {
		column, _ := slices.BinarySearch(v.xs, t.X)
		row, _ := slices.BinarySearch(v.ys, t.Y)
		left, right := x(float64(column)-0.48), x(float64(column)+0.48)
		bottom, top := y(float64(row)-0.46), y(float64(row)+0.46)
		share := 1.0
		if v.high > v.low {
			share = math.Log(t.Ratio/v.low) / math.Log(v.high/v.low)
		}
		fill, text := scaleColors(share)
		c.SetColor(fill)
		c.Fill(vg.Rectangle{Min: vg.Point{X: left, Y: bottom}, Max: vg.Point{X: right, Y: top}}.Path())
		style := p.X.Tick.Label
		style.Color, style.XAlign, style.YAlign = text, draw.XCenter, draw.YCenter
		label := fmt.Sprintf("%.3g", t.Ratio)
		if style.Width(label) < right-left {
			c.FillText(style, vg.Point{X: (left + right) / 2, Y: (bottom + top) / 2}, label)
		}
	}
}

// scaleColors are the colour of a share from 0 to 1 and that of text on it: from a light yellow
// to a dark blue, which differ in lightness for everybody's eyes and on paper.
func scaleColors(share float64) (fill, text color.Color) {
	stops := []color.NRGBA{{0xff, 0xf3, 0xc4, 0xff}, {0x7c, 0xc4, 0xb8, 0xff}, {0x1d, 0x3f, 0x72, 0xff}}
	share = math.Max(0, math.Min(share, 1)) * float64(len(stops)-1)
	k := min(int(share), len(stops)-2)
	mix := func(a, b uint8) uint8 {
		return uint8(math.Round(float64(a) + (share-float64(k))*(float64(b)-float64(a))))
	}
	fill = color.NRGBA{mix(stops[k].R, stops[k+1].R), mix(stops[k].G, stops[k+1].G), mix(stops[k].B, stops[k+1].B), 0xff}
	if share > 1.3 {
		return fill, color.White
	}
	return fill, color.NRGBA{0x11, 0x11, 0x11, 0xff}
}
