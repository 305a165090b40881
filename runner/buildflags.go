package runner

import (
	"slices"
	"strings"
)

// flags are the toolchain's and the user's arguments. The stronger ones come
// last: the user's, but those of the toolchain for a checked program.
func (b *Builder) flags(job Job) []string {
	toolchain := b.options.Toolchain
	switch {
	case job.Check && job.Optimized:
		strict := slices.DeleteFunc(slices.Clone(toolchain.CheckFlags), isLevel)
		return slices.Concat(exact(toolchain.Flags), exact(b.options.Arguments), strict)
	case job.Check:
		return append(faithful(b.options.Arguments), toolchain.CheckFlags...)
	}
	return append(slices.Clone(toolchain.Flags), b.options.Arguments...)
}

// faithful leaves out the arguments that optimise, or that let a compiler
// round otherwise than the source says.
func faithful(arguments []string) []string {
	return slices.DeleteFunc(slices.Clone(arguments), func(argument string) bool { return isRounding(argument) || isLevel(argument) })
}

// exact leaves out the arguments that let a compiler round otherwise than the source says, and
// keeps how much it optimises: -Ofast is -O3 with such an argument.
func exact(arguments []string) []string {
	kept := slices.DeleteFunc(slices.Clone(arguments), isRounding)
	for i, argument := range kept {
		if argument == "-Ofast" {
			kept[i] = "-O3"
		}
	}
	return kept
}

// isRounding says whether an argument is about how numbers are rounded.
func isRounding(argument string) bool {
	return strings.HasPrefix(argument, "-f") && (strings.Contains(argument, "math") || strings.HasPrefix(argument, "-ffp-"))
}

// isLevel says whether an argument says how much to optimise.
func isLevel(argument string) bool { return strings.HasPrefix(argument, "-O") }
