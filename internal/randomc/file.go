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
	g.jumps, g.swaps = g.one(10), g.one(8)
	g.scopes = [][]*variable{nil}
	front := g.front()
	g.budget = 3 + g.IntN(9)
	var region []*Node
	for range 1 + g.IntN(4) {
		region = append(region, g.statement()...)
	}
	if len(region) == 0 || g.one(2) {
		region = append(region, g.loop()...)
	}
	body := append(front, lineOf("#pragma scop"))
	body = append(body, group(region...), lineOf("#pragma endscop"))
	body = append(body, g.behind()...)
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

// front are the declarations in front of the region.
func (g *generator) front() (nodes []*Node) {
	for range g.IntN(4) {
		v := g.declare(g.freshName(iteratorNames...), "int")
		if g.one(3) {
			e := among(g, constant(g.IntN(3)), sizeOf("n"), sizeOf("m"))
			nodes = append(nodes, lineOf("int %s = %s;", v.name, g.set(v, e)))
		} else {
			nodes = append(nodes, lineOf("int %s;", v.name))
		}
	}
	for range g.IntN(3) {
		v := g.declare(g.freshName(numberNames...), among(g, "double", "double", "float"))
		v.assigned = g.one(2)
		initial := ""
		if v.assigned {
			initial = " = " + among(g, "0", "1.5")
		}
		nodes = append(nodes, lineOf("%s %s%s;", v.kind, v.name, initial))
	}
	if g.one(3) {
		nodes = append(nodes, g.declaration()...)
	}
	g.outside = g.visible(func(*variable) bool { return true })
	return nodes
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
