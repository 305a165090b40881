// Package foreign reads schedules that other tools have written, as commands of a recipe: the
// scatterings of an OpenScop file (Clan, Pluto, PoCC), isl's union maps, and isl's schedule trees
// (PPCG, and what this program prints of its own).
//
// Nothing is believed of them but where they order which instances: the recipe is proven like any
// other.
package foreign

import (
	"errors"
	"fmt"
	"strings"

	"polytune/isl"
	"polytune/schedule"
	"polytune/schedule/command"
	"polytune/scop"
	"polytune/scop/split"
)

// Error is why a schedule cannot be read, or is none of the program.
type Error struct {
	// Line is that of the file, from 1, or 0 for the whole file.
	Line   int
	Reason string
}

func (e *Error) Error() string {
	if e.Line == 0 {
		return e.Reason
	}
	return fmt.Sprintf("line %d: %s", e.Line, e.Reason)
}

// Schedule is a schedule as it stands in a file.
type Schedule struct {
	statements []*statement
	// ordered says that the statements are in the order of the program, whatever they are called.
	ordered bool
	// Line is that of the file in which the schedule begins.
	Line int
}

// statement is a statement of a file.
type statement struct {
	name string
	// times relates instances, those that the file has, to their times.
	times *isl.Map
	line  int
	// runs says how loops are to run, by the number of the time that they count.
	runs map[int]way
}

// way is how a loop runs.
type way struct{ parallel, vector bool }

// iterators is the number of a statement's iterators in the file.
func (s *statement) iterators() int { return s.times.Dim(isl.DimIn) }

// beginningMark is in front of commands in comments of schedule trees: what has been done to the
// program itself before it got this schedule.
const beginningMark = "# program: "

// BeginningText are the comments that have Beginning find what has been done to a program.
func BeginningText(p *scop.Program) string {
	var b strings.Builder
	for _, c := range command.Beginning(p) {
		fmt.Fprintf(&b, "%s%s\n", beginningMark, schedule.Text(c, p))
	}
	return b.String()
}

// Beginning are the commands, one a line, that a file says of the program before its schedule.
func Beginning(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if command, is := strings.CutPrefix(line, beginningMark); is {
			fmt.Fprintln(&b, strings.TrimSpace(command))
		}
	}
	return b.String()
}

// Parse reads a schedule. Its parameters are those of the program, by their names. An error is an
// *Error, or isl's for a limit.
func Parse(c *isl.Context, p *scop.Program, text string) (s *Schedule, err error) {
	err = c.Sound(func() error {
		switch kind := kindOf(text); kind {
		case ofOpenScop:
			s, err = fromOpenScop(c, p, text)
		case ofTree:
			s, err = fromTree(c, text)
		case ofMap:
			s, err = fromMap(c, text)
		default:
			err = &Error{1, "this is no schedule: it is an OpenScop file, a schedule tree, which begins with domain:, or a union map, as { S0[i, j] -> [0, j, i] }"}
		}
		return err
	})
	if invalid := (*isl.Error)(nil); errors.As(err, &invalid) && !isl.IsLimit(err) {
		c.TakeErr()
		return nil, &Error{1, "isl cannot read it: " + invalid.Message}
	}
	if err == nil && len(s.statements) == 0 {
		err = &Error{1, "the schedule has no statement"}
	}
	return s, err
}

// mostCuts bounds the cuts of a program that a schedule of pieces needs.
const mostCuts = 4

// Commands are those of a recipe that gives a program a schedule, one a line. The program has been
// cut already. Where the schedule has several pieces, further cuts are in front.
func (s *Schedule) Commands(c *isl.Context, whole *scop.Program, cuts []scop.Cut) (lines []string, err error) {
	err = c.Sound(func() error {
		for range mostCuts + 1 {
			p := whole
			if len(cuts) > 0 {
				if p, err = split.Program(whole, cuts); err != nil {
					return err
				}
			}
			made, cut, err := s.commands(c, p)
			if err != nil {
				return err
			}
			if cut == nil {
				lines = append(lines, made...)
				return nil
			}
			cuts = append(cuts, cut)
			lines = append(lines, schedule.Text(command.Cut{Cut: cut}, p))
		}
		return &Error{s.Line, fmt.Sprintf("the schedule has so many pieces that they are not made with %d cuts of the statements", mostCuts)}
	})
	return lines, err
}

// commands are those for a program, or the cut that it needs.
func (s *Schedule) commands(c *isl.Context, p *scop.Program) ([]string, scop.Cut, error) {
	m, err := p.Model(c)
	if err != nil {
		return nil, nil, err
	}
	of, err := s.match(p)
	if err != nil {
		return nil, nil, err
	}
	texts, counts, longest := make([]string, len(of)), make([]int, len(of)), 1
	for k, statement := range of {
		longest = max(longest, statement.times.Dim(isl.DimOut))
		times, err := statement.timesOf(&m.Statements[k], p)
		if err != nil {
			return nil, nil, err
		}
		pieces := times.Pieces(m.Statements[k].Domain)
		if len(pieces) > 1 {
			cut, err := cutOf(p, k, pieces)
			if err != nil {
				return nil, nil, &Error{statement.line, err.Error()}
			}
			return nil, cut, nil
		}
		texts[k], counts[k] = "[]", 0
		if len(pieces) == 1 && times.Dim(isl.DimOut) > 0 {
			texts[k], counts[k] = valuesOf(pieces[0].Values), times.Dim(isl.DimOut)
		}
	}
	for k := range texts {
		texts[k] = fmt.Sprintf("%s[%s] -> %s", p.Statements[k].Spelling(), strings.Join(p.IteratorNames(k), ", "), padded(texts[k], longest, counts[k]))
	}
	line := "schedule { " + strings.Join(texts, "; ") + " }"
	more, err := ways(p, line, of)
	if at := (*schedule.CommandError)(nil); errors.As(err, &at) {
		return nil, nil, &Error{s.Line, at.Err.Error()}
	}
	return append([]string{line}, more...), nil, err
}

// valuesOf is the list of values in the text of a piece.
func valuesOf(text string) string {
	_, values, _ := strings.Cut(text, "] -> [(")
	values, _ = strings.CutSuffix(strings.TrimSpace(values), "}")
	return "[(" + strings.TrimSpace(values)
}

// padded is a list of values with zeros behind it up to a length.
func padded(values string, length, own int) string {
	values = strings.TrimSuffix(values, "]")
	for k := range length - own {
		if own > 0 || k > 0 {
			values += ", "
		}
		values += "0"
	}
	return values + "]"
}
