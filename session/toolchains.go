package session

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"slices"
	"strings"

	"polytune/configs"
	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/runner"
	variants "polytune/space/variant"
	"polytune/target/registry"
	"polytune/tuner"
)

// FindToolchains finds the compilers of the settings, or those of programs on ranks, one for each
// number of ranks, the session's own first. That one of several is not there, or is there twice, is a
// usage error.
func FindToolchains(ctx context.Context, target *pipeline.Options, settings configs.Settings) ([]runner.Toolchain, error) {
	if target.IsOnRanks() {
		return rankToolchains(ctx, target, settings)
	}
	selected := registry.Default().Toolchains(settings)
	if err := checkCompilerNames(selected); err != nil {
		return nil, usage.Mistake(fmt.Errorf("--cc %s: %w; give the compiler such a name in the settings' toolchains", settings.Toolchain, err))
	}
	var list []runner.Toolchain
	for _, s := range selected {
		t, err := runner.FindToolchain(ctx, s)
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

// defaultRanks is the number of ranks where nobody asks for others.
const defaultRanks = 2

// rankToolchains are the compiler of the MPI library for each number of ranks, whose results are never
// mixed: ranks, launcher and library are part of a toolchain's identity.
func rankToolchains(ctx context.Context, target *pipeline.Options, settings configs.Settings) (list []runner.Toolchain, err error) {
	of, err := runner.FindToolchain(ctx, target.On.Toolchains(settings)[0])
	if err != nil {
		return nil, fmt.Errorf("%w; %s", err, pipeline.MPIAdvice)
	}
	numbers := target.Ranks.Numbers
	if len(numbers) == 0 {
		numbers = []int{defaultRanks}
	}
	for k, number := range numbers {
		if slices.Contains(numbers[:k], number) {
			return nil, usage.Mistake(fmt.Errorf("--ranks names %d twice", number))
		}
		t, err := of.OnRanks(ctx, settings.MPI.Launch, number)
		if err != nil {
			return nil, err
		}
		list = append(list, t)
	}
	return list, nil
}

// checkCompilerNames refuses names of which no axis can be made, where one is to be made.
func checkCompilerNames(selected []runner.ToolchainSpec) error {
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
