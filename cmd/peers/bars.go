package main

import (
	"bytes"
	"fmt"
	"html/template"
	"math"
	"os"
	"path/filepath"
	"slices"
)

// The picture's measures in pixels: a column and the bar in it, the height of a doubling, and what is
// around the columns.
const (
	columnWidth, barWidth          = 24, 16
	doublingHeight                 = 34
	leftOfBars, aboveBars, belowIt = 44, 34, 104
)

// bar is a kernel's column: the ratio and how high it is drawn from the line of 1 on, upwards; a
// lower bar hangs below the line.
type bar struct {
	Name, Ratio        string
	X, Middle, Top     float64
	Height, NameAt, At float64
	IsSlower           bool
}

// tick is a line across the picture at a ratio.
type tick struct {
	Y     float64
	Label string
}

// barsPicture is what the template of the picture needs.
type barsPicture struct {
	Width, Height, Right, Left, LabelAt float64
	Title                               string
	Bars                                []bar
	Ticks                               []tick
	Mean                                tick
	BarWidth                            int
}

var barsTemplate = template.Must(template.New("bars").Parse(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {{.Width}} {{.Height}}" width="{{.Width}}" height="{{.Height}}" role="img">
<title>{{.Title}}</title>
<style>
text{font:12px sans-serif;fill:#333}.title{font-weight:bold}.tick{stroke:#ddd}.one{stroke:#333}.mean{stroke:#b35900;stroke-dasharray:5 4}.mean-text{fill:#b35900}.bar{fill:#3b7dd8}.slower{fill:#c0392b}.ratio{font-size:9px;text-anchor:middle}.label{text-anchor:end}
@media (prefers-color-scheme:dark){text{fill:#ccc}.tick{stroke:#444}.one{stroke:#ccc}.mean{stroke:#ffa64d}.mean-text{fill:#ffa64d}.bar{fill:#6ca6f0}.slower{fill:#e57366}}
</style>
<text class="title" x="{{.Left}}" y="16">{{.Title}}</text>
{{range .Ticks}}<path class="{{if eq .Label "1x"}}one{{else}}tick{{end}}" d="M{{$.Left}} {{.Y}}H{{$.Right}}"/><text class="label" x="{{$.LabelAt}}" y="{{.Y}}" dy="4">{{.Label}}</text>
{{end}}{{range .Bars}}<rect class="bar{{if .IsSlower}} slower{{end}}" x="{{.X}}" y="{{.Top}}" width="{{$.BarWidth}}" height="{{.Height}}"><title>{{.Name}}: {{.Ratio}}</title></rect><text class="ratio" x="{{.Middle}}" y="{{.At}}">{{.Ratio}}</text><text class="label" transform="translate({{.Middle}} {{.NameAt}}) rotate(-55)" dy="6">{{.Name}}</text>
{{end}}<path class="mean" d="M{{.Left}} {{.Mean.Y}}H{{.Right}}"/><text class="label mean-text" x="{{.Right}}" y="{{.Mean.Y}}" dy="-4">{{.Mean.Label}}</text>
</svg>
`))

// picture is where the bars are, from the page's folder.
const picture = "images/peers.svg"

// draw writes the bars below the folder of the page.
func (d *data) draw(folder string) error {
	svg, err := d.bars()
	if svg == nil || err != nil {
		return err
	}
	file := filepath.Join(folder, picture)
	if err = os.MkdirAll(filepath.Dir(file), 0o777); err == nil {
		err = os.WriteFile(file, svg, 0o666)
	}
	if err != nil {
		return fmt.Errorf("the picture cannot be written: %w", err)
	}
	return nil
}

// bars draws how many times as fast as its best peer polytune is for each kernel, the largest first,
// on a logarithmic scale; nil where no kernel has a ratio.
func (d *data) bars() ([]byte, error) {
	type kernelRatio struct {
		name  string
		ratio float64
	}
	var all []kernelRatio
	most, least := 2.0, 1.0
	for i := range d.Kernels {
		if ratio, known := d.overPeer(&d.Kernels[i]); known {
			all = append(all, kernelRatio{d.Kernels[i].short(), ratio})
			most, least = max(most, ratio), min(least, ratio)
		}
	}
	if len(all) == 0 {
		return nil, nil
	}
	slices.SortStableFunc(all, func(a, b kernelRatio) int { return int(math.Copysign(1, b.ratio-a.ratio)) })
	highest, lowest := math.Ceil(math.Log2(most)), math.Floor(math.Log2(least))
	height := func(ratio float64) float64 {
		return math.Round(10*(aboveBars+(highest-math.Log2(ratio))*doublingHeight)) / 10
	}
	bottom := height(math.Exp2(lowest))
	p := barsPicture{
		Left: leftOfBars, LabelAt: leftOfBars - 6, Right: float64(leftOfBars + columnWidth*len(all)), Height: bottom + belowIt, BarWidth: barWidth,
		Title: fmt.Sprintf("How many times as fast as the best of its peers polytune is, by kernel (%s)", d.Size),
	}
	p.Width = p.Right + 10
	for doubling := lowest; doubling <= highest; doubling++ {
		p.Ticks = append(p.Ticks, tick{height(math.Exp2(doubling)), fmt.Sprintf("%gx", math.Exp2(doubling))})
	}
	for k, own := range all {
		x := float64(leftOfBars + columnWidth*k + (columnWidth-barWidth)/2)
		top := height(max(own.ratio, 1))
		p.Bars = append(p.Bars, bar{
			Name: own.name, Ratio: fmt.Sprintf("%.3g", own.ratio), X: x, Middle: x + barWidth/2, Top: top, Height: height(min(own.ratio, 1)) - top,
			At: top - 3, NameAt: bottom + 8, IsSlower: own.ratio < 1,
		})
	}
	mean, _ := d.mean(d.overPeer)
	p.Mean = tick{height(mean), fmt.Sprintf("geometric mean %.1fx", mean)}
	var out bytes.Buffer
	err := barsTemplate.Execute(&out, p)
	return out.Bytes(), err
}
