// Package layers shows what a program and a schedule decide, in the four layers of Baghdadi et al.,
// "Tiramisu: a polyhedral compiler for expressing fast and portable code", CGO'19, section IV: what
// is computed, when and where, in which memory, and which operations on memory and between
// processors there are. The layers are made from the program and the tree of its schedule, for people
// and for tests; nothing is made from them.
//
// # Where to find what
//
//   - the page for users: docs/layers.md; who asks: pipeline/layering/
//   - the layers: algorithm.go (I), computation.go (II), data.go (III), communication.go (IV)
//   - Layer I evaluated: layers/run/run.go; values of C: value.go; expressions: evaluate.go; sets
//     and relations: compile.go, affine.go; memory: memory.go
//   - C beside it, and statements that are run by their text: layers/run/beside/
package layers

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/flow"
)

// Algorithm is Layer I: computations with their domains and the expressions over values that each
// has, in no order and without memory.
type Algorithm struct {
	Computations []Computation `json:"computations"`
}

// Computation is one of them.
type Computation struct {
	Name string `json:"name"`
	// Domain is the set of its instances as isl reads it.
	Domain string `json:"domain"`
	// Value is the expression, in which values have instances in place of elements.
	Value string `json:"value"`
	// Reads are where values come from that are not those of one computation alone.
	Reads []Read `json:"reads,omitempty"`
	// Sources are those of all reads, by the statement's accesses; nil for what reads nothing.
	Sources [][]Source `json:"-"`
}

// Read says which values an element of an expression stands for.
type Read struct {
	Text string `json:"text"`
	// From are relations from instances to those whose value is read, and Before the one to elements
	// whose value is from before; "" for none.
	From   []string `json:"from,omitempty"`
	Before string   `json:"before,omitempty"`
}

// Source is a computation whose values a read gets, and for which instances which ones; without a
// name the values of elements from before.
type Source struct {
	// Statement is the index of the statement, -1 for values from before.
	Statement int
	Relation  *isl.Map
}

// AlgorithmOf is Layer I of a program: each read has the value of the instance that wrote the
// element last, by value-based flow (Feautrier, Dataflow analysis of array and scalar references,
// 1991), or the one from before.
func AlgorithmOf(m *scop.Model) (*Algorithm, error) {
	a := &Algorithm{Computations: []Computation{}}
	for i := range m.Statements {
		s := &m.Statements[i]
		c := Computation{Name: nameOf(s.Statement), Domain: renamed(s.Statement.Domain, s.Name, nameOf(s.Statement)), Sources: make([][]Source, len(s.Accesses))}
		texts := map[scop.Expr]string{}
		for k, reference := range References(m.Program, s.Statement) {
			access := s.Statement.Accesses[k]
			if !access.Read {
				continue
			}
			sources, err := SourcesOf(m, s, k)
			if err != nil {
				return nil, fmt.Errorf("where %s gets %s from: %w", c.Name, access.Array, err)
			}
			c.Sources[k] = sources
			text := valueText(m, s, k, sources)
			if text == "" {
				text = m.Program.Written(s, k)
				c.Reads = append(c.Reads, readOf(m, text, sources))
			}
			if reference != nil {
				texts[reference] = text
			}
		}
		c.Value = valueOf(s.Statement, texts)
		a.Computations = append(a.Computations, c)
	}
	return a, m.Context.Err()
}

// nameOf is a statement's name for people, as isl can read it.
func nameOf(s *scop.Statement) string { return strings.ReplaceAll(s.Spelling(), ".", "_") }

// renamed is a text of isl's in which a tuple has another name.
func renamed(text, from, to string) string {
	if from == to {
		return text
	}
	var b strings.Builder
	for rest := text; ; {
		at := strings.Index(rest, from+"[")
		if at < 0 {
			return b.String() + rest
		}
		b.WriteString(rest[:at])
		if at > 0 && isWord(rest[at-1]) {
			b.WriteString(from)
		} else {
			b.WriteString(to)
		}
		rest = rest[at+len(from):]
	}
}

func isWord(b byte) bool {
	return b == '_' || b >= '0' && b <= '9' || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// References are the places of a statement's accesses in its expression; nil for those whose array
// it names in another way.
func References(p *scop.Program, s *scop.Statement) []*scop.Ref {
	list := make([]*scop.Ref, len(s.Accesses))
	for k := range p.Arrays {
		array := &p.Arrays[k]
		references, ok := p.Named(s, array)
		if !ok {
			continue
		}
		next := 0
		for a := range s.Accesses {
			if s.Accesses[a].Array == array.Name && next < len(references) {
				list[a] = references[next]
				next++
			}
		}
	}
	return list
}

// SourcesOf finds out where a read gets its values from: the last writers before it, and what is
// from before the program.
func SourcesOf(m *scop.Model, s *scop.StatementModel, access int) (list []Source, err error) {
	array := s.Statement.Accesses[access].Array
	_, writes, mayWrites := flow.Relations(m, func(_ *scop.StatementModel, other string) bool { return other == array })
	found := flow.Order(m).Flow(flow.Objects(m, s, access).ToUnionMap(), writes, mayWrites)
	if err := m.Context.Err(); err != nil {
		return nil, err
	}
	for _, pairs := range found.From.Maps() {
		if writer := m.Statement(pairs.TupleName(isl.DimIn)); writer != nil {
			list = append(list, Source{writer.Index, pairs.Reverse().Coalesce()})
		}
	}
	slices.SortFunc(list, func(a, b Source) int { return a.Statement - b.Statement })
	for _, before := range found.Undefined.Maps() {
		list = append(list, Source{-1, before.Coalesce()})
	}
	return list, m.Context.Err()
}

// valueText is a read as one value, bx(i + 2, j): "" where it has several, or where its subscripts
// are not affine.
func valueText(m *scop.Model, s *scop.StatementModel, access int, sources []Source) string {
	if len(sources) != 1 {
		return ""
	}
	name := s.Statement.Accesses[access].Array
	if writer := sources[0].Statement; writer >= 0 {
		name = nameOf(m.Statements[writer].Statement)
	}
	rows, err := scop.Subscripts(sources[0].Relation)
	if sources[0].Statement < 0 && (rows == nil || err != nil) {
		rows, err = scop.Subscripts(s.Accesses[access])
	}
	if rows == nil && sources[0].Relation.Dim(isl.DimOut) > 0 || err != nil {
		return ""
	}
	texts := make([]string, len(rows))
	for k, row := range rows {
		texts[k] = row.Text(m.Program.IteratorNames(s.Index), m.Program.Parameters)
	}
	if len(texts) == 0 {
		return name
	}
	return name + "(" + strings.Join(texts, ", ") + ")"
}

func readOf(m *scop.Model, text string, sources []Source) Read {
	r := Read{Text: text}
	for _, s := range sources {
		relation := named(m, s.Relation)
		if s.Statement < 0 {
			r.Before = relation
		} else {
			r.From = append(r.From, relation)
		}
	}
	return r
}

// named is a relation of instances with the names that statements have for people.
func named(m *scop.Model, relation *isl.Map) string {
	if s := m.Statement(relation.TupleName(isl.DimIn)); s != nil && relation.Dim(isl.DimIn) == s.Depth() {
		relation = same(m, s).ApplyRange(relation).SetTupleName(isl.DimIn, nameOf(s.Statement))
	}
	if s := m.Statement(relation.TupleName(isl.DimOut)); s != nil && relation.Dim(isl.DimOut) == s.Depth() {
		relation = relation.ApplyRange(same(m, s)).SetTupleName(isl.DimOut, nameOf(s.Statement))
	}
	return relation.String()
}

// same relates the instances of a statement to themselves, with the names of its iterators.
func same(m *scop.Model, s *scop.StatementModel) *isl.Map {
	instance := m.Program.InstanceText(s.Index)
	return m.Context.ReadMap(fmt.Sprintf("{ %s -> %s }", instance, instance))
}

// String are the computations, each as isl reads its domain, with its expression behind it.
func (a *Algorithm) String() string {
	var b strings.Builder
	for _, c := range a.Computations {
		fmt.Fprintf(&b, "%s : %s\n", c.Domain, c.Value)
		for _, r := range c.Reads {
			for _, from := range r.From {
				fmt.Fprintf(&b, "  %s: %s\n", r.Text, from)
			}
			if r.Before != "" {
				fmt.Fprintf(&b, "  %s from before: %s\n", r.Text, r.Before)
			}
		}
	}
	return b.String()
}
