package frontend

import (
	"slices"

	"polytune/scop"
)

// unseenIterators are the loops, by index, whose iterators are named by macros in a statement's text:
//
//	#define CELL a[i][j]
//	CELL = 0.5 * (CELL + b[j]);
//
// No other value can be written into such a text. The statement declares a variable with the iterator's name, which has it.
type unseenIterators struct{ loops []int }

func (u *unseenIterators) add(loop int) {
	if !slices.Contains(u.loops, loop) {
		u.loops = append(u.loops, loop)
	}
}

// declaredIn is the text of a statement, and the places in it that name an iterator, behind declarations of the variables:
//
//	{ const int i = i; const int j = j; CELL = 0.5 * (CELL + b[j]); }
//
// whose values are places that name the iterators.
func (u *unseenIterators) declaredIn(source string, uses []scop.Use, loops []loopLevel) (string, []scop.Use) {
	if len(u.loops) == 0 {
		return source, uses
	}
	text := "{ "
	var all []scop.Use
	for _, k := range slices.Sorted(slices.Values(u.loops)) {
		text += "const " + loops[k].typeName() + " " + loops[k].name + " = "
		all = append(all, scop.Use{Offset: len(text), Loop: k})
		text += loops[k].name + "; "
	}
	for _, use := range uses {
		use.Offset += len(text)
		all = append(all, use)
	}
	return text + source + " }", all
}
