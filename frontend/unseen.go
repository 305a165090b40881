package frontend

import (
	"slices"

	"polytune/scop"
)

// unseenIterators are the loops, by index, whose iterators are named by macros in a statement's
// text:
//
//	#define CELL a[i][j]
//	CELL = 0.5 * (CELL + b[j]);
//
// No other value can be written into such a text. The statement declares a variable with the
// iterator's name, which has it.
type unseenIterators struct {
	loops []int
	// macros are the offsets of such macros.
	macros []int
}

func (u *unseenIterators) add(loop, macro int) {
	if !slices.Contains(u.loops, loop) {
		u.loops = append(u.loops, loop)
	}
	u.macros = append(u.macros, macro)
}

// areHiding says whether such a variable would hide another one of its name, which a value in the
// statement's text names.
func (u *unseenIterators) areHiding(source string, uses []scop.Use, loops []loopLevel) bool {
	for _, l := range scan([]byte(source)) {
		isUse := slices.ContainsFunc(uses, func(use scop.Use) bool { return use.Offset == l.start })
		if !isUse && slices.ContainsFunc(u.loops, func(k int) bool { return loops[k].name == source[l.start:l.end] }) {
			return true
		}
	}
	return false
}

// declaredIn is the text of a statement, and the places in it that name an iterator, behind
// declarations of the variables:
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
