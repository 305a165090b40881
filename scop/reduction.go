package scop

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
)

// Operator is the operation of a reduction, written as OpenMP writes it.
type Operator string

// The operators. Differences are sums of negated terms. All are associative and
// commutative for exact numbers. For unsigned integers of C, which wrap, they
// are so too; signed ones are undefined where a sum overflows, which another
// order can bring about, unless it is computed without sign (Wraps); floating-point numbers round differently. Minimum and
// maximum are exact, but with NaN and with zeros of both signs their result
// depends on the order.
const (
	Sum     Operator = "+"
	Product Operator = "*"
	Minimum Operator = "min"
	Maximum Operator = "max"
)

// Operators are all operators.
var Operators = []Operator{Sum, Product, Minimum, Maximum}

// Reduction says that a statement is nothing but an update of one element by an
// operator: x = x + e, where e does not depend on x.
type Reduction struct {
	Operator Operator
	// Array is the array of the element, the accumulator.
	Array string
	// Accesses are the statement's references to the accumulator, as indices.
	// All others are references of e.
	Accesses []int
	// Places are those in the statement's source that name the accumulator, in
	// order; none for Several.
	Places []Place
	// Several says that the statement has control flow of its own, in which it updates elements of
	// the array, each of Accesses another one.
	Several bool
	// Permitted says that the source allows another order itself, as OpenMP's clause for reductions
	// does.
	Permitted bool
	// Wraps is the unsigned type of C in which sums are the same in any order, those of integers
	// whose places data decide; "" for all others.
	Wraps string
	// Starts are the places in the statement's source where its updates begin, each of which may be
	// an atomic operation by itself; none where that is not so of all. They are of all arrays of
	// Also, too.
	Starts []int
	// Also are those into other arrays that a statement with control flow of its own is, too.
	Also []*Reduction
}

// all are the reduction and those into other arrays of the same statement; r may be nil.
func (r *Reduction) all() []*Reduction {
	if r == nil {
		return nil
	}
	return append([]*Reduction{r}, r.Also...)
}

// At is the one of which a reference is an accumulator, nil where it is none; r may be nil.
func (r *Reduction) At(access int) *Reduction {
	for _, one := range r.all() {
		if slices.Contains(one.Accesses, access) {
			return one
		}
	}
	return nil
}

// Under is the one under a clause, nil where there is none; r may be nil.
func (r *Reduction) Under(c Clause) *Reduction {
	for _, one := range r.all() {
		if one.Clause() == c {
			return one
		}
	}
	return nil
}

// arePermitted says of a reduction, which may be nil, whether the source allows another order of
// some of its updates.
func (r *Reduction) arePermitted() bool {
	return slices.ContainsFunc(r.all(), func(one *Reduction) bool { return one.Permitted })
}

// isFree says whether another order needs no permission, or has it.
func (r *Reduction) isFree() bool { return r.Permitted || r.Wraps != "" }

// areFree says of a reduction, which may be nil, whether some of its updates are free.
func (r *Reduction) areFree() bool { return slices.ContainsFunc(r.all(), (*Reduction).isFree) }

// Place is a part of a text, from byte Start to the one in front of End.
type Place struct{ Start, End int }

// Clause asks for a loop whose iterations, or groups of them, have
// accumulators of their own, which are put together in the end.
type Clause struct {
	Operator Operator
	Array    string
}

// Clause is the one that a loop needs which carries the reduction.
func (r *Reduction) Clause() Clause { return Clause{r.Operator, r.Array} }

// Is says whether reference number access is one to the accumulator; r may be
// nil.
func (r *Reduction) Is(access int) bool { return r.At(access) != nil }

// String is the clause as OpenMP writes it: reduction(+:x).
func (c Clause) String() string { return fmt.Sprintf("reduction(%s:%s)", c.Operator, c.Array) }

// ClausesText are clauses with a space in front of each.
func ClausesText(clauses []Clause) string {
	text := ""
	for _, c := range clauses {
		text += " " + c.String()
	}
	return text
}

// ParseClauses reads clauses with blanks between them.
func ParseClauses(text string) ([]Clause, error) {
	var clauses []Clause
	for _, word := range strings.Fields(text) {
		inside, opened := strings.CutPrefix(word, "reduction(")
		inside, closed := strings.CutSuffix(inside, ")")
		operator, array, divided := strings.Cut(inside, ":")
		if !opened || !closed || !divided || array == "" || !slices.Contains(Operators, Operator(operator)) {
			return nil, fmt.Errorf("%q is no reduction; write reduction(+:x), with one of the operators + * min max", word)
		}
		clauses = append(clauses, Clause{Operator(operator), array})
	}
	return clauses, nil
}

// Reassociated is the program whose reductions may be done in any order.
func (p *Program) Reassociated() *Program {
	q := *p
	q.Reassociate = true
	return &q
}

// MayReassociate says that some reductions may be done in any order.
func (p *Program) MayReassociate() bool {
	return p.Reassociate || slices.ContainsFunc(p.Statements, func(s Statement) bool { return s.Reduction.areFree() })
}

// MayRound says that some results may depend on the order of reductions.
func (p *Program) MayRound() bool {
	return p.Reassociate || slices.ContainsFunc(p.Statements, func(s Statement) bool { return s.Reduction.arePermitted() })
}

// Rounds says that what a statement's reduction gives may depend on the order of its updates, which
// may be any.
func (p *Program) Rounds(s *Statement) bool {
	return s.Reduction != nil && (p.Reassociate || s.Reduction.arePermitted())
}

// InAnyOrder says that a statement's reduction, or one of several, may be done in any order.
func (p *Program) InAnyOrder(s *Statement) bool {
	return s.Reduction != nil && (p.Reassociate || s.Reduction.areFree())
}

// AnyOrderAt says that a reference of a statement is an accumulator whose updates may be done in
// any order.
func (p *Program) AnyOrderAt(s *Statement, access int) bool {
	r := s.Reduction.At(access)
	return r != nil && (p.Reassociate || r.isFree())
}

// Reordered are the variables whose values may depend on the order of reductions that may be done
// in any order: those that the reductions update, and all that are computed from these, by the
// statements that read and write them.
func (p *Program) Reordered() map[string]bool { return p.DependingOn(p.Rounds) }

// DependingOn are the variables that some statements write, and all that are computed from these.
func (p *Program) DependingOn(is func(*Statement) bool) map[string]bool {
	variable := map[string]string{}
	for _, a := range p.Arrays {
		variable[a.Name] = cmp.Or(a.Variable, a.Name)
	}
	written := map[string]bool{}
	for before := -1; before < len(written); {
		before = len(written)
		for i := range p.Statements {
			s := &p.Statements[i]
			depends := is(s) || slices.ContainsFunc(s.Accesses, func(a Access) bool { return a.Read && written[variable[a.Array]] })
			for _, a := range s.Accesses {
				if depends && a.Write {
					written[variable[a.Array]] = true
				}
			}
		}
	}
	return written
}

// Reductions are the clauses of the statements that are reductions, each once.
func (p *Program) Reductions() []Clause {
	var list []Clause
	for i := range p.Statements {
		for _, r := range p.Statements[i].Reduction.all() {
			if !slices.Contains(list, r.Clause()) {
				list = append(list, r.Clause())
			}
		}
	}
	return list
}

// moved is the reduction of a statement whose text has changed: moved gives the
// new places.
func (r *Reduction) moved(moved func(offset int) int) *Reduction {
	if r == nil {
		return nil
	}
	q := *r
	q.Places = nil
	for _, p := range r.Places {
		q.Places = append(q.Places, Place{moved(p.Start), moved(p.End)})
	}
	q.Starts = nil
	for _, start := range r.Starts {
		q.Starts = append(q.Starts, moved(start))
	}
	q.Also = nil
	for _, also := range r.Also {
		q.Also = append(q.Also, also.moved(moved))
	}
	return &q
}

// of is the reduction with an accumulator in another array.
func (r *Reduction) of(from, to string) *Reduction {
	if r == nil {
		return nil
	}
	q := *r
	if q.Array == from {
		q.Array = to
	}
	q.Also = nil
	for _, also := range r.Also {
		q.Also = append(q.Also, also.of(from, to))
	}
	return &q
}

// OnlyUpdates says that the statement does not touch the clause's array, or is a
// reduction under the clause that touches nothing of it but its accumulator.
func (s *Statement) OnlyUpdates(c Clause) bool {
	for k, a := range s.Accesses {
		if r := s.Reduction.At(k); a.Array == c.Array && (r == nil || r.Clause() != c) {
			return false
		}
	}
	return true
}

// Accumulators are the elements that updates under a clause touch.
type Accumulators struct {
	// Count is the number of elements along the outermost dimension up to the
	// last one, over the parameters; nil when it is not bounded.
	Count *isl.PwAff
	// Dimensions is the number of subscripts that are not always the same.
	Dimensions int
	// Scattered says that data decide which elements these are: all that the array is declared
	// with.
	Scattered bool
}

// Accumulated are the elements of the clause's array that updates touch. ok is false when somebody
// who has only the array's name cannot make a copy of them: a number of elements is not known, they
// are members of structs, or a subscript may be negative. One that data decide is within the
// extents that the array is declared with, or its Span.
func (m *Model) Accumulated(c Clause) (all Accumulators, ok bool, err error) {
	array := m.Program.Array(c.Array)
	accesses := m.updated(c)
	if array == nil || array.Path != "" || len(array.Extents) == 0 || len(accesses) == 0 || slices.Contains(array.Extents[1:], "") {
		return all, false, m.Context.Err()
	}
	touched := accesses[0]
	for _, elements := range accesses {
		scattered, known, err := m.within(array, elements)
		if err != nil || !known {
			return all, false, err
		}
		all.Scattered = all.Scattered || scattered
		touched = touched.Union(elements)
	}
	pairs := touched.MapTo(touched)
	for d := range array.Extents {
		same, err := pairs.IsSubset(pairs.Equate(isl.DimIn, d, isl.DimOut, d))
		if err != nil {
			return all, false, err
		}
		if !same {
			all.Dimensions++
		}
	}
	bounded, err := touched.HasUpperBound(0)
	if err != nil || !bounded {
		return all, array.UpdatedRows() != "", err
	}
	all.Count = touched.DimMax(0).AddConstant(1).AtLeastZero()
	return all, true, m.Context.Err()
}

// IsScattered says whether data decide which elements updates under a clause touch.
func (m *Model) IsScattered(c Clause) (bool, error) {
	for _, elements := range m.updated(c) {
		for d := range m.Program.Array(c.Array).Extents {
			if bounded, err := elements.HasLowerBound(d); err != nil || !bounded {
				return true, err
			}
		}
	}
	return false, m.Context.Err()
}

// MayBeAtomic says that all updates of the program under a clause may be atomic operations.
func (p *Program) MayBeAtomic(c Clause) bool {
	return !slices.ContainsFunc(p.Statements, func(s Statement) bool { return s.Reduction.Under(c) != nil && len(s.Reduction.Starts) == 0 })
}

// UpdatedRows is the number of elements, or rows, in C, up to the last one that updates which data
// decide touch, "" where it is not known.
func (a *Array) UpdatedRows() string {
	if len(a.Extents) == 0 {
		return ""
	}
	return cmp.Or(a.Extents[0], a.Span)
}

// within says whether data decide which elements of an array a reference touches; ok is false where
// it may leave the array downwards, as far as is known.
func (m *Model) within(array *Array, elements *isl.Set) (scattered, ok bool, err error) {
	for d, extent := range array.Extents {
		bounded, err := elements.HasLowerBound(d)
		if err != nil {
			return false, false, err
		}
		if !bounded {
			scattered = true
			if extent == "" && (d > 0 || array.Span == "") {
				return true, false, nil
			}
			continue
		}
		below := m.Context.ReadSet(m.outsideText(array, d, outsideName+" < 0"))
		if none, err := elements.Intersect(below).IsEmpty(); err != nil || !none {
			return scattered, false, err
		}
	}
	return scattered, true, nil
}

// updated are the elements that each reference of updates under the clause touches.
func (m *Model) updated(c Clause) (elements []*isl.Set) {
	for i := range m.Statements {
		s := &m.Statements[i]
		r := s.Reduction.Under(c)
		if r == nil {
			continue
		}
		accesses := r.Accesses
		if !r.Several {
			accesses = accesses[:1]
		}
		for _, k := range accesses {
			elements = append(elements, s.Accesses[k].Range())
		}
	}
	return elements
}

// Compare orders clauses by their texts.
func (c Clause) Compare(d Clause) int { return strings.Compare(c.String(), d.String()) }

// Wraps is the unsigned type in which copies of an array are added up under a clause, "" for the
// array's own. Updates that have none are the same in it, if they are in its own.
func (p *Program) Wraps(c Clause) string {
	for i := range p.Statements {
		if r := p.Statements[i].Reduction.Under(c); r != nil && r.Wraps != "" {
			return r.Wraps
		}
	}
	return ""
}
