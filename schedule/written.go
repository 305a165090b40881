package schedule

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"polytune/internal/pattern"
	"polytune/scop"
	"polytune/scop/depend"
)

// withLoops is a command with other names of the loops that its arguments name, and of the nodes
// where isNode says that these are none.
func withLoops(c Command, isNode func(string) bool, other func(string) string) Command {
	if open, is := c.(Open); is {
		return Open{Command: withLoops(open.Command, isNode, other), Holes: open.Holes}
	}
	s := specOf(c)
	if s == nil {
		return c
	}
	command := reflect.New(reflect.TypeOf(c)).Elem()
	command.Set(reflect.ValueOf(c))
	fields := fieldsOf(command)
	eachArgument(s.elements, func(kind string) {
		field := fields[0]
		fields = fields[1:]
		switch kind {
		case "LOOP":
			field.SetString(other(field.String()))
		case "LOOPS":
			field.Set(reflect.ValueOf(each(field.Interface().([]string), other)))
		case "NODE":
			field.SetString(nodeOr(isNode, other)(field.String()))
		case "NODES":
			field.Set(reflect.ValueOf(each(field.Interface().([]string), nodeOr(isNode, other))))
		}
	})
	return command.Interface().(Command)
}

// statementsOf are the statements that a command's arguments name.
func statementsOf(c Command) (named []int) {
	if open, is := c.(Open); is {
		c = open.Command
	}
	s := specOf(c)
	if s == nil {
		return nil
	}
	fields := fieldsOf(reflect.ValueOf(c))
	eachArgument(s.elements, func(kind string) {
		switch kind {
		case "STATEMENT":
			named = append(named, int(fields[0].Int()))
		case "STATEMENTS":
			named = append(named, fields[0].Interface().([]int)...)
		}
		fields = fields[1:]
	})
	return named
}

// eachArgument visits the fields that elements stand for, with the kinds of those that are
// arguments and "" for others.
func eachArgument(elements []element, visit func(kind string)) {
	for _, e := range elements {
		switch {
		case e.optional != nil && !e.isFlag():
			eachArgument(e.optional, visit)
		case e.fields() > 0:
			visit(e.kind)
		}
	}
}

func each(names []string, other func(string) string) []string {
	changed := slices.Clone(names)
	for k, name := range names {
		changed[k] = other(name)
	}
	return changed
}

// nodeOr leaves the names of nodes.
func nodeOr(isNode func(string) bool, other func(string) string) func(string) string {
	return func(name string) string {
		if isNode(name) {
			return name
		}
		return other(name)
	}
}

// isNode says whether a node has the name.
func (t *Tree) isNode(name string) bool {
	_, err := t.Node(name)
	return err == nil
}

// InOwnNames is a command with the own names of the loops of a tree that it names.
func (t *Tree) InOwnNames(c Command) Command { return withLoops(c, t.isNode, t.own) }

// InWrittenNames is a command with names of the source, or of a recipe, for the loops that it
// names.
func (t *Tree) InWrittenNames(c Command) Command { return withLoops(c, t.isNode, t.Written) }

// Do applies a command whose loops have any of their names; an error has those of the command.
func (t *Tree) Do(c Command) error {
	if err := t.checkStatements(statementsOf(c)); err != nil {
		return err
	}
	written := map[string]string{}
	own := withLoops(c, t.isNode, func(name string) string {
		own := t.own(name)
		if own != name {
			written[own] = name
		}
		return own
	})
	err := own.Apply(t)
	if err == nil || len(written) == 0 {
		return err
	}
	text := err.Error()
	for own, name := range written {
		text = strings.ReplaceAll(text, fmt.Sprintf("%q", own), fmt.Sprintf("%q", name))
	}
	if text == err.Error() {
		return err
	}
	return &inNames{err, text}
}

// inNames is an error with the names of loops that somebody has written.
type inNames struct {
	error
	text string
}

func (e *inNames) Error() string { return e.text }

func (e *inNames) Unwrap() error { return e.error }

// NamedText is the text of the recipe with names of the source, S1.k, or those that the recipe has
// given, for loops; a command that cannot be applied, and those behind it, are as they are.
func (r Recipe) NamedText(p *scop.Program) string {
	named, t := slices.Clone(r), NewTree(p)
	for k, c := range r {
		named[k] = t.InWrittenNames(c)
		if t.Do(c) != nil {
			break
		}
	}
	return named.Text(p)
}

// Finder is a command that finds what it does by the dependences, and stands for others that say
// it.
type Finder interface {
	Command
	// Found are these, with the own names of loops; nil for the command itself.
	Found(t *Tree, g *depend.Graph) ([]Command, error)
}

// Settled is the recipe with the own names of loops, and with what its commands find by the
// dependences. from are, for each of its commands, the place of the one in the recipe that it is.
func (r Recipe) Settled(g *depend.Graph) (settled Recipe, from []int, err error) {
	p, t := g.Model.Program, NewTree(g.Model.Program)
	for k, c := range r {
		commands, err := t.found(c, g)
		for _, own := range commands {
			if err == nil {
				err = t.Do(own)
			}
			settled, from = append(settled, own), append(from, k)
		}
		if err != nil {
			return nil, nil, r.failed(p, k, err)
		}
	}
	return settled, from, nil
}

// Blamed is an error about a command of the settled recipe as one about the recipe's own command.
func (r Recipe) Blamed(p *scop.Program, from []int, err error) error {
	if at := (*CommandError)(nil); errors.As(err, &at) && at.Line <= len(from) {
		at.Line = from[at.Line-1] + 1
		at.Text = r.line(p, at.Line-1)
	}
	return err
}

// found are the commands that a command stands for, with the own names of loops.
func (t *Tree) found(c Command, g *depend.Graph) ([]Command, error) {
	own := t.InOwnNames(c)
	finder, is := own.(Finder)
	if !is {
		return []Command{own}, nil
	}
	g, err := t.Graph(g)
	if err != nil {
		return nil, err
	}
	commands, err := finder.Found(t, g)
	if commands == nil {
		commands = []Command{own}
	}
	return commands, err
}

// ownLoop finds names like those that loops have by themselves.
var ownLoop = pattern.New(`\bc[0-9]+[\w.]*\.[0-9]+[a-z]*\b`)

// ownNode finds names like those that nodes, and loops, have by themselves.
var ownNode = pattern.New(`\bc[0-9]+\b`)

// InWords is a text about loops of the tree with the names of the source, or of a recipe, in the place
// of loops' own names, but for those that a line of the recipe has.
func (t *Tree) InWords(text, line string) string {
	written := ownLoop.FindAllString(line, -1)
	return ownLoop.ReplaceAllStringFunc(text, func(name string) string {
		if slices.Contains(written, name) {
			return name
		}
		return t.Written(name)
	})
}

// hasOwnNames says whether commands up to the k-th name loops by their own names: whoever writes such
// recipes is told so.
func (r Recipe) hasOwnNames(p *scop.Program, k int) bool {
	for at := range k + 1 {
		if ownNode.MatchString(r.line(p, at)) {
			return true
		}
	}
	return false
}

// failed is the error of the k-th command, with the names of loops that the recipe has. That there is no
// loop of a name says which command took it away, if one did.
func (r Recipe) failed(p *scop.Program, k int, err error) error {
	missing := (*NoLoop)(nil)
	isMissing := errors.As(err, &missing)
	if isMissing {
		missing.Taken, missing.By = r.taker(p, k, missing.Name)
	}
	if t, failed := r[:k].apply(p); failed == nil && !isMissing && !r.hasOwnNames(p, k) {
		if text := t.InWords(err.Error(), r.line(p, k)); text != err.Error() {
			err = &inNames{err, text}
		}
	}
	return &CommandError{Line: k + 1, Text: r.line(p, k), Err: err}
}

// taker is the command in front of the k-th that took a loop's name away, counted from 1, with its
// text; 0 for none.
func (r Recipe) taker(p *scop.Program, k int, name string) (command int, text string) {
	last, t := -1, NewTree(p)
	for at, c := range r[:k] {
		if t.Do(c) != nil {
			break
		}
		if _, _, err := t.Loop(name); err == nil {
			last = at
		}
	}
	if last < 0 || last+1 >= k {
		return 0, ""
	}
	return last + 2, r.line(p, last+1)
}
