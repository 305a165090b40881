package depend

import (
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/flow"
)

// Rewritten is a program that has been made of another one, which runs other instances and has
// values in other places: some instances run several times, or not at all, and arrays have other
// elements. Check proves that it computes the same.
//
// The proof is on exact value-based flow (Feautrier, Dataflow analysis of array and scalar
// references, 1991), of both programs. A value is named by the instance of the source that computes
// it, or by the element that has it in front of the region. Each reference of the rewritten program
// has to read the value that the source reads where it stands for, and each element that somebody
// looks at behind the region has to have its last value of the source. By induction over the order
// all instances that stand for one of the source compute the same number then, however often they
// run: they evaluate the same expression of the same values.
type Rewritten struct {
	// Before is the source, After what has been made of it, in one context.
	Before, After *scop.Model
	// Order is when the instances of After run, in vectors of one length; nil for its own order.
	Order *isl.UnionMap
	// Evaluations are, by the statements of After, what of Before an instance evaluates, first the
	// statement whose value it writes. A statement without any copies: it has one reference that
	// reads and one that writes, and passes the value on.
	Evaluations [][]Evaluation
}

// Evaluation is the evaluation of a statement's expression, as a part of another one's where it is
// not the first of a statement.
type Evaluation struct {
	// Statement is that of the source, and Instances relates the instances of the rewritten
	// statement to its.
	Statement int
	Instances *isl.Map
	// Reads says, for each access of the source's statement that reads, where the value is in the
	// rewritten one.
	Reads map[int]Origin
}

// Origin is what of a rewritten statement stands for a reference of the source's that reads: one of
// its accesses, or, where Inlined is not 0, the evaluation of that place among its evaluations.
type Origin struct{ Access, Inlined int }

// Same is the evaluation of a statement by one whose instances and accesses are the same.
func Same(m *scop.Model, statement int) Evaluation {
	s := &m.Statements[statement]
	e := Evaluation{Statement: statement, Instances: same(s), Reads: map[int]Origin{}}
	for a, access := range s.Statement.Accesses {
		if access.Read {
			e.Reads[a] = Origin{Access: a}
		}
	}
	return e
}

// RewriteError is why a rewritten program does not compute what its source does.
type RewriteError struct {
	// Statement is that of the rewritten program, "" where it is about what is left behind the
	// region, and Reference the one at fault, "" where it is about none.
	Statement, Reference string
	Reason               string
	// Index and Access are the statement and its reference at fault, by their numbers; Access is -1
	// for none.
	Index, Access int
	// Example is an instance, or an element, with values of the parameters, "" for none.
	Example string
}

func (e *RewriteError) Error() string {
	text := "illegal rewriting: "
	if e.Statement != "" {
		text += e.Statement + ": "
	}
	if e.Reference != "" {
		text += e.Reference + " "
	}
	text += e.Reason
	if e.Example != "" {
		text += "; for example " + e.Example
	}
	return text
}

// Check proves that the rewritten program computes what its source does. The error is a
// *RewriteError where it does not, or nobody knows.
func (r *Rewritten) Check() error {
	return r.Before.Context.Sound(func() error {
		mark := r.Before.Context.Mark()
		defer r.Before.Context.Release(mark)
		return r.check()
	})
}

func (r *Rewritten) check() error {
	if err := r.checkEvaluations(); err != nil {
		return err
	}
	arrays, err := r.changed()
	if err != nil || len(arrays) == 0 {
		return err
	}
	for _, m := range []*scop.Model{r.Before, r.After} {
		if err := checkCertain(m, arrays); err != nil {
			return err
		}
	}
	was := valuesOf(r.Before, flow.Order(r.Before), arrays)
	is := valuesOf(r.After, r.order(), arrays)
	is, err = r.inSource(is)
	if err != nil {
		return err
	}
	for s := range r.After.Statements {
		if err := r.checkReads(s, arrays, was, is); err != nil {
			return err
		}
	}
	return r.checkLeft(arrays, was, is)
}

// order is when the instances of the rewritten program run.
func (r *Rewritten) order() *isl.UnionMap {
	if r.Order != nil {
		return r.Order
	}
	return flow.Order(r.After)
}

// checkEvaluations proves that each instance evaluates one of the source for each evaluation, and
// that all references are accounted for.
func (r *Rewritten) checkEvaluations() error {
	for s, evaluations := range r.Evaluations {
		rewritten := &r.After.Statements[s]
		if len(rewritten.Statement.Accesses) == 0 {
			continue
		}
		stands := map[int]bool{}
		for k, e := range evaluations {
			if err := r.checkEvaluation(rewritten, k, e, stands); err != nil {
				return err
			}
		}
		if len(evaluations) == 0 {
			if err := checkCopying(rewritten); err != nil {
				return err
			}
			continue
		}
		for a, access := range rewritten.Statement.Accesses {
			if access.Read && !stands[a] {
				return r.wrong(s, a, nil, "stands for nothing that the source reads")
			}
		}
		if was := writesOf(r.Before.Statements[evaluations[0].Statement].Statement); len(was) != len(writesOf(rewritten.Statement)) {
			return r.wrong(s, -1, nil, "it does not write as many values as in the source")
		}
	}
	return nil
}

// checkEvaluation proves it of one evaluation, and notes the accesses that stand for something.
func (r *Rewritten) checkEvaluation(rewritten *scop.StatementModel, number int, e Evaluation, stands map[int]bool) error {
	s := &r.Before.Statements[e.Statement]
	single, err := e.Instances.IsSingleValued()
	if err != nil {
		return err
	}
	all, err := rewritten.Domain.IsSubset(e.Instances.IntersectDomain(rewritten.Domain).Domain())
	if err != nil {
		return err
	}
	inside, err := e.Instances.IntersectDomain(rewritten.Domain).Range().IsSubset(s.Domain)
	if err != nil {
		return err
	}
	if !single || !all || !inside {
		return r.wrong(rewritten.Index, -1, nil, fmt.Sprintf("its instances are not each one of %s", s.Spelling()))
	}
	for a, access := range s.Statement.Accesses {
		if !access.Read {
			continue
		}
		origin, known := e.Reads[a]
		switch {
		case !known:
			return r.wrong(rewritten.Index, -1, nil, fmt.Sprintf("nothing stands for what %s reads through its reference %d", s.Spelling(), a))
		case origin.Inlined == 0 && origin.Access < len(rewritten.Statement.Accesses) && rewritten.Statement.Accesses[origin.Access].Read:
			stands[origin.Access] = true
		case origin.Inlined <= number || origin.Inlined >= len(r.Evaluations[rewritten.Index]):
			return r.wrong(rewritten.Index, -1, nil, fmt.Sprintf("what stands for what %s reads through its reference %d does not read", s.Spelling(), a))
		}
	}
	return nil
}

// checkCopying proves that a statement without evaluations reads one value and writes it.
func checkCopying(s *scop.StatementModel) error {
	reads, writes := 0, 0
	for _, a := range s.Statement.Accesses {
		if a.Read {
			reads++
		}
		if a.Write {
			writes++
		}
	}
	if reads != 1 || writes != 1 {
		return &RewriteError{Access: -1, Statement: s.Spelling(), Reason: "it stands for no statement of the source, and is no copy of one value"}
	}
	return nil
}

// writesOf are the accesses of a statement that write.
func writesOf(s *scop.Statement) (writes []int) {
	for a, access := range s.Accesses {
		if access.Write {
			writes = append(writes, a)
		}
	}
	return writes
}

// changed are the arrays whose values may go other ways than in the source: those of statements that
// are not in both programs. With an order that is given all may.
func (r *Rewritten) changed() (arrays []string, err error) {
	add := func(s *scop.Statement) {
		for _, a := range s.Accesses {
			if !slices.Contains(arrays, a.Array) {
				arrays = append(arrays, a.Array)
			}
		}
	}
	kept := make([]bool, len(r.Before.Statements))
	for s := range r.After.Statements {
		same, err := r.isSame(s)
		if err != nil {
			return nil, err
		}
		if !same || r.Order != nil {
			add(r.After.Statements[s].Statement)
			continue
		}
		kept[r.Evaluations[s][0].Statement] = true
	}
	for s, is := range kept {
		if !is {
			add(r.Before.Statements[s].Statement)
		}
	}
	return arrays, nil
}

// isSame says whether a statement is in both programs, in the same place.
func (r *Rewritten) isSame(s int) (bool, error) {
	if len(r.Evaluations[s]) != 1 {
		return false, nil
	}
	e := r.Evaluations[s][0]
	was, is := &r.Before.Statements[e.Statement], &r.After.Statements[s]
	if was.Name != is.Name || !slices.Equal(was.Statement.Position, is.Statement.Position) ||
		!slices.Equal(was.Statement.Loops, is.Statement.Loops) || !slices.Equal(was.Statement.Accesses, is.Statement.Accesses) {
		return false, nil
	}
	for a, origin := range e.Reads {
		if origin != (Origin{Access: a}) {
			return false, nil
		}
	}
	if same, err := was.Domain.IsEqual(is.Domain); !same || err != nil {
		return false, err
	}
	return e.Instances.IntersectDomain(is.Domain).IsEqual(same(is))
}

// checkCertain proves that it is known what statements write of some arrays.
func checkCertain(m *scop.Model, arrays []string) error {
	for i := range m.Statements {
		s := &m.Statements[i]
		for _, a := range s.Statement.Accesses {
			if a.Write && a.May && slices.Contains(arrays, a.Array) {
				return &RewriteError{Access: -1, Statement: s.Spelling(), Reason: fmt.Sprintf("data decide which elements of %s it writes", a.Array)}
			}
		}
	}
	return nil
}

// checkReads proves that a statement reads the values that it has to.
func (r *Rewritten) checkReads(s int, arrays []string, was, is *values) error {
	for _, e := range r.Evaluations[s] {
		source := &r.Before.Statements[e.Statement]
		instances := e.Instances.IntersectDomain(r.After.Statements[s].Domain)
		for a, access := range source.Statement.Accesses {
			origin := e.Reads[a]
			if !access.Read || origin.Inlined == 0 && !slices.Contains(arrays, r.After.Statements[s].Statement.Accesses[origin.Access].Array) && !slices.Contains(arrays, access.Array) {
				continue
			}
			want := was.reads[reading{e.Statement, a}].ApplyRange(instances.Reverse().SetTupleName(isl.DimIn, reader).ToUnionMap())
			var got *isl.UnionMap
			if origin.Inlined == 0 {
				got = is.reads[reading{s, origin.Access}].ApplyRange(same(&r.After.Statements[s]).SetTupleName(isl.DimIn, reader).ToUnionMap())
			} else {
				got = r.evaluated(r.Evaluations[s][origin.Inlined], s)
			}
			if same, err := got.IsEqual(want); err != nil || !same {
				wrong := got.Subtract(want).Union(want.Subtract(got))
				if err != nil {
					return err
				}
				if origin.Inlined > 0 {
					of := r.Before.Statements[r.Evaluations[s][origin.Inlined].Statement].Spelling()
					return r.wrong(s, -1, wrong, fmt.Sprintf("%s of %s has not always the value of %s", r.Before.Program.Written(source, a), source.Spelling(), of))
				}
				return r.wrong(s, origin.Access, wrong, "does not read the value that it has in the source")
			}
		}
	}
	return nil
}

// evaluated relates the values of an inlined statement to the instances of the one it is in.
func (r *Rewritten) evaluated(e Evaluation, s int) *isl.UnionMap {
	own := e.Instances.IntersectDomain(r.After.Statements[s].Domain).Reverse()
	return own.SetTupleName(isl.DimIn, valueName(e.Statement, 0)).ToUnionMap()
}

// same relates the instances of a statement to themselves.
func same(s *scop.StatementModel) *isl.Map {
	return s.Domain.Contraction(0).SetTupleName(isl.DimOut, s.Name)
}

// checkLeft proves that the arrays that somebody may look at behind the region are left as by the
// source.
func (r *Rewritten) checkLeft(arrays []string, was, is *values) error {
	for _, name := range arrays {
		a := r.Before.Program.Array(name)
		if a == nil || a.Temporary || a.Local {
			continue
		}
		got, want := withoutKept(is.left[name], name), withoutKept(was.left[name], name)
		same, err := got.IsEqual(want)
		if err != nil {
			return err
		}
		if !same {
			wrong := got.Subtract(want).Union(want.Subtract(got))
			return &RewriteError{Access: -1, Reason: fmt.Sprintf("%s has not its last values behind the region", a.Spelling()), Example: r.exampleOf(wrong, a.Spelling())}
		}
	}
	return nil
}
