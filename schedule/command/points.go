package command

import (
	"fmt"
	"slices"

	"polytune/schedule"
)

// pointsOf are the loops of some names, all of one node, as long as each is a plain one over points
// that nothing has been said of; and their places. what is what has to come before that: "reverse
// it".
func pointsOf(t *schedule.Tree, names []string, what string) (n *schedule.Node, places []int, err error) {
	n, places, err = ofOneChain(t, names)
	if err != nil {
		return nil, nil, err
	}
	for _, place := range places {
		if err := mayChange(t, n.Loops[place], what); err != nil {
			return nil, nil, err
		}
	}
	return n, places, nil
}

// mayChange says why other rows cannot take the place of a loop's, or nil.
func mayChange(t *schedule.Tree, l *schedule.Loop, what string) error {
	switch _, _, err := t.Loop(l.Name + "t"); {
	case l.Level > 0 || l.Block || len(l.Terms) != 1:
		return fmt.Errorf("loop %q is no plain loop over points", l.Name)
	case err == nil || l.TileRows != nil || isTouched(l):
		return fmt.Errorf("loop %q is tiled or marked already; %s before", l.Name, what)
	}
	return nil
}

// isTouched says whether anything has been said of a loop but its rows and its name.
func isTouched(l *schedule.Loop) bool {
	return len(l.Marks) > 0 || len(l.Requests) > 0 || len(l.Boxes) > 0 || l.Collapsed || l.Unrolled
}

// ofOneChain are the loops of some names, which are all of one node, by their places.
func ofOneChain(t *schedule.Tree, names []string) (n *schedule.Node, places []int, err error) {
	for k, name := range names {
		other, place, err := t.Loop(name)
		switch {
		case err != nil:
			return nil, nil, err
		case n != nil && other != n:
			return nil, nil, fmt.Errorf("loops %q and %q are not in one chain of loops right inside each other; distribute those around, or fuse", names[0], name)
		case slices.Contains(places, place):
			return nil, nil, fmt.Errorf("loop %q is named twice", names[k])
		}
		n, places = other, append(places, place)
	}
	return n, places, nil
}

// mostCoefficient bounds the coefficients in rows that commands compute, so that the code stays far
// from overflowing.
const mostCoefficient = schedule.MaxFactor

// setRows gives a loop other rows.
func setRows(l *schedule.Loop, rows map[int]schedule.Row) error {
	if err := checkCoefficients(l, rows); err != nil {
		return err
	}
	l.Terms = []schedule.Term{{Rows: rows, Size: 1}}
	return nil
}

// checkCoefficients refuses rows for a loop with too large coefficients.
func checkCoefficients(l *schedule.Loop, rows map[int]schedule.Row) error {
	for _, row := range rows {
		for _, c := range slices.Concat(row.Iterators, row.Parameters) {
			if max(c, -c) > mostCoefficient {
				return fmt.Errorf("loop %q would have a coefficient of %d; %d is the most", l.Name, c, mostCoefficient)
			}
		}
	}
	return nil
}
