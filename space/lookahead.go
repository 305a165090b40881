package space

import (
	"fmt"
	"math"
	"slices"
)

// open is a component without a class number, and the numbers that the order
// leaves it.
type open struct {
	component, low, high int
}

// mostSteps bounds the search for a single beginning: minutes. Only affine
// cuts are known to take that long; whether a partition satisfies them is as
// hard a question as any in NP.
const mostSteps = 10_000_000

var errTooHard = fmt.Errorf("after %d steps it is not known whether some partition begins in a certain way; write cuts over fewer statements, or kinds of cuts that decide pairs (together, apart, before)", mostSteps)

// completable says whether the class numbers given so far can be completed to
// a partition: the remaining components must fill all gaps below the greatest
// number.
//
// A remaining component that no numbered one follows can always be put behind
// all others, alone. So only the others, those with a deadline, need a search,
// and those on which an affine constraint depends. Without any of them, the
// gaps can be filled exactly when there is a matching of gaps to components
// that respects the windows: each gap then takes one component, alone, in
// topological order.
func (e *enumerator) completable() (bool, error) {
	e.statistics.LookAhead++
	switch e.steps++; {
	case e.patience > 0 && e.steps > e.patience:
		return true, nil
	case e.steps > mostSteps:
		return false, errTooHard
	}
	top, due, free := e.remaining()
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
	relevant, verdict := e.judge(windows)
	switch {
	case verdict == violated:
		return false, nil
	case len(due) > 0:
		return e.searchFrom(windows[0])
	case verdict == entailed:
		return true, nil
	}
	next := windows[slices.IndexFunc(windows, func(w open) bool { return relevant.contains(w.component) })]
	next.high = min(top+e.withPredecessors(relevant, free), len(e.components)-1)
	return e.searchFrom(next)
}

// withPredecessors is the number of remaining components that are relevant for
// an undecided constraint or precede one that is. When there is a completion,
// there is one in which all of them have class numbers up to the greatest so
// far plus their number: what else comes behind that can be put, alone, behind
// all of them.
func (e *enumerator) withPredecessors(relevant bitset, free []int) int {
	count := 0
	for _, c := range free {
		precedes := slices.ContainsFunc(relevant.members(), func(d int) bool { return e.precedes(c, d) })
		if precedes || relevant.contains(c) {
			count++
		}
	}
	return count
}

// remaining are the greatest class number given so far and, in topological
// order, the components without one: those that some numbered one follows,
// and the others.
func (e *enumerator) remaining() (top int, due, free []int) {
	top = -1
	for _, class := range e.class {
		top = max(top, class)
	}
	for _, c := range e.sequence {
		switch {
		case e.class[c] >= 0:
		case e.hasDeadline(c):
			due = append(due, c)
		default:
			free = append(free, c)
		}
	}
	return top, due, free
}

func (e *enumerator) hasDeadline(component int) bool {
	for other, class := range e.class {
		if class >= 0 && e.precedes(component, other) {
			return true
		}
	}
	return false
}

// searchFrom says whether some class number of a component's window can be
// completed.
func (e *enumerator) searchFrom(next open) (bool, error) {
	for class := next.low; class <= next.high; class++ {
		found, err := e.begins(next.component, class)
		if found || err != nil {
			return found, err
		}
	}
	return false, nil
}

// judge says what is known of all affine constraints when the components that
// are left stay in their windows, and which of those components the undecided
// ones mention.
func (e *enumerator) judge(windows []open) (relevant bitset, all verdict) {
	if len(e.affine) == 0 {
		return nil, entailed
	}
	all, relevant = entailed, newBitset(len(e.components))
	at := e.windowsByComponent(windows)
	for i := range e.affine {
		a := &e.affine[i]
		switch a.judge(func(p pairTerms) pairRelation { return e.possible(p, at) }) {
		case violated:
			return nil, violated
		case undecided:
			all = undecided
			for _, s := range a.statements {
				if c := e.component[s]; e.class[c] < 0 {
					relevant.add(c)
				}
			}
		}
	}
	return relevant, all
}

// windowsByComponent are the windows of all components: those with a class
// number have it alone.
func (e *enumerator) windowsByComponent(windows []open) []open {
	at := make([]open, len(e.class))
	for c, class := range e.class {
		at[c] = open{c, class, class}
	}
	for _, w := range windows {
		at[w.component] = w
	}
	return at
}

// possible are the relations that the space and the windows leave a pair.
func (e *enumerator) possible(p pairTerms, windows []open) pairRelation {
	first, second := windows[e.component[p.i]], windows[e.component[p.j]]
	r := p.allowed
	if first.low >= second.high {
		r &^= earlier
	}
	if first.high <= second.low {
		r &^= later
	}
	if first.high < second.low || second.high < first.low {
		r &^= same
	}
	return r
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
