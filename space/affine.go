package space

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"polytune/internal/pattern"
	"polytune/isl"
)

// largestCoefficient bounds the numbers of a constraint, so that sums over
// all variables stay far from the limits of 64 bits.
const largestCoefficient = 1 << 31

// readOperations and readTime bound isl's work for a text of constraints, which may be long.
const (
	readOperations = 2_000_000_000
	readTime       = time.Hour
)

var errTooLarge = fmt.Errorf("its numbers must lie between -%d and %d", largestCoefficient, largestCoefficient)

// ParseConstraints reads affine constraints on the variables of the encoding,
// written in isl's notation with the names of VariableNames:
// "e_0_1 + e_1_2 <= 1 and p_0_3 = 1". Equalities and inequalities may be
// joined by "and". What is no such conjunction over the integers, such as a
// disjunction or a remainder, is an error.
func (e Encoding) ParseConstraints(text string) ([]Constraint, error) {
	constraints, err := e.parseConstraints(text)
	if err != nil {
		return nil, fmt.Errorf("cut %q: %w", text, err)
	}
	return constraints, nil
}

func (e Encoding) parseConstraints(text string) ([]Constraint, error) {
	if bad := strings.IndexAny(text, "{}[]:;"); bad >= 0 {
		return nil, fmt.Errorf("%q is out of place; write the constraints alone, such as e_0_1 + e_1_2 <= 1", text[bad:bad+1])
	}
	r := &constraintReader{encoding: e, names: e.VariableNames(), places: map[string]int{}, ctx: isl.NewContext()}
	defer r.ctx.Close()
	defer r.ctx.Limit(readOperations, readTime)()
	for v, name := range r.names {
		r.places[name] = v
	}
	var list []Constraint
	for _, piece := range conjuncts(text) {
		constraints, err := r.read(piece)
		if err != nil {
			return nil, err
		}
		list = append(list, constraints...)
	}
	return list, nil
}

var (
	// word is what isl may read as a name.
	word = pattern.New(`[A-Za-z_'$][A-Za-z0-9_'$]*`)
	// conjunctionWord joins constraints, disjunctionWord does more.
	conjunctionWord = pattern.New(`\band\b`)
	disjunctionWord = pattern.New(`\b(or|not)\b`)
)

// conjuncts splits a text at the "and"s that join all of it: isl reads many
// constraints one by one far faster than as a whole.
func conjuncts(text string) []string {
	whole := []string{text}
	if disjunctionWord.MatchString(text) {
		return whole
	}
	pieces := conjunctionWord.Split(text, -1)
	for _, piece := range pieces {
		if strings.Count(piece, "(") != strings.Count(piece, ")") {
			return whole
		}
	}
	return pieces
}

// constraintReader reads constraints on the variables of an encoding.
type constraintReader struct {
	encoding Encoding
	names    []string
	places   map[string]int
	ctx      *isl.Context
}

func (r *constraintReader) read(text string) ([]Constraint, error) {
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("a constraint is missing; " + howToWriteConstraints)
	}
	variables, err := r.variablesIn(text)
	if err != nil {
		return nil, err
	}
	names := make([]string, len(variables))
	for i, v := range variables {
		names[i] = r.names[v]
	}
	defer r.ctx.Release(r.ctx.Mark())
	set := r.ctx.ReadSet("{ [" + strings.Join(names, ", ") + "] : " + text + " }").Coalesce()
	if err := r.ctx.Err(); err != nil {
		return nil, fmt.Errorf("%q %s; %s", strings.TrimSpace(text), fault(text), howToWriteConstraints)
	}
	return constraintsOf(set, variables)
}

// howToWriteConstraints ends a message about a text that is none.
const howToWriteConstraints = "write equalities and inequalities such as e_0_1 + e_1_2 <= 1 and p_0_3 = 1"

// faults are mistakes in a constraint, with how they are seen where <, = and >
// stand for all relations.
var faults = []struct {
	seen    *pattern.Pattern
	message string
}{
	{pattern.New(`==`), "has ==; an equality is written with a single ="},
	{pattern.New(`=[<>]`), "has =< or =>; write <= or >="},
	{pattern.New(`\d\.|/`), "has a fraction; numbers are integers"},
	{pattern.New(`[pe]_\d+_\d+\s*\*?\s*[pe]_`), "multiplies variables or lacks a sign between them; they can be added, and multiplied by numbers"},
	{pattern.New(`^[^<>=]*$`), "compares nothing"},
	{pattern.New(`(^|[(<>=+*-])\s*([<>=)]|$)`), "lacks a number or a variable"},
}

// fault says what is wrong with a text that is no constraint.
func fault(text string) string {
	if strings.Count(text, "(") != strings.Count(text, ")") {
		return "has a parenthesis without its counterpart"
	}
	text = strings.NewReplacer("<=", "<", ">=", ">", "!=", "<").Replace(strings.TrimSpace(text))
	for _, f := range faults {
		if f.seen.MatchString(text) {
			return f.message
		}
	}
	return "is no constraint"
}

// variablesIn are the variables that a text names, ascending.
func (r *constraintReader) variablesIn(text string) ([]int, error) {
	var variables []int
	for _, name := range word.FindAllString(text, -1) {
		v, known := r.places[name]
		switch {
		case slices.Contains([]string{"and", "or", "not", "true", "false"}, name):
		case !known:
			return nil, r.encoding.unknownVariable(name)
		default:
			variables = append(variables, v)
		}
	}
	slices.Sort(variables)
	return slices.Compact(variables), nil
}

// unknownVariable explains the names, and what to write for a pair of
// statements in the other order.
func (e Encoding) unknownVariable(name string) error {
	var i, j int
	var kind byte
	fmt.Sscanf(name, "%c_%d_%d", &kind, &i, &j)
	turned := 0 <= j && j < i && i < e.Statements && name == fmt.Sprintf("%c_%d_%d", kind, i, j)
	switch {
	case turned && kind == 'p':
		return fmt.Errorf("%s is not a variable: the first statement is the earlier one; for \"%d before %d\" write 1 - p_%d_%d - e_%d_%d", name, i, j, j, i, j, i)
	case turned && kind == 'e':
		return fmt.Errorf("%s is not a variable: the first statement is the earlier one; write e_%d_%d", name, j, i)
	}
	last := max(e.Statements-1, 0)
	return fmt.Errorf("there is no variable %s; p_i_j is 1 when statement i comes in an earlier class than j, e_i_j when both are in one, for 0 <= i < j <= %d; constraints are joined by \"and\"", name, last)
}

// constraintsOf are the constraints of a set over some variables of an
// encoding, which must be one conjunction.
func constraintsOf(set *isl.Set, variables []int) ([]Constraint, error) {
	parts := set.BasicSets()
	switch {
	case len(parts) == 0:
		return []Constraint{{Constant: -1}}, nil
	case len(parts) > 1:
		return nil, errors.New("it is a disjunction (or, !=, not); write a conjunction of equalities and inequalities, such as e_0_1 = 0 instead of e_0_1 != 1")
	}
	return conjunction(parts[0], variables)
}

// conjunction are the constraints of a basic set over the variables.
func conjunction(set *isl.BasicSet, variables []int) ([]Constraint, error) {
	if set.Dim(isl.DimDiv) > 0 {
		return nil, errors.New("it has remainders, quotients or quantified variables; write equalities and inequalities over the variables alone")
	}
	equalities, inequalities, err := set.Constraints()
	if err != nil {
		return nil, errTooLarge
	}
	var list []Constraint
	for k, row := range append(equalities, inequalities...) {
		c := Constraint{Equality: k < len(equalities)}
		for i, coefficient := range row {
			switch {
			case coefficient > largestCoefficient || coefficient < -largestCoefficient:
				return nil, errTooLarge
			case i == len(variables):
				c.Constant = int(coefficient)
			case coefficient != 0:
				c.Terms = append(c.Terms, Term{int(coefficient), variables[i]})
			}
		}
		list = append(list, c)
	}
	return list, nil
}
