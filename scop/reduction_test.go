package scop

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// What depends on reductions in any order: their arrays, and through statements in any order of the
// text all that is computed from them.
func TestReordered(t *testing.T) {
	// A statement is what it reads, "->", what it writes; with "+" in front an update of that by a
	// sum, and with "!" one that the source permits in any order.
	for _, test := range []struct {
		statements  []string
		reassociate bool
		want        string
	}{
		{[]string{"!x s->s", "x->y"}, false, "s"},
		{[]string{"s->y", "y z->u", "!x s->s", "z->w"}, false, "s u y"},
		{[]string{"+x s->s", "s->y"}, false, ""},
		{[]string{"+x s->s", "s->y", "x->z"}, true, "s y"},
		{[]string{"p.a->q", "!x p.b->p.b"}, false, "p q"},
	} {
		p := &Program{Reassociate: test.reassociate}
		known := map[string]bool{}
		access := func(text string, read, write bool) (list []Access) {
			for _, name := range strings.Fields(text) {
				if !known[name] {
					known[name] = true
					variable, _, _ := strings.Cut(name, ".")
					p.Arrays = append(p.Arrays, Array{Name: name, Variable: variable})
				}
				list = append(list, Access{Array: name, Read: read, Write: write})
			}
			return list
		}
		for _, text := range test.statements {
			var s Statement
			reads, writes, _ := strings.Cut(strings.TrimLeft(text, "!+"), "->")
			s.Accesses = append(access(reads, true, false), access(writes, false, true)...)
			if text[0] == '!' || text[0] == '+' {
				s.Reduction = &Reduction{Operator: Sum, Array: writes, Permitted: text[0] == '!'}
			}
			p.Statements = append(p.Statements, s)
		}
		if got := strings.Join(slices.Sorted(maps.Keys(p.Reordered())), " "); got != test.want {
			t.Errorf("%q: %q, want %q", test.statements, got, test.want)
		}
	}
}
