package byhand

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"

	"polytune/algorithm"
	"polytune/pipeline"
	"polytune/pipeline/limit"
	"polytune/schedule"
	"polytune/schedule/foreign"
)

// File is one that says how loops run.
type File struct {
	// Path is "" for none.
	Path string
	// Foreign says that it is no recipe, but a schedule of another tool.
	Foreign bool
	// Text is a recipe that stands in the file beside other things, "" for one that is all of the
	// file.
	Text string
	// Places are those of its lines in the file, nil where they have the numbers of these.
	Places map[int]algorithm.Position
}

// OfTarget is the recipe that a Go program has for itself; none for C, and on devices where it names
// no blocks.
func OfTarget(t *pipeline.Target) File {
	if t.Algorithm == nil || t.Algorithm.Recipe == "" || t.IsOnDevice() && !strings.Contains(t.Algorithm.Recipe, "block ") {
		return File{}
	}
	path, text, places := t.Algorithm.PlacedRecipe()
	return File{Path: path, Text: text, Places: places}
}

// IsGiven says whether there is a file.
func (f File) IsGiven() bool { return f.Path != "" }

// Open reads the recipe in the file, or the one that gives a target the schedule in the file. One
// that cannot be read is a *refusal.Refusal or a *foreign.Error.
func (f File) Open(ctx context.Context, t *pipeline.Target) (*Recipe, error) {
	switch {
	case f.Text != "":
		return readPlaced(f.Path, f.Text, f.Places)
	case !f.Foreign:
		return Open(f.Path)
	}
	text, err := os.ReadFile(f.Path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the schedule: %w", err)
	}
	lines, err := foreignLines(ctx, t, string(text))
	if at := (*foreign.Error)(nil); errors.As(err, &at) && at.Line > 0 {
		return nil, fmt.Errorf("%s:%d: %w", f.Path, at.Line, errors.New(at.Reason))
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	return f.recipe(lines)
}

// recipe is the one with these commands.
func (f File) recipe(lines []schedule.Line) (r *Recipe, err error) {
	r = &Recipe{Path: f.Path}
	if r.Script, err = schedule.ReadScript(lines); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Path, err)
	}
	return r, nil
}

// foreignLines are the commands that give a target a schedule, with the line of the file in which
// that begins.
func foreignLines(ctx context.Context, t *pipeline.Target, text string) (lines []schedule.Line, err error) {
	if t.IsOnDevice() {
		return nil, fmt.Errorf("the schedule names no blocks and threads of a device (%s); take it for processors, or print its recipe and write block and thread behind it", t.On.Name())
	}
	beginning := foreign.Beginning(text)
	at, _, err := t.ReadRecipe(beginning + "original\n")
	if err != nil {
		return nil, fmt.Errorf("what has been done to the program before: %w", err)
	}
	c, _, end := limit.Context(ctx, limit.Attempt.Of(at.Unit.Program), t.Share)
	defer end()
	s, err := foreign.Parse(c, at.Unit.Program, text)
	if err != nil {
		return nil, err
	}
	commands, err := s.Commands(c, at.Whole, at.Unit.Program.Cuts)
	if err != nil {
		return nil, err
	}
	for _, command := range append(strings.FieldsFunc(beginning, func(r rune) bool { return r == '\n' }), commands...) {
		lines = append(lines, schedule.Line{Number: s.Line, Text: command})
	}
	return lines, nil
}
