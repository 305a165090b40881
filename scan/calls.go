package scan

import (
	"fmt"
	"slices"
	"strings"

	"polytune/internal/pattern"
)

// call is a statement that is a call of a function: its name, and all behind that.
var call = pattern.New(`(?s)^(?:\(\s*void\s*\)\s*)?(\w+)\s*(\(.*\))\s*;$`)

// calls are the functions that a nest calls where it does nothing else; nil for others.
func (n *Nest) calls() (names []string) {
	for i := range n.program.Statements {
		m := call.FindStringSubmatch(strings.TrimSpace(n.program.Statements[i].Source))
		if m == nil || !isOnePair(m[2]) {
			return nil
		}
		if !slices.Contains(names, m[1]) {
			names = append(names, m[1])
		}
	}
	return names
}

// isOnePair says whether the parenthesis that a text begins with ends with it.
func isOnePair(text string) bool {
	depth := 0
	for k, c := range text {
		switch c {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 {
			return k == len(text)-1
		}
	}
	return false
}

// leaveCalls finds the nests that only call functions which have nests of their own in a region, or
// for one: those are not tuned as a whole as well.
func (f *File) leaveCalls() {
	for again := true; again; {
		again = false
		for _, n := range f.Nests {
			if n.Status != Modelled {
				continue
			}
			names := n.calls()
			if len(names) > 0 && !slices.ContainsFunc(names, func(name string) bool { return f.nestOf(name, n) == nil }) {
				n.Status, n.Calls, again = Calls, names, true
			}
		}
	}
}

// nestOf is a nest of a function that is tuned, or that calls such a function; nil for none but one
// that is given.
func (f *File) nestOf(function string, but *Nest) *Nest {
	at := slices.IndexFunc(f.Nests, func(n *Nest) bool {
		return n.Function == function && n != but && (n.Status == Modelled || n.Status == Marked || n.Status == Calls)
	})
	if at < 0 {
		return nil
	}
	return f.Nests[at]
}

// callsText says why a nest that only calls is not marked: where the loops of the functions are.
func (f *File) callsText(n *Nest) string {
	var words []string
	for _, name := range n.Calls {
		own := f.nestOf(name, n)
		words = append(words, fmt.Sprintf("%s, which has the nest at %d:%d", name, own.Line, own.Column))
	}
	return "not marked: only calls " + strings.Join(words, " and ")
}
