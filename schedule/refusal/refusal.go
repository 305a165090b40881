// Package refusal says why a recipe is refused, in the words of the source: which line of the
// recipe, which dependence with both references as they are written in C, the smallest example in
// numbers, and one line that would help and is proven to.
//
// # Where to find what
//
//   - the message: refusal.go, of a dependence alone: words.go; the example and the loop: wrong.go;
//     what helps: help.go
//   - the smallest example: scop/depend/smallest.go; references as they are written:
//     scop/reference.go; which command is at fault: schedule/recipe.go
package refusal

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/depend"
)

// Refusal is why a recipe is refused.
type Refusal struct {
	// File is that of the recipe, Line the line, from 1, and Command what stands there; Line is 0
	// where no single command is at fault. Column is there for recipes in files with other things.
	File    string `json:"file,omitempty"`
	Line    int    `json:"line,omitempty"`
	Column  int    `json:"column,omitempty"`
	Command string `json:"command,omitempty"`
	// In is where the command stands in the definition that the line uses, as FILE:LINE; "" for
	// commands of the recipe itself.
	In string `json:"definition,omitempty"`
	// Kind is that of the dependence: RAW, WAR or WAW; "" where none is violated.
	Kind string `json:"kind,omitempty"`
	// Source and Target are the two references, nil where no dependence is violated.
	Source *Reference `json:"source,omitempty"`
	Target *Reference `json:"target,omitempty"`
	// Reason says what is wrong, Example for which instances, and Help which line would help; the
	// last two may be "".
	Reason  string `json:"reason"`
	Example string `json:"example,omitempty"`
	Help    string `json:"help,omitempty"`
	// Err is what the command or the proof said.
	Err error `json:"-"`
	// illegal says that it is a proof that refuses the recipe.
	illegal bool
}

// Reference is a reference in the source: that of a statement, as it is written, and where.
type Reference struct {
	Statement string `json:"statement"`
	Text      string `json:"text"`
	Line      int    `json:"line"`
	Column    int    `json:"column"`
}

func (r *Refusal) Error() string {
	text := cmp.Or(r.File, "recipe")
	if r.Line > 0 {
		text += fmt.Sprintf(":%d", r.Line)
		if r.Column > 0 {
			text += fmt.Sprintf(":%d", r.Column)
		}
		text += ": " + r.Command
	}
	if r.In != "" {
		text += fmt.Sprintf(" (%s)", r.In)
	}
	text += ": " + r.Reason
	if r.Example != "" {
		text += "\n  for example " + r.Example
	}
	if r.Help != "" {
		text += "\n  " + r.Help
	}
	return text + "\n  " + r.verdict()
}

// verdict says whether the recipe's order is illegal, or it makes none, and by which line.
func (r *Refusal) verdict() string {
	switch {
	case r.illegal && r.Line > 0:
		return fmt.Sprintf("the schedule is illegal by line %d of the recipe", r.Line)
	case r.illegal:
		return "the schedule is illegal"
	case r.Line > 0:
		return fmt.Sprintf("the recipe makes no schedule because of line %d", r.Line)
	}
	return "the recipe makes no schedule"
}

func (r *Refusal) Unwrap() error { return r.Err }

// Source is what is refused.
type Source struct {
	// Recipe is the name of the recipe's file, Program that of the C file.
	Recipe, Program string
	// Lines are those of the recipe's commands, one for each.
	Lines []schedule.Line
}

// of is the line of a command, by its place from 0.
func (s Source) of(command int) schedule.Line {
	if command < 0 || command >= len(s.Lines) {
		return schedule.Line{}
	}
	return s.Lines[command]
}

// OfCommand is the refusal of a recipe of which a command cannot be read or applied; nil for other
// errors.
func (s Source) OfCommand(err error) *Refusal {
	var at *schedule.CommandError
	if !errors.As(err, &at) {
		return nil
	}
	line := s.of(at.Line - 1)
	r := &Refusal{File: s.Recipe, Line: line.Number, Column: line.Column, Command: line.Text, In: line.In, Reason: at.Err.Error(), Err: err}
	if missing := (*schedule.NoLoop)(nil); errors.As(err, &missing) && missing.Taken > 0 {
		r.Reason = strings.ReplaceAll(r.Reason, missing.Taker(missing.Taken), missing.Taker(s.of(missing.Taken-1).Number))
	}
	if storage := (*depend.StorageError)(nil); errors.As(err, &storage) {
		r.describeStorage(storage, s.Program)
	}
	return r
}

// describeStorage fills in what the refusal says of places of elements.
func (r *Refusal) describeStorage(e *depend.StorageError, file string) {
	r.Reason, r.Example, r.illegal = e.Reason, e.Example, true
	if e.At != nil {
		r.Target = &Reference{Statement: e.At.Statement, Text: e.At.Text, Line: e.At.Line, Column: e.At.Column}
		r.Reason = r.Target.place(file) + strings.TrimPrefix(e.Reason, e.At.Text)
	}
}

// OfProof is the refusal of a recipe that a proof on the graph refused. read reads the texts of
// lines as a recipe of the graph's program.
func (s Source) OfProof(g *depend.Graph, recipe schedule.Recipe, read Read, err error) *Refusal {
	r := &Refusal{File: s.Recipe, Err: err, illegal: true}
	settled, from, failed := recipe.Settled(g)
	if failed != nil {
		return s.OfCommand(failed)
	}
	at := (*schedule.CommandError)(nil)
	if errors.As(err, &at) {
		err = at.Err
	}
	err = settled.Blame(g, err)
	commands, own := len(settled), len(s.Lines)-1
	if errors.As(err, &at) && at.Line <= len(from) {
		commands, own, err = at.Line, from[at.Line-1], at.Err
		line := s.of(own)
		r.Line, r.Column, r.Command, r.In = line.Number, line.Column, line.Text, line.In
	}
	var v *depend.Violation
	tree, failed := settled.Beginning(commands, g.Model.Program)
	if !errors.As(err, &v) {
		r.Reason = strings.TrimPrefix(err.Error(), "illegal schedule: ")
		if failed == nil {
			r.Reason = tree.InWords(r.Reason, r.Command)
		}
		return r
	}
	if failed != nil {
		r.Reason = v.Reason
		return r
	}
	if g, failed = tree.Graph(g); failed != nil {
		r.Reason = v.Reason
		return r
	}
	w := &wrong{Source: s, graph: g, violation: v, tree: tree, at: own, read: read}
	w.find()
	w.describe(r)
	r.Help = w.help()
	return r
}

// reference is one of the two references of a dependence.
func reference(m *scop.Model, statement, access int) *Reference {
	s := &m.Statements[statement]
	a := s.Statement.Accesses[access]
	return &Reference{Statement: s.Spelling(), Text: m.Program.Written(s, access), Line: a.Line, Column: a.Column}
}

// place is a reference with its place in a file.
func (r *Reference) place(file string) string {
	return fmt.Sprintf("%s (%s:%d:%d)", r.Text, file, r.Line, r.Column)
}

// does says what a dependence's target does with what its source does.
var does = map[depend.Kind][2]string{depend.RAW: {"reads", "writes"}, depend.WAR: {"overwrites", "reads"}, depend.WAW: {"overwrites", "writes"}}

// describe fills in what the refusal says of the dependence.
func (w *wrong) describe(r *Refusal) {
	d, m := w.violation.Dependence, w.graph.Model
	r.Kind = d.Kind.String()
	r.Source, r.Target = reference(m, d.Source, d.SourceAccess), reference(m, d.Target, d.TargetAccess)
	what, references := Words(m, d, w.Program)
	switch {
	case w.violation.Fault == depend.Backwards:
		r.Reason = what + " runs backwards" + references
	case w.violation.Fault == depend.Together:
		r.Reason = "nothing orders " + what + references
	case w.carrier != "":
		r.Reason = fmt.Sprintf("the loop %s carries %s%s", w.carrier, what, references)
	default:
		r.Reason = what + references + "; " + w.violation.Reason
	}
	r.Example = w.example()
}

// example is the smallest example, with the values of the loop that tells its instances apart.
func (w *wrong) example() string {
	if w.pair == nil {
		return ""
	}
	p, d := w.graph.Model.Program, w.violation.Dependence
	source, target := instance(p, d.Source, w.pair.Source), instance(p, d.Target, w.pair.Target)
	if w.meeting != nil && w.meeting.loop != nil {
		source += fmt.Sprintf(" at %s = %d", w.meeting.name, w.meeting.source)
		target += fmt.Sprintf(" at %s = %d", w.meeting.name, w.meeting.target)
	}
	text := parametersOf(p, w.pair)
	switch w.violation.Fault {
	case depend.Backwards:
		text += target + " would run before " + source
		if w.meeting != nil && w.meeting.loop == nil && w.meeting.around != "" {
			text += ", both in one iteration of " + w.meeting.around
		}
		return text
	case depend.Otherwise:
		return text + source + " and " + target
	}
	return text + source + " and " + target + " would run at the same time"
}

// instance is a statement with the values of its iterators: S0[1, 0].
func instance(p *scop.Program, statement int, iterators []int64) string {
	return p.Statements[statement].Spelling() + strings.ReplaceAll(fmt.Sprint(iterators), " ", ", ")
}
