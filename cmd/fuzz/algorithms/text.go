package algorithms

import (
	"fmt"
	"strings"

	"polytune/algorithm"
)

// Text is a description as a Go program, to be repeated.
func Text(d *algorithm.Description) string {
	var b strings.Builder
	fmt.Fprintf(&b, "package main\n\nimport \"polytune/algorithm\"\n\nfunc main() {\n\tf := algorithm.New(%s)\n", quoted(append([]string{d.Name}, d.Sizes...)))
	for k := range d.Declarations {
		fmt.Fprintf(&b, "\tf.%s\n", call(&d.Declarations[k]))
	}
	b.WriteString("\talgorithm.Main(f)\n}\n")
	return b.String()
}

// call is the call of a method that makes a declaration.
func call(d *algorithm.Declaration) string {
	head := d.Name
	if len(d.Iterators) > 0 {
		head += "[" + strings.Join(d.Iterators, ", ") + "]"
	}
	if d.Written != nil {
		head += ": " + d.Name + "(" + strings.Join(texts(d.Written), ", ") + ")"
	}
	switch d.Kind {
	case algorithm.KindInput:
		return fmt.Sprintf("Input(%q, %q%s)", d.Name, d.Type, more(texts(d.Extents)))
	case algorithm.KindConstant:
		return fmt.Sprintf("Constant(%q, %q, %q)", d.Name, d.Type, d.Value)
	case algorithm.KindComputation:
		return fmt.Sprintf("Computation(%q, %q, %q, %q)", head, d.Type, d.Domain, d.Value)
	case algorithm.KindUpdate:
		return fmt.Sprintf("Update(%q, %q, %q)", head, d.Domain, d.Value)
	case algorithm.KindWhere:
		return fmt.Sprintf("Where(%q, %q)", d.Name, d.Value)
	case algorithm.KindInPlace:
		return fmt.Sprintf("InPlace(%q, %q)", d.Of, d.Name)
	case algorithm.KindOutput:
		return fmt.Sprintf("Output(%q%s)", d.Name, more(texts(d.Extents)))
	case algorithm.KindTogether:
		return fmt.Sprintf("Together(%q%s)", d.Name, more(d.Names))
	}
	return fmt.Sprintf("Schedule(%q)", d.Text)
}

func texts(list []algorithm.Expr) (all []string) {
	for _, e := range list {
		all = append(all, e.String())
	}
	return all
}

func quoted(list []string) string { return strings.TrimPrefix(more(list), ", ") }

// more are further arguments.
func more(list []string) string {
	text := ""
	for _, one := range list {
		text += fmt.Sprintf(", %q", one)
	}
	return text
}
