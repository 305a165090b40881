package benchmarks

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// NotFoundError says that there is no benchmark of that name.
type NotFoundError struct {
	// Name is what was asked for.
	Name string
	// Nearest are the names of the benchmarks that are spelled most alike,
	// if any is alike at all.
	Nearest []string
}

// Error names what was asked for and, where there are any, the names that may
// have been meant.
func (e *NotFoundError) Error() string {
	if len(e.Nearest) == 0 {
		return fmt.Sprintf("no benchmark %q; `tune list` shows which there are", e.Name)
	}
	return fmt.Sprintf("no benchmark %q; did you mean %s?", e.Name, strings.Join(e.Nearest, " or "))
}

// nearest returns the names of those benchmarks in list that have the smallest
// edit distance to name, as long as no more than half of name's characters
// differ. A name without a suite is compared with the kernels' names, each
// standing for the first suite that has it.
func nearest(name string, list []Benchmark) []string {
	var names []string
	limit := utf8.RuneCountInString(name) / 2
	seen := map[string]bool{}
	for _, b := range list {
		known := b.Name
		if !strings.Contains(name, "/") {
			known = b.Kernel()
		}
		if seen[known] {
			continue
		}
		seen[known] = true
		distance := editDistance(strings.ToLower(name), known)
		if distance < limit {
			names, limit = nil, distance
		}
		if distance == limit {
			names = append(names, b.Name)
		}
	}
	return names
}

// editDistance is the Levenshtein distance of a and b in characters: the least
// number of insertions, deletions and substitutions that turn a into b.
func editDistance(a, b string) int {
	source, target := []rune(a), []rune(b)
	row := make([]int, len(target)+1)
	for j := range row {
		row[j] = j
	}
	for i, s := range source {
		diagonal := row[0]
		row[0] = i + 1
		for j, t := range target {
			substituted := diagonal
			if s != t {
				substituted++
			}
			diagonal = row[j+1]
			row[j+1] = min(row[j+1]+1, row[j]+1, substituted)
		}
	}
	return row[len(target)]
}
