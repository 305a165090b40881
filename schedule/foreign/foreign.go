// Package foreign reads schedules that other tools have written, as commands of a recipe: the
// scatterings of an OpenScop file (Clan, Pluto, PoCC), isl's union maps, and isl's schedule trees
// (PPCG, and what this program prints of its own).
//
// Nothing is believed of them but where they order which instances: the recipe is proven like any
// other.
//
// # Where to find what
//
//   - files: openscop.go, isl.go, tree.go; whose statement is whose: match.go; pieces: cut.go;
//     threads and lanes: ways.go
//   - the format: scop/openscop/; who reads and writes files: pipeline/byhand/file.go,
//     cmd/tune/cmd_scop.go
package foreign

import (
	"errors"
	"fmt"
	"slices"
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

// mostCuts bounds the cuts of a program that a schedule of pieces gets.
const mostCuts = 4

// Commands are those of a recipe that gives a program a schedule, one a line. The program has been
// cut already. Where the schedule has several pieces, further cuts are in front, or, where these do
// not do, the pieces stand in the schedule.
func (s *Schedule) Commands(c *isl.Context, whole *scop.Program, cuts []scop.Cut) (lines []string, err error) {
	err = c.Sound(func() error {
		own, cuts := []string{}, slices.Clone(cuts)
		for range mostCuts + 1 {
			p, err := cutProgram(whole, cuts)
			if err != nil {
				return err
			}
			made, cut, err := s.commands(c, p, true)
			if err != nil {
				return err
			}
			if cut == nil {
				lines = append(own, made...)
				return nil
			}
			cuts = append(cuts, cut)
			own = append(own, schedule.Text(command.Cut{Cut: cut}, p))
		}
		return nil
	})
	if lines != nil || err != nil {
		return lines, err
	}
	err = c.Sound(func() error {
		p, err := cutProgram(whole, cuts)
		if err == nil {
			lines, _, err = s.commands(c, p, false)
		}
		return err
	})
	return lines, err
}

// cutProgram is a program cut so.
func cutProgram(whole *scop.Program, cuts []scop.Cut) (*scop.Program, error) {
	if len(cuts) == 0 {
		return whole, nil
	}
	return split.Program(whole, cuts)
}

// commands are those for a program, or the cut, if it may have one, that makes statements of pieces.
// Pieces that no affine expression divides stand in the schedule.
func (s *Schedule) commands(c *isl.Context, p *scop.Program, mayCut bool) ([]string, scop.Cut, error) {
	m, err := p.Model(c)
	if err != nil {
		return nil, nil, err
	}
	of, err := s.match(p)
	if err != nil {
		return nil, nil, err
	}
	all, longest := make([]*isl.Map, len(of)), 1
	for k, statement := range of {
		longest = max(longest, statement.times.Dim(isl.DimOut))
		if all[k], err = statement.timesOf(&m.Statements[k], p); err != nil {
			return nil, nil, err
		}
	}
	texts := make([]string, len(of))
	for k, times := range all {
		pieces := times.Pieces(m.Statements[k].Domain)
		switch count := times.Dim(isl.DimOut); {
		case len(pieces) == 1 && count > 0:
			texts[k] = mapText(p, k, padded(valuesOf(pieces[0].Values), longest, count))
		case len(pieces) < 2:
			texts[k] = mapText(p, k, padded("[]", longest, 0))
		default:
			if cut, ok := cutOf(p, k, pieces); ok && mayCut {
				return nil, cut, nil
			}
			texts[k] = piecesText(p, k, times, longest)
		}
	}
	line := "schedule { " + strings.Join(texts, "; ") + " }"
	more, err := ways(p, line, of)
	if at := (*schedule.CommandError)(nil); errors.As(err, &at) {
		return nil, nil, &Error{s.Line, at.Err.Error()}
	}
	return append([]string{line}, more...), nil, err
}

// mapText is the map of a statement with these values.
func mapText(p *scop.Program, k int, values string) string {
	return fmt.Sprintf("%s[%s] -> %s", p.Statements[k].Spelling(), strings.Join(p.IteratorNames(k), ", "), values)
}

// piecesText are the maps of a statement with several pieces, with zeros behind the values up to a
// length.
func piecesText(p *scop.Program, k int, times *isl.Map, longest int) string {
	zeros := make([]string, longest-times.Dim(isl.DimOut))
	for k := range zeros {
		zeros[k] = "0"
	}
	instance := p.InstanceText(k)
	none := times.Context().ReadMap(fmt.Sprintf("{ %s -> [%s] }", instance, strings.Join(zeros, ", ")))
	_, text, _ := strings.Cut(times.FlatRangeProduct(none).Coalesce().String(), "{")
	text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(text), "}"))
	return strings.ReplaceAll(text, p.Statements[k].Name+"[", p.Statements[k].Spelling()+"[")
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
