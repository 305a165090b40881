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

// Store has an array's elements at other places, in memory of the code's own: transposed, with fewer
// subscripts, or in one variable (the data layout of Tiramisu, section IV). What is read before it is
// written is brought there in front of everything, and what is written of an array that somebody looks
// at behind the region is brought back. The program that comes back is proven to compute the same
// (Rewritten): two elements may have one place while only one of them has a value that is read. New
// names differ from those in taken.
func Store(m *scop.Model, s scop.Storage, taken map[string]bool) (*scop.Program, error) {
	mark := m.Context.Mark()
	defer m.Context.Release(mark)
	var program *scop.Program
	err := m.Context.Sound(func() (err error) {
		program, err = (&storing{model: m, storage: s, array: m.Program.Array(s.Array), taken: taken}).program()
		return err
	})
	return program, err
}

// StorageError is why an array's elements cannot be at other places.
type StorageError struct {
	// Reason says what is wrong, and Example of which instance, or element, "" for none.
	Reason, Example string
	// At is the reference at fault, with which the reason begins; nil for none.
	At *Reference
}

// Reference is a reference of a statement as the source has it, and its place in the file.
type Reference struct {
	Statement, Text string
	Line, Column    int
}

func (e *StorageError) Error() string {
	if e.Example == "" {
		return e.Reason
	}
	return e.Reason + "; for example " + e.Example
}

// storing makes the program of one storage.
type storing struct {
	model   *scop.Model
	storage scop.Storage
	array   *scop.Array
	taken   map[string]bool
	// context are the parameters of the program, of which the model may leave some out.
	context string
	// places relate the elements to their places, touched are those that statements use, and inC are
	// the subscripts of a place in C, over those of an element.
	places  *isl.Map
	touched *isl.Set
	inC     []*isl.AstExpr
}

func (x *storing) refused(format string, args ...any) error {
	return &StorageError{Reason: fmt.Sprintf(format, args...)}
}

func (x *storing) program() (*scop.Program, error) {
	if err := x.checkArray(); err != nil {
		return nil, err
	}
	if err := x.narrow(); err != nil {
		return nil, err
	}
	x.storage.Name = freshName(x.model.Program, nil, x.storage.Array, x.taken)
	x.places = x.model.Context.ReadMap(x.storage.Relation(x.model.Program, x.storage.Name))
	relations := x.relations()
	if x.touched == nil {
		return nil, x.refused("no statement uses %s", x.array.Spelling())
	}
	for _, step := range []func() error{x.measure, x.spell} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	copies, err := x.copies()
	if err != nil {
		return nil, err
	}
	made, err := x.model.Program.Store(x.storage, relations, x.place, copies)
	if err != nil {
		return nil, x.refused("%v", err)
	}
	if err := x.prove(made); err != nil {
		return nil, err
	}
	made.Context = x.context
	return made, nil
}

// narrow leaves parameters out for which the source uses elements that a variable has not: nothing
// is known of what it does then.
func (x *storing) narrow() error {
	x.context = x.model.Program.Context
	declared, known := x.model.Declared(x.storage.Array)
	if !known || x.array.Argument {
		return nil
	}
	parameters := x.model.Parameters
	for i := range x.model.Statements {
		for a, access := range x.model.Statements[i].Statement.Accesses {
			if access.Array == x.storage.Array {
				parameters = parameters.Subtract(x.model.Statements[i].Accesses[a].Range().Subtract(declared).Params())
			}
		}
	}
	program := *x.model.Program
	program.Context = parameters.Coalesce().String()
	model, err := program.Model(x.model.Context)
	x.model = model
	return err
}

// checkArray says why the array has no elements that could be elsewhere.
func (x *storing) checkArray() error {
	p, name := x.model.Program, x.storage.Array
	isPrivate := slices.ContainsFunc(p.Privates(), func(l scop.Private) bool { return l.Name == name })
	isExpanded := slices.ContainsFunc(p.Expansions, func(e scop.Expansion) bool { return e.Name == name })
	isStored := slices.ContainsFunc(p.Storages, func(s scop.Storage) bool { return s.Name == name })
	switch {
	case x.array == nil:
		return x.refused("there is no array %q", name)
	case x.array.Linear:
		return x.refused("%s has its rows in one subscript", x.array.Spelling())
	case isPrivate, isExpanded, isStored:
		return x.refused("%s has memory of its own already", x.array.Spelling())
	}
	return nil
}

// relations are those of the references to the places, by statement and access.
func (x *storing) relations() map[int]map[int]string {
	all := map[int]map[int]string{}
	for i := range x.model.Statements {
		s := &x.model.Statements[i]
		for a, access := range s.Statement.Accesses {
			if access.Array != x.storage.Array {
				continue
			}
			if all[i] == nil {
				all[i] = map[int]string{}
			}
			all[i][a] = s.Accesses[a].ApplyRange(x.places).Coalesce().String()
			elements := s.Accesses[a].Range()
			if x.touched != nil {
				elements = elements.Union(x.touched)
			}
			x.touched = elements.Coalesce()
		}
	}
	return all
}

// measure finds the extents of the other array.
func (x *storing) measure() error {
	build := isl.NewAstBuild(x.model.Parameters)
	places := x.touched.Apply(x.places)
	for d, text := range x.storage.Place {
		above, err := places.HasUpperBound(d)
		if err != nil {
			return err
		}
		along := places.ProjectOut(isl.DimSet, d+1, places.Dim(isl.DimSet)-d-1).ProjectOut(isl.DimSet, 0, d)
		negative, err := along.IsSubset(x.model.Context.ReadSet("{ [place] : place >= 0 }"))
		switch {
		case err != nil:
			return err
		case !above:
			return x.refused("nothing bounds %s for the elements of %s that the region uses", text, x.array.Spelling())
		case !negative:
			return x.refused("%s is negative for some elements of %s that the region uses", text, x.array.Spelling())
		}
		extent := x.longest(places, d).Extended().AtLeastZero().AddConstant(1 + x.storage.Longer(d))
		x.storage.Extents = append(x.storage.Extents, extent.String())
		x.storage.Spelled = append(x.storage.Spelled, x.model.Program.InC(build.ExprFromPwAff(extent).String()))
	}
	return nil
}

// longest is the last place along a dimension: of those that are used, and, where rows are padded, of
// all in a row as it is declared, so that a line more in each leaves them at the beginnings of lines.
func (x *storing) longest(places *isl.Set, dimension int) *isl.PwAff {
	if declared, known := x.model.Declared(x.storage.Array); known && dimension > 0 && len(x.storage.Padding) > 0 {
		all := declared.Apply(x.places).IntersectParams(places.Params())
		if isBounded, err := all.HasUpperBound(dimension); err == nil && isBounded {
			return all.DimMax(dimension)
		}
	}
	return places.DimMax(dimension)
}

// spell finds the place in C, where it is known which subscripts are used: remainders of numbers that
// are not negative are those of C.
func (x *storing) spell() error {
	context, names := x.model.Context, numbered("tune_e", len(x.storage.Subscripts))
	subscripts, conditions := x.storage.Subscripts, make([]string, len(names))
	for d, name := range subscripts {
		conditions[d] = fmt.Sprintf("%s = %s", names[d], name)
	}
	parameters := "[" + strings.Join(append(slices.Clip(x.model.Program.Parameters), subscripts...), ", ") + "]"
	known := context.ReadMap(fmt.Sprintf("%s -> { %s[%s] -> [] : %s }", parameters, x.storage.Array, strings.Join(names, ", "), strings.Join(conditions, " and ")))
	build := isl.NewAstBuild(x.touched.Apply(known).Params())
	for _, text := range x.storage.Place {
		in := build.ExprFromPwAff(context.ReadPwAff(fmt.Sprintf("%s -> { [(%s)] }", parameters, text)))
		if err := context.Err(); err != nil {
			return err
		}
		if _, ok := x.model.Program.InStatement(in, x.named(nil)); !ok {
			return x.refused("%s has no expression in C", text)
		}
		x.inC = append(x.inC, in)
	}
	return nil
}

// named are expressions for the names of the subscripts.
func (x *storing) named(subscripts []scop.Expr) map[string]scop.Expr {
	named := map[string]scop.Expr{}
	for d, name := range x.storage.Subscripts {
		named[name] = nil
		if subscripts != nil {
			named[name] = subscripts[d]
		}
	}
	return named
}

// place are the subscripts of an element's place.
func (x *storing) place(subscripts []scop.Expr) (place []scop.Expr) {
	for _, in := range x.inC {
		made, _ := x.model.Program.InStatement(in, x.named(subscripts))
		place = append(place, made)
	}
	return place
}

// copies are the statements that bring elements to their places and back.
func (x *storing) copies() (copies []scop.Statement, err error) {
	values, err := flow.Of(x.model, x.storage.Array)
	if err != nil || x.array.Local {
		return nil, err
	}
	var before, written *isl.Set
	for _, reads := range values.Undefined.Maps() {
		before = united(before, reads.Range())
	}
	for i := range x.model.Statements {
		for a, access := range x.model.Statements[i].Statement.Accesses {
			if access.Array == x.storage.Array && access.Write && !x.array.Temporary {
				written = united(written, x.model.Statements[i].Accesses[a].Range())
			}
		}
	}
	for _, elements := range []*isl.Set{before, written} {
		if elements == nil {
			continue
		}
		if none, err := elements.IsEmpty(); err != nil || none {
			if err != nil {
				return nil, err
			}
			continue
		}
		copies = append(copies, x.bring(elements, scop.Bringing{Back: elements == written, Number: len(copies)}))
	}
	return copies, x.model.Context.Err()
}

// united are the elements of two sets, of which the first may be nil for none.
func united(a, b *isl.Set) *isl.Set {
	if a == nil {
		return b
	}
	return a.Union(b)
}

// bring is a statement that brings elements.
func (x *storing) bring(elements *isl.Set, b scop.Bringing) scop.Statement {
	p := x.model.Program
	for range x.array.Extents {
		b.Iterators = append(b.Iterators, freshName(p, b.Iterators, "element", x.taken))
	}
	values := numbered("tune_e", len(b.Iterators))
	element, instance := fmt.Sprintf("%s[%s]", x.storage.Array, strings.Join(values, ", ")), fmt.Sprintf("%s[%s]", p.StatementBehind(b.Number), strings.Join(values, ", "))
	b.There = x.model.Context.ReadMap(fmt.Sprintf("{ %s -> %s }", instance, element)).ApplyRange(x.places).String()
	b.Domain = elements.Apply(x.model.Context.ReadMap(fmt.Sprintf("{ %s -> %s }", element, instance))).Coalesce().String()
	return p.Bring(x.storage, b, x.place)
}

// prove proves that the program computes what it did.
func (x *storing) prove(made *scop.Program) error {
	after, err := made.Model(x.model.Context)
	if err != nil {
		return err
	}
	r := &Rewritten{Before: x.model, After: after, Evaluations: make([][]Evaluation, len(after.Statements))}
	for s := range x.model.Statements {
		r.Evaluations[s] = []Evaluation{Same(x.model, s)}
	}
	err = r.check()
	var wrong *RewriteError
	if !errors.As(err, &wrong) {
		return err
	}
	refused := &StorageError{Example: wrong.Example}
	switch {
	case wrong.Statement == "":
		refused.Reason = wrong.Reason + ": elements that are needed there have one place"
	case wrong.Access < 0:
		refused.Reason = wrong.Statement + ": " + wrong.Reason
	default:
		s := &x.model.Statements[wrong.Index]
		access := s.Statement.Accesses[wrong.Access]
		refused.At = &Reference{s.Spelling(), x.model.Program.Written(s, wrong.Access), access.Line, access.Column}
		refused.Reason = fmt.Sprintf("%s of %s would not read the value of its element, because another element has the same place meanwhile", refused.At.Text, s.Spelling())
	}
	return refused
}
