package depend

import (
	"fmt"
	"math"
	"slices"

	"polytune/isl"
	"polytune/scop"
)

// Symbols treat large numbers in a program's loop bounds as parameters: loops to 1000 and to 999 as
// loops to N and to N - 1. What holds for all N holds for 1000. So schedules are sought for
// programs whose sizes are numbers, or macros, as for those with parameters: with the numbers
// themselves distances of 998 count for less than those of 999, and the integer programs are hard
// where coefficients are large.
type Symbols struct {
	// Bases are the numbers that stand for parameters.
	Bases []int64
	// multiples is the largest multiple of a base that counts as one.
	multiples int64
}

const (
	// smallNumber is the largest number that stays one, nearNumber the largest difference between a
	// number and its base.
	smallNumber, nearNumber = 16, 8
	// mostBases bounds the numbers that become parameters.
	mostBases = 6
)

// SymbolsOf finds the large numbers in the domains of a model's statements, the largest first.
// Where statements are cut in halves it takes the half, of which the whole is twice as much.
func SymbolsOf(m *scop.Model) (Symbols, error) {
	var large []int64
	for i := range m.Statements {
		for _, piece := range m.Statements[i].Domain.BasicSets() {
			constants, err := constantsOf(piece)
			if err != nil {
				return Symbols{}, fmt.Errorf("the numbers in the domain of %s: %w", m.Statements[i].Name, err)
			}
			large = append(large, constants...)
		}
	}
	slices.Sort(large)
	y := Symbols{multiples: 1}
	if len(m.Program.Cuts) > 0 {
		y.multiples = 2
	}
	for _, constant := range slices.Backward(large) {
		if constant <= smallNumber || len(y.Bases) == mostBases {
			break
		}
		if _, rest := y.Split(constant); rest == constant {
			y.Bases = append(y.Bases, y.halfOf(constant, large))
		}
	}
	return y, nil
}

// halfOf is the one of several numbers of which a number is twice as much, or the number where
// there is none or symbols have no multiples.
func (y Symbols) halfOf(number int64, numbers []int64) int64 {
	for _, half := range numbers {
		if rest := number - half - half; y.multiples > 1 && -2 <= rest && rest <= 2 {
			return half
		}
	}
	return number
}

// constantsOf are the absolute values of a set's constants where no division has a part.
func constantsOf(set *isl.BasicSet) (constants []int64, err error) {
	equalities, inequalities, err := set.Constraints()
	divisions := set.Dim(isl.DimSet) + set.Dim(isl.DimParam)
	for _, row := range slices.Concat(equalities, inequalities) {
		last := len(row) - 1
		if scop.IsZero(row[divisions:last]) && row[last] != 0 {
			constants = append(constants, max(row[last], -row[last]))
		}
	}
	return constants, err
}

// Split is a number as coefficients of the bases, of which at most one is not zero, and the rest.
func (y Symbols) Split(number int64) (bases []int64, rest int64) {
	bases = make([]int64, len(y.Bases))
	if -smallNumber <= number && number <= smallNumber {
		return bases, number
	}
	for k, base := range y.Bases {
		for multiple := int64(1); multiple <= y.multiples && base <= math.MaxInt64/multiple; multiple++ {
			signed := multiple
			if number < 0 {
				signed = -multiple
			}
			if rest := number - signed*base; -nearNumber <= rest && rest <= nearNumber {
				bases[k] = signed
				return bases, rest
			}
		}
	}
	return bases, number
}

// rows are rows of coefficients [constant, parameters…, dimensions…, quantified…] with the bases
// behind the parameters. Numbers in constraints on quantified dimensions are those of divisions,
// and stay.
func (y Symbols) rows(rows [][]int64, parameters, quantified int) [][]int64 {
	if len(y.Bases) == 0 {
		return rows
	}
	with := make([][]int64, len(rows))
	for i, row := range rows {
		bases, rest := make([]int64, len(y.Bases)), row[0]
		if scop.IsZero(row[len(row)-quantified:]) {
			bases, rest = y.Split(row[0])
		}
		with[i] = slices.Concat([]int64{rest}, row[1:1+parameters], bases, row[1+parameters:])
	}
	return with
}
