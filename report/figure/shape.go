package figure

import (
	"fmt"
	"math"
	"strings"

	"gonum.org/v1/plot/vg"
)

// corners are the corners of the shape of a series around (0, 0), in units of its radius:
// a circle (as a polygon), a square, triangles, a diamond, a cross.
func corners(k int) [][2]float64 {
	switch k {
	case 0:
		return polygon(8, math.Pi/8)
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
		sin, cos := math.Sincos(angle + 2*math.Pi*float64(i)/float64(n))
		points[i] = [2]float64{cos, sin}
	}
	return points
}

// addShape adds the shape of a series to a path.
func addShape(path *vg.Path, k int, at vg.Point, radius vg.Length) {
	for i, corner := range corners(k) {
		point := vg.Point{X: at.X + radius*vg.Length(corner[0]), Y: at.Y + radius*vg.Length(corner[1])}
		if i == 0 {
			path.Move(point)
		} else {
			path.Line(point)
		}
	}
	path.Close()
}

// Marker is the shape of a series in its colour as a small SVG element, for a legend; a
// number that is no series gives that of the others.
func Marker(k int) string {
	var points []string
	for _, corner := range corners(k) {
		points = append(points, fmt.Sprintf("%.2f,%.2f", 6+4.5*corner[0], 6-4.5*corner[1]))
	}
	return fmt.Sprintf(`<svg class="marker" viewBox="0 0 12 12" aria-hidden="true"><polygon points="%s" style="fill:%s"/></svg>`,
		strings.Join(points, " "), seriesInk(k).property())
}
