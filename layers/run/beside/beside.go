// Package beside runs C functions beside Layer I: a C program that prints what memory has in front of
// a function and behind it, and Layer I evaluated from what is in front. It is for tests and for the
// fuzzer.
package beside

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"polytune/scop"
)

// Source is a C file with a function around a region, which is called.
type Source struct {
	Text    string
	Program *scop.Program
	// Init is a function of the file with the same arguments that sets the data, "" for data that are
	// drawn.
	Init string
	// Globals are the variables of the file that the function works on.
	Globals []string
	// Statements has the C program answer Call: instances of statements run by their text.
	Statements bool
}

// helpers stand in front of the file.
const helpers = `#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void tune_show(const char *when, const char *name, const void *data, size_t size, int dimensions, const long *extents)
{
    printf("%s %s %d", when, name, dimensions);
    for (int k = 0; k < dimensions; k++)
        printf(" %ld", extents[k]), size *= extents[k];
    printf(" .");
    for (size_t k = 0; k < size; k++)
        printf("%02x", ((const unsigned char *)data)[k]);
    printf("\n");
}
static void tune_fill(void *data, int kind, size_t size, int dimensions, const long *extents)
{
    static unsigned state = 1;
    long count = 1;
    for (int k = 0; k < dimensions; k++)
        count *= extents[k];
    for (long k = 0; k < count; k++) {
        state = state * 1664525u + 1013904223u;
        double real = (state >> 8) / 16777216.0;
        float single = real;
        long long whole = kind == 'b' ? state >> 8 & 1 : (state >> 8) % 100;
        const void *from = kind == 'd' ? (void *)&real : kind == 'f' ? (void *)&single : (void *)&whole;
        memcpy((char *)data + k * size, from, size);
    }
}
`

// Main is the file with helpers in front, and with a main function behind it that calls the function
// for some values of its sizes, in that order. The error says what data it cannot make.
func (s *Source) Main(sizes []map[string]int) (string, error) {
	shown, err := s.shown()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString(helpers + shown + "\n")
	if s.Statements {
		b.WriteString(s.statement() + "int main(int argc, char **argv)\n{\n")
	} else {
		b.WriteString("int main(void)\n{\n")
	}
	for _, values := range sizes {
		if err := s.call(&b, values); err != nil {
			return "", err
		}
	}
	b.WriteString("return 0;\n}\n")
	return b.String(), nil
}

// endOfRegion is the line behind a region.
const endOfRegion = "#pragma endscop\n"

// shown is the file with lines in front of the region that print the numbers that the function has
// set by then, and with lines behind it that print all arrays.
func (s *Source) shown() (string, error) {
	front, rest, found := strings.Cut(s.Text, "#pragma scop")
	region, behind, ends := strings.Cut(rest, endOfRegion)
	if !found || !ends {
		return "", fmt.Errorf("there is no region")
	}
	var b strings.Builder
	b.WriteString(front)
	for _, m := range s.variables() {
		isLocal := s.Program.Array(m.name).Local
		if !isLocal && regexp.MustCompile(`\b`+regexp.QuoteMeta(m.name)+`\s*=[^=]`).MatchString(front) {
			fmt.Fprintf(&b, "{ const %s tune_now = %s; tune_show(\"before\", \"%s\", &tune_now, sizeof tune_now, 0, 0); }\n", m.element, m.name, m.name)
		}
	}
	b.WriteString("#pragma scop" + region + endOfRegion)
	arrays, err := s.arrays()
	for _, m := range arrays {
		b.WriteString(m.shown("after"))
	}
	return b.String() + behind, err
}

// memory is an array that main has.
type memory struct {
	name, element string
	size          int
	extents       []string
}

// call writes one call, with what is printed around it.
func (s *Source) call(b *strings.Builder, values map[string]int) error {
	fmt.Fprintf(b, "{\nprintf(\"size")
	for _, a := range s.Program.Function.Arguments {
		if a.Role == scop.Size {
			fmt.Fprintf(b, " %s %d", a.Name, values[a.Name])
		}
	}
	fmt.Fprintf(b, "\\n\");\n")
	arrays, err := s.arrays()
	if err != nil {
		return err
	}
	var arguments []string
	var numbers []memory
	for _, a := range s.Program.Function.Arguments {
		arguments = append(arguments, a.Name)
		switch a.Role {
		case scop.Size:
			fmt.Fprintf(b, "%s %s = %d;\n", a.Type, a.Name, values[a.Name])
		case scop.Scalar:
			fmt.Fprintf(b, "%s %s = 1.25;\n", a.Type, a.Name)
			numbers = append(numbers, memory{a.Name, a.Type, 0, nil})
		case scop.Pointer:
			arguments[len(arguments)-1] = "(void *)" + a.Name
			count := (&memory{extents: a.Extents}).count()
			fmt.Fprintf(b, "%s *%s = malloc(1 + sizeof(%s) * (%s));\n", a.Type, a.Name, a.Type, count)
		}
	}
	list := strings.Join(arguments, ", ")
	for _, m := range arrays {
		if s.Init == "" {
			fmt.Fprintf(b, "{ const long tune_n[] = {%s}; tune_fill(%s, '%c', sizeof(%s), %d, tune_n); }\n", m.list(), m.pointer(), m.kind(), m.element, len(m.extents))
		}
	}
	if s.Init != "" {
		fmt.Fprintf(b, "%s(%s);\n", s.Init, list)
	}
	for _, m := range numbers {
		fmt.Fprintf(b, "tune_show(\"before\", \"%s\", &%s, sizeof %s, 0, 0);\n", m.name, m.name, m.name)
	}
	for _, m := range arrays {
		b.WriteString(m.shown("before"))
	}
	if s.Statements {
		b.WriteString(s.serve(list))
	}
	fmt.Fprintf(b, "%s(%s);\n}\n", s.Program.Function.Name, list)
	return nil
}

// arrays are those that calls find and leave: arguments and variables of the file.
func (s *Source) arrays() (list []memory, err error) {
	for _, a := range s.Program.Function.Arguments {
		if a.Role != scop.Pointer {
			continue
		}
		if a.Pointers > 0 || len(a.Extents) == 0 || slices.Contains(a.Extents, "") {
			return nil, fmt.Errorf("the extents of %s are unknown", a.Name)
		}
		list = append(list, memory{a.Name, a.Type, a.Size, a.Extents})
	}
	for _, name := range s.Globals {
		if a := s.Program.Array(name); a != nil {
			list = append(list, memory{name, a.Type, a.Size, a.Extents})
		}
	}
	return list, nil
}

// shown prints the array.
func (m *memory) shown(when string) string {
	return fmt.Sprintf("{ const long tune_n[] = {%s}; tune_show(\"%s\", \"%s\", %s, sizeof(%s), %d, tune_n); }\n", m.list(), when, m.name, m.pointer(), m.element, len(m.extents))
}

// list are the extents as initial values.
func (m *memory) list() string { return strings.Join(append(slices.Clone(m.extents), "1"), ", ") }

// pointer is the array's address.
func (m *memory) pointer() string {
	if len(m.extents) == 0 {
		return "&" + m.name
	}
	return m.name
}

// count is the number of elements as C.
func (m *memory) count() string {
	text := "1"
	for _, e := range m.extents {
		text += " * (" + e + ")"
	}
	return text
}

// kind is how elements are filled: d and f for floating-point numbers, b for truth, i for integers.
func (m *memory) kind() byte {
	switch words := strings.Fields(m.element); {
	case slices.Contains(words, "double"):
		return 'd'
	case slices.Contains(words, "float"):
		return 'f'
	case slices.Contains(words, "_Bool"), slices.Contains(words, "bool"):
		return 'b'
	}
	return 'i'
}
