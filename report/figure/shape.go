package figure

import (
	"fmt"
	"html/template"
	"math"
	"strings"
)

// shape is the path of the shape of a series around a point from where the path is, by its radius: a circle,
// a square, triangles, a diamond, a cross; the others have a hexagon.
func shape(k int, radius float64) string {
	if k == 0 {
		r, d := coordinate(radius), coordinate(2*radius)
		return fmt.Sprintf("m-%[1]v 0a%[1]v %[1]v 0 1 0 %[2]v 0 %[1]v %[1]v 0 1 0-%[2]v 0z", r, d)
	}
	var path strings.Builder
	x, y := 0.0, 0.0
	for i, corner := range corners(k) {
		command := "l"
		if i == 0 {
			command = "m"
		}
		nextX, nextY := radius*corner[0], -radius*corner[1]
		fmt.Fprintf(&path, "%s%v %v", command, coordinate(nextX-x), coordinate(nextY-y))
		x, y = nextX, nextY
	}
	return path.String() + "z"
}

// corners are those of the shape of a series around (0, 0), in units of its radius.
func corners(k int) [][2]float64 {
	switch k {
	case 1:
		return polygon(4, math.Pi/4)
	case 2:
		return polygon(3, math.Pi/2)
	case 3:
		return polygon(4, 0)
	case 4:
		return polygon(3, -math.Pi/2)
	case 5:
		const thin, long = 0.35, 1.05
		return [][2]float64{{thin, thin}, {long, thin}, {long, -thin}, {thin, -thin}, {thin, -long}, {-thin, -long},
			{-thin, -thin}, {-long, -thin}, {-long, thin}, {-thin, thin}, {-thin, long}, {thin, long}}
	}
	return polygon(6, 0)
}

// polygon is a regular polygon, whose first corner is at an angle.
func polygon(n int, angle float64) [][2]float64 {
	points := make([][2]float64, n)
	for i := range points {
		a := angle + 2*math.Pi*float64(i)/float64(n)
		points[i] = [2]float64{math.Cos(a), math.Sin(a)}
	}
	return points
}

// at is a path from a point on.
func at(x, y float64, path string) string {
	return fmt.Sprintf("M%v %v%s", coordinate(x), coordinate(y), path)
}

// Marker is the shape of a series in its colour as a small SVG element, for a legend; a
// number that is no series gives that of the others.
func Marker(k int) template.HTML {
	return template.HTML(fmt.Sprintf(`<svg class="marker" viewBox="0 0 12 12" aria-hidden="true"><path d="%s" style="fill:%s"/></svg>`, at(6, 6, shape(k, 4.5)), seriesInk(k)))
}
