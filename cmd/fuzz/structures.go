package main

import (
	"fmt"

	"polytune/isl"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform"
)

// listedStructures is how many structures of each space are listed to draw
// from.
const listedStructures = 500

// structure is the fusion structure of some variants and the space that it
// belongs to.
type structure struct {
	nest    space.Nest
	options space.Options
}

func (s structure) String() string {
	if s.options.Signed {
		return "signed " + s.nest.String()
	}
	return s.nest.String()
}

// spaces are those that structures are drawn from. Of a later space only the
// structures count that no earlier one has.
var spaces = []struct {
	levels  int
	options space.Options
}{
	{levels: 1},
	{levels: 2},
	{levels: 1, options: space.Options{Signed: true}},
	{levels: 2, options: space.Options{Signed: true}},
}

// structures are those that have a name, and structures drawn in
// turn from the beginnings of the spaces, enough for the number of variants.
func (s *subject) structures(limit int) ([]structure, error) {
	chosen, err := s.namedStructures()
	if err != nil {
		return nil, err
	}
	named := len(chosen)
	random := draw(s.program.Seed, streamStructures)
	seen := map[string]bool{}
	var lists [][]structure
	for _, from := range spaces {
		list, err := s.listStructures(from.levels, from.options, seen)
		if err != nil && !isl.IsLimit(err) { // at a limit, those found so far will do
			return nil, err
		}
		random.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
		lists = append(lists, list)
	}
	for k := range listedStructures {
		for _, list := range lists {
			if k < len(list) {
				chosen = append(chosen, list[k])
			}
		}
	}
	return chosen[:min(len(chosen), named+limit)], nil
}

// namedList are the partitions and nests that have a name.
const namedList = "max,smart,typed,hybrid,none"

// namedStructures are those of namedList.
func (s *subject) namedStructures() (chosen []structure, err error) {
	err = s.within(func(g *depend.Graph) error {
		all, err := space.New(g, space.Options{})
		if err != nil {
			return failed{stage: stageSpace, err: err}
		}
		nests, err := transform.ChooseNests(all, g, namedList, 1)
		if err != nil {
			return failed{stage: stageSpace, err: err}
		}
		for _, nest := range nests {
			chosen = append(chosen, structure{nest: nest})
		}
		return nil
	})
	return chosen, err
}

// listStructures are the first structures of a space that have not been seen.
// With an error they are those before it.
func (s *subject) listStructures(levels int, options space.Options, seen map[string]bool) (list []structure, err error) {
	err = s.within(func(g *depend.Graph) error {
		all, err := space.NewLevels(g, options, levels)
		if err != nil {
			return failed{stage: stageSpace, err: err}
		}
		listed := 0
		for n, err := range all.All() {
			if err != nil {
				return failed{stage: stageSpace, err: fmt.Errorf("space of %d levels, %+v: %w", levels, options, err)}
			}
			if key := n.String(); !seen[key] {
				seen[key] = true
				list = append(list, structure{n, options})
			}
			if listed++; listed == listedStructures {
				break
			}
		}
		return nil
	})
	return list, err
}
