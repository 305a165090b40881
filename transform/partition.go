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
)

// Max is a partition with as few classes as a greedy search finds: every
// component joins the earliest class that it may and can be fused with.
func Max(s *space.Space, g *depend.Graph) (space.Partition, error) {
	return fuse(s, g, func(class, component []int) bool { return true })
}

// Smart fuses only components that have data in common and loops of the same
// depth, Pluto's default heuristic.
func Smart(s *space.Space, g *depend.Graph) (space.Partition, error) {
	return fuse(s, g, func(class, component []int) bool {
		return deepest(g, class) == deepest(g, component) && shareData(g, class, component)
	})
}

// fuse places the components of the unfused partition in order, each in the
// earliest class that the dependences, fusibility and the heuristic allow, or
// in a new one at the end.
func fuse(s *space.Space, g *depend.Graph, want func(class, component []int) bool) (space.Partition, error) {
	var classes [][]int
	for _, component := range s.None().Classes() {
		place := len(classes)
		for k := earliest(g, classes, component); k < len(classes); k++ {
			joined := slices.Concat(classes[k], component)
			slices.Sort(joined)
			fusible, err := s.Fusible(joined)
			if err != nil {
				return nil, err
			}
			if fusible && want(classes[k], component) {
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
	return vector(classes, len(g.Model.Statements)), nil
}

// earliest is the first class that is not before one on which the component
// depends.
func earliest(g *depend.Graph, classes [][]int, component []int) int {
	reaches := g.Reaches()
	for k := len(classes) - 1; k >= 0; k-- {
		for _, i := range classes[k] {
			if slices.ContainsFunc(component, func(j int) bool { return reaches[i][j] }) {
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

// deepest is the largest depth of the statements.
func deepest(g *depend.Graph, statements []int) int {
	depth := 0
	for _, i := range statements {
		depth = max(depth, g.Model.Statements[i].Depth())
	}
	return depth
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

// Choose returns the partitions that a comma-separated list names: class
// vectors such as 0-1-1-2, max, smart, none, or random:N for N different ones
// drawn with the seed. The list as a whole has no order of its own: partitions
// come as they are named, repetitions included.
func Choose(s *space.Space, g *depend.Graph, list string, seed uint64) ([]space.Partition, error) {
	var chosen []space.Partition
	for _, word := range strings.Split(list, ",") {
		partitions, err := chooseOne(s, g, strings.TrimSpace(word), seed)
		if err != nil {
			return nil, err
		}
		chosen = append(chosen, partitions...)
	}
	return chosen, nil
}

func chooseOne(s *space.Space, g *depend.Graph, word string, seed uint64) ([]space.Partition, error) {
	if count, isRandom := strings.CutPrefix(word, "random:"); isRandom {
		n, err := strconv.Atoi(count)
		if err != nil || n < 1 || n > sampleFrom {
			return nil, fmt.Errorf("a number from 1 to %d is expected in %q", sampleFrom, word)
		}
		return sample(s, n, seed)
	}
	var p space.Partition
	var err error
	switch word {
	case "max":
		p, err = Max(s, g)
	case "smart":
		p, err = Smart(s, g)
	case "none":
		p = s.None()
	default:
		p, err = explicit(s, word)
	}
	return []space.Partition{p}, err
}

// explicit reads a class vector and makes sure that it is legal.
func explicit(s *space.Space, word string) (space.Partition, error) {
	p, err := space.Parse(word)
	if err != nil {
		return nil, fmt.Errorf("%w; a partition is a class vector such as 0-1-1-2, or max, smart, none, random:N", err)
	}
	if n := len(s.Names()); len(p) != n {
		return nil, fmt.Errorf("partition %s has %d statements, the program has %d", p, len(p), n)
	}
	ok, reason := s.Contains(p)
	var outside *space.OutsideError
	switch {
	case errors.As(reason, &outside):
		return nil, fmt.Errorf("partition %s is not legal: %s", p, outside.Reason)
	case reason != nil:
		return nil, reason
	case !ok:
		return nil, fmt.Errorf("partition %s is not legal", p)
	}
	return p, nil
}

// sampleFrom is how many partitions at the beginning of the space random ones
// are drawn from.
const sampleFrom = 2000

// sample draws n of the first partitions of the space, with repetition when
// there are fewer, by reservoir sampling.
func sample(s *space.Space, n int, seed uint64) ([]space.Partition, error) {
	random := rand.New(rand.NewPCG(seed, 0))
	var reservoir []space.Partition
	seen := 0
	for p, err := range s.All() {
		if err != nil {
			return nil, err
		}
		seen++
		if len(reservoir) < n {
			reservoir = append(reservoir, p)
		} else if k := random.IntN(seen); k < n {
			reservoir[k] = p
		}
		if seen == sampleFrom {
			break
		}
	}
	for k := 0; len(reservoir) < n; k++ {
		reservoir = append(reservoir, reservoir[k])
	}
	return reservoir, nil
}
