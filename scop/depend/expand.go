package depend

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/flow"
)

// Expand gives temporaries elements for each iteration of loops (Feautrier, Array expansion, 1988):
// each web that Privatize would make a private variable of becomes an array with one more dimension
// for each loop that has values of its own. So does a web of a renamable array that is read behind
// the region: statements behind all others bring its last values back. Its statements need not stay
// together, which those of a private variable have to, at the price of memory that grows with the
// loops. Variables that the region declares inside loops, and arrays of any size, are expanded too.
// All arrays together get at most the bytes of the room; with parameters for which that is too
// little, code made of the program runs the region as it is written. Of some temporaries, which the
// room names, iterations of the outermost loops share the elements; and it may ask for elements for
// the outermost loop alone.
//
// A temporary is left alone when it may be read before it is written, when
// its loops have no bounds that are affine expressions of the parameters, or when an
// extent of it is no number and no parameter. New names differ from those
// in taken. The program that comes back is proven to have the same flow of
// values as that of m, and to access only elements that its arrays have;
// where nothing is expanded it is that of m.
func Expand(m *scop.Model, taken map[string]bool, room scop.Room) (*scop.Program, error) {
	mark := m.Context.Mark()
	defer m.Context.Release(mark)
	x, err := mostExpanded(m, taken, room)
	if err != nil {
		return nil, err
	}
	return x.expanded()
}

// Expansions are those of the program that Expand makes, before anything is proven.
func Expansions(m *scop.Model, taken map[string]bool, room scop.Room) ([]scop.Expansion, error) {
	mark := m.Context.Mark()
	defer m.Context.Release(mark)
	x, err := mostExpanded(m, taken, room)
	if err != nil {
		return nil, err
	}
	return x.list, nil
}

// mostExpanded has the expansions of a model, or of it for parameters for which more temporaries have
// a first iteration.
func mostExpanded(m *scop.Model, taken map[string]bool, room scop.Room) (*expander, error) {
	x, err := newExpander(m, taken, room)
	if err != nil || x.assumed == nil {
		return x, err
	}
	within, err := m.Program.Assuming(m.Context, x.assumed).Model(m.Context)
	if err != nil {
		return nil, err
	}
	more, err := newExpander(within, taken, room)
	if err != nil || len(more.list) <= len(x.list) {
		return x, err
	}
	return more, nil
}

// newExpander has the expansions of a model.
func newExpander(m *scop.Model, taken map[string]bool, room scop.Room) (*expander, error) {
	x := &expander{model: m, taken: taken, room: room}
	for i := range m.Program.Arrays {
		a := &m.Program.Arrays[i]
		if err := x.addAll(a); err != nil {
			return nil, fmt.Errorf("the expansion of %s: %w", a.Spelling(), err)
		}
	}
	return x, m.Context.Err()
}

// expanded is the program with the expansions, which is proven.
func (x *expander) expanded() (*scop.Program, error) {
	if len(x.list) == 0 {
		return x.model.Program, x.model.Context.Err()
	}
	copies, err := copiesOf(x.model, x.list, x.taken)
	if err != nil {
		return nil, err
	}
	room := x.room
	room.Sums = x.leaves
	expanded := x.model.Program.Expand(x.list, x.relations, copies, room)
	return expanded, checkExpansion(x.model, expanded, x.list)
}

// expander collects the expansions of a program.
type expander struct {
	model *scop.Model
	taken map[string]bool
	room  scop.Room
	// list are the expansions, relations the references of the statements of each.
	list      []scop.Expansion
	relations [][]string
	// leaves says that something stays as it is because few instances use it, assumed for which
	// parameters more has a first iteration.
	leaves  bool
	assumed *isl.Set
}

// addAll adds the expansions of the webs of an array.
func (x *expander) addAll(a *scop.Array) error {
	program := x.model.Program
	if may, err := mayExpand(x.model, a); err != nil || !may {
		return err
	}
	if x.room.Outermost && (mayPrivatize(program, a) || program.PrivateLoops(a.Name) > 0) {
		return nil
	}
	webs, err := websOf(x.model, a.Name)
	if err != nil {
		return err
	}
	for _, w := range webs {
		w.loops = max(w.loops, program.PrivateLoops(a.Name))
		if x.room.Outermost {
			w.loops = min(w.loops, 1)
		}
		if err := x.add(a, w); err != nil {
			return err
		}
	}
	return nil
}

// add adds the expansion of a web of an array, where it has one.
func (x *expander) add(a *scop.Array, w *web) error {
	if x.room.Sums && mayBePlain(a) {
		if few, err := w.isUsedInFew(x.model); few || err != nil {
			x.leaves = true
			return err
		}
	}
	var used []string
	for _, e := range x.list {
		used = append(used, e.Name)
	}
	name := freshName(x.model.Program, used, a.Name, x.taken)
	e := scop.Expansion{Privatization: scop.Privatization{Array: a.Name, Name: name, Loops: w.loops, Statements: w.statements}}
	if a.Temporary {
		e.Shared = min(x.room.Sharing[name], w.loops)
	}
	where, ok, err := shape(x.model, a, &e)
	if x.assumed = both(x.assumed, where); err != nil || !ok {
		return err
	}
	x.list, x.relations = append(x.list, e), append(x.relations, expandedRelations(x.model, e))
	return nil
}

// mayBePlain says whether an array may be in registers where it is not expanded: a temporary, which
// may be private, or a variable without subscripts.
func mayBePlain(a *scop.Array) bool { return a.Temporary || len(a.Extents) == 0 }

// manyIterations is the length of a loop from which on blocks and lanes win more than the way
// through memory costs, where a loop uses an element of an expanded array. Measured on an Intel
// Xeon with AVX-512, gcc 12, two threads, 2,000 to 60,000 products of small matrices whose sums are
// variables: with the sums in an array 4 x 4 take 2, 6 x 6 3 to 4, 8 x 8 2 and 12 x 12 1.4 to 2
// times as long; 16 x 16 take 0.6 of the time, and 24 x 24 0.4. Nests of shorter loops with mostFew
// iterations together are few uses too, because compilers unroll them: the largest of 5 x 5 bytes
// around each point of a picture takes 2.1 ms with its variable in an array, and 0.4 without (AMD
// EPYC with AVX-512, gcc 12).
const manyIterations, mostFew = 16, 64

// isUsedInFew says whether each statement of a web is known to have few instances in one iteration
// of the loops that have values of their own.
func (w *web) isUsedInFew(m *scop.Model) (bool, error) {
	for _, s := range w.statements {
		statement := &m.Statements[s]
		around := flow.Iteration(m, statement, w.loops, make([]int64, w.loops)).IntersectDomain(statement.Domain)
		distances := around.ApplyRange(around.Reverse()).Deltas()
		count := int64(1)
		for k := w.loops; k < statement.Depth(); k++ {
			along := distances.ProjectOut(isl.DimSet, k+1, statement.Depth()-k-1).ProjectOut(isl.DimSet, 0, k)
			distance, bounded, err := along.Greatest()
			if !bounded || distance+1 >= manyIterations || err != nil {
				return false, err
			}
			if count *= distance + 1; count > mostFew {
				return false, nil
			}
		}
	}
	return true, nil
}

// mayExpand says whether parts of the array may have memory of their own: it is a
// temporary, or one whose last values can be told.
func mayExpand(m *scop.Model, a *scop.Array) (bool, error) {
	if a.Temporary || !m.Program.SetsAgain(a) {
		return a.Temporary, nil
	}
	return liesInside(m, a)
}

// copiesOf are the statements that bring last values of arrays back that are no temporaries.
func copiesOf(m *scop.Model, list []scop.Expansion, taken map[string]bool) ([]scop.Statement, error) {
	var copies []scop.Statement
	for _, e := range list {
		a := m.Program.Array(e.Array)
		if a.Temporary {
			continue
		}
		var iterators []string
		for range a.Extents {
			iterators = append(iterators, freshName(m.Program, slices.Concat(iterators, m.Program.IteratorNames(e.Statements[0])), "element", taken))
		}
		s, err := lastValues(m, e, len(copies), iterators)
		if err != nil {
			return nil, fmt.Errorf("the last values of %s: %w", a.Spelling(), err)
		}
		if s != nil {
			copies = append(copies, *s)
		}
	}
	return copies, nil
}

// shape finds the first iterations and the extents of an expanded array. It answers false where the
// web has no loops or there are no extents, and where a loop has no first iteration; assumed are
// the parameters for which all have one then, nil for none.
func shape(m *scop.Model, a *scop.Array, e *scop.Expansion) (assumed *isl.Set, ok bool, err error) {
	build := isl.NewAstBuild(m.Context.ReadSet(fmt.Sprintf("[%s] -> { : }", strings.Join(m.Program.Parameters, ", "))))
	add := func(extent *isl.PwAff) {
		e.Extents = append(e.Extents, extent.AddConstant(-1).AtLeastZero().AddConstant(1).String())
		e.Spelled = append(e.Spelled, m.Program.InC(build.ExprFromPwAff(extent).String()))
	}
	for k := e.Shared; k < e.Loops; k++ {
		values := iterations(m, e.Statements, k)
		above, err := values.HasUpperBound(0)
		if err != nil || !above {
			return nil, false, err
		}
		first, known, err := firstOf(values)
		if err != nil {
			return nil, false, err
		}
		if !known {
			where, err := whereFirst(m, values)
			if where == nil || err != nil {
				return nil, false, err
			}
			assumed = both(assumed, where)
			continue
		}
		e.First = append(e.First, first)
		add(values.DimMax(0).Extended().AddConstant(1 - first))
	}
	if assumed != nil {
		return assumed, false, nil
	}
	for _, extent := range a.Extents {
		text, ok := extentText(m.Program, extent)
		if !ok {
			return nil, false, nil
		}
		add(m.Context.ReadPwAff(text))
	}
	return nil, e.Loops > 0 && len(e.Extents) > 0, m.Context.Err()
}

// firstOf is the least of some numbers over all values of the parameters; known is false where
// there is none, and where there are no numbers.
func firstOf(values *isl.Set) (first int64, known bool, err error) {
	if none, err := values.IsEmpty(); none || err != nil {
		return 0, false, err
	}
	all := values.ProjectOut(isl.DimParam, 0, values.Dim(isl.DimParam))
	if below, err := all.HasLowerBound(0); err != nil || !below {
		return 0, false, err
	}
	point, ok := all.Lexmin().Point()
	if !ok {
		return 0, false, cmp.Or(values.Context().Err(), isl.ErrTooLarge)
	}
	return point[0], true, nil
}

// whereFirst are parameters for which numbers that have none otherwise have a least one: where one
// of the parameters is not negative, such as the radius of a filter that leaves out as much at the
// rims of a picture; nil for none.
func whereFirst(m *scop.Model, values *isl.Set) (*isl.Set, error) {
	for _, parameter := range m.Program.Parameters {
		where := m.Context.ReadSet(fmt.Sprintf("[%s] -> { : %s >= 0 }", strings.Join(m.Program.Parameters, ", "), parameter))
		if _, known, err := firstOf(values.IntersectParams(where)); known || err != nil {
			return where, err
		}
	}
	return nil, nil
}

// both are the parameters in two sets, of which either may be nil for all.
func both(a, b *isl.Set) *isl.Set {
	switch {
	case a == nil:
		return b
	case b == nil:
		return a
	}
	return a.Intersect(b)
}

// iterations are the values that the iterator of one loop around the
// statements has.
func iterations(m *scop.Model, statements []int, loop int) *isl.Set {
	var all *isl.Set
	for _, s := range statements {
		depth := m.Statements[s].Depth()
		values := m.Statements[s].Domain.ProjectOut(isl.DimSet, loop+1, depth-loop-1).ProjectOut(isl.DimSet, 0, loop)
		if all != nil {
			values = all.Union(values)
		}
		all = values
	}
	return all.Coalesce()
}

// extentText is a declared extent in isl's notation, or false when it is no
// positive number and no parameter.
func extentText(p *scop.Program, extent string) (string, bool) {
	if n, err := strconv.Atoi(extent); err == nil && n > 0 {
		return fmt.Sprintf("[%s] -> { [(%d)] }", strings.Join(p.Parameters, ", "), n), true
	}
	for _, parameter := range p.Parameters {
		if p.Spelling(parameter) == extent {
			return fmt.Sprintf("[%s] -> { [(%s)] }", strings.Join(p.Parameters, ", "), parameter), true
		}
	}
	return "", false
}

// expandedRelations are the references to the expanded array, which have a
// subscript for each loop that has a dimension in front of the temporary's own, in the order of the
// statements and their accesses.
func expandedRelations(m *scop.Model, e scop.Expansion) []string {
	var list []string
	for _, s := range e.Statements {
		statement := &m.Statements[s]
		for _, a := range statement.Statement.Accesses {
			if a.Array != e.Array {
				continue
			}
			subscripts := flow.Iteration(m, statement, e.Loops, append(make([]int64, e.Shared), e.First...)).ProjectOut(isl.DimOut, 0, e.Shared)
			list = append(list, subscripts.FlatRangeProduct(m.Context.ReadMap(a.Relation)).SetTupleName(isl.DimOut, e.Name).String())
		}
	}
	return list
}

// checkExpansion proves that the values go the same ways in both programs and
// that the subscripts for the loops lie within the extents.
func checkExpansion(m *scop.Model, expanded *scop.Program, list []scop.Expansion) error {
	after, err := expanded.Model(m.Context)
	if err != nil {
		return err
	}
	names := map[string][]string{}
	for _, e := range list {
		names[e.Array] = append(names[e.Array], e.Name)
		if err := checkInside(after, e); err != nil {
			return err
		}
	}
	for array, copies := range names {
		if m.Program.Array(array).Temporary {
			continue
		}
		if err := sameLastValues(m, after, array, copies); err != nil {
			return err
		}
	}
	return sameFlow(m, after, names)
}

// checkInside proves that the subscripts of the expanded array's loops lie
// within its extents.
func checkInside(m *scop.Model, e scop.Expansion) error {
	for _, s := range e.Statements {
		for k, a := range m.Statements[s].Statement.Accesses {
			if a.Array != e.Name {
				continue
			}
			elements := m.Statements[s].Accesses[k].Range()
			for d, extent := range e.Extents[:e.Dimensions()] {
				inside, err := subscriptInside(m, elements, d, extent)
				if err != nil {
					return err
				}
				if !inside {
					return fmt.Errorf("the expansion of %s has too few elements for %s", e.Array, m.Statements[s].Name)
				}
			}
		}
	}
	return nil
}
