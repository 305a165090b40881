package space

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"polytune/internal/pattern"
	"polytune/isl"
)

// PartitionsIn yields the partitions whose points (Encoding.Point) a set
// contains, in lexicographic order: those of Space.Set, and of what isl makes
// of it. The set is one of the encoding's variables without parameters, and a
// union of conjunctions of equalities and inequalities. Its other points, if
// it has any, are passed over. An error ends the sequence.
func (e Encoding) PartitionsIn(set *isl.Set) iter.Seq2[Partition, error] {
	return func(yield func(Partition, error) bool) {
		conjunctions, err := e.conjunctionsOf(set)
		if err != nil {
			yield(nil, fmt.Errorf("the partitions of a set: %w", err))
			return
		}
		e.union(conjunctions, yield)
	}
}

// ReadPartitions yields the partitions whose points are in a set that is given
// in isl's notation, as PartitionsIn does: what Space.Text prints, possibly
// with further constraints. The work does not grow with the number of points
// that are not asked for.
func (e Encoding) ReadPartitions(text string) iter.Seq2[Partition, error] {
	return func(yield func(Partition, error) bool) {
		if conditions, ok := e.conditionsOf(text); ok {
			e.readConditions(conditions, yield)
			return
		}
		ctx := isl.NewContext()
		defer ctx.Close()
		defer ctx.Limit(readOperations, readTime)()
		e.PartitionsIn(ctx.ReadSet(text))(yield)
	}
}

// conditionsOf are what a set says of the variables, when it gives them their
// own names and is one conjunction. Reading the constraints one by one then
// spares isl minutes with the thousands that a large encoding has.
func (e Encoding) conditionsOf(text string) (conditions string, ok bool) {
	match := setText.FindStringSubmatch(text)
	if match == nil || disjunctionWord.MatchString(match[2]) {
		return "", false
	}
	names := strings.FieldsFunc(match[1], isSeparator)
	return match[2], slices.Equal(names, e.VariableNames())
}

// setText is a set of one tuple: its dimensions, and its conditions if there
// are any.
var setText = pattern.New(`^\s*\{\s*\[([^\[\]]*)\]\s*(?::([^:;{}\[\]]*))?\}\s*$`)

func (e Encoding) readConditions(conditions string, yield func(Partition, error) bool) {
	var constraints []Constraint
	if strings.TrimSpace(conditions) != "" {
		var err error
		if constraints, err = e.parseConstraints(conditions); err != nil {
			yield(nil, fmt.Errorf("the partitions of a set: %w", err))
			return
		}
	}
	e.union([][]Constraint{constraints}, yield)
}

// conjunctionsOf are the constraints of the polyhedra whose union a set is.
func (e Encoding) conjunctionsOf(set *isl.Set) ([][]Constraint, error) {
	if err := set.Context().Err(); err != nil {
		return nil, err
	}
	if set.Dim(isl.DimParam) > 0 || set.Dim(isl.DimSet) != e.Variables() {
		return nil, fmt.Errorf("it has %d dimensions and %d parameters, but %d statements have %d variables and no parameter",
			set.Dim(isl.DimSet), set.Dim(isl.DimParam), e.Statements, e.Variables())
	}
	variables := make([]int, e.Variables())
	for v := range variables {
		variables[v] = v
	}
	var list [][]Constraint
	for _, part := range set.BasicSets() {
		constraints, err := conjunction(part, variables)
		if err != nil {
			return nil, err
		}
		list = append(list, constraints)
	}
	return list, set.Context().Err()
}

// union yields the partitions that satisfy one of the conjunctions, in
// lexicographic order.
func (e Encoding) union(conjunctions [][]Constraint, yield func(Partition, error) bool) {
	var sequences []iter.Seq2[Partition, error]
	for _, constraints := range conjunctions {
		s := e.spaceOf(constraints)
		err := s.prepare(Exact)
		if none := (*EmptyError)(nil); errors.As(err, &none) {
			continue
		}
		if err != nil {
			yield(nil, err)
			return
		}
		sequences = append(sequences, s.All())
	}
	merge(sequences)(yield)
}

// spaceOf is the space of all partitions that satisfy the constraints.
func (e Encoding) spaceOf(constraints []Constraint) *Space {
	s := &Space{encoding: e, names: make([]string, e.Statements), reaches: make([][]bool, e.Statements),
		cuts: []Cut{{Kind: Affine, Constraints: constraints}}, memory: newMemory(e.Statements, unrelated{})}
	for i := range s.reaches {
		s.names[i], s.reaches[i] = fmt.Sprint("S", i), make([]bool, e.Statements)
	}
	return s
}

// unrelated is the oracle of statements without dependences.
type unrelated struct{}

func (unrelated) Fusible([]int) (bool, error) { return true, nil }

func (unrelated) links() [][2]int { return nil }
