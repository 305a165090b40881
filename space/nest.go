package space

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Nest is a point of the space of several levels (Levels): which statements
// share which loops. Nest[k][i] is the number of the class of statement i at
// level k+1 among the classes that its class at level k is split into, in the
// order of their execution. Statements with the same numbers at levels 1 to k
// share their k outermost loops; those that part at level k run one after the
// other inside the k-1 loops that they share.
//
// A nest of one level is a Partition; POPL'11 ("Loop transformations:
// convexity, pruning and optimization", section 4) calls the deeper ones
// multidimensional interleavings.
type Nest [][]int

// ParseNest reads one class vector for each level, outermost first, joined by
// slashes: "0-0-1-1/0-1-0-0" has S0 and S1 share their outermost loop and run
// one after the other inside it, while S2 and S3 share two loops.
func ParseNest(text string) (Nest, error) {
	var n Nest
	for level := range strings.SplitSeq(text, "/") {
		p, err := parseVector(level)
		if err != nil {
			return nil, err
		}
		n = append(n, p)
	}
	if err := n.Validate(); err != nil {
		return nil, fmt.Errorf("partition %q: %w", text, err)
	}
	return n, nil
}

// String is the nest as ParseNest reads it: "0-0-1-1/0-1-0-0".
func (n Nest) String() string {
	levels := make([]string, len(n))
	for k, level := range n {
		levels[k] = Partition(level).String()
	}
	return strings.Join(levels, "/")
}

// Validate says what is wrong with a nest whose levels are not about the same
// statements, or whose numbers are not 0, 1, …, m-1 in each class.
func (n Nest) Validate() error {
	if len(n) == 0 {
		return fmt.Errorf("there is no level")
	}
	for k, level := range n {
		if len(level) != len(n[0]) {
			return fmt.Errorf("level %d has %d class numbers, but level 1 has %d", k+1, len(level), len(n[0]))
		}
		for _, class := range n[:k].Classes(len(level)) {
			if err := Partition(pick(level, class)).Validate(); err != nil {
				if k == 0 {
					return err
				}
				return fmt.Errorf("level %d, among statements %s of one class of level %d: %w", k+1, drawClass(class, nil), k, err)
			}
		}
	}
	return nil
}

// Partition is the nest's outermost level.
func (n Nest) Partition() Partition { return n[0] }

// Classes are the classes of the innermost level of a nest of the given number
// of statements in the order of their execution: those that share as many
// loops as the nest has levels. A nest of no level has all statements in one.
func (n Nest) Classes(statements int) [][]int {
	classes := [][]int{nil}
	for i := range statements {
		classes[0] = append(classes[0], i)
	}
	for _, level := range n {
		var split [][]int
		for _, class := range classes {
			for _, part := range Partition(pick(level, class)).Classes() {
				split = append(split, pick(class, part))
			}
		}
		classes = split
	}
	return classes
}

// pick are the elements of a list at the given places.
func pick(list, places []int) []int {
	picked := make([]int, len(places))
	for i, place := range places {
		picked[i] = list[place]
	}
	return picked
}

// Restrict is the nest of some of the statements alone: what is between them.
func (n Nest) Restrict(statements []int) Nest {
	restricted := make(Nest, len(n))
	for k, level := range n {
		restricted[k] = make([]int, len(statements))
		for _, class := range restricted[:k].Classes(len(statements)) {
			numbers := Partition(pick(level, pick(statements, class))).Normalise()
			for i, place := range class {
				restricted[k][place] = numbers[i]
			}
		}
	}
	return restricted
}

// Inside is the nest of the statements of one class of the outermost level,
// inside the loop that they share.
func (n Nest) Inside(class []int) Nest { return n[1:].Restrict(class) }

// nestOf is the nest with the given outermost level and, for each of its
// classes, the given nest inside.
func nestOf(p Partition, inside []Nest) Nest {
	n := Nest{p}
	for number, class := range p.Classes() {
		for k, level := range inside[number] {
			if k+1 == len(n) {
				n = append(n, make([]int, len(p)))
			}
			for i, s := range class {
				n[k+1][s] = level[i]
			}
		}
	}
	return n
}

// Compare orders nests of the same statements by their outermost levels and
// then by what is inside their classes, class after class in the order of
// execution: -1, 0 or +1 for n before, equal to, or after m.
func (n Nest) Compare(m Nest) int {
	if len(n) == 0 || len(m) == 0 {
		return cmp.Compare(len(n), len(m))
	}
	if order := slices.Compare(n[0], m[0]); order != 0 {
		return order
	}
	for _, class := range n.Partition().Classes() {
		if order := n.Inside(class).Compare(m.Inside(class)); order != 0 {
			return order
		}
	}
	return 0
}

// Drawing shows the nest with a pair of braces for each loop that statements
// share: "{{S0} {S1}} {{S2 S3}}" for 0-0-1-1/0-1-0-0. names are those of the
// statements.
func (n Nest) Drawing(names []string) string {
	all := make([]int, len(n[0]))
	for i := range all {
		all[i] = i
	}
	return n.draw(all, names)
}

// draw is the drawing of the nest of the given statements.
func (n Nest) draw(statements []int, names []string) string {
	var classes []string
	for _, class := range n.Partition().Classes() {
		members := pick(statements, class)
		if len(n) == 1 {
			classes = append(classes, drawClass(members, names))
		} else {
			classes = append(classes, "{"+n.Inside(class).draw(members, names)+"}")
		}
	}
	return strings.Join(classes, " ")
}
