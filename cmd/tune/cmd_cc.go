package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"polytune/configs"
	"polytune/internal/shellwords"
	"polytune/internal/usage"
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
	c.Flags().Bool("any", false, "take the first variant, be it not known to be faster than the original")
	global.bind(c, map[string]string{"db": "db", "any": "cc.any", "compiler": "cc.compiler", "size": "cc.size", "machine": "cc.machine"})
	c.RunE = func(c *cobra.Command, args []string) error {
		c.InitDefaultHelpFlag()
		c.LocalFlags() // gives it the flags that all commands have
		own, words := splitOwnFlags(c.Flags(), args)
		if err := c.Flags().Parse(own); err != nil {
			return usage.Mistake(fmt.Errorf("%w; see tune cc --help", err))
		}
		if help, err := c.Flags().GetBool("help"); err == nil && help {
			return c.Help()
		}
		if len(words) == 0 {
			return usage.Mistake(errors.New("name the compiler's arguments, such as tune cc -- -O2 -c kernel.c; see tune cc --help"))
		}
		w := &wrapper{stdout: c.OutOrStdout(), stderr: c.ErrOrStderr(), call: parseCCCall(words)}
		if err := w.configure(global, len(own) > 0); err != nil {
			return err
		}
		return w.run(c.Context())
	}
	return c
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

// wrapper is one call of tune cc.
type wrapper struct {
	stdout, stderr io.Writer
	settings       configs.Settings
	// compiler is the real compiler as words.
	compiler []string
	call     ccCall
}

// activeVariable is set for what tune cc executes, so that it finds out when
// that is tune cc again.
const activeVariable = "TUNE_CC_ACTIVE"

// run compiles. Trouble of our own never fails what the real compiler would do:
// then that is called with the words as they are.
func (w *wrapper) run(ctx context.Context) error {
	if w.call.unfit != "" {
		w.asItIs(w.call.place(), errors.New(w.call.unfit))
		return w.pass()
	}
	if len(w.call.regions) == 0 {
		return w.pass()
	}
	var tuned []ccTuned
	err := guarded(func() (err error) {
		tuned, err = w.variants(ctx)
		return err
	})
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		w.complain(err)
	}
	if len(tuned) == 0 {
		return w.pass()
	}
	done, err := w.compile(ctx, tuned)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		w.asItIs(tuned[0].path, err)
	}
	if !done {
		return w.pass()
	}
	return nil
}

// configure finds out the settings and the real compiler. Where no region is to
// be compiled and the environment names the compiler, the settings are not
// needed, unless some are given by flags. Settings that cannot be read are told,
// and those built in are used.
func (w *wrapper) configure(global *globalOptions, given bool) error {
	if os.Getenv(activeVariable) != "" {
		return errors.New("the compiler of tune cc is tune cc again; name the real one with TUNE_CC_COMPILER, or the setting cc.compiler")
	}
	named := os.Getenv("TUNE_CC_COMPILER")
	if named == "" || len(w.call.regions) > 0 || w.call.unfit != "" || given {
		var err error
		if w.settings, err = global.settings(); err != nil {
			fmt.Fprintf(w.stderr, "tune cc: the built-in settings are used: %s\n", firstLine(err.Error()))
			if w.settings, err = configs.Builtin(); err != nil {
				return err
			}
			w.settings.CC.Compiler = named
		}
		if named = w.settings.CC.Compiler; named == "" {
			w.compiler = []string{w.settings.SelectedToolchain().Command}
			return nil
		}
	}
	var err error
	if w.compiler, err = shellwords.Split(named); err == nil && len(w.compiler) == 0 {
		err = errors.New("it is empty")
	}
	if err != nil {
		return usage.Mistake(fmt.Errorf("the compiler of tune cc (TUNE_CC_COMPILER, cc.compiler), %q: %w", named, err))
	}
	w.takeOptions()
	return nil
}

// takeOptions makes options behind the name of the compiler, as in "gcc -std=c99", the
// first of its arguments.
func (w *wrapper) takeOptions() {
	end := len(w.compiler)
	for end > 1 && strings.HasPrefix(w.compiler[end-1], "-") {
		end--
	}
	if options := w.compiler[end:]; len(options) > 0 {
		w.compiler, w.call = w.compiler[:end], parseCCCall(slices.Concat(options, w.call.given))
	}
}

// say prints a line about what is done, if the user wants to know.
func (w *wrapper) say(format string, args ...any) {
	if w.settings.CC.Verbose {
		fmt.Fprintf(w.stderr, "tune cc: %s\n", firstLine(fmt.Sprintf(format, args...)))
	}
}

// asItIs says why the original is compiled.
func (w *wrapper) asItIs(place string, err error) { w.say("%s: compiled as it is: %v", place, err) }

// pass lets the real compiler take the place of this process, with the words as
// they are.
func (w *wrapper) pass() error {
	path, err := exec.LookPath(w.compiler[0])
	if err != nil {
		return fmt.Errorf("the compiler of tune cc: %w; name one that is there with TUNE_CC_COMPILER, or the setting cc.compiler", err)
	}
	argv := append(append([]string{}, w.compiler...), w.call.given...)
	err = syscall.Exec(path, argv, append(os.Environ(), activeVariable+"=1"))
	return fmt.Errorf("cannot execute %s: %w", path, err)
}
