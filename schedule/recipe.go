package schedule

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"polytune/isl"
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
	for k, program := range r.programs(p) {
		b.WriteString(Text(r[k], program))
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
	own, err := tree.Model(m)
	if err != nil {
		return nil, err
	}
	made := &lowered{slices.Clone(r), tree, tree.Schedule(own)}
	if err := context.Err(); err != nil {
		return nil, fmt.Errorf("schedule tree: %w", err)
	}
	context.Remember(asked, made)
	return made, nil
}

// Prove replays the recipe and proves the result legal. When it is not, the
// error is a *CommandError that names the command that made the order wrong, and wraps the
// *depend.Violation. As long as isl's objects are there,
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
		err = made.tree.check(g, made.schedule, true)
		if err == nil {
			context.Remember(asked, true)
		}
	}
	if errors.As(err, new(*depend.Violation)) {
		return nil, mark.Schedule{}, r.blame(g, err)
	}
	return made.tree, made.schedule, err
}

// Check is Prove for whoever wants to know whether the recipe is legal, and not which command is not.
func (r Recipe) Check(g *depend.Graph) error {
	tree, err := r.Replay(g.Model.Program)
	if err != nil {
		return err
	}
	own, err := tree.Model(g.Model)
	if err != nil {
		return err
	}
	return tree.check(g, tree.Schedule(own), true)
}

// mostBlamed is the number of commands of which each is looked at; of more half are left out at a
// time, so that a command may be named that another one has mended meanwhile.
const mostBlamed = 64

// blame finds the command that made the order wrong: the one behind the longest beginning of the
// recipe that reverses no dependence. What is wrong in between, and mended by the next command, does
// not count. A recipe that only leaves instances unordered is blamed as a whole.
func (r Recipe) blame(g *depend.Graph, whole error) error {
	p := g.Model.Program
	legal, illegal, wrong := 0, len(r), r.reversed(g, len(r))
	switch {
	case isl.IsLimit(wrong):
		return whole
	case wrong == nil:
		return r.blameClaim(g, whole)
	}
	for illegal-legal > 1 {
		next := illegal - 1
		if len(r) > mostBlamed {
			next = (legal + illegal) / 2
		}
		found := r.reversed(g, next)
		switch {
		case isl.IsLimit(found):
			return whole
		case found == nil:
			legal = next
		default:
			illegal, wrong = next, found
		}
	}
	return &CommandError{Line: illegal, Text: r.line(p, illegal-1), Err: wrong}
}

// blameClaim finds the command that asks for what cannot be, such as a barrier where no threads are: the
// one behind a legal beginning of the recipe, from which on all beginnings are refused for one reason.
func (r Recipe) blameClaim(g *depend.Graph, whole error) error {
	if errors.As(whole, new(*depend.Violation)) || len(r) > mostBlamed {
		return whole
	}
	for line := len(r); line > 0; line-- {
		switch before := r.wrong(g, line-1, true); {
		case before == nil:
			return &CommandError{Line: line, Text: r.line(g.Model.Program, line-1), Err: whole}
		case before.Error() != whole.Error():
			return whole
		}
	}
	return whole
}

// reversed is why so many of the commands reverse a dependence, nil where they reverse none.
func (r Recipe) reversed(g *depend.Graph, commands int) error { return r.wrong(g, commands, false) }

// wrong is why the schedule of so many of the commands is illegal, as a complete one or as the beginning
// of one, nil where it is not.
func (r Recipe) wrong(g *depend.Graph, commands int, complete bool) error {
	tree, err := r.Beginning(commands, g.Model.Program)
	if err != nil || tree.Classes == nil {
		return err
	}
	own, err := tree.Model(g.Model)
	if err != nil {
		return err
	}
	return tree.check(g, tree.Schedule(own), complete)
}

// Blame is the error of a proof of the recipe, with the command that made the order wrong where it
// names none yet.
func (r Recipe) Blame(g *depend.Graph, err error) error {
	if errors.As(err, new(*CommandError)) || isl.IsLimit(err) || len(r) == 0 {
		return err
	}
	return r.blame(g, err)
}

// Beginning is the tree behind so many of the commands. It may have no classes yet.
func (r Recipe) Beginning(commands int, p *scop.Program) (*Tree, error) { return r[:commands].apply(p) }
