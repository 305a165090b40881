package space

import "math"

// open is a component without a class number, and the numbers that the order
// leaves it.
type open struct {
	component, low, high int
}

// completable says whether the class numbers given so far can be completed to
// a partition: the remaining components must fill all gaps below the greatest
// number.
//
// A remaining component that no numbered one follows can always be put behind
// all others, alone. So only the others, those with a deadline, need a search.
func (e *enumerator) completable() (bool, error) {
	top := -1
	for _, class := range e.class {
		top = max(top, class)
	}
	var due, free []int
	for _, c := range e.sequence {
		switch {
		case e.class[c] >= 0:
		case e.hasDeadline(c):
			due = append(due, c)
		default:
			free = append(free, c)
		}
	}
	return e.search(top, due, free)
}

func (e *enumerator) hasDeadline(component int) bool {
	for other, class := range e.class {
		if class >= 0 && e.precedes(component, other) {
			return true
		}
	}
	return false
}

// search looks for class numbers up to top for the components with a
// deadline, in topological order, such that the others can fill the gaps that
// are left. Those can exactly when there is a matching of gaps to components
// that respects the windows: each gap then takes one component, alone, in
// topological order.
func (e *enumerator) search(top int, due, free []int) (bool, error) {
	e.statistics.LookAhead++
	windows, ok, err := e.windowsOf(due)
	if !ok || err != nil {
		return false, err
	}
	for _, c := range free {
		low, _ := e.window(c)
		windows = append(windows, open{c, low, math.MaxInt})
	}
	if !e.canFillGaps(top, windows) {
		return false, nil
	}
	if len(due) == 0 {
		return true, nil
	}
	for class := windows[0].low; class <= windows[0].high; class++ {
		found, err := e.searchWith(due[0], class, top, due[1:], free)
		if found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// searchWith is the search that remains when a component has the class.
func (e *enumerator) searchWith(component, class, top int, due, free []int) (bool, error) {
	fits, err := e.fits(component, class)
	if !fits || err != nil {
		return false, err
	}
	e.assign(component, class)
	defer e.unassign(component)
	return e.search(top, due, free)
}

// windowsOf are the windows of components in topological order, limited by
// each other: a component that cannot be fused with a predecessor needs a
// greater number. ok is false when a window is empty.
func (e *enumerator) windowsOf(components []int) (windows []open, ok bool, err error) {
	for _, c := range components {
		low, high := e.window(c)
		for _, earlier := range windows {
			if !e.precedes(earlier.component, c) {
				continue
			}
			bound := earlier.low
			fusible, err := e.pairFusible(earlier.component, c)
			if err != nil {
				return nil, false, err
			}
			if !fusible {
				bound++
			}
			low = max(low, bound)
		}
		if low > high {
			return nil, false, nil
		}
		windows = append(windows, open{c, low, high})
	}
	return windows, true, nil
}

func (e *enumerator) pairFusible(c, d int) (bool, error) {
	pair := newBitset(len(e.component), e.components[c]...)
	return e.memory.isFusible(pair.with(e.components[d]...))
}

// canFillGaps says whether each class number up to top without members can
// have a component of its own, by giving each gap, upwards, the one with the
// earliest deadline.
func (e *enumerator) canFillGaps(top int, windows []open) bool {
	used := make([]bool, len(windows))
	for class := range top + 1 {
		if !e.members[class].isEmpty() {
			continue
		}
		best := -1
		for i, w := range windows {
			suits := !used[i] && w.low <= class && class <= w.high
			if suits && (best < 0 || w.high < windows[best].high) {
				best = i
			}
		}
		if best < 0 {
			return false
		}
		used[best] = true
	}
	return true
}
