// Package space holds the choices of program structure that polytune tries:
// the legal fusion partitions of a program's statements.
//
// A partition puts every statement into a class and orders the classes.
// Statements of one class are fused under a common outer loop, classes run
// one after the other (SC'10, section IV). The partitions of n statements are
// the integer points of a convex set (Encoding); those of one program are cut
// out of it by its dependences and by which statements can be fused at all
// (Space.Constraints). They are listed lazily in lexicographic order, without
// listing any others (Space.All), can be counted without being listed
// (Space.Count), drawn at random (Space.Sample), and cut by the user (Cut).
//
// # Where to find what
//
//   - which statements may be fused: fusibility.go, member.go, choices.go, meeting.go
//   - partitions listed: enumerate.go, lookahead.go; counted: count.go, arrangements.go; drawn:
//     sample.go; cut: cut.go, narrow.go; the convex set: encoding.go, prune.go
//   - who may share which inner loops (--levels): nest.go, levels.go, levels_place.go,
//     levels_choices.go, levels_list.go, levels_member.go; how that becomes loops:
//     transform/structure.go
//   - why so: docs/decisions/0024-class-shares-a-loop.md, 0025-fusibility-by-pairs.md,
//     0026-counting.md, 0027-sampling.md, 0028-shared-inner-loops.md
package space

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"time"

	"polytune/scop/depend"
)

// Mode says which legal partitions belong to a space.
type Mode int

const (
	// Exact keeps every legal partition.
	Exact Mode = iota
	// SC10 also keeps statements from being hoisted above earlier ones whose
	// consumers precede them, which reproduces the counts of the SC'10
	// paper, Figure 6.
	SC10
)

// ParseMode reads "exact" or "sc10".
func ParseMode(text string) (Mode, error) {
	for _, m := range []Mode{Exact, SC10} {
		if text == m.String() {
			return m, nil
		}
	}
	return 0, fmt.Errorf("there is no mode %q; the modes are exact and sc10", text)
}

// String is "exact" or "sc10".
func (m Mode) String() string { return [...]string{"exact", "sc10"}[m] }

// DefaultMaxPeel is the peel bound used when Options gives none.
const DefaultMaxPeel = 2

// Options choose a space.
type Options struct {
	Mode Mode
	// MaxPeel bounds the shift between fused statements: the constants of
	// their schedule rows differ by less. 0 stands for DefaultMaxPeel.
	MaxPeel int
	// Signed lets fused statements run loops in the opposite direction.
	Signed bool
	// Cuts are further constraints of the user.
	Cuts []Cut
}

// Space is the set of legal fusion partitions of one program. It is to be
// used by one goroutine at a time, like the isl context of the dependences it
// was made from, which must stay open.
type Space struct {
	encoding Encoding
	names    []string
	reaches  [][]bool
	order    *order
	cuts     []Cut
	// affine are the constraints of the cuts that the order and the infusible
	// sets do not express.
	affine []groupedConstraint
	memory *memory
	groups *groupTest
	// learned says that learn has been called.
	learned bool
	// counter has what has been counted, or is nil.
	counter    *counter
	statistics Statistics
	enumerated time.Duration
}

// New is the space of the program whose dependences are given. The error is an
// *EmptyError when the options' cuts ask for what cannot be.
func New(graph *depend.Graph, options Options) (*Space, error) {
	if options.MaxPeel < 0 {
		return nil, fmt.Errorf("the peel bound is %d; it must be 1 or more", options.MaxPeel)
	}
	if options.MaxPeel == 0 {
		options.MaxPeel = DefaultMaxPeel
	}
	test, err := newGroupTest(graph, options)
	if err != nil {
		return nil, err
	}
	s, err := newSpace(graph.Model.Program.StatementNames(), graph.Reaches(), test, options)
	if err != nil {
		return nil, err
	}
	s.groups = test
	return s, nil
}

// newSpace is the space of statements with the given dependences (reaches is
// transitively closed) whose fusibility an oracle decides.
func newSpace(names []string, reaches [][]bool, o oracle, options Options) (*Space, error) {
	if options.Mode != Exact && options.Mode != SC10 {
		return nil, fmt.Errorf("there is no mode %d", int(options.Mode))
	}
	for _, cut := range options.Cuts {
		if err := cut.validate(names); err != nil {
			return nil, err
		}
	}
	build := func(cuts []Cut) (*Space, error) {
		s := &Space{encoding: Encoding{len(names)}, names: names, reaches: reaches, cuts: cuts, memory: newMemory(len(names), o)}
		return s, s.prepare(options.Mode)
	}
	s, err := build(options.Cuts)
	if none := (*EmptyError)(nil); errors.As(err, &none) {
		return nil, none.explain(options.Cuts, names, build)
	}
	return s, err
}

// prepare puts the dependences, the mode and the cuts together. It is an
// *EmptyError when they leave no partition.
func (s *Space) prepare(mode Mode) error {
	direct := make([][]bool, len(s.names))
	for i := range direct {
		direct[i] = slices.Clone(s.reaches[i])
	}
	if mode == SC10 {
		for _, pair := range hoistingOrder(s.reaches) {
			direct[pair[0]][pair[1]] = true
		}
	}
	var constraints []groupedConstraint
	for _, cut := range s.cuts {
		cut.addOrder(direct)
		for _, pair := range cut.separated() {
			s.memory.forbid(newBitset(len(s.names), pair[0], pair[1]))
		}
		for _, c := range cut.Constraints {
			constraints = append(constraints, s.encoding.grouped(c))
		}
	}
	empty, err := s.narrow(direct, constraints)
	if err != nil {
		return err
	}
	if err := s.checkComponents(); err != nil {
		return err
	}
	return s.checkAffine(empty)
}

// Encoding is the convex set of all partitions, legal or not.
func (s *Space) Encoding() Encoding { return s.encoding }

// Names are the names of the statements.
func (s *Space) Names() []string { return s.names }

// All yields the partitions of the space in lexicographic order, each as a
// vector of its own. Nothing is computed before it is asked for, and memory
// does not grow with the number of partitions. An error ends the sequence.
func (s *Space) All() iter.Seq2[Partition, error] { return s.after(nil) }

// After is All for the partitions that come after the given vector, which
// need not belong to the space: a listing that stopped at p goes on with
// After(p).
func (s *Space) After(p Partition) iter.Seq2[Partition, error] {
	if len(p) != s.encoding.Statements {
		return func(yield func(Partition, error) bool) { yield(nil, s.wrongLength(p)) }
	}
	return s.after(p)
}

func (s *Space) after(p Partition) iter.Seq2[Partition, error] {
	return func(yield func(Partition, error) bool) {
		e := newEnumerator(s)
		if err := s.learn(); err != nil {
			yield(nil, fmt.Errorf("listing partitions: %w", err))
			return
		}
		if err := e.run(p, func(q Partition) bool { return yield(q, nil) }); err != nil {
			yield(nil, fmt.Errorf("listing partitions: %w", err))
		}
	}
}

// None is the partition that fuses nothing beyond what must be: each strongly
// connected component of the order is a class of its own, in an order as near
// to the text as the dependences allow. It belongs to every space, except where
// affine cuts ask for more than an order and an infusible set can say.
func (s *Space) None() Partition {
	p := make(Partition, s.encoding.Statements)
	for class, component := range s.order.topological() {
		for _, i := range s.order.components[component] {
			p[i] = class
		}
	}
	return p
}

// Ordered says whether the class of statement i must be that of j or an earlier
// one, in every partition of the space.
func (s *Space) Ordered(i, j int) bool { return s.order.before[i][j] }

// Fusible says whether the statements, given by index, can share an outer
// loop, with regard to the cuts but not to statements that would have to come
// along.
func (s *Space) Fusible(statements []int) (bool, error) {
	return s.memory.isFusible(newBitset(s.encoding.Statements, statements...))
}

// Statistics are those of all that was asked of the space so far.
func (s *Space) Statistics() Statistics {
	statistics := s.statistics
	statistics.Questions = s.memory.questions
	return statistics
}

// Seconds are the times spent so far on deciding fusibility, and on
// enumeration and counting without that.
func (s *Space) Seconds() (fusibility, enumeration float64) {
	return s.memory.elapsed.Seconds(), s.enumerated.Seconds()
}

// Rows are rows of a loop that the statements, given by index in textual order,
// can share; nil when Fusible is false.
func (s *Space) Rows(statements []int) (Rows, error) {
	fusible, err := s.Fusible(statements)
	if !fusible || err != nil {
		return nil, err
	}
	return s.groups.Rows(statements)
}

// Meet says whether rows of some statements make a shared outermost loop: none
// of the statements has all its iterations before the first one of another,
// whatever the parameters, unless it is in no loop or a cycle of dependences
// ties the two together. All Rows of the space meet.
func (s *Space) Meet(rows Rows) (bool, error) {
	_, _, apart, err := s.groups.meeting.apart(rows)
	return !apart, err
}
