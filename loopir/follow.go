package loopir

import "errors"

// errEnough says that nobody wants to hear of further instances.
var errEnough = errors.New("enough instances were followed")

// Follow calls visit for the instances that code runs with some values of the parameters, in the
// order in which it runs them, with the values of the coordinates of their tiles and, behind these,
// of their iterators, until it returns false. Of code that runs more than so many instances and
// iterations of loops it follows so many. An error is that of an expression without a value.
func Follow(code Code, parameters map[string]int64, steps int, visit func(run *Run, at []int64) bool) error {
	m := &Machine{Steps: steps, variables: map[string]int64{}}
	for name, value := range parameters {
		m.variables[name] = value
	}
	m.follows = func(run *Run) {
		if !m.goesOn(1) {
			return
		}
		if at := append(m.values(run.Tiles), m.values(run.At)...); m.err == nil && !visit(run, at) {
			m.err = errEnough
		}
	}
	m.run(code)
	if errors.Is(m.err, errEnough) || errors.Is(m.err, ErrSteps) {
		return nil
	}
	return m.err
}

// goesOn counts steps of code that is followed, and says whether there may be more.
func (m *Machine) goesOn(steps int) bool {
	if m.steps += steps; m.steps > m.Steps && m.err == nil {
		m.err = ErrSteps
	}
	return m.err == nil
}
