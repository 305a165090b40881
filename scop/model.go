package scop

import (
	"fmt"
	"strings"

	"polytune/isl"
)

// Model is a Program whose sets and relations are objects of one isl context.
type Model struct {
	Program *Program
	Context *isl.Context
	// Parameters is the set of parameter values the program may be run with.
	Parameters *isl.Set
	// Statements are in the program's order.
	Statements []StatementModel
	// answers are those that Known keeps.
	answers map[asked]any
}

// StatementModel is one statement in an isl context.
type StatementModel struct {
	*Statement
	// Index is the statement's place in the program.
	Index int
	// Domain is the iteration domain, limited to the program's parameters.
	Domain *isl.Set
	// Schedule is the original schedule: instances to vectors of
	// 2·Depth+1 numbers, positions and iterators in turn, with the iterators
	// of descending loops negated.
	Schedule *isl.Map
	// Accesses are in the order of Statement.Accesses.
	Accesses []*isl.Map
	// Straight says that the text is that of most instances, nil that it is that of all.
	Straight *Straight
	// Times are, for each loop, an affine expression that grows as the loop
	// advances: the iterator, or for a loop that counts down its start minus
	// the iterator, so that both begin at the loop's first iteration. Where no
	// affine expression over the parameters bounds the iterator from above, it
	// is the negated iterator. Statements in one loop have the same time.
	Times []Row
}

// Model parses the program's sets and relations into ctx.
func (p *Program) Model(ctx *isl.Context) (*Model, error) {
	m := &Model{Program: p, Context: ctx, Parameters: ctx.ReadSet(p.Context)}
	for i := range p.Statements {
		sm := m.statement(i)
		for _, a := range sm.Statement.Accesses {
			sm.Accesses = append(sm.Accesses, ctx.ReadMap(a.Relation).IntersectDomain(sm.Domain).Coalesce())
		}
		m.Statements = append(m.Statements, sm)
	}
	return m, m.finish()
}

// With are these values of the parameters.
func (m *Model) With(values []int64) *isl.Set {
	var equal []string
	for k, name := range m.Program.Parameters {
		equal = append(equal, fmt.Sprintf("%s = %d", name, values[k]))
	}
	return m.Context.ReadSet(m.Program.ParametersText() + "{ : " + strings.Join(equal, " and ") + " }")
}

// Assuming is the program for some parameters alone, which the code has to check besides what it
// checks already.
func (p *Program) Assuming(ctx *isl.Context, parameters *isl.Set) *Program {
	q := *p
	assumed := parameters
	if p.Assumed != "" {
		assumed = assumed.Intersect(ctx.ReadSet(p.Assumed))
	}
	q.Assumed, q.Context = assumed.Coalesce().String(), ctx.ReadSet(p.Context).Intersect(parameters).Coalesce().String()
	return &q
}

// statement is the model of a statement of the program without its accesses and
// times.
func (m *Model) statement(index int) StatementModel {
	s := &m.Program.Statements[index]
	return StatementModel{
		Statement: s,
		Index:     index,
		Domain:    m.Context.ReadSet(s.Domain).IntersectParams(m.Parameters).Coalesce(),
		Schedule:  m.Context.ReadMap(s.ScheduleText()),
	}
}

// finish adds the times, and reports what isl could not do.
func (m *Model) finish() error {
	err := m.Context.Err()
	if err == nil {
		err = m.setTimes()
	}
	if err != nil {
		return fmt.Errorf("the model of %s: %w", m.Program.Name, err)
	}
	return nil
}

// Cut is the model, in the same context, of a program that m's has been cut to.
// It reads the pieces' domains alone: their references are those of the whole
// statements, limited to the instances of the pieces.
func (m *Model) Cut(p *Program) (*Model, error) {
	cut := &Model{Program: p, Context: m.Context, Parameters: m.Parameters}
	for i := range p.Statements {
		piece := cut.statement(i)
		whole := m.Statement(piece.Whole())
		if whole == nil || len(whole.Accesses) != len(piece.Statement.Accesses) {
			return nil, fmt.Errorf("the model of %s: %s is no piece of a statement of the program", p.Name, piece.Spelling())
		}
		for _, a := range whole.Accesses {
			piece.Accesses = append(piece.Accesses, a.SetTupleName(isl.DimIn, piece.Name).IntersectDomain(piece.Domain))
		}
		cut.Statements = append(cut.Statements, piece)
	}
	return cut, cut.finish()
}

// Domain is the union of the statements' domains.
func (m *Model) Domain() *isl.UnionSet {
	all := m.Context.ReadUnionSet("{ }")
	for _, s := range m.Statements {
		all = all.Union(s.Domain.ToUnionSet())
	}
	return all
}

// Names lists statements, given by their indices, in braces.
func (m *Model) Names(statements []int) string {
	names := make([]string, len(statements))
	for i, s := range statements {
		names[i] = m.Statements[s].Name
	}
	return "{" + strings.Join(names, " ") + "}"
}

// Statement returns the statement of that name, or nil.
func (m *Model) Statement(name string) *StatementModel {
	for i := range m.Statements {
		if m.Statements[i].Name == name {
			return &m.Statements[i]
		}
	}
	return nil
}

// ScheduleText is the original schedule of the statement as an isl map into
// vectors of 2·Depth+1 numbers: position, iterator, position, …. A descending
// loop's iterator is negated, so that times always grow.
func (s *Statement) ScheduleText() string {
	in, out := make([]string, s.Depth()), []string{fmt.Sprint(s.Position[0])}
	for k, l := range s.Loops {
		in[k] = fmt.Sprintf("i%d", k)
		time := in[k]
		if l.Descending {
			time = "-" + time
		}
		out = append(out, time, fmt.Sprint(s.Position[k+1]))
	}
	return fmt.Sprintf("{ %s[%s] -> [%s] }", s.Name, strings.Join(in, ", "), strings.Join(out, ", "))
}
