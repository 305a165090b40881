package codegen

import (
	"maps"
	"slices"

	"polytune/loopir"
	"polytune/scop"
)

// What compilers are told of a vector loop, that its iterations are independent, gcc takes for more
// where the lanes lie apart: with
//
//	for (long c1 = c0 + 1; c1 < c0 + n; c1++)
//	  #pragma omp simd
//	  for (long c2 = 0; c2 < m; c2++)
//	    v[c2][c1 - c0] = f(v[c2][c1 - c0 - 1], v[c2][c1 - c0 + 1]);
//
// gcc 12 at -O3 unrolls the outer loop into the inner one, which is right, makes groups of the
// elements of a row that it finds there, and moves what one part of the body reads in front of what
// another one writes, as nothing is to depend on anything else. Without a pragma it proves what it
// does.

// mixesRows says whether a loop's body writes elements of an array that lie apart along the loop,
// and reads others of the same array, or writes others of the same rows.
func (n *statements) mixesRows(loop *loopir.For) bool {
	var written, read []accessed
	for _, run := range loopir.Runs(loop.Body) {
		for k, access := range run.Statement.Statement.Accesses {
			at := n.accessedIn(run, k)
			if access.Write && at.isApartAlong(loop.Var) {
				written = append(written, at)
			}
			if access.Read {
				read = append(read, at)
			}
		}
	}
	return slices.ContainsFunc(written, func(w accessed) bool {
		isOther := func(o accessed) bool { return o.array == w.array && !o.isSame(w) }
		return slices.ContainsFunc(read, isOther) || w.isInOtherRows(loop.Var) && slices.ContainsFunc(written, isOther)
	})
}

// accessed is an element of an array in the generated code; subscripts are nil where they are not
// affine.
type accessed struct {
	array      string
	subscripts []linear
}

// accessedIn is what an access of an instance leads to.
func (n *statements) accessedIn(run *loopir.Run, access int) accessed {
	subscripts, err := n.subscriptsOf(run, access, &fullTile{opaque: map[string]*loopir.Expr{}})
	if err != nil {
		subscripts = nil
	}
	return accessed{run.Statement.Statement.Accesses[access].Array, subscripts}
}

// subscriptsOf are the subscripts of an access of an instance over the variables of the code; nil
// where they are not affine ones of the statement's iterators.
func (n *statements) subscriptsOf(run *loopir.Run, access int, tile *fullTile) ([]linear, error) {
	rows, err := scop.Subscripts(run.Statement.Accesses[access])
	if err != nil || rows == nil {
		return nil, err
	}
	list := []linear{}
	for _, row := range rows {
		l := linear{}.plus(linear{"": 1}, row.Constant)
		for k, c := range row.Iterators {
			l = l.plus(tile.linearOf(run.At[k]), c)
		}
		for p, c := range row.Parameters {
			l = l.plus(linear{n.model.Program.Parameters[p]: 1}, c)
		}
		list = append(list, l)
	}
	return list, nil
}

// isApartAlong says whether the elements of consecutive iterations of a loop are others that do not
// lie behind each other.
func (a accessed) isApartAlong(variable string) bool {
	if len(a.subscripts) == 0 {
		return false
	}
	step := a.subscripts[len(a.subscripts)-1][variable]
	return step < -1 || step > 1 || a.isInOtherRows(variable)
}

// isInOtherRows says whether the elements of consecutive iterations are in rows of their own.
func (a accessed) isInOtherRows(variable string) bool {
	return slices.ContainsFunc(a.subscripts[:len(a.subscripts)-1], func(l linear) bool { return l[variable] != 0 })
}

// isSame says whether two accesses are known to lead to the same element.
func (a accessed) isSame(b accessed) bool {
	return a.subscripts != nil && slices.EqualFunc(a.subscripts, b.subscripts, maps.Equal[linear, linear])
}
