package language

import (
	"fmt"
	"strings"

	"polytune/algorithm"
	"polytune/isl"
)

// shape is the array that has a value's elements.
type shape struct {
	// array is its name, extents are expressions of C, and offsets are added to subscripts.
	array   string
	extents []string
	offsets []int64
}

// shapeOf finds the array of a value: that of an input for one that takes its place, the caller's
// for an output, and else one of the function's own, whose extents follow from the domain.
func (f *function) shapeOf(c *isl.Context, v *value) error {
	v.array, v.offsets = v.Name, make([]int64, v.dimensions())
	switch {
	case v.made == nil:
		v.extents = f.cExtents(v.Extents)
		return nil
	case v.place != nil:
		v.array = v.place.Of
		return f.fits(c, v, f.values[v.place.Of].Extents, v.place)
	case v.output != nil:
		v.extents = f.cExtents(v.output.Extents)
		return f.fits(c, v, v.output.Extents, v.output)
	}
	for k := range v.offsets {
		least, ok, err := dimension(v.made.domain, k).Least()
		if err != nil {
			return err
		}
		if ok && least < 0 {
			v.offsets[k] = -least
		}
		extent, err := f.extentOf(c, v, k)
		if err != nil {
			return err
		}
		v.extents = append(v.extents, extent)
	}
	return nil
}

// dimension is one dimension of a set.
func dimension(s *isl.Set, k int) *isl.Set {
	return s.ProjectOut(isl.DimSet, k+1, s.Dim(isl.DimSet)-k-1).ProjectOut(isl.DimSet, 0, k)
}

func (f *function) cExtents(extents []algorithm.Expr) []string {
	w := &writer{function: f}
	list := make([]string, len(extents))
	for k, e := range extents {
		list[k] = w.c(e, 0)
	}
	return list
}

// fits notes elements of a computation outside of the array that they go to.
func (f *function) fits(c *isl.Context, v *value, extents []algorithm.Expr, by *algorithm.Declaration) error {
	names, conditions := f.box(extents)
	array := c.ReadSet(fmt.Sprintf("%s{ %s[%s] : %s }", f.parameters(), v.Name, strings.Join(names, ", "), conditions))
	text, is, err := f.example(c, v.made.domain.SetTupleName(v.Name).Subtract(array))
	if is {
		texts := make([]string, len(extents))
		for k, e := range extents {
			texts[k] = e.String()
		}
		f.problems.add(by.At, "%s has iterations outside of the array [%s]: %s; give it larger extents", v.Name, strings.Join(texts, "]["), text)
	}
	return err
}

// extentOf is how long a dimension is, as C: one more than the greatest subscript, or a little more
// where that could be less than 1 with sizes of at least 1, so that the array can be declared.
func (f *function) extentOf(c *isl.Context, v *value, k int) (string, error) {
	most := v.made.domain.DimMax(k).Extended().AddConstant(1 + v.offsets[k])
	build := isl.NewAstBuild(f.context)
	least, ok, err := c.ReadSet(most.String()).IntersectParams(f.context).Least()
	if err != nil {
		return "", err
	}
	text := cText(build.ExprFromPwAff(most), tightest)
	isWhole := !strings.Contains(text, "?") // pieces say nothing of sizes for which there are no iterations
	if more := max(0, 1-least); ok && isWhole && more <= mostRoom {
		return cText(build.ExprFromPwAff(most.AddConstant(more)), 0), c.Err()
	}
	return fmt.Sprintf("(%s > 0 ? %s : 1)", text, text), c.Err()
}

// tightest is where an expression of isl's stands in parentheses.
const tightest = 7

// mostRoom bounds by how much an extent may be longer than what is needed.
const mostRoom = 64
