package depend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/flow"
)

// MaxPrivateBytes bounds what an iteration of a loop has of a private array:
// it lies on the stack of a thread.
const MaxPrivateBytes = 64 << 10

// Privatize gives temporaries an object for each iteration of loops where that
// takes dependences away: those of an element that is used again for another
// value. It finds the webs of an array, the statements among which its values
// flow (Feautrier's exact dataflow analysis; webs are those of register
// allocation), and makes a private variable out of each web whose values stay
// in one iteration of loops, at the deepest loops for which that is so and
// which use an element again.
//
// A temporary is left alone when it may be read before it is written, or has
// a size that is not a number or above 64 KiB. New names differ from those in
// taken. The program that comes back is proven to have the same flow of
// values as that of m; where nothing is privatized it is that of m.
func Privatize(m *scop.Model, taken map[string]bool) (*scop.Program, []scop.Privatization, error) {
	type question struct{ taken string }
	names := slices.DeleteFunc(slices.Sorted(maps.Keys(taken)), func(name string) bool { return !taken[name] })
	known, err := scop.Known(m, question{strings.Join(names, " ")}, func() (privatized, error) {
		mark := m.Context.Mark()
		defer m.Context.Release(mark)
		program, list, err := privatize(m, taken)
		return privatized{program, list}, err
	})
	return known.program, slices.Clone(known.list), err
}

// privatized is what Privatize makes of a program.
type privatized struct {
	program *scop.Program
	list    []scop.Privatization
}

func privatize(m *scop.Model, taken map[string]bool) (*scop.Program, []scop.Privatization, error) {
	var list []scop.Privatization
	var used []string
	for i := range m.Program.Arrays {
		a := &m.Program.Arrays[i]
		if !mayPrivatize(m.Program, a) {
			continue
		}
		webs, err := websOf(m, a.Name)
		if err != nil {
			return nil, nil, fmt.Errorf("private copies of %s: %w", a.Spelling(), err)
		}
		for _, w := range webs {
			if w.loops > 0 {
				name := freshName(m.Program, used, a.Name, taken)
				used = append(used, name)
				list = append(list, scop.Privatization{Array: a.Name, Name: name, Loops: w.loops, Statements: w.statements})
			}
		}
	}
	if len(list) == 0 {
		return m.Program, nil, nil
	}
	private := m.Program.Privatize(list)
	after, err := private.Model(m.Context)
	if err != nil {
		return nil, nil, err
	}
	names := map[string][]string{}
	for _, p := range list {
		names[p.Array] = append(names[p.Array], p.Name)
	}
	return private, list, sameFlow(m, after, names)
}

// mayPrivatize says whether the array is a temporary that all iterations share
// and of which each could have its own.
func mayPrivatize(p *scop.Program, a *scop.Array) bool {
	bytes, known := a.Bytes()
	return a.Temporary && p.PrivateLoops(a.Name) == 0 && known && bytes <= MaxPrivateBytes
}

// WithoutMoved is the model of a program without the arrays that Privatize or Expand may keep
// elsewhere without bringing their values back: temporaries of which iterations of some loop can
// have their own.
func WithoutMoved(m *scop.Model) (*scop.Model, error) {
	kept, program := *m, *m.Program
	program.Arrays = nil
	for _, a := range m.Program.Arrays {
		moves := false
		if a.Temporary {
			webs, err := websOf(m, a.Name)
			if err != nil {
				return nil, err
			}
			moves = slices.ContainsFunc(webs, func(w *web) bool { return w.loops > 0 })
		}
		if !moves {
			program.Arrays = append(program.Arrays, a)
		}
	}
	kept.Program = &program
	return &kept, nil
}

// freshName is a name such as w_1 that nothing else has.
func freshName(p *scop.Program, used []string, base string, taken map[string]bool) string {
	for n := 1; ; n++ {
		name := fmt.Sprintf("%s_%d", base, n)
		isLocal := func(l scop.Local) bool { return l.Name == name }
		if !taken[name] && p.Array(name) == nil && !slices.Contains(p.Parameters, name) &&
			!slices.Contains(used, name) && !slices.ContainsFunc(p.Locals, isLocal) {
			return name
		}
	}
}

// web is a set of statements that pass on values through an array, and the
// number of loops around all of them each iteration of which can have an array
// of its own.
type web struct {
	statements []int
	loops      int
}

// websOf are the webs of an array in the order of their first statements, or
// none when a value may be read that no statement has written.
func websOf(m *scop.Model, array string) (list []*web, err error) {
	type question struct{ array string }
	webs, err := scop.Known(m, question{array}, func() ([]*web, error) { return findWebs(m, array) })
	for _, w := range webs {
		list = append(list, &web{slices.Clone(w.statements), w.loops})
	}
	return list, err
}

func findWebs(m *scop.Model, array string) ([]*web, error) {
	all, err := flow.Of(m, array)
	if err != nil {
		return nil, err
	}
	if defined, err := all.Undefined.IsEmpty(); err != nil || !defined {
		return nil, err
	}
	of := make([]*web, len(m.Statements))
	for s := range m.Statements {
		if m.Statements[s].Names(array) {
			of[s] = &web{statements: []int{s}}
		}
	}
	maps := all.From.Maps()
	for _, values := range maps {
		join(of, m.Statement(values.TupleName(isl.DimIn)).Index, m.Statement(values.TupleName(isl.DimOut)).Index)
	}
	var webs []*web
	for _, w := range of {
		if w != nil && !slices.Contains(webs, w) {
			webs = append(webs, w)
			if err := w.place(m, array, maps); err != nil {
				return nil, err
			}
		}
	}
	return webs, m.Context.Err()
}

// join makes one web of those of two statements.
func join(of []*web, s, t int) {
	kept, gone := of[s], of[t]
	if kept == gone {
		return
	}
	kept.statements = append(kept.statements, gone.statements...)
	slices.Sort(kept.statements)
	for _, u := range gone.statements {
		of[u] = kept
	}
}

// place finds the web's loops: those around all statements in one iteration of
// which all values stay, up to the deepest that uses an element again.
func (w *web) place(m *scop.Model, array string, sources []*isl.Map) error {
	first := m.Statements[w.statements[0]].Statement
	w.loops = first.Depth()
	for _, s := range w.statements {
		w.loops = min(w.loops, first.CommonLoops(m.Statements[s].Statement))
	}
	for _, values := range sources {
		source := m.Statement(values.TupleName(isl.DimIn)).Index
		if !slices.Contains(w.statements, source) {
			continue
		}
		for k := range w.loops {
			stays, err := values.IsSubset(values.Equate(isl.DimIn, k, isl.DimOut, k))
			if err != nil {
				return err
			}
			if !stays {
				w.loops = k
				break
			}
		}
	}
	for w.loops > 0 {
		again, err := w.usesAgain(m, array)
		if err != nil || again {
			return err
		}
		w.loops--
	}
	return nil
}

// usesAgain says whether an element is written in one iteration of the web's
// innermost loop and accessed in another, within one of the loops around.
func (w *web) usesAgain(m *scop.Model, array string) (bool, error) {
	for _, s := range w.statements {
		for _, t := range w.statements {
			source, target := &m.Statements[s], &m.Statements[t]
			for i, a := range source.Statement.Accesses {
				for j, b := range target.Statement.Accesses {
					if a.Array != array || len(kindsOf(a, b)) == 0 {
						continue
					}
					same := source.Accesses[i].ApplyRange(target.Accesses[j].Reverse())
					carried := order{depth: w.loops}.restrict(same, source.Loops)
					if empty, err := carried.IsEmpty(); err != nil || !empty {
						return !empty, err
					}
				}
			}
		}
	}
	return false, nil
}

// sameFlow proves that the new arrays in the place of each temporary leave
// every value where it was: in both programs the same instances get their
// values from each other, and no instance of the new one reads what nothing
// has written. Statements of the new one behind those of the other are left out.
func sameFlow(before, after *scop.Model, names map[string][]string) error {
	for array, new := range names {
		was, err := flow.Of(before, array)
		if err != nil {
			return err
		}
		mine := append(slices.Clip(new), array)
		is, err := flow.Among(after, func(s *scop.StatementModel, a string) bool {
			return s.Index < len(before.Statements) && slices.Contains(mine, a)
		})
		if err != nil {
			return err
		}
		same, err := is.From.IsEqual(was.From)
		if err != nil {
			return err
		}
		defined, err := is.Undefined.IsEmpty()
		if err != nil {
			return err
		}
		if !same || !defined {
			return fmt.Errorf("copies of %s change the values that statements read", array)
		}
	}
	return nil
}
