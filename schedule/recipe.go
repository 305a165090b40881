package schedule

import (
	"errors"
	"fmt"
	"strings"

	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// Recipe is a list of commands that makes a complete schedule.
type Recipe []Command

// CommandError is a command of a recipe that cannot be read or applied.
type CommandError struct {
	// Line is the command's line in the recipe, from 1.
	Line int
	Text string
	Err  error
}

func (e *CommandError) Error() string {
	return fmt.Sprintf("recipe line %d: %s: %v", e.Line, e.Text, e.Err)
}

func (e *CommandError) Unwrap() error { return e.Err }

// Text is the recipe with one command a line.
func (r Recipe) Text(p *scop.Program) string {
	var b strings.Builder
	for _, c := range r {
		b.WriteString(Text(c, p))
		b.WriteByte('\n')
	}
	return b.String()
}

// Replay applies the commands in order to an empty tree.
func (r Recipe) Replay(p *scop.Program) (*Tree, error) {
	t, err := r.apply(p)
	if err == nil && t.Classes == nil {
		err = errors.New("the recipe has no \"classes\" command, and does not begin with \"original\" or \"schedule\"")
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// apply is Replay for the beginning of a recipe, behind which there may be no classes yet.
func (r Recipe) apply(p *scop.Program) (*Tree, error) {
	t := NewTree(p)
	for k, c := range r {
		if err := t.Do(c); err != nil {
			return nil, r.failed(p, k, err)
		}
	}
	return t, nil
}

// Prove replays the recipe and proves the result legal. When it is not, the
// error is a *CommandError that names the first command after which some
// dependence runs backwards, and wraps the *depend.Violation.
func (r Recipe) Prove(g *depend.Graph) (*Tree, mark.Schedule, error) {
	tree, err := r.Replay(g.Model.Program)
	if err != nil {
		return nil, mark.Schedule{}, err
	}
	schedule := tree.Schedule(g.Model)
	if err := g.Model.Context.Err(); err != nil {
		return nil, mark.Schedule{}, fmt.Errorf("schedule tree: %w", err)
	}
	err = g.Check(schedule)
	var violation *depend.Violation
	if !errors.As(err, &violation) {
		return tree, schedule, err
	}
	return nil, mark.Schedule{}, r.blame(g, err)
}

// blame finds the first command after which a dependence is reversed; a
// recipe that only leaves instances unordered is blamed as a whole.
func (r Recipe) blame(g *depend.Graph, whole error) error {
	for k := range r {
		tree, err := r[:k+1].apply(g.Model.Program)
		if err != nil {
			return err
		}
		if tree.Classes == nil {
			continue
		}
		if err := g.CheckPrefix(tree.Schedule(g.Model)); err != nil {
			return &CommandError{Line: k + 1, Text: Text(r[k], g.Model.Program), Err: err}
		}
	}
	return whole
}
