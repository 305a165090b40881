package randomc

import (
	"fmt"
	"strings"
)

// indexed has the index of an element in a variable, whose value it gets in steps.
func (g *generator) indexed() []*Node {
	for _, a := range g.arrays {
		if a.isFlat() && g.one(2) {
			return g.rowInSteps(a)
		}
	}
	return g.clamped()
}

// rowInSteps has the index of an element in rows that stand one behind the other.
func (g *generator) rowInSteps(a *array) []*Node {
	row, column := g.subscript(a, 0, 1).signed(), g.column().signed()
	g.at(a, "double", []integer{row, column})
	value := g.value(1)
	if !a.isFloating() {
		value = fmt.Sprintf("(%s) & 15", g.whole())
	}
	length := a.length(g)
	name := g.newName(row.text+" "+column.text+" "+value+" "+length, integerNames...)
	lines := among(g,
		[]string{"int AT = ROW * LENGTH + COLUMN;"},
		[]string{"const long AT = COLUMN + ROW * LENGTH;"},
		[]string{"int AT = ROW * LENGTH;", "AT += COLUMN;"},
		[]string{"int AT = COLUMN;", "AT += LENGTH * ROW;"},
		[]string{"int AT;", "AT = ROW * LENGTH;", "AT = AT + COLUMN;"},
		[]string{"int AT = ROW;", "AT *= LENGTH;", "AT += COLUMN;"},
		[]string{"int AT = " + g.helper("INDEX").name + "(ROW, COLUMN, LENGTH);"})
	meanings := strings.NewReplacer("AT", name, "ROW", row.bracketed(), "COLUMN", column.bracketed(), "LENGTH", length)
	var nodes []*Node
	for _, line := range lines {
		nodes = append(nodes, lineOf("%s", meanings.Replace(line)))
	}
	return []*Node{block("", append(nodes, lineOf("%s%s[%s] = %s;", a.way(), a.name, name, value)))}
}

// clamped has an index that steps make one inside of the array.
func (g *generator) clamped() []*Node {
	a := g.arrayFor("double")
	if a.dimensions != 1 {
		return g.assignment()
	}
	first, other, value, condition := g.integer(1).signed(), g.integer(1).signed(), g.value(1), g.condition(1)
	name := g.newName(first.text+" "+other.text+" "+value+" "+condition, integerNames...)
	nodes := among(g,
		[]*Node{lineOf("int %s = %s;", name, first.text)},
		[]*Node{lineOf("int %s;", name), lineOf("if (%s)\n    %s = %s;\nelse\n    %s = %s;", condition, name, first.text, name, other.text)},
		[]*Node{lineOf("int %s = %s ? %s : %s;", name, condition, first.bracketed(), other.bracketed())},
		[]*Node{lineOf("int %s = %s;", name, first.text), lineOf("if (%s)\n    %s = %s;", condition, name, other.text)},
		[]*Node{lineOf("int %s = %s;", name, first.text), lineOf("%s += %s;", name, other.bracketed())})
	low := among(g, "if (%[1]s < 0)\n    %[1]s = 0;", "%[1]s = %[1]s < 0 ? 0 : %[1]s;", "%[1]s = "+g.helper("MAX").name+"(%[1]s, 0);", "if (%[1]s < 0)\n    %[1]s = -%[1]s;")
	high := among(g, "if (%[1]s > n)\n    %[1]s = n;", "%[1]s = %[1]s > n ? n : %[1]s;", "%[1]s = "+g.helper("MIN").name+"(%[1]s, n);")
	nodes = append(nodes, lineOf(low, name), lineOf(high, name))
	at := integer{text: name, interval: interval{number(0), bound{n: 1}}, atom: true}
	return []*Node{block("", append(nodes, lineOf("%s %s %s;", g.at(a, "double", []integer{at}), among(g, "=", "+="), value)))}
}

// flattened is one loop over all elements of rows.
func (g *generator) flattened() []*Node {
	for _, a := range g.arrays {
		if a.isFlat() && a.isFloating() {
			a.used = true
			a.extents[0], a.extents[1] = greatest(a.extents[0], bound{n: 1}), greatest(a.extents[1], number(1))
			return []*Node{lineOf("for (int e = 0; e < n * %s; e++)\n    %s%s[e] %s %s;", a.length(g), a.way(), a.name, among(g, "+=", "*="), among(g, "0.5", "e", "1"))}
		}
	}
	return g.clamped()
}
