package variant

import (
	"fmt"
	"slices"
	"sync"

	"polytune/space"
)

// Models are the axes of a whole program: those that all partitions share, and
// families of axes that depend on the partition. They may be used by several
// goroutines at once if the families' functions may.
type Models struct {
	shared   *Model
	families []Family
	mutex    sync.Mutex
	// kept are models by partition and families, as asking families
	// may mean to transform the program.
	kept map[string]*Model
}

// maxKept bounds the models that are kept.
const maxKept = 256

// Family has axes that depend on the partition: which loops there are to be
// tiled, say, is only known when a model has found the loops.
type Family struct {
	// When says, of shared axes, under which condition any of the axes is
	// active. It becomes part of their conditions, and where it does not hold
	// they need not be known.
	When Condition
	// Axes gives the axes for a partition, and constraints on them and on
	// shared ones that hold where the condition does. It always gives the
	// same for the same partition.
	Axes func(space.Partition) ([]Axis, []Constraint, error)
}

// NewModels are the shared axes with the families.
func NewModels(shared *Model, families ...Family) (*Models, error) {
	for _, f := range families {
		if f.When == nil || f.Axes == nil {
			return nil, fmt.Errorf("a family of axes has no condition or no function; axes without a condition are shared")
		}
		if err := shared.validate(f.When); err != nil {
			return nil, fmt.Errorf("family of axes when %s: %w", f.When, err)
		}
	}
	return &Models{shared: shared, families: slices.Clone(families), kept: map[string]*Model{}}, nil
}

// Shared are the axes that do not depend on the partition.
func (m *Models) Shared() *Model { return m.shared }

// Of is the model of one partition, with the axes of all families.
func (m *Models) Of(p space.Partition) (*Model, error) {
	return m.with(p, m.all())
}

// For is a model of the partition that has the axes of the setting: those of
// families whose condition the setting does not meet are left out.
func (m *Models) For(p space.Partition, s Setting) (*Model, error) {
	return m.with(p, m.needed(s))
}

// all are the places of all families.
func (m *Models) all() []int {
	places := make([]int, len(m.families))
	for k := range places {
		places[k] = k
	}
	return places
}

// needed are the places of the families that may have active axes in the
// setting.
func (m *Models) needed(s Setting) []int {
	return slices.DeleteFunc(m.all(), func(k int) bool {
		rest := m.families[k].When
		for _, name := range axesOf(rest) {
			value, active := s[name]
			rest = rest.given(fact{name, value, active}, m.shared.ranges)
		}
		return rest == truth(false)
	})
}

// with is the shared model with the axes of the families, which is kept.
func (m *Models) with(p space.Partition, families []int) (*Model, error) {
	if len(families) == 0 {
		return m.shared, nil
	}
	key := fmt.Sprint(p, families)
	m.mutex.Lock()
	model := m.kept[key]
	m.mutex.Unlock()
	if model != nil {
		return model, nil
	}
	model, err := m.extended(p, families)
	if err != nil {
		return nil, fmt.Errorf("partition %s: %w", p, err)
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if len(m.kept) == maxKept {
		clear(m.kept)
	}
	m.kept[key] = model
	return model, nil
}

// extended is the shared model with the axes of the families.
func (m *Models) extended(p space.Partition, families []int) (*Model, error) {
	var axes []Axis
	var constraints []Constraint
	for _, k := range families {
		f := m.families[k]
		own, ties, err := f.Axes(p)
		if err != nil {
			return nil, err
		}
		for _, a := range own {
			if a.When == nil {
				a.When = f.When
			} else {
				a.When = All(f.When, a.When)
			}
			axes = append(axes, a)
		}
		for _, c := range ties {
			constraints = append(constraints, Constraint{c.About, Implies(f.When, c.Condition)})
		}
	}
	return m.shared.Extended(axes, constraints)
}

// Text is the text of a setting of the partition, see Model.Text.
func (m *Models) Text(p space.Partition, s Setting) (string, error) {
	model, err := m.For(p, s)
	if err != nil {
		return "", err
	}
	return model.Text(s), nil
}

// Parse reads a setting of the partition, see Model.Parse. Families whose
// condition the text does not meet are not asked for their axes, unless it
// names an axis that is not shared. The error is a *SettingError where the
// text is at fault.
func (m *Models) Parse(p space.Partition, text string) (Setting, error) {
	pairs, err := readPairs(text)
	if err != nil {
		return nil, err
	}
	given, unknown := m.shared.read(pairs)
	model := m.shared
	if len(unknown) > 0 {
		model, err = m.Of(p)
	} else if s, ok := m.shared.Adapt(given); ok {
		model, err = m.For(p, s)
	}
	if err != nil {
		return nil, err
	}
	return model.Parse(text)
}
