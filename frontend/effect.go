package frontend

import (
	"strings"

	"modernc.org/cc/v4"
)

// effect is what a function does with the memory that an argument points to.
type effect struct {
	read, write bool
	// single says that it touches nothing but the one element that the pointer points to, and
	// bytes, where it is not 0, that it touches nothing behind so many bytes from there on.
	single bool
	bytes  int64
	// alignment is the number of bytes of which the pointer has to be a multiple, 0 for what its
	// type asks.
	alignment int
}

func (e *effect) add(other effect) {
	e.read, e.write = e.read || other.read, e.write || other.write
	e.alignment = max(e.alignment, other.alignment)
	e.bytes, e.single = e.bytesWith(other), e.single && other.single
}

// bytesWith is the number of bytes that both effects stay in, 0 for any.
func (e *effect) bytesWith(other effect) int64 {
	if !e.single && e.bytes == 0 || !other.single && other.bytes == 0 {
		return 0
	}
	return max(e.bytes, other.bytes)
}

// through is the effect through a pointer that was cast to one to elements of that size.
func (e effect) through(size int64) effect {
	if e.single {
		e.bytes, e.single = size, false
	}
	return e
}

// callTree is a call under analysis, with those that it makes.
type callTree struct {
	// calling are the functions that are being analyzed.
	calling map[string]bool
	// outside are the variables of the file that the functions read, and that are not constant.
	outside []*cc.Declarator
	// pure are functions among them that may read any variable of the program.
	pure []string
}

// effectsOf are the effects of a call of the named function on what its
// arguments point to, with one for every argument that a call can have. Why
// says what else a call may do, or is ""; reading variables of the file is noted in the tree.
func (x *extractor) effectsOf(name string, tree *callTree) (effects []effect, why string) {
	if x.definitions[name] != nil {
		if effects, why = x.shownEffects(name, tree); why == "" {
			return effects, ""
		}
	} else if strings.HasPrefix(name, vectorPrefix) {
		return vectorEffects(name)
	} else if known, ok := libraryEffects(name); ok || name == tgmathFunction {
		return known, ""
	}
	trusted, distrust := x.trustedEffects(name, tree)
	switch {
	case distrust == "":
		return trusted, ""
	case x.isIntegerChoice(name):
		return make([]effect, maxArguments), ""
	case why != "":
		return nil, why
	}
	return nil, distrust
}

// isRecursive is why a function's body does not show what it does.
const isRecursive = "is recursive"

// shownEffects are those that a function's body shows.
func (x *extractor) shownEffects(name string, tree *callTree) (effects []effect, why string) {
	if tree.calling[name] {
		return nil, isRecursive
	}
	tree.calling[name] = true
	defer delete(tree.calling, name)
	return x.analyze(x.definitions[name], tree)
}

// maxArguments is more than any function of the C library, or of a compiler's own, has that is
// known here.
const maxArguments = 64

// effectOf is what becomes of an argument, by its number. What is passed behind the arguments of
// the prototype may be used in any way.
func effectOf(effects []effect, number int) effect {
	if number < len(effects) {
		return effects[number]
	}
	return effect{read: true, write: true}
}
