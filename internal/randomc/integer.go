package randomc

import "fmt"

// integer is an integer expression and where its value is.
type integer struct {
	text string
	interval
	// atom says that it needs no brackets, unsigned that its arithmetic may wrap around.
	atom, unsigned bool
}

func (e integer) bracketed() string {
	if e.atom {
		return e.text
	}
	return "(" + e.text + ")"
}

// signed is the expression as an int.
func (e integer) signed() integer {
	if e.unsigned {
		return integer{text: "(int)" + e.bracketed(), interval: e.interval, atom: true}
	}
	return e
}

func constant(c int) integer {
	return integer{text: fmt.Sprint(c), interval: between(c, c), atom: c >= 0}
}

func sizeOf(name string) integer {
	b := bound{n: 1}
	if name == "m" {
		b = bound{m: 1}
	}
	return integer{text: name, interval: interval{b, b}, atom: true}
}

func (v *variable) read() integer {
	return integer{text: v.name, interval: v.now, atom: true, unsigned: v.isUnsigned()}
}

// sensible is where values of expressions are; others are drawn again.
var sensible = interval{bound{-60, -3, -3}, bound{80, 4, 4}}

// integer draws an integer expression of at most some depth.
func (g *generator) integer(depth int) integer {
	for range 10 {
		if e := g.anyInteger(depth); e.within(sensible) {
			return e
		}
	}
	return constant(g.IntN(4))
}

func (g *generator) anyInteger(depth int) integer {
	if depth <= 0 {
		return g.integerAtom()
	}
	binary := func(symbol string, values func(a, b interval) interval) func() integer {
		return func() integer {
			a, b := g.integer(depth-1).signed(), g.integer(depth-1).signed()
			return integer{text: a.bracketed() + " " + symbol + " " + b.bracketed(), interval: values(a.interval, b.interval)}
		}
	}
	return drawn(g, []weighted[func() integer]{
		{6, g.integerAtom},
		{6, func() integer { return g.shifted(depth) }},
		{2, binary("+", interval.plus)},
		{2, binary("-", func(a, b interval) interval { return a.plus(b.negated()) })},
		{2, func() integer { return g.scaled(depth) }},
		{3, func() integer { return g.divided(depth) }},
		{2, func() integer { return g.chosen(depth) }},
		{2, g.fromData},
		{1, func() integer {
			e := g.integer(depth - 1)
			if e.to.most() > 120 || !e.isNatural() {
				return e
			}
			return integer{text: "(" + among(g, "int", "long", "short", "unsigned char", "char") + ")" + e.bracketed(), interval: e.interval, atom: true}
		}},
	})()
}

// integerAtom is a variable, a size or a constant; mostly an iterator.
func (g *generator) integerAtom() integer {
	list := g.readable()
	if len(list) > 0 && !g.one(4) {
		v := among(g, list...)
		for range 2 {
			if !v.frozen {
				v = among(g, list...)
			}
		}
		return v.read()
	}
	switch g.IntN(5) {
	case 0, 1:
		return sizeOf(among(g, "n", "m"))
	case 2:
		return g.named()
	}
	return constant(g.IntN(5))
}

// named is a constant that has a name.
func (g *generator) named() integer {
	if g.one(2) {
		return integer{text: g.helper("three").name, interval: between(3, 3), atom: true}
	}
	return integer{text: g.helper("constant").name, interval: between(2, 2), atom: true}
}

// shifted is an expression and a constant.
func (g *generator) shifted(depth int) integer {
	e, c := g.integer(depth-1), 1+g.IntN(3)
	if g.one(2) {
		return integer{text: e.bracketed() + " + " + fmt.Sprint(c), interval: e.plus(between(c, c)), unsigned: e.unsigned}
	}
	if g.one(3) {
		size := sizeOf(among(g, "n", "m"))
		return integer{text: size.text + " - " + fmt.Sprint(c) + " - " + e.signed().bracketed(), interval: size.plus(e.negated()).plus(between(-c, -c))}
	}
	e = e.signed()
	return integer{text: e.bracketed() + " - " + fmt.Sprint(c), interval: e.plus(between(-c, -c))}
}

// scaled is a multiple.
func (g *generator) scaled(depth int) integer {
	e := g.integer(depth - 1).signed()
	values := interval{e.from.times(2), e.to.times(2)}
	switch {
	case g.one(3) && e.isNatural():
		return integer{text: e.bracketed() + " << 1", interval: values}
	case g.one(2):
		return integer{text: e.bracketed() + " * 2", interval: values}
	}
	return integer{text: g.helper("constant").name + " * " + e.bracketed(), interval: values}
}

// divided is a quotient, a remainder, or something of the bits of an expression that is not
// negative.
func (g *generator) divided(depth int) integer {
	e := g.integer(depth - 1).signed()
	if !e.isNatural() {
		if g.one(2) {
			return integer{text: e.bracketed() + " & 7", interval: between(0, 7)}
		}
		return integer{text: e.bracketed() + " % 3", interval: between(-2, 2)}
	}
	half := interval{number(0), e.to.half()}
	switch g.IntN(8) {
	case 0:
		return integer{text: e.bracketed() + " / 2", interval: half}
	case 1:
		return integer{text: e.bracketed() + " >> 1", interval: half}
	case 2:
		return integer{text: e.bracketed() + " % 4", interval: between(0, 3)}
	case 3:
		return integer{text: e.bracketed() + " & 7", interval: between(0, 7)}
	case 4:
		return integer{text: e.bracketed() + " ^ 1", interval: interval{number(0), e.to.plus(number(1))}}
	case 5:
		return integer{text: e.bracketed() + " | 1", interval: interval{number(0), e.to.plus(number(1))}}
	case 6:
		return integer{text: e.bracketed() + " & ~1", interval: interval{number(0), e.to}}
	}
	return integer{text: e.bracketed() + " / 3", interval: half}
}

// chosen is one of two expressions, or the smaller or larger one.
func (g *generator) chosen(depth int) integer {
	a, b := g.integer(depth-1).signed(), g.integer(depth-1).signed()
	both := a.join(b.interval)
	switch g.IntN(5) {
	case 0:
		return integer{text: fmt.Sprintf("%s(%s, %s)", g.helper("MIN").name, a.text, b.text), interval: both, atom: true}
	case 1:
		return integer{text: fmt.Sprintf("%s(%s, %s)", g.helper("MAX").name, a.text, b.text), interval: both, atom: true}
	case 2:
		low := g.IntN(2)
		return integer{text: fmt.Sprintf("%s(%s, %d, n + %d)", g.helper("clamp").name, a.text, low, low), interval: interval{number(low), bound{low, 1, 0}}, atom: true}
	}
	return integer{text: fmt.Sprintf("%s ? %s : %s", g.condition(depth-1), a.bracketed(), b.bracketed()), interval: both}
}

// fromData is an integer that data decide.
func (g *generator) fromData() integer {
	mask := among(g, 1, 3, 7, 15)
	return integer{text: fmt.Sprintf("%s & %d", g.element("int", 1), mask), interval: between(0, mask)}
}

// condition draws a condition.
func (g *generator) condition(depth int) string {
	a, b := g.integer(min(depth, 1)).signed(), g.integer(min(depth, 1)-g.IntN(2)).signed()
	compared := fmt.Sprintf("%s %s %s", a.bracketed(), among(g, "<", "<=", ">", ">=", "==", "!=", "<", ">"), b.bracketed())
	switch g.IntN(9) {
	case 0:
		return fmt.Sprintf("%s > %s", g.element("double", 1), among(g, "0.5", "1", "0.25"))
	case 1:
		return fmt.Sprintf("(%s & %d)", g.element("int", 1), 1+g.IntN(3))
	case 2:
		if depth > 0 {
			return fmt.Sprintf("(%s %s %s)", g.condition(depth-1), among(g, "&&", "||"), g.condition(depth-1))
		}
	case 3:
		if depth > 0 {
			return fmt.Sprintf("!(%s)", g.condition(depth-1))
		}
	}
	return compared
}
