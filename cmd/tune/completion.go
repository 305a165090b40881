package main

import (
	"context"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"polytune/benchmarks"
	"polytune/configs"
	"polytune/internal/opendb"
	"polytune/pipeline"
	"polytune/scop/ranks"
	"polytune/store"
	"polytune/target/registry"
	"polytune/transform/hyperplane"
	"polytune/tuner"
	"polytune/tuner/search"
)

// complete lets shells complete the files of TARGET, and the values of flags.
func complete(root *cobra.Command, global *globalOptions) {
	fixed := func(values ...string) func() []string { return func() []string { return values } }
	values := map[string]func() []string{
		"bench":      benchmarkNames,
		"kernels":    benchmarkNames,
		"effort":     fixed(string(tuner.Quick), string(tuner.Normal), string(tuner.Full)),
		"strategy":   search.Names,
		"strategies": search.Names,
		"size":       fixed(benchmarks.SizeNames...),
		"sizes":      fixed(benchmarks.SizeNames...),
		"mode":       fixed("exact", "sc10"),
		"model":      hyperplane.Models,
		"partition":  fixed("smart", "max", "typed", "hybrid", "none"),
		"scheduler":  fixed(configs.Schedulers...),
		"target":     registry.Names,
		"timing":     fixed("total", "kernel"),
		"objective":  fixed(pipeline.Objectives...),
		"gather":     fixed(string(ranks.OnAll), string(ranks.OnRoot), string(ranks.OnNone)),
		dispatchFlag: fixed("machines", "sizes"),
		"machine":    func() []string { return known(global, machineNames) },
		"kernel":     func() []string { return known(global, kernelNames) },
	}
	for _, c := range append(root.Commands(), root) {
		for name, list := range values {
			if c.Flags().Lookup(name) != nil {
				completeFlag(c, name, list)
			}
		}
		if c != root && c.ValidArgsFunction == nil && (strings.Contains(c.Use, "TARGET") || strings.Contains(c.Use, " FILE.")) {
			c.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
				return []cobra.Completion{"c", "go"}, cobra.ShellCompDirectiveFilterFileExt
			}
		}
	}
	root.ValidArgsFunction = func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return nil, cobra.ShellCompDirectiveDefault
	}
}

// completeFlag lets shells complete the values of a flag.
func completeFlag(c *cobra.Command, name string, list func() []string) {
	cobra.CheckErr(c.RegisterFlagCompletionFunc(name, func(_ *cobra.Command, _ []string, begun string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return behindComma(list(), begun), cobra.ShellCompDirectiveNoFileComp
	}))
}

// behindComma are the values with those in front of them that are typed already.
func behindComma(values []string, begun string) []cobra.Completion {
	at := strings.LastIndexByte(begun, ',') + 1
	completions := make([]cobra.Completion, len(values))
	for k, v := range values {
		completions[k] = begun[:at] + v
	}
	return completions
}

// benchmarkNames are those of benchmarks with their suites and without, and of the suites.
func benchmarkNames() (names []string) {
	for _, b := range benchmarks.All() {
		names = append(names, b.Name, b.Kernel(), b.Suite())
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// known are names that the database has; there are none where it cannot be read.
func known(global *globalOptions, names func(context.Context, *store.Store) []string) []string {
	settings, err := global.settings()
	if err != nil {
		return nil
	}
	ctx := context.Background()
	db, err := opendb.Open(ctx, io.Discard, settings.DB, store.OpenReadOnly)
	if err != nil {
		return nil
	}
	defer db.Close()
	list := names(ctx, db)
	slices.Sort(list)
	return slices.Compact(list)
}

// machineNames are the names of the machines in a database, and the ids of those without one.
func machineNames(ctx context.Context, db *store.Store) (names []string) {
	sessions, _ := db.Sessions(ctx)
	for _, s := range sessions {
		names = append(names, s.MachineName)
	}
	return names
}

// kernelNames are the names of the kernels that were tuned.
func kernelNames(ctx context.Context, db *store.Store) (names []string) {
	sessions, _ := db.Sessions(ctx)
	for _, s := range sessions {
		names = append(names, s.KernelName)
	}
	return names
}
