package schedule

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
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
		err = errors.New("the recipe has no \"classes\" command")
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
		if err := c.Apply(t); err != nil {
			return nil, &CommandError{Line: k + 1, Text: Text(c, p), Err: err}
		}
	}
	return t, nil
}

// Lower replays the recipe and makes the schedule tree of the result. As long as isl's objects are
// there, it is made once; nobody changes it.
func (r Recipe) Lower(m *scop.Model) (*Tree, mark.Schedule, error) {
	made, err := r.lower(m)
	if err != nil {
		return nil, mark.Schedule{}, err
	}
	return made.tree, made.schedule, nil
}

// lowered is a recipe with what it makes.
type lowered struct {
	recipe   Recipe
	tree     *Tree
	schedule mark.Schedule
}

func (r Recipe) lower(m *scop.Model) (*lowered, error) {
	type question struct {
		model  *scop.Model
		recipe string
	}
	context, asked := m.Context, question{m, r.Text(m.Program)}
	if known, is := context.Remembered(asked).(*lowered); is && reflect.DeepEqual(known.recipe, r) && context.Err() == nil {
		return known, nil
	}
	tree, err := r.Replay(m.Program)
	if err != nil {
		return nil, err
	}
	made := &lowered{slices.Clone(r), tree, tree.Schedule(m)}
	if err := context.Err(); err != nil {
		return nil, fmt.Errorf("schedule tree: %w", err)
	}
	context.Remember(asked, made)
	return made, nil
}

// Prove replays the recipe and proves the result legal. When it is not, the
// error is a *CommandError that names the first command after which some
// dependence runs backwards, and wraps the *depend.Violation. As long as isl's objects are there,
// a recipe that is proven for a graph, as by a model that tries it, is not proven for it again.
func (r Recipe) Prove(g *depend.Graph) (*Tree, mark.Schedule, error) {
	type question struct {
		graph *depend.Graph
		proof *lowered
	}
	context := g.Model.Context
	made, err := r.lower(g.Model)
	if err != nil {
		return nil, mark.Schedule{}, err
	}
	asked := question{g, made}
	if context.Remembered(asked) == nil {
		err = g.Check(made.schedule)
		if err == nil {
			context.Remember(asked, true)
		}
	}
	if errors.As(err, new(*depend.Violation)) {
		return nil, mark.Schedule{}, r.blame(g, err)
	}
	return made.tree, made.schedule, err
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
