package device

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop/boxes"
	"polytune/scop/mark"
)

// transfer copies those of a box's elements that the code uses by the values of the loops around
// and, in private memory, by the thread.
func (m *mapper) transfer(box *loopir.Box, of *boxes.Box, elements *isl.Map, c context) (*loopir.Transfer, error) {
	s := m.transferSets(of, c)
	return &loopir.Transfer{Box: box, If: s.condition(elements.Wrap(), s.places(s.side()))}, m.env.Model().Context.Err()
}

// transferSets writes sets of pairs of values of the loops around a box, with the numbers of a
// thread, and of an array's elements. Each value has a name that is a parameter of conditions.
type transferSets struct {
	*mapper
	box *boxes.Box
	// loops, threads and subscripts are the names in the pairs; names are those of parameters, the
	// equalities say that both are the same, and values are what parameters stand for in the code.
	loops, threads, subscripts, names, equalities []string
	values                                        map[string]*loopir.Expr
}

func (m *mapper) transferSets(of *boxes.Box, c context) *transferSets {
	s := &transferSets{mapper: m, box: of, values: map[string]*loopir.Expr{}}
	for d := range of.Depth {
		s.name(&s.loops, "l", d, c.values[d])
	}
	for d := range boxes.Dimensions {
		if of.Memory == mark.Own {
			s.name(&s.threads, "t", d, loopir.Index(d))
		} else {
			s.threads = append(s.threads, s.inPairs("t", d))
		}
	}
	for d := range of.Sides {
		s.name(&s.subscripts, "i", d, loopir.Subscript(d))
	}
	return s
}

// name adds the name of a number in the pairs that has a value in the code.
func (s *transferSets) name(list *[]string, kind string, d int, value *loopir.Expr) {
	text, name := s.inPairs(kind, d), fmt.Sprint("tune_", kind, d)
	*list = append(*list, text)
	s.names, s.values[name] = append(s.names, name), value
	s.equalities = append(s.equalities, text+" = "+name)
}

// inPairs is the name of a number in the pairs, which no parameter of the program has.
func (s *transferSets) inPairs(kind string, d int) string { return fmt.Sprint("tune_pair_", kind, d) }

// space is the text of a pair.
func (s *transferSets) space() string { return s.spaceOf(s.subscripts) }

func (s *transferSets) spaceOf(subscripts []string) string {
	return fmt.Sprintf("[[%s] -> %s[%s]]", strings.Join(slices.Concat(s.loops, s.threads), ", "), s.box.Array, strings.Join(subscripts, ", "))
}

// of are the values of the parameters for which a pair is in a set.
func (s *transferSets) of(pairs *isl.Set) *isl.Set {
	return pairs.Apply(s.read(s.space() + " -> [] : " + strings.Join(s.equalities, " and "))).Params()
}

// read is a relation with the parameters.
func (s *transferSets) read(text string) *isl.Map {
	parameters := strings.Join(append(slices.Clone(s.env.Model().Program.Parameters), s.names...), ", ")
	return s.env.Model().Context.ReadMap("[" + parameters + "] -> { " + text + " }")
}

// side are the conditions that the last subscript, if there is any, is that of an element of the
// box.
func (s *transferSets) side() string {
	last := len(s.box.Sides) - 1
	if last < 0 {
		return "true"
	}
	return s.steps(last, s.first(last), s.box.Sides[last].Extent, s.box.Sides[last].Stride)
}

// steps are the conditions that a subscript is one of so many, the first of them and others in the
// same distance.
func (s *transferSets) steps(d int, first string, count, stride int64) string {
	step := s.inPairs("k", d)
	return fmt.Sprintf("exists %s : %s = %s + %d %s and 0 <= %s < %d", step, s.subscripts[d], first, stride, step, step, count)
}

// first is the least subscript of the box along a side.
func (s *transferSets) first(d int) string {
	side := s.box.Sides[d]
	first := side.Origin.Text(s.loops, s.env.Model().Program.Parameters)
	if side.Thread >= 0 {
		first += " + " + s.threads[side.Thread]
	}
	return first
}

// places are the pairs whose elements are in the box along all sides but the last one, along which
// they are as said.
func (s *transferSets) places(last string) *isl.Set {
	conditions := []string{last}
	for d, side := range s.box.Sides[:max(0, len(s.box.Sides)-1)] {
		conditions = append(conditions, s.steps(d, s.first(d), side.Extent, side.Stride))
	}
	for d, count := range s.box.Threads {
		conditions = append(conditions, fmt.Sprintf("0 <= %s < %d", s.threads[d], count))
	}
	known := s.read(s.space() + " -> [] : (" + strings.Join(conditions, ") and (") + ")").Domain()
	if s.box.Overlapped != nil { // whose tiles are loops of blocks and of the host alone, with the values that it runs for
		known = known.Unwrap().IntersectDomain(s.box.ExecutionsOfThreads()).Wrap()
	}
	return known
}

// condition is the one under which pairs are in a set, where they are known to be in another; nil
// where they always are.
func (s *transferSets) condition(pairs, among *isl.Set) *loopir.Expr {
	known := s.of(among).Intersect(s.env.Model().Parameters)
	condition := settled(expressionOf(isl.NewAstBuild(known).ExprFromSet(s.of(pairs).Gist(known).Coalesce())).Substituted(s.values))
	if condition.IsInt(1) {
		return nil
	}
	return condition
}
