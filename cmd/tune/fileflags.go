package main

import (
	"github.com/spf13/cobra"

	"polytune/pipeline/byhand"
)

// The flag of commands that take a schedule of another tool.
const (
	scheduleFlag = "schedule"
	scheduleHelp = "a `file` with a schedule of another tool, OpenScop's scatterings, an isl union map or an isl schedule tree,"
)

// recipeFlags adds the flags that name a recipe, or a schedule, one of them.
func recipeFlags(c *cobra.Command, file *byhand.File, about string) {
	c.Flags().StringVar(&file.Path, "recipe", "", about)
	c.Flags().Var(foreignFlag{file}, scheduleFlag, scheduleHelp+" to follow like a recipe")
	c.MarkFlagsMutuallyExclusive("recipe", scheduleFlag)
}

// foreignFlag is the path of a schedule.
type foreignFlag struct{ file *byhand.File }

func (f foreignFlag) Type() string { return "file" }

func (f foreignFlag) String() string {
	if f.file == nil || !f.file.Foreign {
		return ""
	}
	return f.file.Path
}

func (f foreignFlag) Set(path string) error {
	*f.file = byhand.File{Path: path, Foreign: true}
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
