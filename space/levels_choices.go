package space

import (
	"errors"
	"slices"
	"strconv"
)

const (
	// maxChoices bounds the choices of rows that are looked at for one class
	// at the outermost level, maxChoicesInside at a level inside others,
	// whose choices multiply with those outside.
	maxChoices       = 128
	maxChoicesInside = 32
	// comparedNests bounds the nests that choices are compared by.
	comparedNests = 150
)

// combinations are the choices of rows for a loop that the statements share:
// for each of their linked parts one of those that matter for nests of the
// depth inside, in every combination.
func (at *place) combinations(class []int, depth int) ([]Rows, error) {
	combined := []Rows{{}}
	for _, part := range at.test.linkedParts(class) {
		choices, err := at.usefulChoices(part, depth)
		if err != nil {
			return nil, err
		}
		var longer []Rows
		for _, choice := range choices {
			for _, others := range combined {
				longer = append(longer, union(others, choice))
			}
		}
		if most := at.mostChoices(); len(longer) > most {
			at.levels.skipChoices(class)
			longer = longer[:most]
		}
		combined = longer
	}
	return combined, nil
}

// mostChoices is the bound on the choices of a class.
func (at *place) mostChoices() int {
	if len(at.rows) > 0 {
		return maxChoicesInside
	}
	return maxChoices
}

// skipChoices notes that some choices for the class are not looked at.
func (l *Levels) skipChoices(class []int) { l.incomplete[drawClass(class, l.Names())] = true }

func union(a, b Rows) Rows {
	both := Rows{}
	for _, rows := range []Rows{a, b} {
		for s, row := range rows {
			both[s] = row
		}
	}
	return both
}

// choicesOfPart are the choices of rows for statements that are linked by
// dependences, the simplest first. One that leaves no dependence allows
// everything inside: then no other is needed.
func (at *place) choicesOfPart(part []int) ([]Rows, error) {
	if len(part) == 1 {
		rows, err := at.rowsOfPart(part)
		return []Rows{rows}, err
	}
	key := keyOf(part, at.rows)
	if choices, known := at.levels.choices[key]; known {
		return choices, nil
	}
	choices, err := at.searchChoices(part)
	if choices == nil && err == nil {
		var rows Rows
		if rows, err = at.rowsOfPart(part); rows != nil {
			choices = []Rows{rows}
		}
	}
	if err != nil {
		return nil, err
	}
	at.levels.choices[key] = choices
	return choices, nil
}

// searchChoices are the choices with coefficients 0 and 1.
func (at *place) searchChoices(part []int) ([]Rows, error) {
	var choices []Rows
	for rows, err := range at.test.choices(part) {
		if errors.Is(err, errChoices) || err == nil && len(choices) == at.mostChoices() {
			at.levels.skipChoices(part)
			return choices, nil
		}
		if err != nil {
			return nil, err
		}
		next, err := at.inside(part, rows)
		if err != nil {
			return nil, err
		}
		if free := len(next.test.linkedParts(part)) == len(part); free {
			return []Rows{rows}, nil
		}
		choices = append(choices, rows)
	}
	return choices, nil
}

// usefulChoices are choices for statements that are linked by dependences,
// without those whose nests of the depth an earlier one has all of, or a later
// one more. The simplest of equal ones stays.
func (at *place) usefulChoices(part []int, depth int) ([]Rows, error) {
	choices, err := at.choicesOfPart(part)
	if err != nil || len(choices) == 1 {
		return choices, err
	}
	key := keyOf(part, at.rows) + strconv.Itoa(depth)
	if useful, known := at.levels.choices[key]; known {
		return useful, nil
	}
	var useful []Rows
	var within []contents
	for _, choice := range choices {
		next, err := at.inside(part, choice)
		if err != nil {
			return nil, err
		}
		c, err := next.contents(depth)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(within, c.isWithin) {
			continue
		}
		for k := len(within) - 1; k >= 0; k-- {
			if within[k].isWithin(c) {
				within, useful = slices.Delete(within, k, k+1), slices.Delete(useful, k, k+1)
			}
		}
		within, useful = append(within, c), append(useful, choice)
	}
	at.levels.choices[key] = useful
	return useful, nil
}

// contents describe the nests of a place of one depth, so that places of the
// same statements can be compared. For one level that is the order of the
// statements and the minimal sets that cannot be fused, by their places; for
// more levels the nests themselves, unless there are more than comparedNests.
type contents struct {
	known     bool
	order     *order
	infusible [][]int
	nests     map[string]bool
}

func (at *place) contents(depth int) (c contents, err error) {
	switch {
	case at.space == nil:
		return contents{known: true, nests: map[string]bool{}}, nil
	case depth == 1:
		c.known, c.order = true, at.space.order
		sets, err := at.space.minimalInfusible()
		for _, components := range sets {
			var set []int
			for _, component := range components {
				set = append(set, c.order.components[component]...)
			}
			slices.Sort(set)
			c.infusible = append(c.infusible, set)
		}
		return c, err
	}
	c.nests = map[string]bool{}
	for n, err := range at.nests(depth, nil) {
		if err != nil {
			return c, err
		}
		if len(c.nests) == comparedNests {
			return contents{}, nil
		}
		c.nests[n.String()] = true
	}
	c.known = true
	return c, nil
}

// isWithin says that all nests of c are among those of d, if that is known.
func (c contents) isWithin(d contents) bool {
	switch {
	case !c.known || !d.known:
		return false
	case c.order == nil || d.order == nil:
		return c.order == nil && isSubset(c.nests, d.nests)
	}
	for i, row := range d.order.before {
		for j, before := range row {
			if before && !c.order.before[i][j] {
				return false
			}
		}
	}
	return !slices.ContainsFunc(d.infusible, func(set []int) bool {
		return !slices.ContainsFunc(c.infusible, func(smaller []int) bool { return contains(set, smaller) })
	})
}

func isSubset(a, b map[string]bool) bool {
	for n := range a {
		if !b[n] {
			return false
		}
	}
	return true
}

// contains says whether a sorted set has all members of another.
func contains(set, smaller []int) bool {
	return !slices.ContainsFunc(smaller, func(m int) bool {
		_, found := slices.BinarySearch(set, m)
		return !found
	})
}
