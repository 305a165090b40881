package schedule

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"polytune/scop"
)

// Loop returns the node and the place in its chain of the loop of that name: its own, c1.3, one of
// the source, S1.k, with what its own has behind the number, S1.kt, or one that a recipe has given
// it. The error is a *NoLoop where there is none.
func (t *Tree) Loop(name string) (*Node, int, error) {
	node, place, count := t.loopWhere(func(l *Loop) bool { return l.Name == name })
	if count > 0 {
		return node, place, nil
	}
	node, place, count = t.loopWhere(func(l *Loop) bool { return slices.Contains(t.NamesOf(l), name) })
	switch count {
	case 0:
		return nil, 0, &NoLoop{Name: name, Names: t.likely(name)}
	case 1:
		return node, place, nil
	}
	var own []string
	t.eachLoop(func(l *Loop) {
		if slices.Contains(t.NamesOf(l), name) {
			own = append(own, l.Name)
		}
	})
	return nil, 0, fmt.Errorf("%q are %d loops: %s; name one of these", name, count, strings.Join(own, " "))
}

// loopWhere is the first loop of the tree that is so, and the number of all that are.
func (t *Tree) loopWhere(is func(*Loop) bool) (node *Node, place, count int) {
	t.Walk(func(n *Node) bool {
		for k, l := range n.Loops {
			if !is(l) {
				continue
			}
			if count++; node == nil {
				node, place = n, k
			}
		}
		return true
	})
	return node, place, count
}

// eachLoop visits all loops of the tree, from the outside in.
func (t *Tree) eachLoop(visit func(*Loop)) {
	t.Walk(func(n *Node) bool {
		for _, l := range n.Loops {
			visit(l)
		}
		return true
	})
}

// NameAt is the own name of the loop that stands in so many others and runs all of some statements,
// in the part of the tree where the loops of the names in about are; "" where there is no such loop,
// or there are several.
func (t *Tree) NameAt(depth int, statements []int, about []string) (name string) {
	var there []*Node
	for _, of := range about {
		if n, _, err := t.Loop(of); err == nil && !slices.Contains(there, n) {
			there = append(there, n)
		}
	}
	count := 0
	t.Walk(func(n *Node) bool {
		k := depth - len(t.Outside(n))
		isElsewhere := slices.ContainsFunc(there, func(o *Node) bool { return o != n && !o.contains(n) && !n.contains(o) })
		if 0 <= k && k < len(n.Loops) && !isElsewhere && !slices.ContainsFunc(statements, func(s int) bool { return !n.Loops[k].Runs(s) }) {
			name = n.Loops[k].Name
			count++
		}
		return true
	})
	if count != 1 || len(statements) == 0 {
		return ""
	}
	return name
}

// NoLoop is that a tree has no loop of a name.
type NoLoop struct {
	Name string
	// Names are those that there are, the nearest first.
	Names []string
	// Taken is the command that took the name away, counted from 1, or 0 where there never was one,
	// and By its text.
	Taken int
	By    string
}

func (e *NoLoop) Error() string {
	names := strings.Join(e.Names, " ")
	if e.Taken > 0 {
		return fmt.Sprintf("there is no loop %q any more: %s has taken it away; there are %s", e.Name, e.Taker(e.Taken), names)
	}
	return fmt.Sprintf("there is no loop %q; there are %s", e.Name, names)
}

// Taker says which command took the name away, which stands in some line.
func (e *NoLoop) Taker(line int) string { return fmt.Sprintf("line %d, %s,", line, e.By) }

// NamesOf are the names that a loop has beside its own: the one that a recipe has given it, and
// those of the source, by its statements.
func (t *Tree) NamesOf(l *Loop) (names []string) {
	if l.Given != "" {
		names = append(names, l.Given)
	}
	for s := range t.Program.Statements {
		if k, is := l.Of[s]; is && l.Runs(s) {
			names = append(names, t.Program.Statements[s].Spelling()+"."+t.Program.IteratorNames(s)[k]+l.suffix())
		}
	}
	return names
}

// AllNames are the names of all loops, their own behind the others, and those of statements.
func (t *Tree) AllNames() (names []string) {
	t.eachLoop(func(l *Loop) { names = append(append(names, t.NamesOf(l)...), l.Name) })
	return append(names, t.Program.StatementNames()...)
}

// suffix is what the loop's own name has behind its number.
func (l *Loop) suffix() string {
	return strings.TrimLeft(l.Name[strings.LastIndex(l.Name, ".")+1:], "0123456789")
}

// Written is a name of a loop as the source says it, or a recipe, that is no other loop's; its own
// where there is none.
func (t *Tree) Written(name string) string {
	n, place, err := t.Loop(name)
	if err != nil {
		return name
	}
	l := n.Loops[place]
	for _, other := range t.NamesOf(l) {
		if _, _, count := t.loopWhere(func(l *Loop) bool { return l.Name == other || slices.Contains(t.NamesOf(l), other) }); count == 1 {
			return other
		}
	}
	return l.Name
}

// own is the own name of the loop of a name; the name where there is no such loop.
func (t *Tree) own(name string) string {
	if n, place, err := t.Loop(name); err == nil {
		return n.Loops[place].Name
	}
	return name
}

// mostNames bounds the names that a message lists.
const mostNames = 20

// likely are names of loops, the nearest to one that is none first: own names for those that look
// like these, and else others where loops have them.
func (t *Tree) likely(name string) (names []string) {
	isOwn := ownName.MatchString(name)
	t.eachLoop(func(l *Loop) {
		if others := t.NamesOf(l); len(others) > 0 && !isOwn {
			names = append(names, others...)
		} else {
			names = append(names, l.Name)
		}
	})
	slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(distance(a, name), distance(b, name)) })
	names = slices.Compact(names)
	if more := len(names) - mostNames; more > 0 {
		return append(names[:mostNames], fmt.Sprintf("and %d more", more))
	}
	return names
}

// distance is the least number of letters to be put in, left out or exchanged that make one text of
// another (Levenshtein, 1966).
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for k := range row {
		row[k] = k
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for k := range len(b) {
			exchanged := diagonal
			if a[i] != b[k] {
				exchanged++
			}
			diagonal = row[k+1]
			row[k+1] = min(exchanged, row[k]+1, row[k+1]+1)
		}
	}
	return row[len(b)]
}

// SourceLoops are, by statement, the loops of the source that a further loop of a node is named
// after, whose rows these are: of the iterators in a row the one after which no loop around is
// named, where there is one alone.
func (t *Tree) SourceLoops(n *Node, rows map[int]Row) map[int]int {
	of := map[int]int{}
	around := append(t.Outside(n), n.Loops...)
	for s, row := range rows {
		taken := make([]bool, len(row.Iterators))
		for _, l := range around {
			if k, is := l.Of[s]; is && l.Level == 0 {
				taken[k] = true
			}
		}
		count := 0
		for k, c := range row.Iterators {
			if c != 0 && !taken[k] {
				of[s] = k
				count++
			}
		}
		if count != 1 {
			delete(of, s)
		}
	}
	return of
}

// mayGive says why a recipe cannot give a loop a name, or nil.
func (t *Tree) mayGive(name string) error {
	isTaken := func(l *Loop) bool { return l.Name == name || slices.Contains(t.NamesOf(l), name) }
	switch {
	case !givenName.MatchString(name) || ownName.MatchString(name):
		return fmt.Errorf("%q cannot be a name of a loop; names are like those of C, and none is like c0", name)
	case isWordOfC(name):
		return fmt.Errorf("%q is a word of C; give the loop another name", name)
	case t.Program.Array(name) != nil:
		return fmt.Errorf("%q is an array; give the loop another name", name)
	case slices.Contains(t.Program.Parameters, name):
		return fmt.Errorf("%q is a parameter; give the loop another name", name)
	case slices.Contains(t.Program.StatementNames(), name):
		return fmt.Errorf("%q is a statement; give the loop another name", name)
	case slices.ContainsFunc(t.Program.Statements, func(s scop.Statement) bool { return slices.Contains(s.Iterators(), name) }):
		return fmt.Errorf("%q is an iterator of the source; give the loop another name", name)
	}
	if _, _, count := t.loopWhere(isTaken); count > 0 {
		return fmt.Errorf("another loop is called %q already; give this one another name", name)
	}
	return nil
}

// Give gives loops names, each another one.
func (t *Tree) Give(loops []*Loop, names []string) error {
	for k, name := range names {
		if slices.Contains(names[:k], name) {
			return fmt.Errorf("two loops cannot both be called %q", name)
		}
		if err := t.mayGive(name); err != nil {
			return err
		}
	}
	for k, l := range loops {
		l.Given = names[k]
	}
	return nil
}
