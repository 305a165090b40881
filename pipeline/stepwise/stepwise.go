// Package stepwise makes a recipe command by command. After each it says which loops there are, and
// whether their order is legal so far.
package stepwise

import (
	"context"
	"errors"
	"io"
	"slices"
	"strings"

	"polytune/pipeline"
	"polytune/pipeline/byhand"
	"polytune/pipeline/variant"
	"polytune/schedule"
	"polytune/schedule/profile"
	"polytune/scop/depend"
	"polytune/transform"
)

// Options are those of a session.
type Options struct {
	// Models are the models' options, for holes that they fill.
	Models transform.Options
	// Values are the program's parameters for trip counts; nil where there are none.
	Values map[string]int
	// Threads is the number of threads that the code runs on.
	Threads int
	// Check builds the program of a recipe's text and compares it with the original, and Explain
	// explains its loops; Time times a variant of a target beside the original. They write what came
	// of it.
	Check, Explain func(ctx context.Context, w io.Writer, recipe string) error
	Time           func(ctx context.Context, w io.Writer, t *pipeline.Target, v variant.Variant) error
}

// Session is a recipe in the making.
type Session struct {
	Options
	target *pipeline.Target
	// lines are those of the recipe, as they were typed; a definition is one of them.
	lines []string
	// definition is one that has no end yet.
	definition string
	now        state
}

// state is what the recipe makes.
type state struct {
	filled *byhand.Filled
	// settled is the recipe with the loops' own names, and what its commands find.
	settled schedule.Recipe
	tree    *schedule.Tree
	// refused says why the order is not legal, nil where it is.
	refused error
	nest    string
}

// Step is what came of a line.
type Step struct {
	Command string `json:"command"`
	// Legal says whether the order is, Error why the line could not be done, or why the order is not
	// legal.
	Legal bool   `json:"legal"`
	Error string `json:"error,omitempty"`
	// Nest are the loops behind it.
	Nest string `json:"nest"`
	// Output is what the line asked for, or what was chosen for holes.
	Output string `json:"output,omitempty"`
	// Failed says that the line could not be done, so that the recipe is what it was, IsCommand that
	// it is one of the recipe, or takes one back.
	Failed    bool `json:"-"`
	IsCommand bool `json:"-"`
	// Changed are the lines of Nest that were not there before.
	Changed []bool `json:"-"`
}

// New is a session for a target, which begins without commands.
func New(target *pipeline.Target, o Options) *Session { return &Session{Options: o, target: target} }

// Legal says whether the recipe makes a legal order.
func (s *Session) Legal() bool { return s.now.tree != nil && s.now.refused == nil }

// Recipe is the text of the recipe, as it was typed.
func (s *Session) Recipe() string { return textOf(s.lines) }

func textOf(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// Do does what a line says: one of the words of words, or a command of the recipe.
func (s *Session) Do(ctx context.Context, line string) Step {
	line = strings.TrimSpace(line)
	step := Step{Command: line}
	before := strings.Split(s.now.nest, "\n")
	first, rest, _ := strings.Cut(line, " ")
	var err error
	switch word, is := words[first]; {
	case s.definition != "" || first == "define":
		step.Output, err = s.define(ctx, line)
	case is:
		var b strings.Builder
		err = word.do(s, ctx, &b, strings.TrimSpace(rest))
		step.Output, step.IsCommand = b.String(), first == "undo"
	case line != "" && !strings.HasPrefix(line, "#"):
		step.IsCommand = true
		step.Output, err = s.add(ctx, line)
	}
	step.Failed, step.Legal, step.Nest = err != nil, s.now.refused == nil, s.now.nest
	if err = errors.Join(err, s.now.refused); err != nil {
		step.Error = err.Error()
	}
	for _, l := range strings.Split(step.Nest, "\n") {
		step.Changed = append(step.Changed, !slices.Contains(before, l))
	}
	return step
}

// define takes a line of a definition.
func (s *Session) define(ctx context.Context, line string) (output string, err error) {
	s.definition += line + "\n"
	if line != "end" {
		return "", nil
	}
	whole := strings.TrimSpace(s.definition)
	s.definition = ""
	return s.add(ctx, whole)
}

// add puts a line behind the recipe, if it can be read and applied.
func (s *Session) add(ctx context.Context, line string) (output string, err error) {
	lines := append(slices.Clone(s.lines), line)
	now, err := s.judge(ctx, lines)
	if err != nil {
		return "", err
	}
	s.lines, s.now = lines, now
	if now.filled == nil {
		return "", nil
	}
	return textOf(now.filled.Notes), nil
}

// recipeName is the name of the recipe in messages.
const recipeName = "line"

// judge finds what some lines make.
func (s *Session) judge(ctx context.Context, lines []string) (now state, err error) {
	r, err := byhand.Read(recipeName, textOf(lines))
	if errors.Is(err, schedule.ErrNoCommand) {
		return state{}, nil
	}
	if err != nil {
		return state{}, err
	}
	if now.filled, err = r.Fill(ctx, s.target, byhand.Choices{}, s.Models); err != nil {
		return state{}, err
	}
	proven := error(nil)
	err = now.filled.Target.WithGraph(ctx, func(g *depend.Graph) error {
		recipe, from, err := now.filled.Recipe.Settled(g)
		if err != nil {
			return err
		}
		tree, err := recipe.Beginning(len(recipe), g.Model.Program)
		if err != nil || tree.Classes == nil {
			return err
		}
		now.tree, now.settled = tree, recipe
		if now.nest, err = s.nest(g, tree); err != nil {
			return err
		}
		_, _, proven = recipe.Prove(g)
		proven = now.filled.Recipe.Blamed(g.Model.Program, from, proven)
		return nil
	})
	if err != nil {
		return state{}, now.filled.Explain(ctx, err)
	}
	if proven != nil {
		now.refused = now.filled.Explain(ctx, proven)
	}
	return now, nil
}

// nest is the text of a tree's loops, with trip counts where there are values of parameters.
func (s *Session) nest(g *depend.Graph, tree *schedule.Tree) (string, error) {
	var trips map[string]float64
	if s.Values != nil || len(g.Model.Program.Parameters) == 0 {
		var err error
		if trips, err = profile.Trips(g.Model.Context, tree, s.Values); err != nil {
			trips = nil
		}
	}
	return nestText(tree, trips, s.Threads), g.Model.Context.Err()
}
