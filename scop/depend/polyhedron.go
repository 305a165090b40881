package depend

import (
	"slices"

	"polytune/internal/integer"
	"polytune/isl"
	"polytune/scop"
)

// polyhedron are the points, over [1, parameters…, dimensions…], that satisfy rows.
type polyhedron struct {
	columns                  int
	equalities, inequalities [][]int64
	// source is the column of the first iterator of a source, behind those of so many loops are
	// those of its target, another instance of the same statement. There are no loops where these
	// are of different statements.
	source, loops int
}

const (
	// fewGenerators is how many a cone may have at first, and maxVertices how many at most. Nine
	// loops that all carry a dependence have a hundred thousand; no schedule would be found in an
	// hour.
	fewGenerators, maxVertices = 4000, 20_000
	// maxEliminated bounds the inequalities and the columns of polyhedra that isl is asked about,
	// whose elimination does not count what it does.
	maxEliminated = 14
	// eliminationOperations bounds isl's work for one of them.
	eliminationOperations = 500_000
	// largeNumber is what constants may be at most that stay numbers, so far as largest says; what
	// they stand for otherwise is at least leastLarge.
	largeNumber, leastLarge = maxEntry / 64, 1000
)

// forms are constraints on the coefficients of forms that are non-negative on all points, and no
// others satisfy them, where there are few vertices. Where there are many, or numbers are large,
// they allow only some of these forms, of a polyhedron with more points: first those that see the
// distances of iterations alone, which is all that rows of one statement do; then those without
// numbers that are large; and in the end only constants.
func (p polyhedron) forms(ctx *isl.Context) (equalities, inequalities [][]int64) {
	ways := []func() (equalities, inequalities [][]int64, err error){
		func() (_, _ [][]int64, err error) { return p.exactly(fewGenerators) },
		func() (_, _ [][]int64, err error) { return p.eliminated(ctx) },
		p.byDistances,
		func() (_, _ [][]int64, err error) { return p.withoutLargeNumbers((polyhedron).exactlyFew) },
		func() (_, _ [][]int64, err error) { return p.withoutLargeNumbers((polyhedron).byDistances) },
		func() (_, _ [][]int64, err error) { return p.exactly(maxVertices) },
	}
	for _, way := range ways {
		if equalities, inequalities, err := way(); err == nil {
			return equalities, inequalities
		}
	}
	return p.constants()
}

func (p polyhedron) exactlyFew() (equalities, inequalities [][]int64, err error) {
	return p.exactly(fewGenerators)
}

// exactly are the constraints for all forms. The error is errLarge.
func (p polyhedron) exactly(most int) (equalities, inequalities [][]int64, err error) {
	points, rows, err := compressed(p.columns, p.equalities, p.inequalities)
	if err != nil || points == nil {
		return nil, nil, err
	}
	g, err := newGenerators(len(points), rows, most)
	if err != nil {
		return nil, nil, err
	}
	equalities, inequalities = g.coefficients(points)
	return equalities, inequalities, nil
}

// eliminated are the constraints that isl finds for a small polyhedron, whose numbers may be
// larger. The error is errLarge.
func (p polyhedron) eliminated(ctx *isl.Context) (equalities, inequalities [][]int64, err error) {
	if ctx.Err() != nil || p.columns > maxEliminated || len(p.inequalities) > maxEliminated {
		return nil, nil, errLarge
	}
	exceeded := ctx.Within(eliminationOperations, func() {
		all := ctx.BasicSetFromConstraints(p.columns-1, constantLast(p.equalities), constantLast(p.inequalities))
		equalities, inequalities, err = all.RemoveRedundancies().Coefficients().Constraints()
	})
	isLarger := func(row []int64) bool {
		return slices.ContainsFunc(row, func(v int64) bool { return v >= maxFactor || v <= -maxFactor })
	}
	if exceeded || err != nil || slices.ContainsFunc(equalities, isLarger) || slices.ContainsFunc(inequalities, isLarger) {
		if err == isl.ErrTooLarge {
			ctx.TakeErr()
		}
		return nil, nil, errLarge
	}
	return equalities, inequalities, nil
}

// constants are the constraints that allow a constant which is not negative, and no other form.
func (p polyhedron) constants() (equalities, inequalities [][]int64) {
	for k := range p.columns {
		row := make([]int64, p.columns)
		row[k] = 1
		if k == 0 {
			inequalities = append(inequalities, row)
		} else {
			equalities = append(equalities, row)
		}
	}
	return equalities, inequalities
}

// withoutLargeNumbers are the constraints that a way finds where large constants are parameters, on
// which forms do not depend: what is not negative for all of them is not for those that they are.
// The error is errLarge.
func (p polyhedron) withoutLargeNumbers(way func(polyhedron) (_, _ [][]int64, err error)) (equalities, inequalities [][]int64, err error) {
	y := Symbols{multiples: 1}
	for _, row := range slices.Concat(p.equalities, p.inequalities) {
		large := max(row[0], -row[0], 0)
		if _, rest := y.Split(row[0]); large >= largeNumber && rest == row[0] && len(y.Bases) < mostBases {
			y.Bases = append(y.Bases, large)
		}
	}
	count := len(y.Bases)
	if count == 0 {
		return nil, nil, errLarge
	}
	with := polyhedron{columns: p.columns + count, source: p.source + count, loops: p.loops}
	with.equalities = y.rows(p.equalities, p.source-1, 0)
	with.inequalities = y.rows(p.inequalities, p.source-1, 0)
	for k := range count {
		row := make([]int64, with.columns)
		row[0], row[p.source+k] = -leastLarge, 1
		with.inequalities = append(with.inequalities, row)
	}
	equalities, inequalities, err = way(with)
	without := func(rows [][]int64) {
		for i, row := range rows {
			rows[i] = slices.Concat(row[:p.source], row[p.source+count:])
		}
	}
	without(equalities)
	without(inequalities)
	return equalities, inequalities, err
}

// byDistances are the constraints for forms that see of iterators only by how much those of the
// target are larger than those of the source, where both are of one statement: x disappears from
// the points (x, x + d), so that there are a few hundred vertices instead of their square. The
// error is errLarge.
func (p polyhedron) byDistances() (equalities, inequalities [][]int64, err error) {
	if p.loops == 0 || slices.ContainsFunc(p.equalities, isLarge) || slices.ContainsFunc(p.inequalities, isLarge) {
		return nil, nil, errLarge
	}
	target := p.source + p.loops
	moved := func(rows [][]int64) [][]int64 {
		list := make([][]int64, len(rows))
		for i, row := range rows {
			list[i] = slices.Clone(row)
			for k := range p.loops {
				list[i][p.source+k] += row[target+k]
			}
		}
		return list
	}
	e := elimination{moved(p.equalities), moved(p.inequalities)}
	for column := range p.columns {
		if isDistance := target <= column && column < target+p.loops; column >= p.source && !isDistance {
			if err := e.eliminate(column); err != nil {
				return nil, nil, err
			}
		}
	}
	kept := polyhedron{columns: p.columns, equalities: e.equalities, inequalities: e.inequalities}
	for column := p.source; column < p.columns; column++ {
		if column >= target && column < target+p.loops {
			continue
		}
		row := make([]int64, p.columns)
		row[column] = 1
		kept.equalities = append(kept.equalities, row)
	}
	equalities, inequalities, err = kept.exactly(maxVertices)
	for k := range p.loops {
		row := make([]int64, p.columns)
		row[p.source+k], row[target+k] = 1, 1
		equalities = append(equalities, row)
	}
	return equalities, inequalities, err
}

// elimination are rows from which columns disappear, by the methods of Gauss, and of Fourier and
// Motzkin, over the rational numbers.
type elimination struct{ equalities, inequalities [][]int64 }

// eliminate makes a column zero in all rows. The error is errLarge.
func (e *elimination) eliminate(column int) (err error) {
	if k := slices.IndexFunc(e.equalities, func(row []int64) bool { return row[column] != 0 }); k >= 0 {
		by := e.equalities[k]
		if by[column] < 0 {
			by = negated(by)
		}
		e.equalities = slices.Delete(e.equalities, k, k+1)
		for _, rows := range [][][]int64{e.equalities, e.inequalities} {
			for i, row := range rows {
				if row[column] == 0 {
					continue
				}
				if rows[i], err = combine(by[column], row, -row[column], by); err != nil {
					return err
				}
			}
		}
		return nil
	}
	var rows [][]int64
	for _, lower := range e.inequalities {
		if lower[column] == 0 {
			rows = appendTightest(rows, lower)
			continue
		}
		for _, upper := range e.inequalities {
			if lower[column] <= 0 || upper[column] >= 0 {
				continue
			}
			row, err := combine(-upper[column], lower, lower[column], upper)
			if err != nil || len(rows) > maxConstraints {
				return errLarge
			}
			rows = appendTightest(rows, row)
		}
	}
	e.inequalities = rows
	return nil
}

// appendTightest appends an inequality, or puts it in the place of one that differs in the constant
// alone and follows from it; not where it follows from one itself, or says nothing.
func appendTightest(rows [][]int64, row []int64) [][]int64 {
	if scop.IsZero(row[1:]) && row[0] >= 0 {
		return rows
	}
	row = tightened(row)
	for i, other := range rows {
		if slices.Equal(row[1:], other[1:]) {
			if row[0] < other[0] {
				rows[i] = row
			}
			return rows
		}
	}
	return append(rows, row)
}

// tightened is an inequality on integers, divided by the factor of all but its constant.
func tightened(row []int64) []int64 {
	divisor := int64(0)
	for _, v := range row[1:] {
		divisor = integer.GCD(divisor, v)
	}
	if divisor <= 1 {
		return row
	}
	tight := slices.Clone(row)
	for k, v := range row {
		tight[k] = integer.FloorDivide(v, divisor)
	}
	return tight
}
