package variant

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Model is a fixed set of axes and the constraints between them. It does not
// change and may be used by several goroutines at once.
type Model struct {
	axes        []Axis
	constraints []Constraint
	index       map[string]int
	ranges      ranges
	defaults    Setting
}

// New is the model of the axes, which must have different names, and the
// constraints. Conditions of axes name earlier axes, constraints any. All axes
// at their defaults must satisfy the constraints.
func New(axes []Axis, constraints []Constraint) (*Model, error) {
	m := &Model{axes: slices.Clone(axes), constraints: slices.Clone(constraints), index: map[string]int{}, ranges: ranges{}}
	for i, a := range m.axes {
		if err := m.declare(i, a); err != nil {
			return nil, err
		}
	}
	for _, c := range m.constraints {
		if c.Condition == nil {
			return nil, fmt.Errorf("the constraint %q has no condition", c.About)
		}
		if err := m.validate(c.Condition); err != nil {
			return nil, fmt.Errorf("constraint %s: %w", c.Condition, err)
		}
	}
	var err error
	if m.defaults, err = m.Complete(nil); err != nil {
		return nil, fmt.Errorf("the defaults: %w", err)
	}
	return m, nil
}

// declare adds the axis to the index.
func (m *Model) declare(i int, a Axis) error {
	if err := a.validate(); err != nil {
		return err
	}
	if _, twice := m.index[a.Name]; twice {
		return fmt.Errorf("there are two axes named %s", a.Name)
	}
	if a.When != nil {
		if err := m.validate(a.When); err != nil {
			return fmt.Errorf("axis %s: when %s: %w; declare the axes of a condition first", a.Name, a.When, err)
		}
	}
	m.index[a.Name] = i
	low, high := a.Values.span()
	m.ranges[a.Name] = span{low, high, a.When != nil}
	return nil
}

// validate says what is wrong with a condition on the axes declared so far.
func (m *Model) validate(c Condition) error {
	var err error
	c.each(func(use mention) {
		if err == nil {
			err = m.validateMention(use)
		}
	})
	if err != nil {
		return err
	}
	return m.validateSize(c)
}

func (m *Model) validateMention(use mention) error {
	k, ok := m.index[use.axis]
	if !ok {
		return fmt.Errorf("there is no axis %s", use.axis)
	}
	a := m.axes[k]
	if use.side != nil && !a.Values.numbers() {
		return fmt.Errorf("the values of the axis %s are words, not numbers", a.Name)
	}
	for _, v := range use.values {
		if !slices.Contains(a.Values.list, v) {
			return fmt.Errorf("%s is not a value of the axis %s, which has %s", v, a.Name, a.allowed())
		}
	}
	return nil
}

// validateSize makes sure that no comparison can leave the integers of 64
// bits.
func (m *Model) validateSize(c Condition) error {
	var err error
	c.each(func(use mention) {
		if err == nil && use.side != nil && overflows(use.side, m.ranges) {
			err = fmt.Errorf("%s may exceed 2^63", use.side)
		}
	})
	return err
}

// Axes are the model's axes in the order of their declaration.
func (m *Model) Axes() []Axis { return slices.Clone(m.axes) }

// Extended is the model with further axes and constraints.
func (m *Model) Extended(axes []Axis, constraints []Constraint) (*Model, error) {
	return New(slices.Concat(m.axes, axes), slices.Concat(m.constraints, constraints))
}

// Default is the setting in which all axes have their defaults.
func (m *Model) Default() Setting { return maps.Clone(m.defaults) }

// Complete is the setting with the given values, and defaults for the other
// axes that are active. The error is a *SettingError when there is no such
// setting.
func (m *Model) Complete(given Setting) (Setting, error) {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if err := m.checkValue(name, given[name]); err != nil {
			return nil, err
		}
	}
	s := m.start()
	setting := Setting{}
	for i, a := range m.axes {
		value, named := given[a.Name]
		active := s.isActive(i)
		if named && !active {
			return nil, &SettingError{a.Name, fmt.Sprintf("the axis %s has a value only if %s", a.Name, a.When)}
		}
		if !named {
			value = a.Default
		}
		f := fact{a.Name, value, active}
		setting.add(f)
		s = s.assign(i, f)
	}
	return setting, m.checkConstraints(s, setting)
}

func (m *Model) checkValue(name string, v Value) error {
	k, ok := m.index[name]
	if !ok {
		return &SettingError{name, fmt.Sprintf("there is no axis %s; there are: %s", name, m.names())}
	}
	if !slices.Contains(m.axes[k].Values.list, v) {
		return &SettingError{name, fmt.Sprintf("the axis %s has no value %q; its values are: %s", name, v.text, m.axes[k].allowed())}
	}
	return nil
}

// checkConstraints names the constraint that the setting, which leads to the
// state, violates.
func (m *Model) checkConstraints(s state, setting Setting) error {
	if !s.broken {
		return nil
	}
	for _, c := range m.constraints {
		rest, values := c.Condition, []string(nil)
		for _, name := range slices.Compact(slices.Sorted(slices.Values(axesOf(rest)))) {
			value, active := setting[name]
			rest = rest.given(fact{name, value, active}, m.ranges)
			if active {
				values = append(values, name+"="+value.text)
			}
		}
		if rest == truth(false) {
			return &SettingError{"", fmt.Sprintf("%s: %s is required, but %s", c.About, c.Condition, strings.Join(values, ", "))}
		}
	}
	return nil
}

// SettingError says why values of axes are no setting of a model.
type SettingError struct {
	// Axis is the axis concerned, "" for a constraint between several.
	Axis   string
	Reason string
}

func (e *SettingError) Error() string { return e.Reason }

// Contains says whether the setting belongs to the model; the reason is a
// *SettingError when it does not.
func (m *Model) Contains(s Setting) (ok bool, reason error) {
	complete, err := m.Complete(s)
	if err != nil {
		return false, err
	}
	for _, a := range m.axes {
		if _, active := complete[a.Name]; active && s[a.Name] == (Value{}) {
			return false, &SettingError{a.Name, fmt.Sprintf("the axis %s has no value", a.Name)}
		}
	}
	return true, nil
}
