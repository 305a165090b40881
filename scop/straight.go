package scop

import (
	"fmt"
	"slices"

	"polytune/isl"
)

// Straight is a statement for most of its instances, for which each of some subscripts is one affine
// expression: those of a[MAX(i - 1, 0)] and of a[(i + 1) % n], which have another value at the rims
// of the loops alone.
type Straight struct {
	// Statement has these expressions in its text.
	Statement Statement
	// Subscripts are they, by access and dimension.
	Subscripts map[int]map[int]Row
	// Where are not negative for these instances, and for no others.
	Where []Row
}

// mostRim is how many iterations of a loop are its rim.
const mostRim = 16

// Straight is a statement for most of its instances; nil where none of its subscripts is simpler
// there.
func (m *Model) Straight(statement int) (*Straight, error) {
	return Known(m, straightAsked{statement}, func() (*Straight, error) {
		mark := m.Context.Mark()
		defer m.Context.Release(mark)
		r := &straightener{model: m, of: &m.Statements[statement], made: Straight{Subscripts: map[int]map[int]Row{}}}
		return r.straight()
	})
}

// straightAsked is the question which statement that is.
type straightAsked struct{ statement int }

// At is the model of the statement with the text of the straight one.
func (s *Straight) At(of *StatementModel) *StatementModel {
	made := *of
	made.Statement, made.Straight = &s.Statement, s
	return &made
}

// straightener finds what a statement is for most of its instances.
type straightener struct {
	model *Model
	of    *StatementModel
	made  Straight
}

func (r *straightener) straight() (*Straight, error) {
	program, s := r.model.Program, *r.of.Statement
	if !Has(s.Value, mayBend) {
		return nil, nil
	}
	for k := range program.Arrays {
		array := &program.Arrays[k]
		if !s.Names(array.Name) || array.Linear {
			continue
		}
		references, err := program.references(&s, array)
		if err != nil {
			continue // which stay as they are
		}
		others := map[*Ref]*Ref{}
		for _, reference := range references {
			other, err := r.reference(array, reference)
			if err != nil {
				return nil, err
			}
			if other != nil {
				others[reference.ref] = other
			}
		}
		if len(others) > 0 {
			s = s.spliced(others, array.Name)
		}
	}
	if len(r.made.Subscripts) == 0 {
		return nil, r.model.Context.Err()
	}
	r.made.Statement = s
	return &r.made, r.model.Context.Err()
}

// mayBend says whether an expression may be another affine one for other iterations.
func mayBend(e Expr) bool {
	switch e := e.(type) {
	case *Call, *Select:
		return true
	case *Binary:
		return e.Operator == "%"
	}
	return false
}

// reference is one with affine subscripts where it has others, nil where none is.
func (r *straightener) reference(array *Array, of reference) (*Ref, error) {
	computed := r.model.Program.ComputedNamed(array.Name)
	ahead := r.of.Accesses[of.access].Dim(isl.DimOut) - len(of.ref.Subscripts)
	if r.of.Statement.Accesses[of.access].May || ahead != 0 && (computed == nil || ahead != computed.Loops) {
		return nil, nil
	}
	made := *of.ref
	made.Subscripts = slices.Clone(of.ref.Subscripts)
	changes := false
	for d, subscript := range of.ref.Subscripts {
		part := subscript
		var origin *Binary
		if computed != nil && computed.HasOrigin(d) {
			origin = subscript.(*Binary)
			part = origin.X
		}
		if !Has(part, mayBend) {
			continue
		}
		row, is, err := r.subscript(of.access, ahead+d)
		if err != nil {
			return nil, err
		}
		if !is {
			continue
		}
		changes, made.Subscripts[d] = true, r.model.Program.ofRow(row)
		if origin != nil {
			made.Subscripts[d] = &Binary{Operator: "-", X: made.Subscripts[d], Y: origin.Y}
		}
	}
	if !changes {
		return nil, nil
	}
	return &made, nil
}

// subscript is one of an access for most of the instances; is is false where no affine expression
// is it for most.
func (r *straightener) subscript(access, dimension int) (row Row, is bool, err error) {
	relation := r.of.Accesses[access]
	count := relation.Dim(isl.DimOut)
	relation = relation.ProjectOut(isl.DimOut, dimension+1, count-dimension-1).ProjectOut(isl.DimOut, 0, dimension)
	main, err := r.most(relation.Coalesce())
	if main == nil || err != nil {
		return row, false, err
	}
	rows, err := Subscripts(main.GistDomain(r.of.Domain))
	if rows == nil || err != nil {
		return row, false, err
	}
	where, is, err := r.where(main.Domain())
	if !is || err != nil {
		return row, false, err
	}
	r.made.Where = append(r.made.Where, where...)
	if r.made.Subscripts[access] == nil {
		r.made.Subscripts[access] = map[int]Row{}
	}
	r.made.Subscripts[access][dimension] = rows[0]
	return rows[0], true, nil
}

// most is the part of a relation that most instances have; nil where none is that.
func (r *straightener) most(relation *isl.Map) (main *isl.Map, err error) {
	pieces := relation.BasicMaps()
	if len(pieces) == 1 {
		return relation, nil
	}
	for _, piece := range pieces {
		part := piece.Wrap().ToSet().Unwrap()
		isRim, err := r.isRim(part.Domain())
		switch {
		case err != nil:
			return nil, err
		case isRim:
		case main != nil:
			return nil, nil
		default:
			main = part
		}
	}
	return main, nil
}

// isRim says whether some instances have few iterations of a loop that may have many.
func (r *straightener) isRim(some *isl.Set) (bool, error) {
	for loop := range r.of.Depth() {
		few, err := r.fewAlong(some, loop)
		if err != nil || !few {
			if err != nil {
				return false, err
			}
			continue
		}
		ofAll, err := r.fewAlong(r.of.Domain, loop)
		if err != nil || !ofAll {
			return err == nil, err
		}
	}
	return false, nil
}

// fewAlong says whether the iterations of a loop that some instances have are close to each other.
func (r *straightener) fewAlong(some *isl.Set, loop int) (bool, error) {
	along := some.ProjectOut(isl.DimSet, loop+1, r.of.Depth()-loop-1).ProjectOut(isl.DimSet, 0, loop)
	far := r.model.Context.ReadMap(fmt.Sprintf("{ [x] -> [y] : y >= x + %d }", mostRim))
	return along.MapTo(along).Intersect(far).IsEmpty()
}

// where are what is not negative for some instances alone; is is false where no inequalities of
// iterators and parameters say which they are.
func (r *straightener) where(some *isl.Set) (where []Row, is bool, err error) {
	pieces := some.Gist(r.of.Domain).BasicSets()
	if len(pieces) != 1 {
		return nil, false, nil
	}
	equalities, inequalities, err := pieces[0].Constraints()
	depth, parameters := r.of.Depth(), some.Dim(isl.DimParam)
	if len(equalities) > 0 || err != nil {
		return nil, false, err
	}
	for _, c := range inequalities {
		if len(c) != depth+parameters+1 {
			return nil, false, nil
		}
		where = append(where, Row{Iterators: c[:depth], Parameters: c[depth : depth+parameters], Constant: c[len(c)-1]})
	}
	return where, true, nil
}
