package randomc

import "fmt"

// value draws a floating expression.
func (g *generator) value(depth int) string {
	if depth <= 0 {
		return g.valueAtom()
	}
	sub := func() string { return g.value(depth - 1 - g.IntN(2)) }
	return drawn(g, []weighted[func() string]{
		{8, g.valueAtom},
		{8, func() string { return fmt.Sprintf("%s %s %s", sub(), among(g, "+", "-", "+"), sub()) }},
		{4, func() string { return fmt.Sprintf("%s * %s", among(g, "0.5", "0.25", "2", "1.5", "3"), g.valueAtom()) }},
		{2, func() string { return fmt.Sprintf("(%s) * %s", sub(), g.valueAtom()) }},
		{1, func() string { return fmt.Sprintf("(%s) / 3", sub()) }},
		{2, func() string { return fmt.Sprintf("(%s ? %s : %s)", g.condition(1), sub(), sub()) }},
		{1, func() string { return fmt.Sprintf("%s(%s)", g.helper("SQUARE").name, g.valueAtom()) }},
		{1, func() string { return fmt.Sprintf("%s(%s, %s)", g.helper("weigh").name, sub(), g.integer(1).text) }},
		{1, func() string { return fmt.Sprintf("(double)(%s)", g.integer(1).text) }},
		{1, func() string { return fmt.Sprintf("-(%s)", sub()) }},
		{1, func() string {
			g.includesMath = true
			return fmt.Sprintf("%s(%s)", among(g, "fabs", "floor", "sqrt"), g.valueAtom())
		}},
	})()
}

func (g *generator) valueAtom() string {
	list := g.floating(true)
	switch k := g.IntN(10); {
	case k < 2 && len(list) > 0:
		return among(g, list...).name
	case k == 2:
		return among(g, "1", "0.5", "2.25", "0.1")
	case k == 3:
		return g.integer(0).text
	case k == 4:
		return g.element("int", 1)
	}
	return g.element("double", 2)
}

// whole draws an integer value for data, in which nothing may overflow.
func (g *generator) whole() string {
	switch g.IntN(4) {
	case 0:
		return g.element("int", 1) + " & 15"
	case 1:
		return fmt.Sprintf("(%s + %s) & 63", g.element("int", 1), g.integer(1).signed().bracketed())
	}
	return g.integer(1).text
}
