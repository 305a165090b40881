package schedule

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"polytune/scop"
)

// Makers are, by the own names of the loops that a recipe ends with, the commands that have made or
// changed each, or name it, by their places in the recipe, in order. A loop that a command has put
// in the place of another one with the same values has that one's, too. The error is a *CommandError.
func (r Recipe) Makers(p *scop.Program) (map[string][]int, error) {
	t := NewTree(p)
	made := map[*Loop]*maker{}
	for k, c := range r {
		named := t.loopsNamedIn(c)
		if err := t.Do(c); err != nil {
			return nil, r.failed(p, k, err)
		}
		before := made
		made = map[*Loop]*maker{}
		t.eachLoop(func(l *Loop) {
			now := madeOf(l)
			was := before[l]
			if was == nil {
				was = sameValues(before, now)
			}
			if was != nil {
				now.commands = was.commands
			}
			if was == nil || was.text != now.text || slices.Contains(named, l) {
				now.commands = append(slices.Clip(now.commands), k)
			}
			made[l] = now
		})
	}
	found := map[string][]int{}
	for l, m := range made {
		found[l.Name] = m.commands
	}
	return found, nil
}

// maker is what is known of a loop: all of it as text, its values, and the commands that it is of.
type maker struct {
	text     string
	level    int
	terms    []Term
	commands []int
}

// madeOf is what is known of a loop now.
func madeOf(l *Loop) *maker {
	plain := *l
	plain.Name, plain.Of, plain.Band = "", nil, 0
	m := &maker{text: fmt.Sprintf("%+v", plain), level: l.Level, terms: slices.Clone(l.Terms)}
	for k := range m.terms {
		m.terms[k].Rows = maps.Clone(m.terms[k].Rows)
	}
	return m
}

// sameValues is a loop that had the values of another one, which is new, for all of its statements;
// nil for none, or several that are of different commands.
func sameValues(before map[*Loop]*maker, now *maker) (found *maker) {
	for _, m := range before {
		switch {
		case m.level != now.level || len(now.terms) == 0 || !slices.EqualFunc(m.terms, now.terms, isPartOf):
		case found != nil && !slices.Equal(found.commands, m.commands):
			return nil
		default:
			found = m
		}
	}
	return found
}

// isPartOf says whether another term is this one for some of its statements.
func isPartOf(whole, part Term) bool {
	for s, row := range part.Rows {
		if known, has := whole.Rows[s]; !has || !reflect.DeepEqual(known, row) {
			return false
		}
	}
	return whole.Size == part.Size && whole.Factor == part.Factor
}

// loopsNamedIn are the loops that a command names.
func (t *Tree) loopsNamedIn(c Command) (named []*Loop) {
	withLoops(c, t.isNode, func(name string) string {
		if n, place, err := t.Loop(name); err == nil {
			named = append(named, n.Loops[place])
		}
		return name
	})
	return named
}
