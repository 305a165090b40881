package randomc

import (
	"fmt"
	"strings"
)

// Function is the name of the function with the region.
const Function = "kernel"

// file draws the whole program.
func (g *generator) file() []*Node {
	g.drawArrays()
	g.jumps, g.swaps, g.hides = g.one(5), g.one(8), g.one(3)
	g.scopes = [][]*variable{nil}
	front := g.front()
	g.budget = 3 + g.IntN(9)
	body := append(append(front, g.around(g.region)...), g.behind()...)
	for _, a := range g.arrays {
		for k := range a.extents {
			if a.extents[k] == (bound{}) {
				a.extents[k] = number(1)
			}
		}
	}
	var pieces []*Node
	if g.includesMath {
		pieces = append(pieces, lineOf("#include <math.h>"))
	}
	for _, h := range g.helpers {
		pieces = append(pieces, h.node)
	}
	for _, a := range g.arrays {
		if a.form == formGlobal {
			pieces = append(pieces, lineOf("static %s %s%s;", a.element, a.name, strings.Repeat(fmt.Sprintf("[%d]", globalExtent), a.dimensions)))
		}
	}
	head := fmt.Sprintf("static void %s(%s)", Function, strings.Join(g.parameters(), ", "))
	return append(pieces, &Node{Head: head}, &Node{Head: "{", Body: body, Tail: "}"}, g.main())
}

// region are the statements of the region and its pragmas.
func (g *generator) region() []*Node {
	var nodes []*Node
	for range 1 + g.IntN(4) {
		nodes = append(nodes, g.statement()...)
	}
	if len(nodes) == 0 || g.one(2) {
		nodes = append(nodes, g.loop()...)
	}
	return []*Node{lineOf("#pragma scop"), group(nodes...), lineOf("#pragma endscop")}
}

// behind stores what variables hold behind the region.
func (g *generator) behind() (nodes []*Node) {
	for k, v := range g.outside {
		if v.assigned && !g.one(3) {
			nodes = append(nodes, lineOf("out[%d] = %s;", k, v.name))
		}
	}
	return nodes
}

// parameters are those of the function.
func (g *generator) parameters() []string {
	list := []string{"int n", "int m"}
	restrict := among(g, "restrict ", "restrict ", "")
	for _, a := range g.arrays {
		if d := a.declaration(restrict); d != "" {
			list = append(list, d)
		}
	}
	if g.has("struct grid") {
		list = append(list, "struct grid *g")
	}
	if g.swaps {
		list = append(list, "double *now", "double *next")
	}
	return append(list, "double out[16]")
}

func (g *generator) has(key string) bool {
	for _, h := range g.helpers {
		if h.key == key {
			return true
		}
	}
	return false
}
