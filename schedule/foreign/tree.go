package foreign

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"polytune/internal/pattern"
	"polytune/isl"
)

// treeReader writes a schedule tree anew for isl, whose own reader takes for granted that each node
// has what it has to have.
type treeReader struct {
	context *isl.Context
	text    strings.Builder
	// depth is the number of nodes around the present one.
	depth int
	// expansions are those of the nodes so far: PPCG groups statements.
	expansions expansions
}

// nodes are the kinds of nodes by their first key: what their text has to be read as, and whether
// something stands below each.
var nodes = map[string]struct {
	reads      func(*isl.Context, string)
	needsChild bool
	isInside   bool
}{
	"domain":   {reads: readSets},
	"filter":   {reads: readSets, isInside: true},
	"schedule": {reads: (*isl.Context).ReadMultiUnionPwAff, isInside: true},
	"mark":     {needsChild: true, isInside: true},
	"context":  {reads: readSet, needsChild: true, isInside: true},
	"guard":    {reads: readSet, needsChild: true, isInside: true},
	// A contraction has the expansion beside it.
	"contraction": {reads: readMaps, needsChild: true, isInside: true},
}

func readSets(c *isl.Context, text string) { c.ReadUnionSet(text) }
func readSet(c *isl.Context, text string)  { c.ReadSet(text) }
func readMaps(c *isl.Context, text string) { c.ReadUnionMap(text) }

// expansions relate instances of a tree that stand for several to these, outer ones first.
type expansions []*isl.UnionMap

// readTree reads a schedule tree, and what some of its instances stand for.
func readTree(c *isl.Context, text string) (*isl.Schedule, expansions, error) {
	var document yaml.Node
	if err := yaml.Unmarshal([]byte(text), &document); err != nil {
		return nil, nil, yamlError(err)
	}
	if len(document.Content) != 1 {
		return nil, nil, &Error{1, "the file has no schedule tree"}
	}
	r := &treeReader{context: c}
	if err := r.node(document.Content[0], "domain"); err != nil {
		return nil, nil, err
	}
	return c.ReadSchedule(r.text.String()), r.expansions, c.Err()
}

// of are instances with those in the place of some that these stand for.
func (e expansions) of(instances *isl.UnionSet) *isl.UnionSet {
	for _, expansion := range e {
		others := instances.Subtract(expansion.Domain())
		for _, set := range instances.Sets() {
			for _, to := range expansion.Maps() {
				if to.TupleName(isl.DimIn) == set.TupleName() {
					others = others.Union(set.Apply(to).ToUnionSet())
				}
			}
		}
		instances = others
	}
	return instances
}

// yamlLine is how the library says where a text is no YAML.
var yamlLine = pattern.New(`^yaml: line ([0-9]+): `)

// yamlError is an error of the library.
func yamlError(err error) error {
	reason, line := err.Error(), 1
	if at := yamlLine.FindStringSubmatch(reason); at != nil {
		line, _ = strconv.Atoi(at[1])
		reason = reason[len(at[0]):]
	}
	return &Error{line, "this is no YAML: " + strings.TrimPrefix(reason, "yaml: ")}
}

// deepest bounds nodes below each other.
const deepest = 500

// node writes a node, which begins with a key of its kind: the one that is asked for, or any for "".
func (r *treeReader) node(n *yaml.Node, want string) error {
	r.depth++
	defer func() { r.depth-- }()
	if r.depth > deepest {
		return &Error{n.Line, fmt.Sprintf("more than %d nodes stand below each other", deepest)}
	}
	if n.Kind != yaml.MappingNode {
		return &Error{n.Line, "a node is written with keys, as schedule: \"…\""}
	}
	values := map[string]*yaml.Node{}
	kind := ""
	for k := 0; k+1 < len(n.Content); k += 2 {
		key := n.Content[k].Value
		if values[key] != nil {
			return &Error{n.Content[k].Line, fmt.Sprintf("the node has two of %s", key)}
		}
		values[key] = n.Content[k+1]
		_, isKind := nodes[key]
		switch {
		case kind == "" && (isKind || key == "sequence" || key == "set"):
			kind = key
		case kind != "" && slices.Contains(propertiesOf[kind], key):
		case kind != "" && key == "child" && kind != "sequence" && kind != "set":
		default:
			return &Error{n.Content[k].Line, fmt.Sprintf("%q is not read there; nodes are domain, context, guard, filter, mark, schedule, contraction, sequence and set, with a child below", shortened(key))}
		}
	}
	switch {
	case kind == "":
		return &Error{n.Line, "the node is empty"}
	case want != "" && kind != want:
		return &Error{n.Line, fmt.Sprintf("a node %s stands where %s is expected", kind, want)}
	case want == "" && kind != "sequence" && kind != "set" && !nodes[kind].isInside:
		return &Error{n.Line, fmt.Sprintf("a node %s stands at the top alone", kind)}
	}
	r.text.WriteString("{ ")
	if err := r.inside(n, kind, values); err != nil {
		return err
	}
	r.text.WriteString(" }")
	return nil
}

// propertiesOf are the keys of nodes beside the first and the child.
var propertiesOf = map[string][]string{"schedule": {"permutable", "coincident", "options"}, "contraction": {"expansion"}}

// inside writes what a node has.
func (r *treeReader) inside(n *yaml.Node, kind string, values map[string]*yaml.Node) error {
	if kind == "sequence" || kind == "set" {
		return r.sequence(kind, values[kind])
	}
	if err := r.value(kind, values[kind]); err != nil {
		return err
	}
	if coincident := values["coincident"]; coincident != nil {
		if err := r.coincident(coincident); err != nil {
			return err
		}
	}
	if kind == "contraction" {
		if err := r.expansion(n, values["expansion"]); err != nil {
			return err
		}
	}
	child := values["child"]
	if child == nil {
		if nodes[kind].needsChild {
			return &Error{n.Line, fmt.Sprintf("the node %s has no child", kind)}
		}
		return nil
	}
	r.text.WriteString(", child: ")
	return r.node(child, "")
}

// expansion writes what instances stand for, behind which of them stands for which.
func (r *treeReader) expansion(n, value *yaml.Node) error {
	if value == nil {
		return &Error{n.Line, "beside contraction stands expansion, which relates instances to those that they stand for"}
	}
	r.text.WriteString(", ")
	if err := r.value("expansion", value); err != nil {
		return err
	}
	r.expansions = append(r.expansions, r.context.ReadUnionMap(value.Value))
	return r.context.Err()
}

// value writes what is behind a key of a node.
func (r *treeReader) value(kind string, value *yaml.Node) error {
	text := value.Value
	if value.Kind != yaml.ScalarNode || strings.ContainsAny(text, "\"\\") {
		return &Error{value.Line, fmt.Sprintf("what is behind %s is a text in quotes", kind)}
	}
	text = strings.Join(strings.Fields(text), " ")
	reads := nodes[kind].reads
	if kind == "expansion" {
		reads = readMaps
	}
	if reads != nil {
		reads(r.context, text)
		if err := r.context.Err(); err != nil && !isl.IsLimit(err) {
			r.context.TakeErr()
			return &Error{value.Line, fmt.Sprintf("isl cannot read what is behind %s: %s", kind, shortened(text))}
		}
	}
	fmt.Fprintf(&r.text, "%s: \"%s\"", kind, text)
	return r.context.Err()
}

// coincident writes which members of a band carry no dependence.
func (r *treeReader) coincident(list *yaml.Node) error {
	if list.Kind != yaml.SequenceNode {
		return &Error{list.Line, "coincident is a list of 0 and 1, one for each member of the band"}
	}
	words := make([]string, len(list.Content))
	for k, item := range list.Content {
		if words[k] = item.Value; words[k] != "0" && words[k] != "1" {
			return &Error{item.Line, "coincident is a list of 0 and 1, one for each member of the band"}
		}
	}
	if len(words) > 0 {
		fmt.Fprintf(&r.text, ", coincident: [ %s ]", strings.Join(words, ", "))
	}
	return nil
}

// sequence writes nodes that run one after the other, or in any order.
func (r *treeReader) sequence(kind string, list *yaml.Node) error {
	if list.Kind != yaml.SequenceNode || len(list.Content) == 0 {
		return &Error{list.Line, fmt.Sprintf("behind %s stands a list of nodes filter", kind)}
	}
	r.text.WriteString(kind + ": [ ")
	for k, item := range list.Content {
		if k > 0 {
			r.text.WriteString(", ")
		}
		if err := r.node(item, "filter"); err != nil {
			return err
		}
	}
	r.text.WriteString(" ]")
	return nil
}

// shortened is text that is no longer than people read.
func shortened(text string) string {
	const most = 60
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}
