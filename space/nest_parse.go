package space

import (
	"fmt"
	"slices"
	"strings"
)

// ParseNestDrawing reads what Nest.Drawing prints, such as
// "{{S0} {S1}} {{S2 S3}}", for statements of the given names. Names may also
// have commas between them.
func ParseNestDrawing(text string, names []string) (Nest, error) {
	r := &drawingReader{names: names, rest: text}
	n, err := r.read()
	if err != nil {
		return nil, fmt.Errorf("partition %q: %w; draw one pair of braces for each loop that statements share, such as {{S0} {S1}} {{S2 S3}}", text, err)
	}
	return n, nil
}

// drawingReader reads a drawing. path are the numbers of the classes around
// the present place, outermost first.
type drawingReader struct {
	names []string
	rest  string
	path  []int
	nest  Nest
}

func (r *drawingReader) read() (Nest, error) {
	seen := make([]bool, len(r.names))
	// count is the number of classes so far inside those of the path, by the
	// length of the path.
	count := []int{0}
	for token := r.next(); token != ""; token = r.next() {
		switch {
		case token == "{":
			r.path = append(r.path, count[len(count)-1])
			count[len(count)-1]++
			count = append(count, 0)
		case len(r.path) == 0:
			return nil, fmt.Errorf("%q stands outside the braces", token)
		case token == "}":
			r.path, count = r.path[:len(r.path)-1], count[:len(count)-1]
		default:
			if err := r.place(token, seen); err != nil {
				return nil, err
			}
		}
	}
	if len(r.path) > 0 {
		return nil, fmt.Errorf("a closing brace is missing")
	}
	if missing := slices.Index(seen, false); missing >= 0 {
		return nil, fmt.Errorf("%s is missing", r.names[missing])
	}
	return r.nest, r.nest.Validate()
}

// next is the next brace or name, or "".
func (r *drawingReader) next() string {
	r.rest = strings.TrimLeft(r.rest, " \t,")
	if r.rest == "" {
		return ""
	}
	end := 1
	if r.rest[0] != '{' && r.rest[0] != '}' {
		if end = strings.IndexAny(r.rest, "{} \t,"); end < 0 {
			end = len(r.rest)
		}
	}
	token := r.rest[:end]
	r.rest = r.rest[end:]
	return token
}

// place puts a statement into the classes of the path.
func (r *drawingReader) place(name string, seen []bool) error {
	s := slices.Index(r.names, name)
	switch {
	case s < 0:
		return fmt.Errorf("there is no statement %q; there are %s", name, strings.Join(r.names, " "))
	case seen[s]:
		return fmt.Errorf("%s stands there twice", name)
	case r.nest == nil:
		for range r.path {
			r.nest = append(r.nest, make([]int, len(r.names)))
		}
	case len(r.nest) != len(r.path):
		return fmt.Errorf("%s stands inside %d pairs of braces, others inside %d", name, len(r.path), len(r.nest))
	}
	seen[s] = true
	for k, number := range r.path {
		r.nest[k][s] = number
	}
	return nil
}
