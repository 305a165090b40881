package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"strings"

	"polytune/configs"
	"polytune/internal/usage"
	"polytune/runner"
	variants "polytune/space/variant"
	"polytune/tuner"
)

// severalCompilersHelp says what --cc gcc,clang means.
const severalCompilersHelp = `--cc gcc,clang makes the compiler an axis. The first one's original is the baseline;
each of the others builds the original, too, and those variants that are fastest
with the first (with --effort full all that the session begins with), and the search
goes on with all of them. A variant of another compiler has its name behind an @.
`

// findToolchains finds the compilers of the settings, the session's own first. That one
// of several is not there, or is there twice, is a usage error.
func findToolchains(ctx context.Context, settings configs.Settings) ([]runner.Toolchain, error) {
	selected := settings.SelectedToolchains()
	if err := checkCompilerNames(selected); err != nil {
		return nil, usage.Mistake(fmt.Errorf("--cc %s: %w; give the compiler such a name in the settings' toolchains", settings.Toolchain, err))
	}
	var list []runner.Toolchain
	for _, s := range selected {
		t, err := runner.FindToolchain(ctx, runner.ToolchainSpec(s))
		missing := errors.Is(err, exec.ErrNotFound) || errors.Is(err, fs.ErrNotExist)
		switch {
		case err != nil && missing && len(selected) > 1:
			return nil, usage.Mistake(fmt.Errorf("%w; %s", err, compilersText(ctx)))
		case err != nil:
			return nil, err
		}
		for _, other := range list {
			if other.Name == t.Name || other.ID == t.ID {
				return nil, usage.Mistake(fmt.Errorf("--cc %s names one compiler twice: %s and %s are both %s with the flags %s; leave one of them out",
					settings.Toolchain, other.Name, t.Name, t.Resolved, strings.Join(t.Flags, " ")))
			}
		}
		list = append(list, t)
	}
	return list, nil
}

// checkCompilerNames refuses names of which no axis can be made, where one is to be made.
func checkCompilerNames(selected []configs.Toolchain) error {
	for _, s := range selected {
		axis := variants.Axis{Name: tuner.CompilerAxis, Values: variants.Words(s.Name), Default: variants.Word(s.Name)}
		if _, err := variants.New([]variants.Axis{axis}, nil); err != nil && len(selected) > 1 {
			return err
		}
	}
	return nil
}

// compilersText says which compilers there are.
func compilersText(ctx context.Context) string {
	var names []string
	for _, c := range runner.Compilers(ctx) {
		names = append(names, c.Command)
	}
	if len(names) == 0 {
		return "there is none on PATH"
	}
	return "on PATH there are " + strings.Join(names, ", ")
}

// compilerAxis is the axis of the session's compilers; the default is its own.
func compilerAxis(compilers []runner.Toolchain) variants.Axis {
	names := make([]string, len(compilers))
	for k, t := range compilers {
		names[k] = t.Name
	}
	return variants.Axis{Name: tuner.CompilerAxis, About: "which compiler builds the program", Values: variants.Words(names...), Default: variants.Word(names[0])}
}

// seenBy are the machine as the compilers see it, by their names.
func seenBy(machine runner.Machine, compilers []runner.Toolchain) map[string]runner.Machine {
	seen := map[string]runner.Machine{}
	for _, t := range compilers {
		seen[t.Name] = machine.SeenBy(t)
	}
	return seen
}

// withCompilers adds what the further compilers build: the original, behind the first
// candidate, and with full effort all candidates. With less the tuner itself adds the
// fastest ones: all of them would multiply the time of a quick session.
func (p *probe) withCompilers(list []tuner.Candidate, effort tuner.Effort) []tuner.Candidate {
	if len(p.compilers) < 2 {
		return list
	}
	all := append([]tuner.Candidate{}, list[0])
	for _, t := range p.compilers[1:] {
		all = append(all, tuner.Candidate{Axis: tuner.CompilerSetting(t.Name, "")})
	}
	all = append(all, list[1:]...)
	if effort != tuner.Full {
		return all
	}
	for _, t := range p.compilers[1:] {
		for _, c := range list {
			all = append(all, tuner.Candidate{Partition: c.Partition, Axis: tuner.CompilerSetting(t.Name, c.Axis)})
		}
	}
	return all
}
