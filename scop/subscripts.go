package scop

import (
	"slices"

	"polytune/isl"
)

// Subscripts are those of the elements that a relation leads to, over the
// statement's iterators; nil when they are not given as one affine expression
// each.
func Subscripts(relation *isl.Map) ([]Row, error) {
	depth := relation.Dim(isl.DimIn)
	pieces := relation.BasicMaps()
	if len(pieces) != 1 {
		return nil, nil
	}
	equalities, _, err := pieces[0].Wrap().Constraints()
	count := relation.Dim(isl.DimOut)
	if err != nil || len(equalities) != count {
		return nil, err
	}
	parameters := relation.Dim(isl.DimParam)
	quantified := depth + count + parameters
	rows := make([]Row, count)
	for _, equality := range equalities {
		subscript := onlyUnit(equality[depth : depth+count])
		if subscript < 0 || slices.ContainsFunc(equality[quantified:len(equality)-1], func(v int64) bool { return v != 0 }) {
			return nil, nil
		}
		sign := -equality[depth+subscript]
		rows[subscript] = Row{
			Iterators:  scaled(equality[:depth], sign),
			Parameters: scaled(equality[depth+count:quantified], sign),
			Constant:   sign * equality[len(equality)-1],
		}
	}
	return rows, nil
}

// EachSubscript are those of the elements that an access of the statement's instances leads to, each
// by itself: nil for one that is not given as one affine expression. What the domain says does not
// count.
func (s *StatementModel) EachSubscript(access int) ([]*Row, error) {
	relation := s.Accesses[access].GistDomain(s.Domain)
	rows := make([]*Row, relation.Dim(isl.DimOut))
	for d := range rows {
		alone := relation.ProjectOut(isl.DimOut, d+1, len(rows)-d-1).ProjectOut(isl.DimOut, 0, d)
		row, err := Subscripts(alone)
		if err != nil {
			return nil, err
		}
		if row != nil {
			rows[d] = &row[0]
		}
	}
	return rows, relation.Context().Err()
}

// Subscripts are those of the elements that an access of the statement's instances leads to, over
// its iterators; nil when they are not given as one affine expression each. What the domain says of
// the iterators, such as their remainders, does not count.
func (s *StatementModel) Subscripts(access int) ([]Row, error) {
	return Subscripts(s.Accesses[access].GistDomain(s.Domain))
}

// onlyUnit is the place of the only entry that is not zero, when it is 1 or -1;
// else -1.
func onlyUnit(entries []int64) int {
	place := -1
	for k, v := range entries {
		switch {
		case v == 0:
		case place >= 0 || v != 1 && v != -1:
			return -1
		default:
			place = k
		}
	}
	return place
}

func scaled(entries []int64, factor int64) []int64 {
	list := make([]int64, len(entries))
	for k, v := range entries {
		list[k] = factor * v
	}
	return list
}
