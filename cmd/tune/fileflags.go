package main

import (
	"errors"

	"github.com/spf13/cobra"

	"polytune/pipeline/byhand"
)

// The flags of commands that take a recipe, or a schedule of another tool.
const (
	recipeFlag   = "recipe"
	scheduleFlag = "schedule"
	scheduleHelp = "a `file` with a schedule of another tool, OpenScop's scatterings, an isl union map or an isl schedule tree,"
)

// recipeFlags adds the flags that name a recipe, or a schedule, one of them.
func recipeFlags(c *cobra.Command, file *byhand.File, about string) {
	c.Flags().Var(fileFlag{file: file}, recipeFlag, about)
	c.Flags().Var(fileFlag{file, true}, scheduleFlag, scheduleHelp+" to follow like a recipe")
}

// fileFlag is the path of a recipe, or where foreign is set that of a schedule.
type fileFlag struct {
	file    *byhand.File
	foreign bool
}

func (f fileFlag) Type() string { return "file" }

func (f fileFlag) String() string {
	if f.file == nil || f.file.Foreign != f.foreign {
		return ""
	}
	return f.file.Path
}

func (f fileFlag) Set(path string) error {
	if f.file.IsGiven() && f.file.Foreign != f.foreign {
		return errors.New("a recipe and a schedule both say how loops run; give one")
	}
	*f.file = byhand.File{Path: path, Foreign: f.foreign}
	return nil
}

// filesFlag adds files to a list, those of schedules where foreign is set.
type filesFlag struct {
	files   *[]byhand.File
	foreign bool
}

func (f filesFlag) Type() string   { return "file" }
func (f filesFlag) String() string { return "" }

func (f filesFlag) Set(path string) error {
	*f.files = append(*f.files, byhand.File{Path: path, Foreign: f.foreign})
	return nil
}
