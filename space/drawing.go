package space

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// ParsePartition reads a partition of the named statements as people write
// it: a class vector ("0-1-0", see Parse) or a drawing ("{S0 S2} {S1}", see
// ParseDrawing).
func ParsePartition(text string, names []string) (Partition, error) {
	if strings.ContainsAny(text, "{}") {
		return ParseDrawing(text, names)
	}
	p, err := Parse(text)
	if err == nil && len(p) != len(names) {
		err = fmt.Errorf("partition %s has %d class numbers, but the program has %d statements", p, len(p), len(names))
	}
	return p, err
}

// ParseDrawing reads what Partition.Drawing writes: the classes in the order
// of their execution, each with its statements in braces, "{S0 S2} {S1}".
// Blanks and commas may stand between statements and between classes.
func ParseDrawing(text string, names []string) (Partition, error) {
	p, err := parseDrawing(text, names)
	if err != nil {
		return nil, fmt.Errorf("partition %q: %w; write each class in braces, such as {S0 S2} {S1}", text, err)
	}
	return p, nil
}

func parseDrawing(text string, names []string) (Partition, error) {
	p := make(Partition, len(names))
	for i := range p {
		p[i] = -1
	}
	class := 0
	rest := skipSeparators(text)
	for rest != "" {
		inner, after, err := cutClass(rest)
		if err != nil {
			return nil, err
		}
		for _, name := range strings.FieldsFunc(inner, isSeparator) {
			i := slices.Index(names, name)
			switch {
			case i < 0:
				return nil, unknownStatement(name, names)
			case p[i] >= 0:
				return nil, fmt.Errorf("statement %s is in two classes or twice in one", name)
			}
			p[i] = class
		}
		if strings.TrimFunc(inner, isSeparator) == "" {
			return nil, fmt.Errorf("class %d is empty", class)
		}
		class++
		rest = skipSeparators(after)
	}
	if missing := slices.Index(p, -1); missing >= 0 {
		return nil, fmt.Errorf("statement %s is in no class", names[missing])
	}
	return p, nil
}

// cutClass splits a text that begins with a class into what its braces
// enclose and what follows.
func cutClass(text string) (inner, after string, err error) {
	body, opened := strings.CutPrefix(text, "{")
	if !opened {
		return "", "", fmt.Errorf("%q is outside of braces", text)
	}
	inner, after, closed := strings.Cut(body, "}")
	if !closed || strings.Contains(inner, "{") {
		return "", "", fmt.Errorf("the brace at %q is not closed", text)
	}
	return inner, after, nil
}

func skipSeparators(text string) string { return strings.TrimLeftFunc(text, isSeparator) }

// isSeparator says whether a character only keeps statements or classes apart.
func isSeparator(r rune) bool { return r == ',' || unicode.IsSpace(r) }

// unknownStatement says which names there are.
func unknownStatement(name string, names []string) error {
	if len(names) == 0 {
		return fmt.Errorf("there is no statement %s: the program has none", name)
	}
	return fmt.Errorf("there is no statement %s; the program has %s to %s", name, names[0], names[len(names)-1])
}
