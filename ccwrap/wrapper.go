package ccwrap

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

	"polytune/configs"
	"polytune/internal/exit"
	"polytune/internal/oneline"
	"polytune/internal/shellwords"
	"polytune/internal/usage"
)

// Wrapper is one call of tune cc.
type Wrapper struct {
	stdout, stderr io.Writer
	settings       configs.Settings
	// compiler is the real compiler as words.
	compiler []string
	call     ccCall
}

// New is a call with the words behind tune cc.
func New(stdout, stderr io.Writer, words []string) *Wrapper {
	return &Wrapper{stdout: stdout, stderr: stderr, call: parseCCCall(words)}
}

// activeVariable is set for what tune cc executes, so that it finds out when
// that is tune cc again.
const activeVariable = "TUNE_CC_ACTIVE"

// Run compiles. Trouble of our own never fails what the real compiler would do:
// then that is called with the words as they are.
func (w *Wrapper) Run(ctx context.Context) error {
	if w.call.unfit != "" {
		w.asItIs(w.call.place(), errors.New(w.call.unfit))
		return w.pass()
	}
	if len(w.call.regions) == 0 {
		return w.pass()
	}
	var tuned []ccTuned
	err := exit.Guarded(func() (err error) {
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

// Configure finds out the settings and the real compiler. Where no region is to
// be compiled and the environment names the compiler, the settings are not
// needed, unless some are given by flags. Settings that cannot be read are told,
// and those built in are used.
func (w *Wrapper) Configure(settings func() (configs.Settings, error), given bool) error {
	if os.Getenv(activeVariable) != "" {
		return errors.New("the compiler of tune cc is tune cc again; name the real one with TUNE_CC_COMPILER, or the setting cc.compiler")
	}
	named := os.Getenv("TUNE_CC_COMPILER")
	if named == "" || len(w.call.regions) > 0 || w.call.unfit != "" || given {
		var err error
		if w.settings, err = settings(); err != nil {
			fmt.Fprintf(w.stderr, "tune cc: the built-in settings are used: %s\n", oneline.First(err.Error()))
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
func (w *Wrapper) takeOptions() {
	end := len(w.compiler)
	for end > 1 && strings.HasPrefix(w.compiler[end-1], "-") {
		end--
	}
	if options := w.compiler[end:]; len(options) > 0 {
		w.compiler, w.call = w.compiler[:end], parseCCCall(slices.Concat(options, w.call.given))
	}
}

// say prints a line about what is done, if the user wants to know.
func (w *Wrapper) say(format string, args ...any) {
	if w.settings.CC.Verbose {
		fmt.Fprintf(w.stderr, "tune cc: %s\n", oneline.First(fmt.Sprintf(format, args...)))
	}
}

// asItIs says why the original is compiled.
func (w *Wrapper) asItIs(place string, err error) { w.say("%s: compiled as it is: %v", place, err) }

// pass lets the real compiler take the place of this process, with the words as
// they are.
func (w *Wrapper) pass() error {
	path, err := exec.LookPath(w.compiler[0])
	if err != nil {
		return fmt.Errorf("the compiler of tune cc: %w; name one that is there with TUNE_CC_COMPILER, or the setting cc.compiler", err)
	}
	argv := append(append([]string{}, w.compiler...), w.call.given...)
	err = syscall.Exec(path, argv, append(os.Environ(), activeVariable+"=1"))
	return fmt.Errorf("cannot execute %s: %w", path, err)
}
