// Package byhand has recipes that somebody has written: what their holes are filled with, and why
// they are refused, in the words of the source.
//
// # Where to find what
//
//   - what fills the holes of a recipe: fill.go; the axes: axes.go; what is read:
//     schedule/script.go; complete, and sizes: transform/complete.go, what a recipe says of loops:
//     said.go; in a session: pipeline/choices/byhand.go
//   - schedules of other tools in files: file.go
package byhand

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"polytune/algorithm"
	"polytune/internal/usage"
	"polytune/isl"
	"polytune/pipeline"
	"polytune/schedule"
	"polytune/schedule/refusal"
	"polytune/schedule/reuse"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/space"
	variants "polytune/space/variant"
	"polytune/transform"
)

// Recipe is one that somebody has written.
type Recipe struct {
	// Path is that of its file.
	Path string
	// Script is what it leaves open.
	Script *schedule.Script
}

// Open reads the recipe in a file. One that cannot be read is a *refusal.Refusal.
func Open(path string) (*Recipe, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("cannot read the recipe: %w", err)
	}
	return Read(path, string(text))
}

// Read is Open for the text of a file.
func Read(path, text string) (*Recipe, error) { return readPlaced(path, text, nil) }

// readPlaced reads a recipe whose lines stand at some places of the file, where there are any.
func readPlaced(path, text string, places map[int]algorithm.Position) (*Recipe, error) {
	r := &Recipe{Path: path}
	lines, err := reuse.Lines(path, text, os.ReadFile)
	if at := (*reuse.Error)(nil); errors.As(err, &at) {
		refused := &refusal.Refusal{File: at.File, Line: at.Line, Command: at.Text, Reason: at.Err.Error(), Err: err}
		if place, is := places[at.Line]; is && at.File == path {
			refused.Line, refused.Column = place.Line, place.Column
		}
		return nil, refused
	}
	for k := range lines {
		if place, is := places[lines[k].Number]; is {
			lines[k].Number, lines[k].Column = place.Line, place.Column
		}
	}
	if err == nil {
		r.Script, err = schedule.ReadScript(lines)
	}
	if at := (refusal.Source{Recipe: path, Lines: lines}).OfCommand(err); at != nil {
		return nil, at
	}
	if err != nil {
		return nil, &refusal.Refusal{File: path, Reason: err.Error(), Err: err}
	}
	return r, nil
}

// Choices are what is chosen of what a recipe leaves open.
type Choices struct {
	// Holes are the numbers for holes, by the holes' numbers; those of choices among commands count
	// these from 1. Holes without a number have their first value, or what the models or a proof say.
	Holes map[int]int64
	// Models is the setting of the models' axes with which they complete the recipe; axes without a
	// value have their defaults.
	Models variants.Setting
}

// Filled is a recipe without holes.
type Filled struct {
	// Recipe is for the program of Target.
	Target *pipeline.Target
	Recipe schedule.Recipe
	// Lines are those of its commands in the file, and Notes say what holes were filled with.
	Lines []schedule.Line
	Notes []string
	// Added are the last of the commands, which the models have added.
	Added schedule.Recipe
	// path is that of the file.
	path string
}

// Text is that of the recipe, without holes.
func (f *Filled) Text() string { return text(f.Lines) }

// Partition is the one that the recipe begins with.
func (f *Filled) Partition() space.Partition {
	return pipeline.RecipePartition(f.Recipe, f.Target.Unit.Program)
}

// Explain is an error of making the recipe's program, in the words of the source where it is that
// the recipe is refused.
func (f *Filled) Explain(ctx context.Context, err error) error {
	source := refusal.Source{Recipe: f.path, Program: f.Target.LinePath(), Lines: f.Lines}
	if isl.IsLimit(err) || ctx.Err() != nil {
		return err
	}
	if !isIllegal(err) {
		if r := source.OfCommand(err); r != nil {
			return r
		}
		return err
	}
	var r *refusal.Refusal
	failed := f.Target.WithGraph(ctx, func(g *depend.Graph) error {
		r = source.OfProof(g, f.Recipe, f.reads, phaseless(err))
		return nil
	})
	if failed != nil && r == nil {
		return err
	}
	return r
}

// isIllegal says whether an error is a proof's.
func isIllegal(err error) bool {
	return depend.IsIllegal(err) || strings.Contains(err.Error(), "illegal schedule")
}

// phaseless is an error without the phase in which it came.
func phaseless(err error) error {
	if phase := (*pipeline.PhaseError)(nil); errors.As(err, &phase) {
		return phase.Err
	}
	return err
}

// reads reads a text as a recipe of the target's program.
func (f *Filled) reads(p *scop.Program, text string) (schedule.Recipe, error) {
	return parse(p, text)
}

// text is that of lines.
func text(lines []schedule.Line) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(line.Text)
		b.WriteByte('\n')
	}
	return b.String()
}

// holePrefix is what the names of the axes of holes begin with.
const holePrefix = "hole."

// holeName is the name of the axis of a hole.
func holeName(number int) string { return holePrefix + strconv.Itoa(number) }

// ParseChoices reads choices: hole.1=32 hole.2=4, with blanks or commas between them. Where the
// models complete the recipe, there may be values of their axes for the target, too: tile=wide.
func (r *Recipe) ParseChoices(t *pipeline.Target, text string) (Choices, error) {
	choices := Choices{Holes: map[int]int64{}, Models: variants.Setting{}}
	var models []string
	for _, word := range strings.FieldsFunc(text, func(c rune) bool { return c == ' ' || c == ',' || c == '\t' }) {
		name, value, _ := strings.Cut(word, "=")
		number, isHole := strings.CutPrefix(name, holePrefix)
		if !isHole && r.Script.Complete > 0 {
			models = append(models, word)
			continue
		}
		hole, err := strconv.Atoi(number)
		chosen, failed := strconv.ParseInt(value, 10, 64)
		if !isHole || err != nil || failed != nil {
			return choices, fmt.Errorf("%q is no choice for a hole of %s; write hole.1=32", word, r.Path)
		}
		allowed, has := r.holes()[hole]
		switch {
		case !has:
			return choices, fmt.Errorf("%s has no hole %d; it has %d", r.Path, hole, len(r.holes()))
		case len(allowed) > 0 && !slices.Contains(allowed, chosen):
			return choices, fmt.Errorf("hole %d of %s has the values %s, not %d", hole, r.Path, strings.Trim(fmt.Sprint(allowed), "[]"), chosen)
		}
		choices.Holes[hole] = chosen
	}
	setting, err := completionsFor(t).Parse(strings.Join(models, " "))
	for _, word := range models {
		if axis, _, _ := strings.Cut(word, "="); err == nil {
			choices.Models[axis] = setting[axis]
		}
	}
	return choices, err
}

// holes are the values of the recipe's holes by their numbers: none for "?".
func (r *Recipe) holes() map[int][]int64 {
	all := map[int][]int64{}
	for _, line := range r.Script.Lines {
		if line.Choice > 0 {
			for k := range line.Options {
				all[line.Choice] = append(all[line.Choice], int64(k+1))
			}
		}
		for _, option := range line.Options {
			for _, hole := range option.Holes {
				all[hole.Number] = hole.Values
			}
		}
	}
	return all
}

// For is what a file says, filled for a target: with what the text of choices says, and the
// models' options.
func For(ctx context.Context, file File, choices string, t *pipeline.Target, options transform.Options) (*Filled, error) {
	r, err := file.Open(ctx, t)
	if err != nil {
		return nil, err
	}
	chosen, err := r.ParseChoices(t, choices)
	if err != nil {
		return nil, usage.Mistake(fmt.Errorf("a recipe says everything that --point could, but for its holes; leave out one of --recipe and --point: %w", err))
	}
	return r.Fill(ctx, t, chosen, options)
}
