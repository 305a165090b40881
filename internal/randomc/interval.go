package randomc

import (
	"fmt"
	"strings"
)

// largest is the largest value of n and of m at which programs run.
const largest = 40

// bound is constant + n·N + m·M, where the sizes N and M are not negative.
type bound struct{ constant, n, m int }

func number(c int) bound { return bound{constant: c} }

func (b bound) plus(o bound) bound {
	return bound{b.constant + o.constant, b.n + o.n, b.m + o.m}
}

func (b bound) times(k int) bound { return bound{b.constant * k, b.n * k, b.m * k} }

// isNatural says whether the bound is never negative.
func (b bound) isNatural() bool { return b.constant >= 0 && b.n >= 0 && b.m >= 0 }

// most is the bound's value at the largest sizes.
func (b bound) most() int { return b.constant + (b.n+b.m)*largest }

// half is at least half of a bound that is not negative.
func (b bound) half() bound { return bound{(b.constant + 1) / 2, (b.n + 1) / 2, (b.m + 1) / 2} }

func greatest(a, b bound) bound {
	return bound{max(a.constant, b.constant), max(a.n, b.n), max(a.m, b.m)}
}

func least(a, b bound) bound {
	return bound{min(a.constant, b.constant), min(a.n, b.n), min(a.m, b.m)}
}

// String is the bound as C.
func (b bound) String() string {
	var terms []string
	for _, t := range []struct {
		factor int
		name   string
	}{{b.n, "n"}, {b.m, "m"}} {
		switch {
		case t.factor == 1:
			terms = append(terms, t.name)
		case t.factor > 1:
			terms = append(terms, fmt.Sprintf("%d * %s", t.factor, t.name))
		}
	}
	if b.constant != 0 || len(terms) == 0 {
		terms = append(terms, fmt.Sprint(b.constant))
	}
	return strings.ReplaceAll(strings.Join(terms, " + "), "+ -", "- ")
}

// interval are the integers between two bounds.
type interval struct{ from, to bound }

func between(from, to int) interval { return interval{number(from), number(to)} }

// within says whether all of an interval is in another one.
func (i interval) within(o interval) bool {
	return i.from.plus(o.from.times(-1)).isNatural() && o.to.plus(i.to.times(-1)).isNatural()
}

func (i interval) join(o interval) interval {
	return interval{least(i.from, o.from), greatest(i.to, o.to)}
}

func (i interval) plus(o interval) interval { return interval{i.from.plus(o.from), i.to.plus(o.to)} }

func (i interval) negated() interval { return interval{i.to.times(-1), i.from.times(-1)} }

func (i interval) isNatural() bool { return i.from.isNatural() }
