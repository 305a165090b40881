// Command tune is polytune's command line, see `tune --help`: a subcommand is in cmd_NAME.go, flags
// of the pipeline in targetflags.go; references_test.go and its like hold what the pages say.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"polytune/handout"
	"polytune/internal/exit"
	"polytune/internal/garbage"
	"polytune/internal/journal"
	"polytune/internal/usage"
	"polytune/pipeline"
	"polytune/tuner"
)

func main() {
	garbage.Allow()
	os.Exit(run(arguments(os.Args), os.Stdout, os.Stderr))
}

// compilerName is the name by which this program is tune cc, for what wants the compiler
// to be one word.
const compilerName = "tune-cc"

// arguments are those of the command line with the program's name in front.
func arguments(words []string) []string {
	switch {
	case len(words) == 0:
		return nil
	case filepath.Base(words[0]) == compilerName:
		return append([]string{"cc", "--"}, words[1:]...)
	}
	return joined(words[1:])
}

// joined puts the memory behind --expand, and what stands behind --dispatch, into one word with it:
// without a value these flags have one of their own, so that they take no word behind them.
func joined(words []string) []string {
	if words = slices.Clone(words); len(words) > 0 && words[0] == "cc" {
		return words
	}
	for k := 0; k+1 < len(words) && words[k] != "--"; k++ {
		_, noMemory := pipeline.ParseMemory(words[k+1])
		isValue := words[k] == "--expand" && noMemory == nil || words[k] == "--"+dispatchFlag && new(handout.Dispatch).Set(words[k+1]) == nil
		if isValue {
			words = slices.Replace(words, k, k+2, words[k]+"="+words[k+1])
		}
	}
	return words
}

// patience is how long a command may take to end after a signal. Whatever is
// finished is in the database by then; a computation inside isl, which cannot
// be told to stop, is left behind.
const patience = 4 * time.Second

// stopSignals end an interactive run or a batch job. A hang-up that nohup has
// told the program to ignore is none.
func stopSignals() []os.Signal {
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGUSR1, syscall.SIGUSR2}
	if !signal.Ignored(syscall.SIGHUP) {
		signals = append(signals, syscall.SIGHUP)
	}
	return signals
}

// run executes one command line and returns its exit status. Signals that end
// a batch job cancel the command's context.
func run(args []string, stdout, stderr io.Writer) int {
	journal.Discard()
	ctx, stop := signal.NotifyContext(context.Background(), stopSignals()...)
	defer stop()
	if len(strings.Fields(os.Getenv("CC"))) > 1 {
		os.Unsetenv("CC") // such as "tune cc", of a build; the front end wants a single word
	}
	defer context.AfterFunc(ctx, func() { time.AfterFunc(patience, func() { abandon(stderr) }) })()
	root := newRootCommand()
	root.SetArgs(args)
	root.SetOut(stdout)
	root.SetErr(stderr)
	err := exit.Guarded(func() error { return root.ExecuteContext(ctx) })
	slog.Info("end", "status", exit.Status(err), "error", err)
	if err != nil && ctx.Err() != nil {
		err = &exit.With{Status: exit.Interrupted, Err: tuner.ErrInterrupted}
	}
	if err != nil && !errors.As(err, new(*exit.Quiet)) {
		fmt.Fprintf(stderr, "tune: %v\n", err)
	}
	return exit.Status(err)
}

// abandon ends the program where it stands.
func abandon(stderr io.Writer) {
	fmt.Fprintf(stderr, "tune: %v\n", tuner.ErrInterrupted)
	os.Exit(exit.Interrupted)
}

// maximumArgs allows n words behind the command; a first word behind "tune"
// itself that is neither a command nor a file is told from too many of them.
func maximumArgs(n int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if !c.HasParent() && isUnknownWord(args) {
			return unknownCommand(c, args[0])
		}
		if len(args) > n {
			text := "too many arguments: " + strings.Join(args, " ")
			if n == 1 && !slices.ContainsFunc(args, func(a string) bool { return filepath.Ext(a) != ".c" }) {
				text = fmt.Sprintf("%s takes one file, not %d; give it once for each", c.CommandPath(), len(args))
			}
			return usage.Mistake(fmt.Errorf("%s; see %s --help", text, c.CommandPath()))
		}
		return nil
	}
}
