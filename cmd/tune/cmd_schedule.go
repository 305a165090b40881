package main

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"polytune/configs"
	"polytune/explain"
	"polytune/internal/exit"
	"polytune/internal/jsondoc"
	"polytune/pipeline"
	"polytune/pipeline/byhand"
	"polytune/pipeline/check"
	"polytune/pipeline/harness"
	"polytune/pipeline/stepwise"
	"polytune/pipeline/variant"
	"polytune/runner"
	"polytune/tuner/stat"
)

// scheduleOptions are those of tune schedule.
type scheduleOptions struct {
	variant.Request
	// beginning is the file of a recipe to begin with, "" for none.
	beginning string
	json      bool
}

func newScheduleCommand(global *globalOptions) *cobra.Command {
	o := &scheduleOptions{}
	c := &cobra.Command{
		Use:   "schedule TARGET",
		Short: "Write a recipe command by command",
		Long: `Read scheduling commands, one a line, from a terminal or a pipe. After each it
shows the loops with their names and what has been done to them, a + in front of
what is new, and says whether their order is legal so far. A command that cannot
be applied leaves the recipe as it was, and ends a pipe. One that breaks a
dependence stays, since the next one may mend it.

Begin with original, the loops of the source. Further words are undo, show, code,
legal LOOP, check, time, explain, save FILE, and help.` + exitStatusHelp("1   a command could not be applied, or the order is not legal at the end"),
		Example: "  tune schedule kernel.c\n  tune schedule kernel.c --recipe begun.recipe --param N=100\n  tune schedule --bench gemm --json < commands.txt",
		Args:    maximumArgs(1),
		RunE: func(c *cobra.Command, args []string) error {
			settings, err := global.settings()
			if err != nil {
				return err
			}
			return o.run(c.Context(), c.InOrStdin(), c.OutOrStdout(), c.ErrOrStderr(), args, settings)
		},
	}
	changeFlags(c.Flags(), &o.Target, &o.Splitting)
	modelFlags(c.Flags(), &o.Model)
	c.Flags().StringVar(&o.beginning, "recipe", "", "a `file` of commands to begin with")
	c.Flags().StringVar(&o.Params, "param", "", "parameter values, `NAME=NUMBER,…`, of trip counts and timings (default those of a benchmark's size large)")
	c.Flags().BoolVar(&o.json, "json", false, "print one JSON document at the end")
	bindCompilerSettings(global, c)
	return c
}

// scheduleReport is the JSON document.
type scheduleReport struct {
	Kernel string          `json:"kernel"`
	Steps  []stepwise.Step `json:"steps"`
	Legal  bool            `json:"legal"`
	Recipe string          `json:"recipe"`
}

// run reads lines until there are no more, or one fails that came from no terminal.
func (o *scheduleOptions) run(ctx context.Context, in io.Reader, w, stderr io.Writer, args []string, settings configs.Settings) error {
	machine, err := runner.Detect(settings.Machine.Name)
	if err != nil {
		return err
	}
	o.Threads = len(machine.TimingCPUs(settings.Threads))
	targets, err := o.Targets(ctx, stderr, args, machine, settings)
	if err == nil && len(targets) > 1 {
		err = fmt.Errorf("a recipe is for one region: %w", pipeline.SeveralRegions(targets))
	}
	if err != nil {
		return err
	}
	session, err := o.session(targets[0], args, machine, settings)
	if err != nil {
		return err
	}
	lines, err := o.lines(in, w, session)
	if err != nil {
		return err
	}
	report := scheduleReport{Kernel: targets[0].Name, Steps: []stepwise.Step{}}
	failed := false
	for lines.next() {
		step := session.Do(ctx, lines.text)
		report.Steps = append(report.Steps, step)
		if !o.json {
			printStep(w, &step, !lines.isTerminal)
		}
		if failed = step.Failed && !lines.isTerminal; failed {
			break
		}
	}
	report.Legal, report.Recipe = session.Legal(), session.Recipe()
	if o.json {
		err = jsondoc.Write(w, report)
	}
	if err = cmp.Or(err, lines.err); err == nil && (failed || !report.Legal) {
		return &exit.Quiet{Status: exit.Error}
	}
	return err
}

// session begins a session for a target.
func (o *scheduleOptions) session(t *pipeline.Target, args []string, machine runner.Machine, settings configs.Settings) (*stepwise.Session, error) {
	models, err := o.Model.Options(machine)
	if err != nil {
		return nil, err
	}
	values := t.Run.Parameters
	if len(values) == 0 {
		values = nil
	}
	return stepwise.New(t, stepwise.Options{
		Models: models, Values: values, Threads: o.Threads,
		Time: func(ctx context.Context, w io.Writer, at *pipeline.Target, v variant.Variant) error {
			return o.time(ctx, w, at, v, settings)
		},
		Check: func(ctx context.Context, w io.Writer, recipe string) error {
			return withRecipe(recipe, func(path string) error {
				c := checkOptions{Options: check.Options{Target: o.Target, Recipe: byhand.File{Path: path}, Model: o.Model}}
				return runCheck(ctx, w, &c, args, settings)
			})
		},
		Explain: func(ctx context.Context, w io.Writer, recipe string) error {
			return withRecipe(recipe, func(path string) error {
				e := explainOptions{Options: explain.Options{Request: variant.Request{Target: o.Target, Recipe: byhand.File{Path: path}, Model: o.Model, Partition: "smart"}, Size: "large", Params: o.Params}}
				return runExplain(ctx, w, w, &e, args, settings)
			})
		},
	}), nil
}

// certainty is that of the interval that time prints.
const certainty = 0.95

// time times a variant beside the original.
func (o *scheduleOptions) time(ctx context.Context, w io.Writer, t *pipeline.Target, v variant.Variant, settings configs.Settings) error {
	e := explain.Options{Request: o.Request}
	at, err := e.Place(ctx, settings)
	if err != nil {
		return err
	}
	values, err := t.Sizes("large", o.Params)
	if err != nil {
		return err
	}
	original, made, err := harness.Beside(ctx, &o.Target, t, v, at, values)
	if err != nil {
		return err
	}
	speedup, err := stat.Speedup(original, made, certainty)
	if err != nil {
		return err
	}
	first, _ := stat.Median(original)
	second, _ := stat.Median(made)
	_, err = fmt.Fprintf(w, "%.4g s, the original %.4g s: %.3g times as fast (%.3g to %.3g, %d rounds)\n", second, first, first/second, speedup.Low, speedup.High, len(made))
	return err
}

// withRecipe calls do with a file that has a recipe.
func withRecipe(recipe string, do func(path string) error) error {
	file, err := os.CreateTemp("", "tune-*.recipe")
	if err != nil {
		return err
	}
	defer os.Remove(file.Name())
	_, err = file.WriteString(recipe)
	if err = errors.Join(err, file.Close()); err != nil {
		return err
	}
	return do(file.Name())
}

// printStep prints what came of a line, behind the line itself where nobody has typed it.
func printStep(w io.Writer, step *stepwise.Step, echo bool) {
	if echo {
		fmt.Fprintf(w, "> %s\n", step.Command)
	}
	fmt.Fprint(w, step.Output)
	if isChanged := slices.Contains(step.Changed, true); isChanged && step.Nest != "" {
		for k, line := range strings.Split(step.Nest, "\n") {
			sign := " "
			if step.Changed[k] {
				sign = "+"
			}
			fmt.Fprintf(w, "%s %s\n", sign, line)
		}
	}
	switch {
	case step.Error != "":
		fmt.Fprintln(w, step.Error)
	case step.IsCommand && step.Nest != "":
		fmt.Fprintln(w, "legal")
	}
}

// scheduleLines are the lines that a session reads.
type scheduleLines struct {
	beginning  []string
	read       func() (string, error)
	isTerminal bool
	text       string
	err        error
}

// lines are those of the file to begin with, and those that are typed, or come out of a pipe.
func (o *scheduleOptions) lines(in io.Reader, w io.Writer, s *stepwise.Session) (*scheduleLines, error) {
	l := &scheduleLines{}
	if o.beginning != "" {
		text, err := os.ReadFile(o.beginning)
		if err != nil {
			return nil, fmt.Errorf("cannot read the recipe: %w", err)
		}
		l.beginning = strings.Split(strings.TrimSpace(string(text)), "\n")
	}
	if file, is := in.(*os.File); is && term.IsTerminal(int(file.Fd())) && !o.json {
		l.isTerminal = true
		l.read = typed(file, w, s)
		return l, nil
	}
	buffered := bufio.NewReader(in)
	l.read = func() (string, error) {
		text, err := buffered.ReadString('\n')
		if text != "" && errors.Is(err, io.EOF) {
			err = nil
		}
		return text, err
	}
	return l, nil
}

// next reads a line.
func (l *scheduleLines) next() bool {
	if len(l.beginning) > 0 {
		l.text, l.beginning = l.beginning[0], l.beginning[1:]
		return true
	}
	if l.text, l.err = l.read(); errors.Is(l.err, io.EOF) {
		l.err = nil
		return false
	}
	return l.err == nil
}

// typed reads lines that somebody types, with a history, and completes words by the tabulator key, or
// lists those that fit where there are several.
func typed(file *os.File, w io.Writer, s *stepwise.Session) func() (string, error) {
	terminal := term.NewTerminal(struct {
		io.Reader
		io.Writer
	}{file, w}, "> ")
	terminal.AutoCompleteCallback = func(line string, place int, key rune) (string, int, bool) {
		if key != '\t' {
			return "", 0, false
		}
		completed := s.Complete(line[:place])
		if fit := s.Fitting(line[:place]); completed == line[:place] && len(fit) > 1 {
			fmt.Fprintln(terminal, strings.Join(fit, " "))
		}
		return completed + line[place:], len(completed), true
	}
	return func() (string, error) {
		state, err := term.MakeRaw(int(file.Fd()))
		if err != nil {
			return "", err
		}
		line, err := terminal.ReadLine()
		return line, cmp.Or(term.Restore(int(file.Fd()), state), err)
	}
}
