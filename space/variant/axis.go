package variant

import (
	"fmt"
	"slices"
	"strings"

	"polytune/internal/pattern"
)

// Axis is one choice that a variant leaves open.
type Axis struct {
	// Name is of lower-case letters, digits, _ and dots, such as "tile" and
	// "tile.2".
	Name string
	// About says what the axis decides, in a few words.
	About  string
	Values Values
	// Default is the value that a text means when it does not name the axis.
	Default Value
	// When says under which condition on axes declared before this one it
	// has a value at all; nil stands for always.
	When Condition
}

var axisName = pattern.New(`^[a-z][a-z0-9_.]*$`)

// validate says what is wrong with the axis by itself.
func (a Axis) validate() error {
	if !axisName.MatchString(a.Name) {
		return fmt.Errorf("axis %q: a name begins with a lower-case letter and has lower-case letters, digits, _ and . alone", a.Name)
	}
	if err := a.Values.validate(); err != nil {
		return fmt.Errorf("axis %s: %w", a.Name, err)
	}
	if !slices.Contains(a.Values.list, a.Default) {
		return fmt.Errorf("axis %s: its default %q is not among its values: %s", a.Name, a.Default, a.allowed())
	}
	return nil
}

// Choices are the texts of the values.
func (a Axis) Choices() []string {
	texts := make([]string, len(a.Values.list))
	for i, value := range a.Values.list {
		texts[i] = value.text
	}
	return texts
}

// allowed lists the values for people: "off, on".
func (a Axis) allowed() string { return strings.Join(a.Choices(), ", ") }

// Constraint is a condition that every setting of a model satisfies.
type Constraint struct {
	// About says why, as the end of a sentence: "the register tile must fit
	// the registers".
	About     string
	Condition Condition
}

// Setting has the value of every axis that is active, by name, and no others.
type Setting map[string]Value

// fact is a value that an axis was given, or that it has none.
type fact struct {
	axis  string
	value Value
	// active is false for an axis whose condition does not hold.
	active bool
}

// add sets the axis of a fact, if it is active.
func (s Setting) add(f fact) {
	if f.active {
		s[f.axis] = f.value
	}
}
