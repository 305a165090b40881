package command

import (
	"polytune/schedule"
	"polytune/scop"
)

// All are the commands. Each file adds its own, so that nobody can read recipes without all of
// them.
var All = schedule.Language{}

// Parse reads a recipe of the program: one command a line; empty lines and what follows a "#" do
// not count. An error is a *schedule.CommandError.
func Parse(p *scop.Program, text string) (schedule.Recipe, error) { return All.Parse(p, text) }
