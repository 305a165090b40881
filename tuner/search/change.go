package search

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// words are the choices of a point that are not defaults, in order.
func words(p Point) []string {
	list := strings.Fields(p.Setting)
	slices.Sort(list)
	return list
}

// axesBetween is the number of axes in which two points differ, the partition
// being one.
func axesBetween(a, b Point) int {
	distance := 0
	if !slices.Equal(a.Partition, b.Partition) {
		distance = 1
	}
	left, right := choices(a), choices(b)
	for axis, value := range left {
		if right[axis] != value {
			distance++
		}
	}
	for axis := range right {
		if _, both := left[axis]; !both {
			distance++
		}
	}
	return distance
}

// choices are the values of the axes that have not their default.
func choices(p Point) map[string]string {
	list := map[string]string{}
	for word := range strings.FieldsSeq(p.Setting) {
		axis, value, _ := strings.Cut(word, "=")
		list[axis] = value
	}
	return list
}

// partitionChange stands for any change of the partition.
const partitionChange = "partition"

// change is what leads from one point to another: "tile=wide", "-pack=off",
// or both where an axis goes from one value to another that is no default.
func change(from, to Point) string {
	before, after := words(from), words(to)
	var list []string
	if !slices.Equal(from.Partition, to.Partition) {
		list = append(list, partitionChange)
	}
	for _, word := range before {
		if axis, _, _ := strings.Cut(word, "="); !slices.ContainsFunc(after, func(w string) bool { return strings.HasPrefix(w, axis+"=") }) {
			list = append(list, "-"+word)
		}
	}
	for _, word := range after {
		if !slices.Contains(before, word) {
			list = append(list, word)
		}
	}
	return strings.Join(list, " ")
}

// experience is what changes have done so far.
type experience map[string]*effect

type effect struct {
	logarithms float64
	count      int
}

// failureCost is the logarithm of the factor of time that a failure counts as:
// the screening ends a variant at a few times the best.
var failureCost = math.Log(2.5)

// note remembers what a change has led to.
func (e experience) note(from, to Outcome) {
	if !from.Timed() {
		return
	}
	cost := failureCost
	if to.Timed() {
		cost = min(math.Log(to.Time/from.Time), failureCost)
	}
	name := change(from.Point, to.Point)
	if e[name] == nil {
		e[name] = &effect{}
	}
	e[name].logarithms += cost
	e[name].count++
}

// expected is the mean logarithm of the factor of time of a change, 0 for one
// that nobody has tried.
func (e experience) expected(from, to Point) float64 {
	if known := e[change(from, to)]; known != nil {
		return known.logarithms / float64(known.count)
	}
	return 0
}

// sort puts points that are one step from a point in the order of what is
// expected of them, the fastest first, and otherwise leaves their order.
func (e experience) sort(from Point, points []Point) {
	expected := map[string]float64{}
	for _, p := range points {
		expected[p.String()] = e.expected(from, p)
	}
	slices.SortStableFunc(points, func(a, b Point) int { return cmp.Compare(expected[a.String()], expected[b.String()]) })
}
