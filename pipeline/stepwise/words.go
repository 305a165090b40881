package stepwise

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"polytune/pipeline/variant"
	"polytune/schedule"
	"polytune/schedule/command"
)

// word is a line that is no command of the recipe.
type word struct {
	usage, doc string
	do         func(s *Session, ctx context.Context, w io.Writer, rest string) error
}

// words are these lines, by their first words.
var words map[string]word

func init() {
	words = map[string]word{
		"undo":    {"undo", "take the last line back", (*Session).undo},
		"show":    {"show", "the recipe", (*Session).show},
		"code":    {"code", "the C of the region", (*Session).code},
		"legal":   {"legal LOOP", "commands that are legal at a loop now, as one would type them", (*Session).legalAt},
		"check":   {"check", "build the program and compare it with the original bit for bit", (*Session).check},
		"time":    {"time", "time the program beside the original", (*Session).time},
		"explain": {"explain", "what the loops do, and why", (*Session).explain},
		"save":    {"save FILE", "write the recipe", (*Session).save},
		"help":    {"help [COMMAND]", "how lines are written", (*Session).help},
	}
}

// undo takes the last line back.
func (s *Session) undo(ctx context.Context, _ io.Writer, _ string) error {
	if len(s.lines) == 0 {
		return errors.New("there is no command to take back")
	}
	lines := s.lines[:len(s.lines)-1]
	now, err := s.judge(ctx, lines)
	if err == nil {
		s.lines, s.now = lines, now
	}
	return err
}

// show writes the recipe.
func (s *Session) show(_ context.Context, w io.Writer, _ string) error {
	_, err := io.WriteString(w, s.Recipe())
	return err
}

// whole says why the recipe is none yet that could be built.
func (s *Session) whole() error {
	switch {
	case s.now.tree == nil:
		return errors.New("there are no loops yet; the command original makes those of the source")
	case s.now.refused != nil:
		return errors.New("the order is not legal so far")
	}
	return nil
}

// variant is the one that the recipe makes.
func (s *Session) variant(ctx context.Context) (variant.Variant, error) {
	if err := s.whole(); err != nil {
		return variant.Variant{}, err
	}
	v, err := variant.Replay(ctx, s.now.filled.Target, s.now.filled.Recipe)
	if err != nil {
		return v, s.now.filled.Explain(ctx, err)
	}
	return v, nil
}

// code writes the lines of the program that are others than in the source.
func (s *Session) code(ctx context.Context, w io.Writer, _ string) error {
	v, err := s.variant(ctx)
	if err != nil {
		return err
	}
	unit := &s.now.filled.Target.Unit
	before, behind := bytes.SplitAfter(unit.Place(unit.Original), []byte("\n")), bytes.SplitAfter(v.Source, []byte("\n"))
	for len(before) > 0 && len(behind) > 0 && bytes.Equal(before[0], behind[0]) {
		before, behind = before[1:], behind[1:]
	}
	for len(before) > 0 && len(behind) > 0 && bytes.Equal(before[len(before)-1], behind[len(behind)-1]) {
		before, behind = before[:len(before)-1], behind[:len(behind)-1]
	}
	_, err = w.Write(bytes.Join(behind, nil))
	return err
}

// time times the variant beside the original.
func (s *Session) time(ctx context.Context, w io.Writer, _ string) error {
	v, err := s.variant(ctx)
	if err != nil {
		return err
	}
	return s.Time(ctx, w, s.now.filled.Target, v)
}

func (s *Session) check(ctx context.Context, w io.Writer, _ string) error {
	if err := s.whole(); err != nil {
		return err
	}
	return s.Check(ctx, w, s.now.filled.Text())
}

func (s *Session) explain(ctx context.Context, w io.Writer, _ string) error {
	if err := s.whole(); err != nil {
		return err
	}
	return s.Explain(ctx, w, s.now.filled.Text())
}

// save writes the recipe to a file.
func (s *Session) save(_ context.Context, w io.Writer, path string) error {
	if path == "" {
		return errors.New("the name of a file is missing; write save FILE")
	}
	if err := s.whole(); err != nil {
		return err
	}
	if err := os.WriteFile(path, []byte(s.Recipe()), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(w, "%s has the recipe now\n", path)
	return nil
}

// help says how lines are written.
func (s *Session) help(_ context.Context, w io.Writer, of string) error {
	specs := command.All.Specs()
	if of != "" {
		if known, is := words[of]; is {
			fmt.Fprintf(w, "%s\n  %s\n", known.usage, known.doc)
			return nil
		}
		k := slices.IndexFunc(specs, func(spec *schedule.Spec) bool { return spec.Word() == of })
		if k < 0 {
			return fmt.Errorf("there is no command %q; help alone lists them", of)
		}
		fmt.Fprintf(w, "%s\n  %s, such as: %s\n", specs[k].Syntax, specs[k].Doc, specs[k].Example)
		return nil
	}
	for _, spec := range specs {
		fmt.Fprintf(w, "%-60s %s\n", spec.Syntax, spec.Doc)
	}
	for _, name := range Words() {
		fmt.Fprintf(w, "%-60s %s\n", words[name].usage, words[name].doc)
	}
	return nil
}

// Words are the words of lines that are no commands of the recipe, in alphabetic order.
func Words() []string { return slices.Sorted(maps.Keys(words)) }
