package depend

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/flow"
)

// Inline computes what a statement writes where it is read, with the conversion that the element's
// type makes: its expression stands in the place of each reference that gets its values. The
// statement goes where nobody else may see what it has written. The program that comes back is
// proven (Rewritten).
func Inline(m *scop.Model, statement int) (*scop.Program, error) {
	program, err := (*scop.Program)(nil), m.Program.MayInline(statement)
	if err != nil {
		return nil, err
	}
	err = m.Context.Sound(func() error {
		mark := m.Context.Mark()
		defer m.Context.Release(mark)
		program, err = inline(m, statement)
		return err
	})
	return program, err
}

func inline(m *scop.Model, statement int) (*scop.Program, error) {
	used, err := usesOf(m, statement)
	if err != nil {
		return nil, err
	}
	if len(used.by) == 0 {
		return nil, fmt.Errorf("no statement reads what %s writes", m.Statements[statement].Spelling())
	}
	q := *m.Program
	q.Origin, q.Statements = m.Program, slices.Clone(m.Program.Statements)
	r := &Rewritten{Before: m, Evaluations: identities(m)}
	for _, reader := range used.readers() {
		made, evaluations, err := inlinedIn(m, statement, reader, used.by[reader])
		if err != nil {
			return nil, err
		}
		q.Statements[reader], r.Evaluations[reader] = made, evaluations
	}
	program := &q
	if !used.isNeeded {
		program = program.Left(statement).DropUnused(used.array)
	}
	return program, r.prove(program, statement)
}

// identities are the evaluations of a program in which nothing is rewritten.
func identities(m *scop.Model) (all [][]Evaluation) {
	for s := range m.Statements {
		all = append(all, []Evaluation{Same(m, s)})
	}
	return all
}

// prove proves the program that is made, in which a statement runs at other places.
func (r *Rewritten) prove(p *scop.Program, statement int) (err error) {
	if r.After, err = p.Model(r.Before.Context); err != nil {
		return err
	}
	for s := range r.After.Statements {
		if len(r.After.Statements[s].Accesses) == 0 {
			r.Evaluations[s] = nil
		}
	}
	err = r.check()
	if wrong := (*RewriteError)(nil); errors.As(err, &wrong) {
		return &MovedError{Statement: r.Before.Statements[statement].Spelling(), Err: wrong}
	}
	return err
}

// MovedError is why a statement cannot be computed at another place.
type MovedError struct {
	// Statement is that statement, and Err what is wrong of the program that it would make.
	Statement string
	Err       *RewriteError
}

func (e *MovedError) Error() string {
	text := fmt.Sprintf("%s reads what has changed until then, or somebody needs what it leaves", e.Statement)
	if e.Err.Statement != "" {
		text = fmt.Sprintf("%s reads what has changed until then: %s in %s %s", e.Statement, e.Err.Reference, e.Err.Statement, e.Err.Reason)
	}
	if e.Err.Example != "" {
		text += "; for example " + e.Err.Example
	}
	return text
}

func (e *MovedError) Unwrap() error { return e.Err }

// uses are who reads what a statement writes.
type uses struct {
	array string
	// by are, for each statement and each of its accesses that reads values of the statement, the
	// instances that they are of.
	by map[int]map[int]*isl.Map
	// isNeeded says that somebody may look at what it has written behind the region.
	isNeeded bool
}

// readers are the statements that read, in order.
func (u *uses) readers() (list []int) {
	for s := range u.by {
		list = append(list, s)
	}
	slices.Sort(list)
	return list
}

// usesOf finds who reads what a statement writes. A reference that gets values of others, too, is an
// error.
func usesOf(m *scop.Model, statement int) (*uses, error) {
	array := m.Statements[statement].Statement.Accesses[0].Array
	if err := checkCertain(m, []string{array}); err != nil {
		return nil, err
	}
	a := m.Program.Array(array)
	u := &uses{array: array, by: map[int]map[int]*isl.Map{}}
	all := valuesOf(m, flow.Order(m), []string{array})
	for _, left := range all.left[array].Maps() {
		u.isNeeded = u.isNeeded || !a.Temporary && !a.Local && left.TupleName(isl.DimIn) == valueName(statement, 0)
	}
	for s := range m.Statements {
		for access := range m.Statements[s].Accesses {
			values := all.reads[reading{s, access}].Maps()
			place := slices.IndexFunc(values, func(from *isl.Map) bool { return from.TupleName(isl.DimIn) == valueName(statement, 0) })
			if place < 0 {
				continue
			}
			own, err := u.sources(m, statement, reading{s, access}, values, place)
			if err != nil {
				return nil, err
			}
			if u.by[s] == nil {
				u.by[s] = map[int]*isl.Map{}
			}
			u.by[s][access] = own
		}
	}
	return u, nil
}

// sources relate the instances of a reader to those whose values its reference has: those of a place
// among all values that it may have.
func (u *uses) sources(m *scop.Model, statement int, r reading, values []*isl.Map, place int) (*isl.Map, error) {
	s, writer, from := &m.Statements[r.statement], &m.Statements[statement], values[place]
	if len(values) > 1 {
		return nil, fmt.Errorf("%s of %s has values of %s, and also of %s", m.Program.Written(s, r.access), s.Spelling(), writer.Spelling(), others(m, values, place))
	}
	own := from.Reverse().SetTupleName(isl.DimIn, s.Name).SetTupleName(isl.DimOut, writer.Name).Coalesce()
	single, err := own.IsSingleValued()
	if err != nil || !single {
		return nil, errors.Join(err, fmt.Errorf("it is not known which %s %s of %s has the value of", writer.Spelling(), m.Program.Written(s, r.access), s.Spelling()))
	}
	return own, nil
}

// others are where values come from but for those of one place, for people.
func others(m *scop.Model, values []*isl.Map, place int) string {
	var names []string
	inFront := false
	for k, from := range values {
		writer := slices.IndexFunc(m.Statements, func(s scop.StatementModel) bool { return valueName(s.Index, 0) == from.TupleName(isl.DimIn) })
		switch {
		case k == place:
		case writer >= 0:
			names = append(names, m.Statements[writer].Spelling())
		default:
			inFront = true
		}
	}
	slices.Sort(names)
	if inFront {
		names = append(names, "what is in front of the region")
	}
	return strings.Join(names, ", ")
}

// inlinedIn is a reader with a statement's expression in the place of accesses, and what it evaluates.
func inlinedIn(m *scop.Model, statement, reader int, sources map[int]*isl.Map) (s scop.Statement, evaluations []Evaluation, err error) {
	rows := map[int][]scop.Row{}
	for a, source := range sources {
		if rows[a], err = scop.Subscripts(source.GistDomain(m.Statements[reader].Domain)); err != nil {
			return s, nil, err
		}
	}
	s, parts, err := m.Program.Inlined(reader, statement, rows)
	if err != nil {
		return s, nil, err
	}
	was, inner := &m.Statements[reader], &m.Statements[statement]
	own, inlined := Same(m, reader), map[int]int{}
	evaluations, s.Accesses = []Evaluation{own}, nil
	for k, part := range parts {
		access := was.Statement.Accesses[part.Own]
		if part.Inner == 0 {
			if access.Read {
				own.Reads[part.Own] = Origin{Access: k}
			}
			s.Accesses = append(s.Accesses, access)
			continue
		}
		if inlined[part.Own] == 0 {
			inlined[part.Own] = len(evaluations)
			own.Reads[part.Own] = Origin{Inlined: len(evaluations)}
			evaluations = append(evaluations, Evaluation{Statement: statement, Instances: sources[part.Own], Reads: map[int]Origin{}})
		}
		evaluations[inlined[part.Own]].Reads[part.Inner] = Origin{Access: k}
		from := inner.Statement.Accesses[part.Inner]
		from.Relation = sources[part.Own].ApplyRange(inner.Accesses[part.Inner]).Coalesce().String()
		from.Line, from.Column = access.Line, access.Column
		s.Accesses = append(s.Accesses, from)
	}
	for a, source := range sources {
		if inlined[a] == 0 {
			own.Reads[a] = Origin{Inlined: len(evaluations)}
			evaluations = append(evaluations, Evaluation{Statement: statement, Instances: source, Reads: map[int]Origin{}})
		}
	}
	return s, evaluations, nil
}
