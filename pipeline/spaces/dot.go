package spaces

import (
	"fmt"
	"io"
	"strings"
)

// printDot draws the order of a space: a box for the statements that are
// always in one class, an arrow to what must not come in an earlier class.
// Red says that the two can never be fused, dashed that the mode or a cut asks
// for the order rather than a dependence; red dotted lines without heads keep
// boxes apart that are in no order.
func printDot(w io.Writer, s *analyzedSpace) error {
	h, err := s.space.Hasse()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "digraph %q {\n  node [shape=box, fontname=monospace];\n", s.target.Name)
	names := s.space.Names()
	box := func(component int) string { return names[h.Components[component][0]] }
	for c, component := range h.Components {
		label := ""
		for _, i := range component {
			label += leftAligned(names[i] + ": " + s.target.Unit.Program.Statements[i].Source)
		}
		fmt.Fprintf(w, "  %s [label=\"%s\"];\n", box(c), label)
	}
	for _, e := range h.Edges {
		var style []string
		if !e.Fusible {
			style = append(style, "color=red")
		}
		if !e.Dependent {
			style = append(style, "style=dashed")
		}
		fmt.Fprintf(w, "  %s -> %s%s;\n", box(e.From), box(e.To), attributes(style))
	}
	for _, pair := range h.Apart {
		fmt.Fprintf(w, "  %s -> %s%s;\n", box(pair[0]), box(pair[1]),
			attributes([]string{"color=red", "style=dotted", "dir=none", "constraint=false"}))
	}
	_, err = fmt.Fprintln(w, "}")
	return err
}

// leftAligned is text as lines of a label.
func leftAligned(text string) string {
	label := ""
	for line := range strings.SplitSeq(text, "\n") {
		label += labelEscapes.Replace(line) + `\l`
	}
	return label
}

// labelEscapes keeps Graphviz from reading a label's characters otherwise than
// as they are.
var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`)

func attributes(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return " [" + strings.Join(list, ", ") + "]"
}
