package space

import (
	"fmt"
	"slices"
	"strings"
)

// CutKind is what a Cut asks for.
type CutKind int

const (
	// Together puts all statements of the cut into one class.
	Together CutKind = iota
	// Apart puts no two of them into one class.
	Apart
	// Before puts each of them into an earlier class than the next one.
	Before
	// Affine keeps the points of the encoding that satisfy constraints.
	Affine
)

// String is the name of the kind: "together", "apart", "before" or "affine".
func (k CutKind) String() string { return [...]string{"together", "apart", "before", "affine"}[k] }

// Cut is a user's affine constraint on partitions: on the variables of the
// encoding, Together is e = 1, Apart is e = 0, Before is p = 1, and Affine is
// whatever its constraints say.
type Cut struct {
	Kind CutKind
	// Statements are indices in textual order; for Before the order counts.
	// An Affine cut has none.
	Statements []int
	// Constraints are those of an Affine cut, on the variables of the
	// program's Encoding.
	Constraints []Constraint
}

// ParseCut reads what a user writes behind the name of a kind: the statements
// with commas between them, "S0,S2", or for Affine the constraints as
// Encoding.ParseConstraints reads them. names are those of the statements.
func ParseCut(kind CutKind, text string, names []string) (Cut, error) {
	cut := Cut{Kind: kind}
	if kind == Affine {
		constraints, err := Encoding{len(names)}.ParseConstraints(text)
		cut.Constraints = constraints
		return cut, err
	}
	for _, name := range strings.FieldsFunc(text, isSeparator) {
		i := slices.Index(names, name)
		if i < 0 {
			return Cut{}, fmt.Errorf("%s %q: %w", kind, text, unknownStatement(name, names))
		}
		cut.Statements = append(cut.Statements, i)
	}
	if err := cut.validate(names); err != nil {
		return Cut{}, err
	}
	return cut, nil
}

// Text is the cut as it is written: "together S0,S2" or "e_0_1 + e_1_2 <= 1".
func (c Cut) Text(names []string) string {
	if c.Kind == Affine {
		variables := Encoding{len(names)}.VariableNames()
		rows := make([]string, len(c.Constraints))
		for i, constraint := range c.Constraints {
			rows[i] = constraint.text(variables)
		}
		return strings.Join(rows, " and ")
	}
	members := make([]string, len(c.Statements))
	for i, s := range c.Statements {
		members[i] = nameOf(s, names)
	}
	return c.Kind.String() + " " + strings.Join(members, ",")
}

// validate checks a cut against the statements of the program.
func (c Cut) validate(names []string) error {
	switch {
	case c.Kind < Together || c.Kind > Affine:
		return fmt.Errorf("there is no cut of kind %d", int(c.Kind))
	case c.Kind == Affine:
		return c.validateConstraints(Encoding{len(names)}.Variables())
	case len(c.Statements) < 2:
		return fmt.Errorf("%s needs two statements or more, such as S0,S1", c.Kind)
	}
	for i, s := range c.Statements {
		if s < 0 || s >= len(names) {
			return fmt.Errorf("%s names statement %d, but the program has statements 0 to %d", c.Kind, s, len(names)-1)
		}
		if slices.Contains(c.Statements[:i], s) {
			return fmt.Errorf("%s names statement %s twice", c.Kind, names[s])
		}
	}
	return nil
}

func (c Cut) validateConstraints(variables int) error {
	for _, constraint := range c.Constraints {
		numbers := []int{constraint.Constant}
		for _, t := range constraint.Terms {
			if t.Variable < 0 || t.Variable >= variables {
				return fmt.Errorf("an affine cut has variable %d, but the encoding has variables 0 to %d", t.Variable, variables-1)
			}
			numbers = append(numbers, t.Coefficient)
		}
		if slices.Min(numbers) < -largestCoefficient || slices.Max(numbers) > largestCoefficient {
			return fmt.Errorf("an affine cut: %w", errTooLarge)
		}
	}
	return nil
}

// addOrder adds what the cut says about the order of classes.
func (c Cut) addOrder(direct [][]bool) {
	for i, s := range c.Statements {
		for _, t := range c.Statements[i+1:] {
			if c.Kind != Apart {
				direct[s][t] = true
			}
			if c.Kind == Together {
				direct[t][s] = true
			}
		}
	}
}

// separated are the pairs that the cut keeps out of one class.
func (c Cut) separated() [][2]int {
	var pairs [][2]int
	if c.Kind == Together {
		return nil
	}
	for i, s := range c.Statements {
		for _, t := range c.Statements[i+1:] {
			pairs = append(pairs, [2]int{s, t})
		}
	}
	return pairs
}

// violation says which statements of a partition are against the cut, or
// nothing when none are.
func (c Cut) violation(p Partition, names []string) string {
	if c.Kind == Affine {
		point := Encoding{len(names)}.Point(p)
		for _, constraint := range c.Constraints {
			if !constraint.Holds(point) {
				return "it violates the cut " + constraint.text(Encoding{len(names)}.VariableNames())
			}
		}
		return ""
	}
	for i, t := range c.Statements {
		for _, r := range c.Statements[:i] {
			if !c.allows(p[r], p[t]) {
				return fmt.Sprintf("%s and %s are in classes %d and %d, against the cut %s",
					names[r], names[t], p[r], p[t], c.Text(names))
			}
		}
	}
	return ""
}

// allows says whether the classes of two statements of the cut satisfy it.
func (c Cut) allows(first, second int) bool {
	switch c.Kind {
	case Together:
		return first == second
	case Apart:
		return first != second
	default:
		return first < second
	}
}
