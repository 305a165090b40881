package layers

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
	"polytune/scop/ranks"
)

// Order is Layer II: when and where each computation is done.
type Order struct {
	Computations []Placed `json:"computations"`
}

// Placed are computations at their places in time and space.
type Placed struct {
	Name string `json:"name"`
	// Relation leads from instances to vectors of time and space, as isl reads it: numbers that say
	// which part of the code comes first, and loops.
	Relation string `json:"relation"`
	// Tags say which processors share the iterations of loops, and what else becomes of these, by the
	// loops' names in the relation. Loops without one are time alone.
	Tags []Tag `json:"tags,omitempty"`
	// statement is the one that is run, times the relation by itself.
	statement *scop.StatementModel
	times     *isl.Map
}

// Tag says that a dimension is space, or how its iterations run: cpu for threads, node for ranks,
// gpuB and gpuT for blocks and threads of a device, vec(n) for lanes, unroll(n).
type Tag struct {
	Loop string `json:"loop"`
	Text string `json:"tag"`
}

// dimension is one of time and space.
type dimension struct {
	name string
	tags []string
	// times are its values, by instances; nil for a number.
	times  *isl.UnionMap
	number int
}

// walker walks a schedule tree.
type walker struct {
	model *scop.Model
	tree  *schedule.Tree
	made  mark.Schedule
	order Order
	// operations are those that marks ask for, in the order of the tree.
	operations []Operation
	// allocated are the arrays whose memory is made further outside.
	allocated map[string]bool
	// plan is what ranks tell each other, once it was asked for.
	plan *ranks.Plan
	err  error
	// inGrid is how many of the next loops ranks share.
	inGrid int
}

// walk finds out when what is done.
func walk(m *scop.Model, tree *schedule.Tree) (*walker, error) {
	w := &walker{model: m, tree: tree, made: tree.Schedule(m), allocated: map[string]bool{}}
	if err := m.Context.Err(); err != nil {
		return nil, err
	}
	w.node(w.made.Tree.Root(), nil, nil)
	if w.err == nil {
		w.err = m.Context.Err()
	}
	return w, w.err
}

// OrderOf is Layer II of a schedule.
func OrderOf(m *scop.Model, tree *schedule.Tree) (*Order, error) {
	w, err := walk(m, tree)
	if err != nil {
		return nil, err
	}
	return &w.order, nil
}

// node visits a node below dimensions, with the tags that marks right above give the next one.
func (w *walker) node(n *isl.ScheduleNode, around []dimension, tags []string) {
	switch n.Type() {
	case isl.NodeMark:
		m := w.made.Marks.Of(n)
		w.operation(m, n, around)
		if shared, is := m.(mark.Ranks); is {
			w.inGrid = shared.Dims
		}
		if tag := tagOf(m); tag != "" {
			tags = append(slices.Clone(tags), tag)
		}
	case isl.NodeBand:
		if w.inGrid > 0 && !slices.Contains(tags, nodeTag) {
			tags = append(slices.Clone(tags), nodeTag)
		}
		w.inGrid = max(0, w.inGrid-1)
		d := dimension{tags: tags, times: n.BandPartialSchedule(), name: w.loopName(n, around)}
		around, tags = append(slices.Clone(around), d), nil
	}
	children := n.Children()
	isSequence := n.Type() == isl.NodeSequence || n.Type() == isl.NodeSet
	for k, child := range children {
		inside := around
		if isSequence {
			inside = append(slices.Clone(around), dimension{number: k})
		}
		w.node(child, inside, tags)
	}
	if len(children) == 0 {
		w.leaf(n, around)
	}
}

// nodeTag is the tag of loops that ranks share.
const nodeTag = "node"

// tagOf is what a mark says of the loop below it.
func tagOf(m mark.Mark) string {
	switch m := m.(type) {
	case mark.Parallel, mark.Team:
		return "cpu"
	case mark.Ranks:
		return nodeTag
	case mark.Block:
		return "gpuB"
	case mark.Thread:
		return "gpuT"
	case mark.Vector:
		return "vec"
	case mark.Simdlen:
		return fmt.Sprintf("vec(%d)", m.Lanes)
	case mark.Strips:
		return fmt.Sprintf("vec(%d)", m.Lanes)
	case mark.Unroll:
		if m.By > 0 {
			return fmt.Sprintf("unroll(%d)", m.By)
		}
		return "unroll"
	}
	return ""
}

// loopName is the name of the loop that a band is: that of a recipe, or of an iterator.
func (w *walker) loopName(n *isl.ScheduleNode, around []dimension) string {
	depth := 0
	for _, d := range around {
		if d.times != nil {
			depth++
		}
	}
	for _, set := range n.Domain().Sets() {
		s := w.model.Statement(set.TupleName())
		if s == nil {
			continue
		}
		loops := w.tree.Around(s.Index)
		if depth >= len(loops) {
			continue
		}
		name := loops[depth].Given
		for _, other := range w.tree.NamesOf(loops[depth]) {
			if before, own, cut := strings.Cut(other, "."); name == "" && cut && before == s.Spelling() {
				name = own
			}
		}
		taken := func(name string) bool {
			return slices.Contains(w.model.Program.Parameters, name) || slices.ContainsFunc(around, func(d dimension) bool { return d.name == name })
		}
		if name == "" || taken(name) {
			break
		}
		return name
	}
	return fmt.Sprintf("t%d", depth)
}

// leaf notes when the statements run that come to a leaf.
func (w *walker) leaf(n *isl.ScheduleNode, around []dimension) {
	here := n.Domain()
	for _, set := range here.Sets() {
		s := w.model.Statement(set.TupleName())
		if s == nil {
			continue
		}
		whole := set.Contraction(set.Dim(isl.DimSet)-s.Depth()).SetTupleName(isl.DimOut, s.Name)
		times := w.times(set, around, nameOf(s.Statement))
		if times == nil {
			continue
		}
		p := Placed{Name: nameOf(s.Statement), statement: s, times: whole.Reverse().ApplyRange(times).Coalesce()}
		p.Relation = named(w.model, p.times)
		for _, d := range around {
			for _, text := range merged(d.tags) {
				p.Tags = append(p.Tags, Tag{d.name, text})
			}
		}
		w.order.Computations = append(w.order.Computations, p)
	}
}

// merged are tags of which the one with a number says what the one without does.
func merged(tags []string) (list []string) {
	for _, t := range tags {
		isNumbered := slices.ContainsFunc(tags, func(other string) bool { return strings.HasPrefix(other, t+"(") })
		if !isNumbered && !slices.Contains(list, t) {
			list = append(list, t)
		}
	}
	return list
}

// times are the values of dimensions for the instances of one statement, as vectors with a name.
func (w *walker) times(set *isl.Set, around []dimension, name string) *isl.Map {
	var all *isl.Map
	var names, values []string
	for k, d := range around {
		own := w.model.Context.ReadMap(fmt.Sprintf("{ %s[%s] -> [%d] }", set.TupleName(), free(set.Dim(isl.DimSet)), d.number))
		value := fmt.Sprint(d.number)
		if d.times != nil {
			own, value = nil, d.name
			for _, m := range d.times.Maps() {
				if m.TupleName(isl.DimIn) == set.TupleName() {
					own = m
				}
			}
			if own == nil {
				return nil
			}
		}
		names, values = append(names, fmt.Sprintf("tune_%d", k)), append(values, value)
		if all == nil {
			all = own
		} else {
			all = all.FlatRangeProduct(own)
		}
	}
	if all == nil {
		return w.model.Context.ReadMap(fmt.Sprintf("{ %s[%s] -> %s[] }", set.TupleName(), free(set.Dim(isl.DimSet)), name)).IntersectDomain(set)
	}
	conditions, iterators := []string{"0 = 0"}, w.model.Program.IteratorNames(w.model.Statement(set.TupleName()).Index)
	out := slices.Clone(names)
	for k, v := range values {
		if !isNumber(v) && !slices.Contains(iterators, v) {
			out[k] = v
			conditions = append(conditions, v+" = "+names[k])
		}
	}
	target := w.model.Context.ReadMap(fmt.Sprintf("{ [%s] -> %s[%s] : %s }", strings.Join(names, ", "), name, strings.Join(out, ", "), strings.Join(conditions, " and ")))
	return all.IntersectDomain(set).ApplyRange(target)
}

func isNumber(text string) bool { return strings.Trim(text, "0123456789") == "" }

func free(count int) string {
	names := make([]string, count)
	for k := range names {
		names[k] = fmt.Sprintf("x%d", k)
	}
	return strings.Join(names, ", ")
}

// String are the relations, as isl reads them, with tags as comments of isl's.
func (o *Order) String() string {
	var b strings.Builder
	for _, p := range o.Computations {
		b.WriteString(p.Relation + tagsText(p.Tags) + "\n")
	}
	return b.String()
}

func tagsText(tags []Tag) string {
	if len(tags) == 0 {
		return ""
	}
	texts := make([]string, len(tags))
	for k, t := range tags {
		texts[k] = t.Loop + " " + t.Text
	}
	return " # " + strings.Join(texts, ", ")
}
