package language

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strconv"
	"strings"

	"polytune/algorithm"
)

// PlacedRecipe is the recipe, the name of the Go file, and where the recipe's lines stand there, by
// their numbers from 1. Where the recipe is no text that stands there as a whole, there are no places,
// and the file is called that of the schedule.
func (p *Program) PlacedRecipe() (path, text string, places map[int]algorithm.Position) {
	commands := p.commands()
	if len(commands) == 0 {
		return p.RecipeAt.String() + " (its schedule)", p.Recipe, nil
	}
	places = map[int]algorithm.Position{}
	number := 0
	for line := range strings.SplitSeq(p.Recipe, "\n") {
		if number++; line != "" && len(commands) > 0 {
			places[number], commands = commands[0], commands[1:]
		}
	}
	return p.RecipeAt.File, p.Recipe, places
}

// commands are the places of the lines of the recipe that are not empty.
func (p *Program) commands() (places []algorithm.Position) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, p.RecipeAt.File, nil, parser.SkipObjectResolution)
	if err != nil {
		return nil
	}
	ast.Inspect(file, func(n ast.Node) bool {
		literal, is := n.(*ast.BasicLit)
		if !is || literal.Kind != token.STRING || len(places) > 0 {
			return true
		}
		if text, err := strconv.Unquote(literal.Value); err == nil && recipeText(text) == p.Recipe {
			for _, offset := range commandsIn(literal.Value) {
				at := set.Position(literal.Pos() + token.Pos(offset))
				places = append(places, algorithm.Position{File: p.RecipeAt.File, Line: at.Line, Column: at.Column})
			}
		}
		return true
	})
	return places
}

// commandsIn are the places, in the text of a string in Go, where lines with something in them begin.
func commandsIn(literal string) (offsets []int) {
	isEmpty := true
	for offset, rest := 1, literal[1:len(literal)-1]; rest != ""; {
		char, behind := rest[0], rest[1:]
		if literal[0] == '"' {
			value, _, tail, err := strconv.UnquoteChar(rest, '"')
			if err != nil {
				return nil
			}
			char, behind = byte(min(value, 'x')), tail
		}
		switch {
		case char == '\n':
			isEmpty = true
		case isEmpty && !strings.ContainsRune(" \t\r", rune(char)):
			offsets, isEmpty = append(offsets, offset), false
		}
		offset, rest = offset+len(rest)-len(behind), behind
	}
	return offsets
}
