package foreign

import (
	"cmp"
	"slices"
	"strings"

	"polytune/internal/pattern"
	"polytune/isl"
)

// kind is that of a file.
type kind int

const (
	unknown kind = iota
	ofOpenScop
	ofTree
	ofMap
)

// treeBegins is how a schedule tree begins, in YAML's block or flow style.
var treeBegins = pattern.New(`^(\{\s*)?"?domain"?\s*:`)

// kindOf tells files by their first line that is no comment.
func kindOf(text string) kind {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		switch {
		case line == "" || strings.HasPrefix(line, "#") || line == "---":
		case strings.HasPrefix(line, "<OpenScop>") || line == "SCoP":
			return ofOpenScop
		case treeBegins.MatchString(line) || line == "{" && treeBegins.MatchString(firstInside(text)):
			return ofTree
		case line[0] == '{' || line[0] == '[':
			return ofMap
		default:
			return unknown
		}
	}
	return unknown
}

// firstInside is what follows the first bracket of a text.
func firstInside(text string) string {
	_, inside, _ := strings.Cut(text, "{")
	return strings.TrimSpace(inside)
}

// fromMap reads a union map.
func fromMap(c *isl.Context, text string) (*Schedule, error) {
	return ofUnion(c.ReadUnionMap(text), text), c.Err()
}

// ofUnion has the maps of a union, by the numbers in their names, or else as the text has them.
func ofUnion(union *isl.UnionMap, text string) *Schedule {
	s := &Schedule{Line: 1}
	for _, m := range union.Maps() {
		s.statements = append(s.statements, &statement{name: m.TupleName(isl.DimIn), times: m, line: 1, runs: map[int]way{}})
	}
	slices.SortFunc(s.statements, func(a, b *statement) int {
		prefix, number := numbered(a.name)
		other, behind := numbered(b.name)
		if prefix == other {
			return cmp.Or(cmp.Compare(len(number), len(behind)), strings.Compare(number, behind))
		}
		return cmp.Compare(strings.Index(text, a.name+"["), strings.Index(text, b.name+"["))
	})
	return s
}

// numbered is a name, and the number at its end without zeros in front.
func numbered(name string) (prefix, number string) {
	prefix = strings.TrimRight(name, "0123456789")
	return prefix, strings.TrimLeft(name[len(prefix):], "0")
}

// fromTree reads a schedule tree.
func fromTree(c *isl.Context, text string) (*Schedule, error) {
	tree, expansions, err := readTree(c, text)
	if err != nil {
		return nil, err
	}
	s := ofUnion(tree.Map().IntersectDomain(expansions.of(tree.Domain())), text)
	if err := c.Err(); err != nil {
		return nil, err
	}
	s.readWays(tree.Root(), 0, way{}, expansions)
	return s, c.Err()
}
