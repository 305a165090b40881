package main

import (
	"slices"

	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/transform"
	"polytune/transform/hyperplane"
)

// counts are numbers of variants that were built and compared: Nested those whose structure has
// several levels, Signed those whose structure needs reversed loops, Split those of programs in
// pieces, PlutoPlus those of that model, Diamonds and SecondLevel those in which tiles start
// together, or are tiled, Registers those with register blocks, Teams those with teams of threads,
// Relays those with relays, Contracted those with arrays that have elements for one tile, Copied
// those with copies of elements, Shifted those with a statement that is, and Fused those with parts
// that are. Kernels is the number of variants that ran on devices.
type counts struct {
	Variants, Nested, Signed, Split, PlutoPlus, Diamonds, SecondLevel, Registers, Teams, Relays, Contracted, Copied, Shifted, Fused, Kernels int
	// Ranks are the variants on several ranks that were interpreted, and RefusedRanks those that ranks
	// cannot run.
	Ranks, RefusedRanks int
	// Hexagons are tilings by hexagons that were compared, on threads and as kernels, and Refused
	// those that a stencil has not.
	Hexagons, Refused int
	// Opened are variants of recipes that leave something open, Completed those to which the models
	// have added something, and Stored those with an array's elements at other places.
	Opened, Completed, Stored int
}

func (c *counts) add(more counts) {
	c.Variants += more.Variants
	c.Nested += more.Nested
	c.Signed += more.Signed
	c.Split += more.Split
	c.PlutoPlus += more.PlutoPlus
	c.Diamonds += more.Diamonds
	c.SecondLevel += more.SecondLevel
	c.Registers += more.Registers
	c.Teams += more.Teams
	c.Relays += more.Relays
	c.Contracted += more.Contracted
	c.Copied += more.Copied
	c.Shifted += more.Shifted
	c.Fused += more.Fused
	c.Kernels += more.Kernels
	c.Ranks += more.Ranks
	c.RefusedRanks += more.RefusedRanks
	c.Hexagons += more.Hexagons
	c.Refused += more.Refused
	c.Opened += more.Opened
	c.Completed += more.Completed
	c.Stored += more.Stored
}

// one counts a variant.
func one(program *scop.Program, from structure, options transform.Options, recipe schedule.Recipe) counts {
	number := func(is bool) int {
		if is {
			return 1
		}
		return 0
	}
	return counts{Variants: 1, Nested: number(len(from.nest) > 1), Signed: number(from.options.Signed), Split: number(len(program.Cuts) > 0),
		PlutoPlus: number(options.Model == hyperplane.PlutoPlus), Diamonds: number(has[command.Diamond](recipe)), SecondLevel: number(options.SecondLevel),
		Registers: number(has[command.Registers](recipe)), Teams: number(has[command.Team](recipe)), Relays: number(has[command.Relay](recipe)), Contracted: number(has[command.Contract](recipe)),
		Copied: number(has[command.Copy](recipe)), Shifted: number(has[command.Shift](recipe)), Fused: number(has[command.Fuse](recipe))}
}

// has says whether a recipe has a command of a kind.
func has[C schedule.Command](recipe schedule.Recipe) bool {
	return slices.ContainsFunc(recipe, func(c schedule.Command) bool { _, is := c.(C); return is })
}
