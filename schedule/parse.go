package schedule

import (
	"fmt"
	"iter"
	"strconv"
	"strings"

	"polytune/scop"
)

// Parse reads a recipe of the program: one command a line; empty lines and
// what follows a "#" do not count. An error is a *CommandError.
func (l Language) Parse(p *scop.Program, text string) (Recipe, error) {
	var recipe Recipe
	now := p.Root()
	for number, line := range Lines(text) {
		c, err := l.ReadLine(now, line)
		if err != nil {
			return nil, &CommandError{Line: number, Text: line, Err: err}
		}
		recipe = append(recipe, c)
		if rewrites(c) {
			now = recipe.programBehind(p, now)
		}
	}
	return recipe, nil
}

// Lines are the lines of a recipe that hold a command, without comments and
// with one blank between words, by their numbers from 1.
func Lines(text string) iter.Seq2[int, string] {
	return func(yield func(int, string) bool) {
		number := 0
		for line := range strings.SplitSeq(text, "\n") {
			number++
			line, _, _ = strings.Cut(line, "#")
			line = strings.Join(strings.Fields(line), " ")
			if line != "" && !yield(number, line) {
				return
			}
		}
	}
}

// parseGroups reads {S0 S2} {S1}.
func parseGroups(p *scop.Program, text string) ([][]int, error) {
	var groups [][]int
	for rest := strings.TrimSpace(text); rest != ""; rest = strings.TrimSpace(rest) {
		inside, after, closed := strings.Cut(rest, "}")
		names, opened := strings.CutPrefix(inside, "{")
		if !closed || !opened {
			return nil, fmt.Errorf("groups of statements are written {S0 S1} {S2}")
		}
		var group []int
		for _, name := range strings.Fields(names) {
			s, err := statementIndex(p, name)
			if err != nil {
				return nil, err
			}
			group = append(group, s)
		}
		groups = append(groups, group)
		rest = after
	}
	return groups, nil
}

func statementIndex(p *scop.Program, name string) (int, error) {
	for i := range p.Statements {
		if p.Statements[i].Spelling() == name {
			return i, nil
		}
	}
	return 0, fmt.Errorf("there is no statement %q; there are %s", name, strings.Join(p.StatementNames(), " "))
}

// parseStatementRows reads rows of loops by statement, separated by
// semicolons.
func parseStatementRows(p *scop.Program, text string) ([]map[int]Row, error) {
	return byLoop(p, text, func(part string) (int, []Row, error) {
		return p.ParseRows(part, func(name string) (int, error) { return statementIndex(p, name) })
	})
}

// byLoop reads values of loops by statement, separated by semicolons: those of one statement with
// read.
func byLoop[V any](p *scop.Program, text string, read func(part string) (int, []V, error)) (loops []map[int]V, err error) {
	for _, part := range strings.Split(text, ";") {
		s, rows, err := read(part)
		if err != nil {
			return nil, err
		}
		if loops == nil {
			loops = make([]map[int]V, len(rows))
			for k := range loops {
				loops[k] = map[int]V{}
			}
		}
		if len(rows) == 0 {
			return nil, fmt.Errorf("statement %s has no row", p.Statements[s].Name)
		}
		if len(rows) != len(loops) {
			return nil, fmt.Errorf("%d rows for statement %s, %d for the one before", len(rows), p.Statements[s].Name, len(loops))
		}
		for k, row := range rows {
			loops[k][s] = row
		}
	}
	return loops, nil
}

// parseSizes reads 32 64.
func parseSizes(text string) ([]int64, error) {
	var sizes []int64
	for _, word := range strings.Fields(text) {
		size, err := strconv.ParseInt(word, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("the size %q is not a number", word)
		}
		sizes = append(sizes, size)
	}
	return sizes, nil
}
