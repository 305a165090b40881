package transform

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"polytune/scop"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/transform/facts"
)

// Max is a partition with as few classes as a greedy search finds: every
// component joins the earliest class that it may and can be fused with.
func Max(s *space.Space, g *depend.Graph) (space.Partition, error) {
	return fuse(s, g, func(class, component []int) (bool, error) { return true, nil })
}

// Smart fuses only components that have data in common and loops of the same depth, Pluto's default
// heuristic, and that do not walk through matrices in different ways, nor leave only columns to
// threads; and those that pass values on through an expanded array where loops for register blocks
// are left, whose outermost loop in the source has rows of expanded arrays for each iteration, or
// which can be contracted then.
func Smart(s *space.Space, g *depend.Graph) (space.Partition, error) {
	return fuse(s, g, func(class, component []int) (bool, error) {
		if bringsVariableBack(g.Model.Program, class) || bringsVariableBack(g.Model.Program, component) {
			return false, nil
		}
		if loops, err := webLoops(g, slices.Concat(class, component)); loops != nil || err != nil {
			return loops != nil, err
		}
		if shares, err := sharesWebLoops(g, s.Fusible, class, component); shares || err != nil {
			return shares, err
		}
		if gathers, parts, err := gathersContracted(g, s.Fusible, class, component); gathers || parts || err != nil {
			return gathers, err
		}
		if facts.Deepest(g, class) != facts.Deepest(g, component) || !shareData(g, class, component) {
			return false, nil
		}
		for _, apart := range []func(g *depend.Graph, first, second []int) (bool, error){sweepApart, columnsApart, joinedApart} {
			if is, err := apart(g, class, component); is || err != nil {
				return false, err
			}
		}
		return true, nil
	})
}

// bringsVariableBack says whether some statements do no more than bring the last value of a
// variable back that has elements for the outermost loop. Nothing has to be contracted with it; in
// a loop of others it would stand under a condition, and compilers warn that the variable may have
// no value behind.
func bringsVariableBack(p *scop.Program, statements []int) bool {
	return p.Room.Outermost && !slices.ContainsFunc(statements, func(s int) bool {
		return !p.BringsBack(s) || slices.ContainsFunc(p.Expansions, func(e scop.Expansion) bool {
			return len(e.Extents) > e.Dimensions() && p.Statements[s].Names(e.Name)
		})
	})
}

// fuse gathers the components of the unfused partition in classes, as the space's order, fusibility
// and the heuristic allow. Initial values come first where statements can walk through strips of a
// matrix together then.
func fuse(s *space.Space, g *depend.Graph, want func(class, component []int) (bool, error)) (space.Partition, error) {
	join := func(class, component []int) (bool, error) {
		if wanted, err := want(class, component); !wanted || err != nil {
			return false, err
		}
		joined := slices.Concat(class, component)
		slices.Sort(joined)
		return s.Fusible(joined)
	}
	components := s.None().Classes()
	classes, err := gather(components, s.Ordered, join)
	if err != nil {
		return nil, err
	}
	first, err := gather(initialFirst(g, components, s.Ordered), s.Ordered, join)
	if err != nil {
		return nil, err
	}
	for _, class := range first {
		if slices.ContainsFunc(classes, func(other []int) bool { return slices.Equal(other, class) }) {
			continue
		}
		if strips, err := stripsOf(g, class); strips != nil || err != nil {
			return vector(first, len(g.Model.Statements)), err
		}
	}
	return vector(classes, len(g.Model.Statements)), nil
}

// initialFirst are components in a legal order in which those of one loop at most come first that
// need nothing but others of these, such as zeros for sums: where they stand between two
// components, these could not share a class, because a class comes as late as its last statement
// has to.
func initialFirst(g *depend.Graph, components [][]int, ordered func(i, j int) bool) [][]int {
	var first, rest [][]int
	for _, component := range components {
		needsOther := slices.ContainsFunc(rest, func(other []int) bool {
			return slices.ContainsFunc(other, func(i int) bool {
				return slices.ContainsFunc(component, func(j int) bool { return ordered(i, j) })
			})
		})
		if needsOther || facts.Deepest(g, component) > 1 {
			rest = append(rest, component)
		} else {
			first = append(first, component)
		}
	}
	return append(first, rest...)
}

// gather places components, which come in a legal order, each in the earliest
// class that the order of statements and the rule allow, or in a new one at the
// end. Classes and their statements come out in order.
func gather(components [][]int, ordered func(i, j int) bool, join func(class, component []int) (bool, error)) ([][]int, error) {
	var classes [][]int
	for _, component := range components {
		place := len(classes)
		for k := earliest(ordered, classes, component); k < len(classes); k++ {
			joins, err := join(classes[k], component)
			if err != nil {
				return nil, err
			}
			if joins {
				place = k
				break
			}
		}
		if place == len(classes) {
			classes = append(classes, nil)
		}
		classes[place] = append(classes[place], component...)
		slices.Sort(classes[place])
	}
	return classes, nil
}

// earliest is the first class that is not before one that the component must
// not precede.
func earliest(ordered func(i, j int) bool, classes [][]int, component []int) int {
	for k := len(classes) - 1; k >= 0; k-- {
		for _, i := range classes[k] {
			if slices.ContainsFunc(component, func(j int) bool { return ordered(i, j) }) {
				return k
			}
		}
	}
	return 0
}

func vector(classes [][]int, n int) space.Partition {
	p := make(space.Partition, n)
	for k, class := range classes {
		for _, i := range class {
			p[i] = k
		}
	}
	return p
}

// shareData says whether some array is accessed by statements of both groups.
func shareData(g *depend.Graph, first, second []int) bool {
	arrays := map[string]bool{}
	for _, i := range first {
		for _, a := range g.Model.Statements[i].Statement.Accesses {
			arrays[a.Array] = true
		}
	}
	return slices.ContainsFunc(second, func(j int) bool {
		return slices.ContainsFunc(g.Model.Statements[j].Statement.Accesses, func(a scop.Access) bool { return arrays[a.Array] })
	})
}

// Choose returns the partitions that a list names, with commas between its
// items: class vectors such as 0-1-1-2, drawings such as {S0} {S1 S2} {S3}, max,
// smart, typed, hybrid, none, or random:N for N different ones drawn from the whole space with
// the seed, all of them when there are no more. Commas inside the braces of a
// drawing belong to its class. The list as a whole has no order of its own:
// partitions come as they are named, repetitions included.
func Choose(s *space.Space, g *depend.Graph, list string, seed uint64) ([]space.Partition, error) {
	var chosen []space.Partition
	for _, word := range splitList(list) {
		partitions, err := chooseOne(s, g, strings.TrimSpace(word), seed)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, partitions...)
	}
	return chosen, nil
}

// splitList splits a list at its commas outside of braces.
func splitList(list string) []string {
	var items []string
	depth, begin := 0, 0
	for i, r := range list {
		switch {
		case r == '{':
			depth++
		case r == '}':
			depth--
		case r == ',' && depth == 0:
			items = append(items, list[begin:i])
			begin = i + 1
		}
	}
	return append(items, list[begin:])
}

// hybridWord names a nest, of which Choose has the outermost level.
const hybridWord = "hybrid"

// ChooseNests is Choose for structures of several levels too: an item may also
// be a nest, as a vector such as 0-0-1-1/0-1-0-0 or a drawing such as
// {{S0} {S1}} {{S2 S3}}.
func ChooseNests(s *space.Space, g *depend.Graph, list string, seed uint64) ([]space.Nest, error) {
	var chosen []space.Nest
	for _, word := range splitList(list) {
		word = strings.TrimSpace(word)
		if strings.Contains(word, "/") || strings.HasPrefix(strings.ReplaceAll(word, " ", ""), "{{") {
			n, err := chooseNest(s, g, word)
			if err != nil {
				return nil, err
			}
			chosen = append(chosen, n)
			continue
		}
		if word == hybridWord {
			n, err := Hybrid(s, g)
			if err == nil {
				err = mustContain(s, word, n.Partition())
			}
			if err != nil {
				return nil, err
			}
			chosen = append(chosen, n)
			continue
		}
		partitions, err := chooseOne(s, g, word, seed)
		if err != nil {
			return nil, err
		}
		for _, p := range partitions {
			chosen = append(chosen, space.Nest{p})
		}
	}
	return chosen, nil
}

// chooseNest reads a nest and makes sure that it belongs to the space of its
// number of levels.
func chooseNest(s *space.Space, g *depend.Graph, word string) (n space.Nest, err error) {
	if strings.Contains(word, "{") {
		n, err = space.ParseNestDrawing(word, s.Names())
	} else {
		n, err = space.ParseNest(word)
	}
	if err != nil {
		return nil, err
	}
	levels, err := space.LevelsOf(s, g, len(n))
	if err != nil {
		return nil, err
	}
	_, reason := levels.Contains(n)
	var outside *space.OutsideError
	if errors.As(reason, &outside) {
		return nil, fmt.Errorf("partition %s is not legal: %s", n, outside.Reason)
	}
	return n, reason
}

func chooseOne(s *space.Space, g *depend.Graph, word string, seed uint64) ([]space.Partition, error) {
	if count, isRandom := strings.CutPrefix(word, "random:"); isRandom {
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 || n > facts.MostRandom {
			return nil, fmt.Errorf("a number from 1 to %d is expected in %q", facts.MostRandom, word)
		}
		list, _, err := s.Sample(rand.New(rand.NewPCG(seed, 0)), n)
		return list, err
	}
	var p space.Partition
	var err error
	switch word {
	case "max":
		p, err = Max(s, g)
	case "smart-on-device":
		p, err = SmartOnDevice(s, g)
	case "smart":
		p, err = Smart(s, g)
	case "typed", hybridWord:
		p, err = Typed(s, g)
	case "none":
		p = s.None()
	default:
		p, err = space.ParsePartition(word, s.Names())
		if err != nil {
			err = fmt.Errorf("%w; a partition is a class vector such as 0-1-1-2, a drawing such as {S0} {S1 S2}, or max, smart, typed, hybrid, none, random:N", err)
		}
	}
	if err != nil {
		return nil, err
	}
	return []space.Partition{p}, mustContain(s, word, p)
}

// mustContain makes sure that a partition belongs to the space. The heuristics
// do not know of the user's cuts.
func mustContain(s *space.Space, word string, p space.Partition) error {
	_, reason := s.Contains(p)
	var outside *space.OutsideError
	switch {
	case errors.As(reason, &outside) && word != p.String():
		return fmt.Errorf("partition %s, which is %s, is not legal: %s", word, p, outside.Reason)
	case errors.As(reason, &outside):
		return fmt.Errorf("partition %s is not legal: %s", p, outside.Reason)
	}
	return reason
}
