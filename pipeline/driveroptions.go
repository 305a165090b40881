package pipeline

import (
	"fmt"

	"polytune/internal/usage"
)

// DriverOptions say what a generated driver cannot know of a function.
type DriverOptions struct {
	// Extents are those of array arguments, NAME=N,M in C expressions over the function's sizes.
	Extents []string
	// Init is a C file that defines FUNCTION_init, "" for none.
	Init string
}

// noneFor refuses what is for a driver where a program runs as a whole, which makes and fills its
// data itself.
func (o *DriverOptions) noneFor(program string) error {
	flag := ""
	switch {
	case len(o.Extents) > 0:
		flag = "--extent"
	case o.Init != "":
		flag = "--init"
	default:
		return nil
	}
	return usage.Mistake(fmt.Errorf("%s is for functions that are called by a driver: %s is run as a whole program, which makes its data itself", flag, program))
}
