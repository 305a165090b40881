package transform

import (
	_ "embed"
	"slices"
	"strings"
)

// served has, for each built-in kernel and each of some machines, the strategies that are taken by
// default: a line "KERNEL MACHINE: STRATEGY …". TestServed of cmd/tune computes it.
//
//go:embed served.txt
var served string

// Taken are the strategies that a kernel takes on a machine by default, in their order; known says
// that there is a line about it.
func Taken(kernel, machine string) (strategies []string, known bool) {
	for line := range strings.Lines(served) {
		if about, names, is := strings.Cut(line, ":"); is && about == kernel+" "+machine {
			return strings.Fields(names), true
		}
	}
	return nil, false
}

// Serves are the built-in kernels that take a strategy by default on one of the machines.
func Serves(strategy string) (kernels []string) {
	for line := range strings.Lines(served) {
		about, names, _ := strings.Cut(line, ":")
		kernel, _, _ := strings.Cut(about, " ")
		if slices.Contains(strings.Fields(names), strategy) && !slices.Contains(kernels, kernel) {
			kernels = append(kernels, kernel)
		}
	}
	return kernels
}

// TakenIn are the strategies that some decisions have taken, in their order.
func TakenIn(decisions []Decision) (strategies []string) {
	for _, s := range Strategies {
		if slices.ContainsFunc(decisions, func(d Decision) bool { return d.Taken && d.Strategy == s.Name }) {
			strategies = append(strategies, s.Name)
		}
	}
	return strategies
}
