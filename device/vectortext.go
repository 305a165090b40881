package device

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"polytune/loopir"
	"polytune/scop"
)

// VectorReport says that the loads of a box are in vectors of so many bytes, and under which
// condition, in C; "" for always.
type VectorReport struct {
	Array string `json:"array"`
	Bytes int    `json:"bytes"`
	If    string `json:"if,omitempty"`
}

// vectorLoads writes the loads of a box in vectors.
type vectorLoads struct {
	*kernelText
	*loopir.Transfer
	array *Array
	// kind is the type of a vector, and conditions are those, in C, under which vectors lie at
	// multiples of their size: the device's arrays begin at such.
	kind       string
	conditions []string
}

// vectorLoads are the loads of a box in vectors, nil where it has none: the rows of its array are
// to be no part of a vector longer than others.
func (p *kernelText) vectorLoads(t *loopir.Transfer) *vectorLoads {
	if t.Vectors == nil || t.Store {
		return nil
	}
	a := p.arrays[t.Box.Of.Array]
	v := &vectorLoads{kernelText: p, Transfer: t, array: a, kind: vectorTypes[elementType(a.Array)]}
	if v.Vectors.Fits != nil {
		v.conditions = append(v.conditions, p.words.text(v.Vectors.Fits))
	}
	if last := len(a.Extents) - 1; v.Vectors.Rows {
		length, err := strconv.ParseInt(a.Extents[last], 10, 64)
		switch {
		case err != nil:
			v.conditions = append(v.conditions, fmt.Sprintf("%s %% %d == 0", textOf(p.extent(a.Extents[last])), v.Vectors.Length))
		case length%v.Vectors.Length != 0:
			return nil
		}
	}
	return v
}

// write writes the loads in vectors, and those of single elements where vectors do not lie at
// multiples of their size.
func (v *vectorLoads) write() error {
	v.kernel.Vectors = append(v.kernel.Vectors, VectorReport{v.array.Name, vectorBytes, strings.Join(v.conditions, " && ")})
	if len(v.conditions) == 0 {
		v.vectors()
		return nil
	}
	err := v.inBraces("if ("+strings.Join(v.conditions, " && ")+")", func() error { v.vectors(); return nil })
	if err != nil {
		return err
	}
	return v.inBraces("else", func() error { return v.elements(v.Transfer) })
}

// vectors writes a loop over the vectors that all threads share.
func (v *vectorLoads) vectors() {
	sides, last := v.Box.Of.Sides, len(v.Box.Of.Sides)-1
	var counts []int64
	for _, side := range sides[:last] {
		counts = append(counts, side.Extent)
	}
	steps := v.dealtOut(append(counts, v.Vectors.Count))
	var subscripts []scop.Expr
	for d := range last {
		subscripts = append(subscripts, v.subscript(v.Box, d, loopir.Subscript(d).Name, steps[d]))
	}
	steps[last] = joined("-", joined("*", number(v.Vectors.Length), steps[last]), number(v.Vectors.Before))
	first := v.declaresNumber(loopir.FirstSubscript().Name, joined("+", v.tree(v.Box.Origin[last]), steps[last]))
	if v.Vectors.Whole == nil {
		v.whole(subscripts, first, steps)
	} else {
		v.line("if (%s) {", v.words.text(v.Vectors.Whole))
		v.depth++
		v.whole(subscripts, first, steps)
		v.depth--
		v.line("}")
		if v.Vectors.If == nil || !v.Vectors.If.IsInt(0) {
			v.line("else")
			v.depth++
			v.single(subscripts, first, steps)
			v.depth--
		}
	}
	v.depth--
	v.line("}")
}

// whole writes the load of all elements of a vector.
func (v *vectorLoads) whole(subscripts []scop.Expr, first scop.Expr, steps []scop.Expr) {
	v.line("const %[1]s tune_vector = *(%[2]sconst %[1]s *) &%[3]s;", v.kind, v.language.Global, v.place(v.array, append(slices.Clip(subscripts), first)))
	for k := range v.Vectors.Length {
		v.line("%s = tune_vector.%c;", v.copyAt(v.Box.Of, v.stepped(steps, number(k))), "xyzw"[k])
	}
}

// single writes the loads of those elements of a vector that are to be copied.
func (v *vectorLoads) single(subscripts []scop.Expr, first scop.Expr, steps []scop.Expr) {
	last := len(steps) - 1
	v.line("for (int tune_k = 0; tune_k < %d; tune_k++) {", v.Vectors.Length)
	v.depth++
	k := name("tune_k")
	v.sizes.names("tune_k", fmt.Sprintf("%d.0", v.Vectors.Length))
	at := v.declaresNumber(loopir.Subscript(last).Name, joined("+", first, k))
	v.copies(v.Vectors.If, v.copyAt(v.Box.Of, v.stepped(steps, k)), v.place(v.array, append(slices.Clip(subscripts), at)))
	v.depth--
	v.line("}")
}

// stepped are places along the sides of a box, so much further along the last one.
func (v *vectorLoads) stepped(steps []scop.Expr, by scop.Expr) []scop.Expr {
	steps, last := slices.Clone(steps), len(steps)-1
	steps[last] = joined("+", steps[last], by)
	return steps
}
