package schedule

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"

	"polytune/scop"
	"polytune/scop/mark"
)

// Random are commands that chance chooses for a tree, as one of the language's commands says (see
// Spec.Random); there may be none.
func (l Language) Random(random *rand.Rand, t *Tree) []Command {
	specs := l.Specs()
	return specs[random.IntN(len(specs))].Random(random, t)
}

// Chosen is one command of a type, with arguments of the kinds that its syntax names; none where
// the tree, or chance, has no argument of a kind.
func Chosen[C Command](random *rand.Rand, t *Tree) []Command {
	s := byType[reflect.TypeFor[C]()]
	command := s.empty()
	c := &chance{Rand: random, tree: t, fields: fieldsOf(command)}
	t.Walk(func(n *Node) bool {
		c.nodes = append(c.nodes, n)
		return true
	})
	if len(c.nodes) == 0 || !c.choose(s.elements) {
		return nil
	}
	return []Command{command.Interface().(Command)}
}

// chance chooses the arguments of a command for a tree.
type chance struct {
	*rand.Rand
	tree   *Tree
	nodes  []*Node
	fields []reflect.Value
	// node is the one of the last name that was chosen, count the number of names, and statement
	// the last statement.
	node             *Node
	count, statement int
}

// choose fills the fields of elements, and says whether there was an argument for each.
func (c *chance) choose(elements []element) bool {
	for _, e := range elements {
		switch {
		case e.optional != nil && !e.isFlag() && c.IntN(2) == 0:
			c.fields = c.fields[e.fields():]
		case e.optional != nil && !e.isFlag():
			if !c.choose(e.optional) {
				return false
			}
		case e.choice != nil:
			e.choose(c.fields[0], one(c, e.choice))
			c.fields = c.fields[1:]
		case e.isFlag():
			c.fields[0].SetBool(c.IntN(2) == 0)
			c.fields = c.fields[1:]
		case e.kind != "":
			value := kinds[e.kind].random(c)
			if value == nil {
				return false
			}
			c.fields[0].Set(reflect.ValueOf(value))
			c.fields = c.fields[1:]
		}
	}
	return true
}

// one is one of a list, or the zero value of an empty one.
func one[T any](c *chance, list []T) (chosen T) {
	if len(list) > 0 {
		chosen = list[c.IntN(len(list))]
	}
	return chosen
}

func (c *chance) loop() any {
	c.node = one(c, c.nodes)
	if l := one(c, c.node.Loops); l != nil {
		return l.Name
	}
	return nil
}

// loops are some that follow each other.
func (c *chance) loops() any {
	c.node = one(c, c.nodes)
	if len(c.node.Loops) == 0 {
		return nil
	}
	first := c.IntN(len(c.node.Loops))
	var names []string
	for _, l := range c.node.Loops[first : first+1+c.IntN(len(c.node.Loops)-first)] {
		names = append(names, l.Name)
	}
	c.count = len(names)
	return names
}

func (c *chance) nodeName() any {
	c.node = one(c, c.nodes)
	return c.node.Name
}

// parts are two parts of a node.
func (c *chance) parts() any {
	n := one(c, c.nodes)
	if len(n.Parts) < 2 {
		return nil
	}
	order := c.Perm(len(n.Parts))
	return []string{n.Parts[order[0]].Name, n.Parts[order[1]].Name}
}

func (c *chance) array() any {
	if a := one(c, c.tree.Program.Arrays); a.Name != "" {
		return a.Name
	}
	return nil
}

func (c *chance) arrays() any {
	if a, is := c.array().(string); is {
		return []string{a}
	}
	return nil
}

func (c *chance) memory() any {
	return string(one(c, []mark.Memory{mark.Shared, mark.Kept, mark.Own, mark.Constant}))
}

// newName is a name that loops may be given.
func (c *chance) newName() any { return fmt.Sprintf("loop%d", c.IntN(1000)) }

// newNames are names of tile loops and point loops for the loops in front.
func (c *chance) newNames() any {
	names := make([]string, 2*max(1, c.count))
	for k := range names {
		names[k] = fmt.Sprintf("%s_%d", c.newName(), k)
	}
	return names
}

func (c *chance) number() any { return c.Int64N(12) - 2 }

func (c *chance) positive() any { return 1 + c.Int64N(8) }

// sizes are as many as there are loops in front of them.
func (c *chance) sizes() any {
	sizes := make([]int64, max(1, c.count))
	for k := range sizes {
		sizes[k] = 1 + c.Int64N(5)
	}
	return sizes
}

// slopes are as many as there are loops in front of them.
func (c *chance) slopes() any {
	slopes := make([]Slope, max(1, c.count))
	for k := range slopes {
		slopes[k] = RandomSlope(c.Rand)
	}
	return slopes
}

// RandomSlope is a slope as stencils have them: from 0 to 3, in halves and thirds.
func RandomSlope(random *rand.Rand) Slope { return NewSlope(random.Int64N(4), 1+random.Int64N(3)) }

func (c *chance) aStatement() any {
	c.statement = one(c, one(c, c.nodes).Statements)
	return c.statement
}

func (c *chance) statements() any {
	n := c.node
	if n == nil {
		n = one(c, c.nodes)
	}
	return []int{one(c, n.Statements)}
}

// reference is an element that the statement in front reads.
func (c *chance) reference() any {
	s := &c.tree.Program.Statements[c.statement]
	if c.tree.Program.Assignment(s) == nil {
		return nil
	}
	k := c.IntN(len(s.Accesses))
	if s.Accesses[k].Write || ReferenceText(c.tree.Program, c.statement, k) == "" {
		return nil
	}
	return k
}

// groups are the statements of the node in front, or of all, in two groups.
func (c *chance) groups() any {
	var statements []int
	if c.node != nil {
		statements = slices.Clone(c.node.Statements)
	} else {
		for s := range c.tree.Program.Statements {
			statements = append(statements, s)
		}
	}
	if len(statements) < 2 {
		return nil
	}
	cut := 1 + c.IntN(len(statements)-1)
	return [][]int{statements[:cut], statements[cut:]}
}

// row is one for each statement of the node in front.
func (c *chance) row() any {
	rows := map[int]Row{}
	for _, s := range c.node.Statements {
		row := Row{Iterators: make([]int64, c.tree.Program.Statements[s].Depth()), Parameters: make([]int64, len(c.tree.Program.Parameters)), Constant: c.Int64N(3) - 1}
		for k := range row.Iterators {
			row.Iterators[k] = c.Int64N(4) - 1
		}
		rows[s] = row
	}
	return rows
}

func (c *chance) rows() any {
	rows := make([]map[int]Row, 1+c.IntN(2))
	for k := range rows {
		rows[k] = c.row().(map[int]Row)
	}
	return rows
}

func (c *chance) extents() any {
	parameters := c.tree.Program.Parameters
	if len(parameters) == 0 {
		return nil
	}
	extent := Row{Parameters: make([]int64, len(parameters)), Constant: c.Int64N(3)}
	extent.Parameters[c.IntN(len(parameters))] = 1 + c.Int64N(2)
	return []Row{extent}
}

// clauses are none, or one of the program's.
func (c *chance) clauses() any {
	var chosen []scop.Clause
	if known := c.tree.Program.Reductions(); len(known) > 0 && c.IntN(2) == 0 {
		chosen = append(chosen, one(c, known))
	}
	return chosen
}

// nothing is for arguments that say what has been done to the program, in front of all trees.
func (c *chance) nothing() any { return nil }
