package frontend

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// startsOf are the places in a text where statements begin that update the element which a run of
// lexemes names: x += e; x++; --x.
func startsOf(source string, run []string) (starts []int) {
	all, words := scan([]byte(source)), lexemeTexts(source)
	for _, p := range placesOf(source, run) {
		k := slices.IndexFunc(all, func(l lexeme) bool { return l.start == p.Start })
		for k > 0 && (words[k-1] == "++" || words[k-1] == "--") {
			k--
		}
		if k == 0 || slices.Contains(statementsFollow, words[k-1]) {
			starts = append(starts, all[k].start)
		}
	}
	return starts
}

// statementsFollow are the lexemes behind which statements begin.
var statementsFollow = strings.Fields("; { } ) else do :")

// startsOfAll are the places where the updates of some variables begin in the text of a statement
// with control flow of its own; none if not all of them may be atomic operations, or not all stand
// in the text.
func startsOfAll(source string, updates []*updateForm, of []*cc.Declarator) (starts []int) {
	count := 0
	for _, u := range updates {
		if v, ok := resolve(u.accumulator); !ok || !slices.Contains(of, v.variable) {
			continue
		}
		if !u.single {
			return nil
		}
		count++
		starts = append(starts, startsOf(source, u.lexemes)...)
	}
	slices.Sort(starts)
	if starts = slices.Compact(starts); len(starts) != count {
		return nil
	}
	return starts
}
