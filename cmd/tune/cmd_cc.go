package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"polytune/ccwrap"
	"polytune/internal/usage"
	"polytune/target/gpu"
)

func newCCCommand(global *globalOptions) *cobra.Command {
	c := &cobra.Command{
		Use:   "cc [flags] [--] ARGUMENT…",
		Short: "Compile like the C compiler, with tuned regions in place",
		Long: `Call the C compiler with the arguments. A C file among them that has a #pragma
scop is compiled with the best variant in place that the database has for the
region, this machine and the compiler, if one is known to be faster. Everything else is done by the real
compiler as if it had been called itself, with its messages and exit status;
so it is where nothing is known of a region, and where a variant does not
compile. CC="tune cc --" makes it the compiler of a build; where that has to be one
word, tune-cc, a link to tune, is the same.

A region is known by what it computes, not by the file around it or the
compiler's arguments. Those that are given are used: without -fopenmp a variant
runs on one thread, and without -march=native in narrower vectors.

Regions that were tuned with --assume-no-alias or --assume-pure are read with the same
flags, or with the settings cc.assume_no_alias and cc.assume_pure
(TUNE_CC_ASSUME_NO_ALIAS=1, TUNE_CC_ASSUME_PURE="NAME …"); pragmas say it in the file.

Variants are for processors. Kernels of a GPU have a file of their own, which a build has to
compile, too, or text that a driver compiles: tune emit --target cuda|opencl writes them.

With --dispatch sizes, the setting cc.dispatch (TUNE_CC_DISPATCH=sizes), a region has
the best variants of all sizes, and chooses by its parameters as the program of tune
emit --dispatch sizes does.

The settings cc.compiler, cc.size, cc.machine, cc.any and cc.verbose, or
TUNE_CC_COMPILER, TUNE_CC_SIZE, TUNE_CC_MACHINE, TUNE_CC_ANY=1 and
TUNE_CC_VERBOSE=1, say what the real compiler is, which of several sizes counts,
for which machine, that the first variant is taken even if it is not known to be
faster, and that stderr gets a line about what was done. A cache of compilers belongs behind tune cc, as in
TUNE_CC_COMPILER="ccache gcc": in front of it, it would not notice new results.` + exitStatusHelp("75  interrupted by a signal", "else that of the real compiler"),
		Example:            "  tune cc -- -O3 -march=native -fopenmp -c kernel.c -o kernel.o\n  tune cc --db results.db -- -O2 -c kernel.c",
		DisableFlagParsing: true,
	}
	c.Flags().String("db", "", "the `database` of results (default $XDG_DATA_HOME/tune/tune.db)")
	c.Flags().String("compiler", "", "the real `compiler`, as words")
	c.Flags().String("size", "", "the problem `size` whose best variant is meant")
	c.Flags().String("machine", "", "the `machine` that programs are compiled for, by id or name; by default this one")
	c.Flags().String(dispatchFlag, "", "sizes: the best variants of all sizes are compiled, and the program chooses when it runs")
	c.Flags().Bool("any", false, "take the first variant, be it not known to be faster than the original")
	c.Flags().Bool("assume-no-alias", false, "pointers without restrict lead to different arrays")
	c.Flags().StringSlice("assume-pure", nil, "functions `NAME,…` without side effects; may be repeated")
	global.bind(c, map[string]string{"assume-no-alias": "cc.assume_no_alias", "assume-pure": "cc.assume_pure", "db": "db", "any": "cc.any", "compiler": "cc.compiler", dispatchFlag: "cc.dispatch", "size": "cc.size", "machine": "cc.machine"})
	c.RunE = func(c *cobra.Command, args []string) error {
		c.InitDefaultHelpFlag()
		c.LocalFlags() // gives it the flags that all commands have
		own, words := splitOwnFlags(c.Flags(), args)
		if target := deviceOf(words); target != "" && len(own)+len(words) == len(args) {
			return usage.Mistake(fmt.Errorf("tune cc makes one object of one file, for processors; kernels for %[1]s come with a program of the host's: tune emit --target %[1]s FILE -o OUT.c writes both", target))
		}
		if err := c.Flags().Parse(own); err != nil {
			return usage.Mistake(fmt.Errorf("%w; see tune cc --help", err))
		}
		if help, err := c.Flags().GetBool("help"); err == nil && help {
			return c.Help()
		}
		if len(words) == 0 {
			return usage.Mistake(errors.New("name the compiler's arguments, such as tune cc -- -O2 -c kernel.c; see tune cc --help"))
		}
		w := ccwrap.New(c.OutOrStdout(), c.ErrOrStderr(), words)
		if err := w.Configure(global.settings, len(own) > 0); err != nil {
			return err
		}
		return w.Run(c.Context())
	}
	return c
}

// deviceOf is the target with devices that the first of the words name with --target, as other
// commands take it, "" for none: compilers have such a flag, too, with other values.
func deviceOf(words []string) string {
	text := strings.Join(words[:min(len(words), 2)], " ")
	for _, name := range []string{gpu.CUDA.Name(), gpu.OpenCL.Name()} {
		if strings.HasPrefix(text+" ", "--target="+name+" ") || strings.HasPrefix(text+" ", "--target "+name+" ") {
			return name
		}
	}
	return ""
}

// splitOwnFlags parts our own flags from the compiler's arguments, which begin
// behind "--" or with the first word that is no flag of the set.
func splitOwnFlags(set *pflag.FlagSet, args []string) (own, words []string) {
	for i := 0; i < len(args); i++ {
		if args[i] == "--" {
			return args[:i], args[i+1:]
		}
		long, isLong := strings.CutPrefix(args[i], "--")
		name, _, attached := strings.Cut(long, "=")
		switch flag := set.Lookup(name); {
		case args[i] == "-h":
		case !isLong || flag == nil:
			return args[:i], args[i:]
		case !attached && flag.NoOptDefVal == "" && i+1 < len(args):
			i++
		}
	}
	return args, nil
}
