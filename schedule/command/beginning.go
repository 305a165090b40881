package command

import (
	"strings"

	"polytune/schedule"
	"polytune/scop"
)

// Beginning are the commands that a recipe of the program begins with: what has
// been done to the program itself.
func Beginning(p *scop.Program) schedule.Recipe {
	recipe := Cuts(p)
	if p.Reassociate {
		recipe = append(schedule.Recipe{Reassociate{}}, recipe...)
	}
	if len(p.Expansions) > 0 {
		recipe = append(schedule.Recipe{Expand{p.Room}}, recipe...)
	}
	if len(p.Placements) > 0 {
		recipe = append(schedule.Recipe{Inplace{}}, recipe...)
	}
	if len(p.Untiled) > 0 {
		recipe = append(schedule.Recipe{Untile{}}, recipe...)
	}
	for _, s := range p.Storages {
		recipe = append(recipe, placed(s))
	}
	return recipe
}

// beginning are the lines of a recipe's text that say what has been done to the program itself, in
// front of all others but cuts.
func beginning(text string) (lines []string) {
	for _, line := range schedule.Lines(text) {
		word, _, _ := strings.Cut(line, " ")
		switch word {
		case schedule.Name(Untile{}), schedule.Name(Inplace{}), schedule.Name(Expand{}), schedule.Name(Reassociate{}):
			lines = append(lines, line)
		default:
			return lines
		}
	}
	return lines
}

// Changes are the lines of a text that make another program for the commands in front of which they
// are read: those of its beginning, those that move arrays' elements, and those that split statements.
func Changes(text string) string {
	lines := beginning(text)
	for _, line := range schedule.Lines(text) {
		switch word, _, _ := strings.Cut(line, " "); word {
		case schedule.Name(Store{}), schedule.Name(Pad{}), schedule.Name(Cut{}):
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}
