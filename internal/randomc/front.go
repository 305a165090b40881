package randomc

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
		nodes = append(nodes, g.sized())
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

// sized is a variable for a size, a step or a bound, which nothing changes.
func (g *generator) sized() *Node {
	kind := among(g, "int", "int", "long")
	e := among(g, constant(2), constant(3), sizeOf("n"), sizeOf("m"), g.shifted(1).signed(), g.scaled(1).signed())
	v := g.declare("", kind)
	text := g.set(v, e)
	v.name, v.frozen = "", true
	v.name = g.newName(text, sizeNames...)
	return lineOf("%s%s %s = %s;", among(g, "", "const "), kind, v.name, text)
}

// around puts the region in a block, in which a name of the function means another variable, or in
// a loop.
func (g *generator) around(region func() []*Node) []*Node {
	head, body := "", []*Node(nil)
	g.scopes = append(g.scopes, nil)
	switch {
	case g.one(4) && len(g.outside) > 0:
		v := g.declare(among(g, g.outside...).name, "int")
		body = append(body, lineOf("int %s = %s;", v.name, g.set(v, constant(1+g.IntN(4)))))
	case g.one(8):
		g.forget()
		v := g.declare("round", "int")
		v.assigned, v.frozen, v.now = true, true, between(0, 1)
		head = "for (int round = 0; round < 2; round++)"
	default:
		g.scopes = g.scopes[:len(g.scopes)-1]
		return region()
	}
	body = append(body, region()...)
	g.scopes = g.scopes[:len(g.scopes)-1]
	return []*Node{block(head, body)}
}
