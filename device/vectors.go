package device

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

// vectorBytes is the size of the vectors in which threads load elements: the widest load that a
// thread of a GPU has.
const vectorBytes = 16

// vectorTypes are the vectors of elements of a type, in both languages.
var vectorTypes = map[string]string{
	double: "double2", float: "float4", "int": "int4", "unsigned": "uint4", "unsigned int": "uint4", "long": "long2", "long int": "long2", "unsigned long": "ulong2",
}

// vectorsOf says how the elements of a box are loaded several at once; nil for one by one. Rows of
// the box lie side by side in memory and have two vectors at least.
func (m *mapper) vectorsOf(of *boxes.Box, elements *isl.Map, c context) (*loopir.Vectors, error) {
	array, last := m.env.Model().Program.Array(of.Array), len(of.Sides)-1
	if of.Memory != mark.Shared || last < 0 || of.Sides[last].Stride != 1 || vectorTypes[elementType(array)] == "" {
		return nil, nil
	}
	v := fitting{&loopir.Vectors{Length: vectorBytes / int64(array.Size)}}
	if of.Sides[last].Extent < 2*v.Length {
		return nil, nil
	}
	s := m.transferSets(of, c)
	fit := m.rows(v, array)
	residue, known, err := s.residue(v.Length)
	switch {
	case err != nil || fit == nil:
		return nil, err
	case known:
		v.Before = residue
	default:
		v.needs(loopir.Operation(isl.OpZdivR, m.atLoops(of.Sides[last].Origin, c.values), loopir.Int(v.Length)))
	}
	v.Count = (of.Sides[last].Extent + v.Before + v.Length - 1) / v.Length
	s.conditions(v, elements, fit)
	return v.Vectors, m.env.Model().Context.Err()
}

// fitting are vectors whose conditions are looked for.
type fitting struct{ *loopir.Vectors }

// needs has a remainder be 0 where there are vectors.
func (v fitting) needs(rest *loopir.Expr) {
	fits := loopir.Operation(isl.OpEq, rest, loopir.Int(0))
	if v.Fits != nil {
		fits = loopir.Operation(isl.OpAnd, v.Fits, fits)
	}
	v.Fits = fits
}

// rows are the values of the parameters for which the rows of an array have whole vectors, which it
// is to have: nil where no row has.
func (m *mapper) rows(v fitting, array *scop.Array) *isl.Set {
	all, program, last := m.env.Model().Parameters, m.env.Model().Program, len(array.Extents)-1
	length, err := strconv.ParseInt(array.Extents[last], 10, 64)
	k := slices.IndexFunc(program.Parameters, func(p string) bool { return program.Spelling(p) == array.Extents[last] })
	isExpanded := slices.ContainsFunc(program.Expansions, func(e scop.Expansion) bool { return e.Name == array.Name })
	switch {
	case last == 0:
	case isExpanded || err != nil && k < 0:
		v.Rows = true
	case err == nil && length%v.Length != 0:
		return nil
	case err != nil:
		v.needs(loopir.Operation(isl.OpZdivR, loopir.Named(program.Parameters[k]), loopir.Int(v.Length)))
		all = all.Intersect(m.env.Model().Context.ReadSet(fmt.Sprintf("%s{ : exists tune_e : %s = %d tune_e }", program.ParametersText(), program.Parameters[k], v.Length)))
	}
	return all
}

// residue is the remainder of the box's least subscript along the last side, divided by a number,
// where it is the same for all values of the loops around.
func (s *transferSets) residue(by int64) (residue int64, known bool, err error) {
	model, executions := s.env.Model(), s.box.Executions()
	if executions == nil {
		return 0, false, nil
	}
	rest := model.Context.ReadMap(fmt.Sprintf("%s{ [%s] -> [tune_r] : exists tune_e : %s = %d tune_e + tune_r and 0 <= tune_r < %d }",
		model.Program.ParametersText(), strings.Join(s.loops, ", "), s.first(len(s.box.Sides)-1), by, by))
	residues := executions.IntersectParams(model.Parameters).Apply(rest)
	residues = residues.ProjectOut(isl.DimParam, 0, residues.Dim(isl.DimParam))
	one, any := residues.Point()
	if !any {
		return 0, false, model.Context.Err()
	}
	known, err = residues.IsEqual(model.Context.ReadSet(fmt.Sprintf("{ [%d] }", one[0])))
	return one[0], known, err
}

// conditions finds which vectors are loaded as a whole, and which elements of others are, for values
// of the parameters for which there are vectors.
func (s *transferSets) conditions(v fitting, elements *isl.Map, fit *isl.Set) {
	last := len(s.box.Sides) - 1
	start := fmt.Sprintf("%s - %d", s.first(last), v.Before)
	among := s.places(s.steps(last, start, v.Count*v.Length, 1)).IntersectParams(fit)
	exact := elements.Wrap().Intersect(s.places(s.side())).IntersectParams(fit)
	whole := exact
	for k := int64(1); k < v.Length; k++ {
		whole = whole.Intersect(exact.Apply(s.moved(k)))
	}
	starts := s.places(s.steps(last, start, v.Count, v.Length)).IntersectParams(fit)
	v.If = loopir.Int(0)
	if all, err := exact.Apply(s.startOf(start, v.Length)).IsSubset(whole); err != nil || !all {
		v.If = s.condition(exact, among)
	}
	s.values[fmt.Sprint("tune_i", last)] = loopir.FirstSubscript()
	v.Whole = s.condition(whole, starts)
}

// startOf relates pairs to those with the first subscript of the vector that they are in, of those
// of a length from some subscript on.
func (s *transferSets) startOf(first string, length int64) *isl.Map {
	to, last := slices.Clone(s.subscripts), len(s.subscripts)-1
	to[last] = fmt.Sprintf("%s + %d*floor((%s - (%s))/%d)", first, length, to[last], first, length)
	return s.read(s.space() + " -> " + s.spaceOf(to))
}

// moved relates pairs to those whose last subscript is smaller by some number.
func (s *transferSets) moved(by int64) *isl.Map {
	to := slices.Clone(s.subscripts)
	to[len(to)-1] += fmt.Sprint(" - ", by)
	return s.read(s.space() + " -> " + s.spaceOf(to))
}
