package randomc

import (
	"math/rand/v2"
	"slices"
)

// variable is one of an integer or floating type.
type variable struct {
	name, kind string
	// always is where its values are at all times, now where they are known to be.
	always, now interval
	assigned    bool
	// frozen says that nothing may change the variable: it is the iterator of a loop around.
	frozen bool
}

func (v *variable) isInteger() bool { return v.kind != "double" && v.kind != "float" }

func (v *variable) isUnsigned() bool {
	return v.kind == "unsigned" || v.kind == "size_t" || v.kind == "unsigned char"
}

// wide is where most integer variables are.
var wide = interval{number(-4), bound{12, 2, 2}}

// alwaysOf is where variables of a type are.
func alwaysOf(kind string) interval {
	switch kind {
	case "unsigned", "size_t":
		return interval{number(0), wide.to}
	case "unsigned char":
		return between(0, 200)
	}
	return wide
}

// generator draws the pieces of one program.
type generator struct {
	*rand.Rand
	scopes [][]*variable
	arrays []*array
	// helpers are the pieces in front of the function that its statements ask for, by their names.
	helpers []helper
	// budget is how many more statements there may be, depth how many loops are around.
	budget, depth int
	// labels counts names that are drawn once.
	labels int
	// outside are the variables that the function declares in front of the region.
	outside []*variable
	// noJumps and noContinue say that nothing may leave what is drawn, or go on with the next
	// iteration.
	noJumps, noContinue bool
	// jumps and swaps say that the program has goto, or pointers that change places; includesMath
	// that it calls functions of math.h.
	jumps, swaps, includesMath bool
	// stepped are the names of variables that loops around step in their bodies, where nothing may
	// hide them.
	stepped []string
	// hides says that the program has few names, so that variables often hide others.
	hides bool
}

func (g *generator) one(of int) bool { return g.IntN(of) == 0 }

func among[T any](g *generator, list ...T) T { return list[g.IntN(len(list))] }

// weighted is a choice and how often it is taken.
type weighted[T any] struct {
	weight int
	choice T
}

func drawn[T any](g *generator, list []weighted[T]) T {
	sum := 0
	for _, w := range list {
		sum += w.weight
	}
	k := g.IntN(sum)
	for _, w := range list {
		if k -= w.weight; k < 0 {
			return w.choice
		}
	}
	panic("unreachable")
}

// declare adds a variable to the innermost scope.
func (g *generator) declare(name, kind string) *variable {
	v := &variable{name: name, kind: kind, always: alwaysOf(kind), now: alwaysOf(kind)}
	g.scopes[len(g.scopes)-1] = append(g.scopes[len(g.scopes)-1], v)
	return v
}

// visible are the variables that nothing hides and for which a condition holds.
func (g *generator) visible(holds func(*variable) bool) (list []*variable) {
	seen := map[string]bool{}
	for _, scope := range slices.Backward(g.scopes) {
		for _, v := range slices.Backward(scope) {
			if !seen[v.name] && holds(v) {
				list = append(list, v)
			}
			seen[v.name] = true
		}
	}
	return list
}

// readable are the integer variables that have a value.
func (g *generator) readable() []*variable {
	return g.visible(func(v *variable) bool { return v.isInteger() && v.assigned })
}

// changeable are the integer variables that may get another value.
func (g *generator) changeable() []*variable {
	return g.visible(func(v *variable) bool { return v.isInteger() && !v.frozen })
}

// floating are the floating variables, with a value or any.
func (g *generator) floating(assigned bool) []*variable {
	return g.visible(func(v *variable) bool { return !v.isInteger() && (v.assigned || !assigned) })
}

// freshName is a name that the innermost scope does not have; it may hide one of a scope around.
func (g *generator) freshName(pool ...string) string {
	scope := g.scopes[len(g.scopes)-1]
	if g.hides {
		pool = append([]string{"k", "l"}, pool[:min(len(pool), 3)]...)
	}
	for range 20 {
		name := among(g, pool...)
		if !slices.Contains(g.stepped, name) && !slices.ContainsFunc(scope, func(v *variable) bool { return v.name == name }) && (g.hides || g.one(4) || !g.isVisible(name)) {
			return name
		}
	}
	g.labels++
	return pool[0] + string(rune('a'+g.labels%26)) + string(rune('a'+g.labels/26%26))
}

func (g *generator) isVisible(name string) bool {
	return len(g.visible(func(v *variable) bool { return v.name == name })) > 0
}

// forget leaves of what is known of variables what always holds: in front of loops, whose
// iterations may change them, and behind branches.
func (g *generator) forget() {
	for _, scope := range g.scopes {
		for _, v := range scope {
			if !v.frozen {
				v.now = v.always
			}
		}
	}
}

// inside is what f draws in a scope of its own, which may not run at all.
func (g *generator) inside(f func() []*Node) []*Node {
	var assigned []*variable
	for _, scope := range g.scopes {
		for _, v := range scope {
			if v.assigned {
				assigned = append(assigned, v)
			}
		}
	}
	g.scopes = append(g.scopes, nil)
	nodes := f()
	g.scopes = g.scopes[:len(g.scopes)-1]
	for _, scope := range g.scopes {
		for _, v := range scope {
			v.assigned = slices.Contains(assigned, v)
		}
	}
	g.forget()
	return nodes
}

// inLoop is the body of a loop over a variable, which has values in an interval there.
func (g *generator) inLoop(over *variable, values interval, f func() []*Node) []*Node {
	g.forget()
	frozen, now := over.frozen, over.now
	over.frozen, over.now, over.assigned = true, values, true
	noJumps, noContinue := g.noJumps, g.noContinue
	g.noJumps, g.noContinue = false, false
	g.depth++
	body := g.inside(f)
	g.depth--
	g.noJumps, g.noContinue = noJumps, noContinue
	over.frozen, over.now = frozen, now
	return body
}

// inStepped is inLoop for one that steps the variable in its body.
func (g *generator) inStepped(over *variable, values interval, f func() []*Node) []*Node {
	stepped := g.stepped
	g.stepped = append(stepped[:len(stepped):len(stepped)], over.name)
	defer func() { g.stepped = stepped }()
	return g.inLoop(over, values, f)
}
