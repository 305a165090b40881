package randomc

import "fmt"

// walkable are arrays of one dimension of floating numbers that pointers may go through.
func (g *generator) walkable() (list []*array) {
	for _, a := range g.arrays {
		if a.isFloating() && a.dimensions == 1 && a.form != formMember && a.form != formStructs {
			list = append(list, a)
		}
	}
	return list
}

// copied goes through two arrays by two pointers.
func (g *generator) copied() []*Node {
	list := g.walkable()
	if len(list) < 2 {
		return g.walked()
	}
	k := g.IntN(len(list))
	to, from := list[k], list[(k+1)%len(list)]
	first := g.IntN(3)
	for _, a := range []*array{to, from} {
		a.used = true
		a.extents[0] = greatest(a.extents[0], bound{first, 1, 0})
	}
	g.labels++
	d, s := fmt.Sprintf("d%d", g.labels), fmt.Sprintf("s%d", g.labels)
	declared := []*Node{lineOf("%s *%s = %s;", to.element, d, to.name), lineOf("const %s *%s = %s + %d;", from.element, s, from.name, first)}
	loop := among(g,
		lineOf("for (int e = 0; e < n; e++)\n    *%s++ = *%s++ * 0.5;", d, s),
		lineOf("for (int e = 0; e < n; e++, %[1]s++, %[2]s++)\n    *%[1]s += *%[2]s;", d, s),
		lineOf("for (; %[2]s < %[3]s + %[4]d + n; %[2]s++)\n    *%[1]s++ += %[2]s[0];", d, s, from.name, first),
		lineOf("for (int e = n; e--;) {\n    *%s = *%s++;\n    %[1]s += 1;\n}", d, s))
	return []*Node{block("", append(declared, loop))}
}

// rowsWalked goes through rows that stand one behind the other by a pointer.
func (g *generator) rowsWalked() []*Node {
	for _, a := range g.arrays {
		if !a.isFlat() || !a.isFloating() {
			continue
		}
		a.used = true
		a.extents[0], a.extents[1] = greatest(a.extents[0], bound{n: 1}), greatest(a.extents[1], number(1))
		g.labels++
		p := fmt.Sprintf("p%d", g.labels)
		from, length := a.way()+a.name, a.length(g)
		return []*Node{among(g,
			block("for (int e = 0; e < n; e++)", []*Node{lineOf("%s *%s = %s + e * %s;", a.element, p, from, length), lineOf("for (int f = 0; f < %s; f++)\n    *%s++ += f;", length, p)}),
			block("", []*Node{lineOf("%s *%s = %s;", a.element, p, from), lineOf("for (int e = 0; e < n; e++, %[1]s += %[2]s)\n    for (int f = 0; f < %[2]s; f++)\n        %[1]s[f] *= 0.5;", p, length)}),
			block("", []*Node{lineOf("%s *%s = %s;", a.element, p, from), lineOf("for (int e = 0; e < n * %[2]s; e++)\n    *%[1]s++ = e;", p, length)}))}
	}
	return g.walked()
}

// pointed has a pointer to a struct of an array.
func (g *generator) pointed() []*Node {
	for _, a := range g.arrays {
		if a.form != formStructs {
			continue
		}
		at := g.subscript(a, 0, 1)
		g.at(a, "double", []integer{at})
		g.labels++
		p := fmt.Sprintf("q%d", g.labels)
		value, whole := g.value(1), g.whole()
		first := among(g, fmt.Sprintf("&%s[%s]", a.name, at.text), fmt.Sprintf("%s + %s", a.name, at.signed().bracketed()))
		return []*Node{block("", []*Node{lineOf("struct cell *%s = %s;", p, first), lineOf("%s->v %s %s;", p, among(g, "=", "+="), value), lineOf("%s->k = (%s) & 31;", p, whole)})}
	}
	return g.rowsWalked()
}
