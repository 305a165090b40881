package randomc

import (
	"regexp"
	"slices"
)

// Shrink is a smaller program that still fails: pieces of it are left out, replaced by what is in
// them, or made shorter, as long as fails says so and stop does not. fails must be false for text
// that is no C.
func Shrink(p *Program, fails func(*Program) bool, stop func() bool) *Program {
	s := &shrinker{now: p, fails: fails, stop: stop}
	for s.round() {
	}
	return s.now
}

type shrinker struct {
	now   *Program
	fails func(*Program) bool
	stop  func() bool
}

// round tries everything once, and says whether anything became smaller.
func (s *shrinker) round() (smaller bool) {
	for _, change := range []func(list []*Node, k int) [][]*Node{without, opened, shortened} {
		for k := s.count() - 1; k >= 0; k-- {
			smaller = s.try(k, change) || smaller
			if s.stop() {
				return false
			}
		}
	}
	return smaller
}

// without leaves a node out.
func without(list []*Node, k int) [][]*Node {
	return [][]*Node{slices.Delete(slices.Clone(list), k, k+1)}
}

// opened has what is in a node in its place.
func opened(list []*Node, k int) [][]*Node {
	if len(list[k].Body) == 0 {
		return nil
	}
	return [][]*Node{slices.Concat(list[:k], list[k].Body, list[k+1:])}
}

// parts are what shortened leaves out of a line, or makes simpler.
var parts = []struct {
	what *regexp.Regexp
	by   string
}{
	{regexp.MustCompile(` [-+*/&|^%] \w+(\[\w+\])?`), ""},
	{regexp.MustCompile(`\w+(\[\w+\])? [-+*/&|^%] `), ""},
	{regexp.MustCompile(`\([^()]*\)`), "1"},
	{regexp.MustCompile(`\(([^()]*)\)`), "$1"},
	{regexp.MustCompile(`\w+\(([^()]*)\)`), "1"},
	{regexp.MustCompile(`\[[^\[\]]+\]`), "[0]"},
	{regexp.MustCompile(`, [^,]+`), ""},
}

// shortened has shorter lines for a node's head.
func shortened(list []*Node, k int) (all [][]*Node) {
	for _, part := range parts {
		for _, at := range part.what.FindAllStringIndex(list[k].Head, -1) {
			shorter := *list[k]
			shorter.Head = shorter.Head[:at[0]] + part.what.ReplaceAllString(shorter.Head[at[0]:at[1]], part.by) + shorter.Head[at[1]:]
			if shorter.Head == list[k].Head {
				continue
			}
			next := slices.Clone(list)
			next[k] = &shorter
			all = append(all, next)
		}
	}
	return all
}

// count is the number of nodes.
func (s *shrinker) count() (count int) {
	var walk func([]*Node)
	walk = func(list []*Node) {
		count += len(list)
		for _, n := range list {
			walk(n.Body)
		}
	}
	walk(s.now.Pieces)
	return count
}

// try changes the node with a number in all ways, and keeps the first with which the program fails.
func (s *shrinker) try(number int, change func([]*Node, int) [][]*Node) bool {
	for k := 0; ; k++ {
		next, there := changed(s.now.Pieces, &[]int{number}[0], change, k)
		if !there || s.stop() {
			return false
		}
		if p := (&Program{s.now.Seed, next}); s.fails(p) {
			s.now = p
			return true
		}
	}
}

// changed is a list of nodes in which the one with a number, counted from here on, is changed in
// the k-th way.
func changed(list []*Node, number *int, change func([]*Node, int) [][]*Node, k int) (next []*Node, there bool) {
	for at, n := range list {
		if *number == 0 {
			*number = -1
			ways := change(list, at)
			if k >= len(ways) {
				return nil, false
			}
			return ways[k], true
		}
		*number--
		body, there := changed(n.Body, number, change, k)
		if there {
			copied := *n
			copied.Body = body
			next = slices.Clone(list)
			next[at] = &copied
			return next, true
		}
		if *number < 0 {
			return nil, false
		}
	}
	return nil, false
}
