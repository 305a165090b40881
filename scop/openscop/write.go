package openscop

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Write is the file's text, as Parse reads it.
func (f *File) Write() string {
	w := &writer{}
	w.line(opening)
	w.title("Global")
	w.line("# Language\n%s\n", f.Language)
	w.line("# Context")
	w.relation(&f.Context, nil, nil, f.Parameters)
	w.parameters(f.Parameters)
	w.line("# Number of statements\n%d", len(f.Statements))
	for k := range f.Statements {
		w.title(fmt.Sprint("Statement ", k+1))
		w.statement(&f.Statements[k], f)
	}
	w.title("Extensions")
	if len(f.Times) > 0 {
		w.tagged("scatnames", strings.Join(f.Times, " "))
	}
	if len(f.Arrays) > 0 {
		w.arrays(f.Arrays)
	}
	if f.Source != "" {
		w.tagged("coordinates", fmt.Sprintf("# File name\n%s\n# Starting line and column\n%d 0\n# Ending line and column\n%d 0\n# Indentation\n0", f.Source, f.FirstLine, f.LastLine))
	}
	w.line(closing)
	return w.String()
}

type writer struct{ strings.Builder }

func (w *writer) line(format string, args ...any) { fmt.Fprintf(w, format+"\n", args...) }

func (w *writer) title(text string) {
	w.line("\n# =============================================== %s", text)
}

func (w *writer) tagged(name, text string) { w.line("<%s>\n%s\n</%s>\n", name, text, name) }

func (w *writer) parameters(names []string) {
	if names == nil {
		w.line("# Parameters are not provided\n0\n")
		return
	}
	w.line("# Parameters are provided\n1")
	w.tagged("strings", strings.Join(names, " "))
}

func (w *writer) arrays(names map[int]string) {
	text := fmt.Sprintf("# Number of arrays\n%d\n# Mapping array-identifiers/array-names", len(names))
	for _, number := range slices.Sorted(maps.Keys(names)) {
		text += fmt.Sprintf("\n%d %s", number, names[number])
	}
	w.tagged("arrays", text)
}

func (w *writer) statement(s *Statement, f *File) {
	w.line("# Number of relations\n%d\n", 2+len(s.Accesses))
	w.relation(&s.Domain, s.Iterators, nil, f.Parameters)
	w.relation(&s.Scattering, f.Times, s.Iterators, f.Parameters)
	subscripts := []string{"Arr"}
	for k := range mostDimensions {
		subscripts = append(subscripts, fmt.Sprintf("[%d]", k+1))
	}
	for k := range s.Accesses {
		w.relation(&s.Accesses[k], subscripts, s.Iterators, f.Parameters)
	}
	w.line("# Number of statement extensions\n1")
	iterators := ""
	if len(s.Iterators) > 0 {
		iterators = "\n# Iterators\n" + strings.Join(s.Iterators, " ")
	}
	w.tagged("body", fmt.Sprintf("# Number of iterators\n%d%s\n# Text\n%s", len(s.Iterators), iterators, s.Body))
}

// relation writes a relation, with names of its dimensions.
func (w *writer) relation(r *Relation, outputs, inputs, parameters []string) {
	w.line("%s", r.Kind)
	if len(r.Parts) > 1 {
		w.line("# Union of\n%d", len(r.Parts))
	}
	for k := range r.Parts {
		p := &r.Parts[k]
		w.line("%d %d %d %d %d %d", len(p.Rows), p.columns(), p.Outputs, p.Inputs, p.Locals, p.Parameters)
		w.line("# e/i|%s|%s|%s|%s| 1", named(outputs, p.Outputs), named(inputs, p.Inputs), named(nil, p.Locals), named(parameters, p.Parameters))
		for _, row := range p.Rows {
			for _, factor := range row {
				fmt.Fprintf(w, "%4d", factor)
			}
			w.line("")
		}
	}
	w.line("")
}

// named are the names of so many dimensions, as far as there are names.
func named(names []string, count int) string {
	var b strings.Builder
	for k := range count {
		name := fmt.Sprint("e", k)
		if k < len(names) {
			name = names[k]
		}
		b.WriteString(" " + name)
	}
	return b.String() + " "
}
