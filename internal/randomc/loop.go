package randomc

import "fmt"

// iteratorNames are those that people give to iterators and other integers.
var (
	iteratorNames = []string{"i", "j", "k", "l", "t", "y"}
	integerNames  = []string{"k", "l", "p", "at", "pos", "lo", "hi", "cnt", "row"}
	numberNames   = []string{"s", "sum", "acc", "v", "tmp"}
	sizeNames     = []string{"size", "len", "k", "h", "stride", "B", "l"}
)

// maxDepth is how many loops may be around one another.
const maxDepth = 3

// end draws where a loop ends, which is not in it.
func (g *generator) end() integer {
	switch g.IntN(9) {
	case 0, 1, 2:
		return sizeOf("n")
	case 6:
		if g.has("struct grid") {
			return among(g, integer{text: "g->n", interval: sizeOf("n").interval, atom: true}, integer{text: "g->cols", interval: sizeOf("m").interval, atom: true})
		}
	case 3, 4:
		return sizeOf("m")
	case 5:
		return constant(2 + g.IntN(5))
	}
	return g.integer(1).signed()
}

// start draws where a loop starts.
func (g *generator) start() integer {
	if g.one(2) {
		return constant(g.IntN(3))
	}
	return g.integer(1).signed()
}

// loop draws a loop whose iterations are counted.
func (g *generator) loop() []*Node {
	return drawn(g, []weighted[func() []*Node]{
		{8, g.declaring}, {6, g.upwards}, {3, g.downwards}, {2, g.whileLoop}, {2, g.unsignedDown}, {1, g.narrow}, {1, g.both}, {2, g.several}, {1, g.macroLoop}, {1, g.resumed}, {1, g.empty},
	})()
}

// declaring is a for that declares its iterator.
func (g *generator) declaring() []*Node {
	g.forget()
	from, to := g.start(), g.end()
	kind := among(g, "int", "int", "int", "long", "short")
	if from.isNatural() && g.one(3) {
		kind = among(g, "unsigned", "size_t")
	}
	if kind != "int" && kind != "long" && kind != "short" && !to.isNatural() {
		kind = "int"
	}
	var node *Node
	body := g.inside(func() []*Node {
		v := g.declare(g.newName(from.text+" "+to.text, iteratorNames...), kind)
		step, _ := g.step(v.name)
		relation, last := g.relation(to)
		values := interval{from.from, last}
		spelled := kind
		if kind == "size_t" {
			spelled = "unsigned long"
		}
		node = block(fmt.Sprintf("for (%s %s = %s; %s %s %s; %s)", spelled, v.name, from.text, v.name, relation, to.bracketed(), step), nil)
		return g.inLoop(v, values, g.body)
	})
	node.Body = body
	return []*Node{node}
}

// relation is how an iterator is compared with a loop's end, and its largest value inside.
func (g *generator) relation(to integer) (text string, last bound) {
	if g.one(4) {
		return "<=", to.to
	}
	return "<", to.to.plus(number(-1))
}

// step is the last part of a for, and how far it goes.
func (g *generator) step(name string) (text string, by int) {
	switch g.IntN(8) {
	case 0:
		return fmt.Sprintf("%s += 2", name), 2
	case 1:
		return fmt.Sprintf("%s += %s", name, g.helper("constant").name), 2
	case 2:
		return fmt.Sprintf("%s = %s + 3", name, name), 3
	case 3:
		return "++" + name, 1
	}
	return name + "++", 1
}

// iterator is a variable for a loop that something declares outside: one that is there, or a new
// one.
func (g *generator) iterator() (v *variable, declared []*Node) {
	list := g.visible(func(v *variable) bool { return v.kind == "int" && !v.frozen })
	if len(list) > 0 && !g.one(5) {
		return among(g, list...), nil
	}
	v = g.declare(g.freshName(iteratorNames...), "int")
	if g.one(3) {
		return v, []*Node{lineOf("int %s = %s;", v.name, g.set(v, constant(g.IntN(4))))}
	}
	return v, []*Node{lineOf("int %s;", v.name)}
}

// set notes that a variable gets a value, or another one where that could leave its range, and is
// the value's text.
func (g *generator) set(v *variable, e integer) string {
	if !e.within(v.always) {
		e = constant(1 + g.IntN(3))
	}
	v.assigned, v.now = true, e.interval
	return e.text
}

// upwards is a for over a variable that is declared elsewhere, which may be read behind it.
func (g *generator) upwards() []*Node {
	v, nodes := g.iterator()
	g.forget()
	from, to := g.start(), g.end()
	step, by := g.step(v.name)
	relation, last := g.relation(to)
	behind := interval{least(from.from, to.from), greatest(from.to, last.plus(number(by)))}
	if !behind.within(v.always) || !from.within(v.always) || mentions(to.text, v.name) {
		from, to, relation, last, step = constant(0), sizeOf("n"), "<", bound{-1, 1, 0}, v.name+"++"
		behind = interval{number(0), bound{n: 1}}
	}
	first := fmt.Sprintf("%s = %s", v.name, from.text)
	if g.one(10) {
		if s := g.floating(false); len(s) > 0 {
			d := among(g, s...)
			first += fmt.Sprintf(", %s = 0", d.name)
			d.assigned = true
		}
	}
	head := fmt.Sprintf("for (%s; %s %s %s; %s)", first, v.name, relation, to.bracketed(), step)
	nodes = append(nodes, block(head, g.inLoop(v, interval{from.from, last}, g.body)))
	v.assigned, v.now = true, behind
	return nodes
}

// downwards is a for that counts down to 0, or from the end of something.
func (g *generator) downwards() []*Node {
	v, nodes := g.iterator()
	g.forget()
	size := sizeOf(among(g, "n", "m"))
	var head string
	values, behind := interval{number(0), size.to.plus(number(-1))}, between(-1, -1)
	switch g.IntN(5) {
	case 0:
		head = fmt.Sprintf("for (%[1]s = %[2]s - 1; %[1]s >= 0; %[1]s--)", v.name, size.text)
		behind = between(-1, 0)
	case 1:
		head = fmt.Sprintf("for (%[1]s = %[2]s; %[1]s; %[1]s--)", v.name, size.text)
		values, behind = interval{number(1), size.to}, between(0, 0)
	case 2:
		head = fmt.Sprintf("for (%[1]s = %[2]s; %[1]s-- > 0;)", v.name, size.text)
	case 3:
		head = fmt.Sprintf("for (%[1]s = %[2]s; %[1]s > 1; %[1]s -= 2)", v.name, size.text)
		values, behind = interval{number(2), size.to}, interval{number(0), bound{constant: 1}}
	default:
		head = fmt.Sprintf("for (%[1]s = %[2]s - 1; %[1]s >= 2; --%[1]s)", v.name, size.text)
		values, behind = interval{number(2), size.to.plus(number(-1))}, interval{number(-1), size.to}
	}
	nodes = append(nodes, block(head, g.inLoop(v, values, g.body)))
	v.assigned, v.now = true, behind
	return nodes
}

// whileLoop is a while that counts.
func (g *generator) whileLoop() []*Node {
	v, nodes := g.iterator()
	g.forget()
	size := sizeOf(among(g, "n", "m"))
	by := 1 + g.IntN(2)
	nodes = append(nodes, lineOf("%s = %s;", v.name, g.set(v, constant(g.IntN(3)))))
	body := g.inStepped(v, interval{number(0), size.to.plus(number(-1))}, func() []*Node {
		g.noContinue = true
		return g.body()
	})
	step := fmt.Sprintf("%s += %d;", v.name, by)
	if by == 1 && g.one(2) {
		step = v.name + "++;"
	}
	nodes = append(nodes, block(fmt.Sprintf("while (%s < %s)", v.name, size.text), append(body, lineOf("%s", step))))
	v.assigned, v.now = true, interval{number(0), size.to.plus(number(2))}
	return nodes
}

// unsignedDown counts down in a type that has no negative numbers.
func (g *generator) unsignedDown() []*Node {
	g.forget()
	size := sizeOf(among(g, "n", "m"))
	var node *Node
	body := g.inside(func() []*Node {
		v := g.declare(g.freshName(iteratorNames...), "size_t")
		kind := among(g, "unsigned long", "unsigned", "unsigned long")
		if kind == "unsigned" {
			v.kind = kind
		}
		head := among(g, "for (%s %s = %s; %[2]s-- > 0;)", "for (%s %s = %s; %[2]s--;)")
		values := interval{number(0), size.to.plus(number(-1))}
		if g.one(3) {
			head, values = "for (%s %s = %s; %[2]s > 0; %[2]s--)", interval{number(1), size.to}
		}
		node = block(fmt.Sprintf(head, kind, v.name, size.text), nil)
		return g.inLoop(v, values, g.body)
	})
	node.Body = body
	return []*Node{node}
}

// narrow counts in a narrow type to a constant.
func (g *generator) narrow() []*Node {
	g.forget()
	var node *Node
	body := g.inside(func() []*Node {
		kind := among(g, "unsigned char", "signed char", "short", "char")
		v := g.declare(g.freshName(iteratorNames...), kind)
		to := 3 + g.IntN(20)
		node = block(fmt.Sprintf("for (%s %s = 0; %s < %d; %s)", kind, v.name, v.name, to, among(g, v.name+"++", v.name+" += 3")), nil)
		return g.inLoop(v, between(0, to-1), g.body)
	})
	node.Body = body
	return []*Node{node}
}

// both is a for over two variables that run towards each other.
func (g *generator) both() []*Node {
	g.forget()
	var node *Node
	body := g.inside(func() []*Node {
		low, high := g.declare(g.freshName("i", "lo", "left"), "int"), g.declare(g.freshName("j", "hi", "right"), "int")
		node = block(fmt.Sprintf("for (int %[1]s = 0, %[2]s = n - 1; %[1]s < %[2]s; %[1]s++, %[2]s--)", low.name, high.name), nil)
		values := interval{number(0), bound{-1, 1, 0}}
		high.frozen, high.assigned, high.now = true, true, values
		return g.inLoop(low, values, g.body)
	})
	node.Body = body
	return []*Node{node}
}

// several is a for over two variables that step together.
func (g *generator) several() []*Node {
	list := g.visible(func(v *variable) bool { return v.kind == "int" && !v.frozen })
	if len(list) < 2 || g.one(3) {
		return g.severalDeclared()
	}
	k := g.IntN(len(list))
	v, other := list[k], list[(k+1)%len(list)]
	from := among(g, "0", "1", "2")
	if other.assigned && other.now.isNatural() && g.one(2) {
		from = other.name + " & 3"
	}
	g.forget()
	values := interval{number(0), bound{-1, 1, 0}}
	head := fmt.Sprintf("for (%[1]s = %[3]s, %[2]s = 0; %[1]s < n; %[1]s++, %[2]s++)", v.name, other.name, from)
	behind := [2]interval{{number(0), bound{3, 1, 0}}, {number(0), bound{n: 1}}}
	if g.one(3) {
		head = fmt.Sprintf("for (%[1]s = 0, %[2]s = n - 1; %[1]s < %[2]s; %[1]s++, %[2]s--)", v.name, other.name)
		behind = [2]interval{{number(0), bound{n: 1}}, {number(-1), bound{n: 1}}}
	}
	frozen := other.frozen
	other.frozen, other.assigned = true, true
	body := g.inLoop(v, values, func() []*Node {
		other.now = values
		return g.body()
	})
	other.frozen, other.assigned = frozen, true
	v.assigned, v.now, other.now = true, behind[0], behind[1]
	return []*Node{block(head, body)}
}

// severalDeclared is one that declares them.
func (g *generator) severalDeclared() []*Node {
	g.forget()
	first := g.natural()
	by := 1 + g.IntN(2)
	var node *Node
	body := g.inside(func() []*Node {
		at := g.declare(g.newName(first.text, integerNames...), "int")
		v := g.declare(g.freshName(iteratorNames...), "int")
		step := among(g, fmt.Sprintf("%s++, %s += %d", v.name, at.name, by), fmt.Sprintf("%s += %d, ++%s", at.name, by, v.name))
		declared := fmt.Sprintf("%s = %s, %s = 0", at.name, first.text, v.name)
		if g.one(2) && !mentions(first.text, v.name) {
			declared = fmt.Sprintf("%s = 0, %s = %s", v.name, at.name, first.text)
		}
		node = block(fmt.Sprintf("for (int %s; %s < n; %s)", declared, v.name, step), nil)
		at.frozen, at.assigned, at.now = true, true, interval{first.from, first.to.plus(bound{n: by})}
		return g.inLoop(v, interval{number(0), bound{-1, 1, 0}}, g.body)
	})
	node.Body = body
	return []*Node{node}
}

// macroLoop is a loop whose head is a macro.
func (g *generator) macroLoop() []*Node {
	g.forget()
	to := sizeOf(among(g, "n", "m"))
	var node *Node
	body := g.inside(func() []*Node {
		v := g.declare(g.freshName(iteratorNames...), "int")
		node = block(fmt.Sprintf("%s(%s, 0, %s)", g.helper("FOR").name, v.name, to.text), nil)
		return g.inLoop(v, interval{number(0), to.to.plus(number(-1))}, g.body)
	})
	node.Body = body
	return []*Node{node}
}

// resumed are two loops over one variable, of which the second goes on where the first ends.
func (g *generator) resumed() []*Node {
	v, nodes := g.iterator()
	g.forget()
	values := interval{number(0), bound{-1, 1, 0}}
	from := g.IntN(2)
	first := g.inLoop(v, interval{number(0), bound{-4, 1, 0}}, g.body)
	second := g.inLoop(v, values, g.body)
	v.assigned, v.now = true, interval{number(0), bound{1, 1, 0}}
	return append(nodes,
		block(fmt.Sprintf("for (%[1]s = %[2]d; %[1]s + 3 < n; %[1]s += 4)", v.name, from), first),
		block(fmt.Sprintf("for (; %[1]s < n; %[1]s++)", v.name), second))
}

// empty is a loop without a body that leaves its iterator somewhere.
func (g *generator) empty() []*Node {
	v, nodes := g.iterator()
	nodes = append(nodes, lineOf("for (%[1]s = %[2]d; %[1]s < %[3]s; %[1]s++)\n    ;", v.name, g.IntN(3), among(g, "n", "m")))
	v.assigned, v.now = true, interval{number(0), bound{2, 1, 1}}
	return nodes
}

// body is what is in a loop: some statements, and mostly an assignment.
func (g *generator) body() []*Node {
	var nodes []*Node
	for range 1 + g.IntN(3) {
		if g.budget <= 0 {
			break
		}
		nodes = append(nodes, g.statement()...)
	}
	if len(nodes) == 0 || g.one(3) {
		nodes = append(nodes, g.assignment()...)
	}
	return nodes
}
