package schedule

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"polytune/internal/pattern"
)

// Line is a line of a recipe that holds a command: its number, from 1, and its text. Column is where
// it begins, of recipes in files with other things, else 0.
type Line struct {
	Number, Column int
	Text           string
	// In is where the line stands in the definition of whose use it is a part, as FILE:LINE; "" for
	// lines of the recipe itself.
	In string
}

// NumberedLines are those of a text.
func NumberedLines(text string) (lines []Line) {
	for number, line := range Lines(text) {
		lines = append(lines, Line{Number: number, Text: line})
	}
	return lines
}

// Script is a recipe that may leave some things open:
//
//	tile c0.1 c0.2 by {16,32,64} {4..32}    one of these numbers, one of the powers of two
//	skew c0.2 by ? c0.1                      the smallest number that is legal, or a model's
//	try parallel c0.2                        left out where it is illegal
//	either sink c0.1 | sink c0.2             one of these commands
//	complete                                 as the last line: the models do the rest
type Script struct {
	Lines []ScriptLine
	// Complete is the number of the line that has the models do the rest, 0 for none.
	Complete int
}

// ScriptLine is a line of a script.
type ScriptLine struct {
	Line
	// Try says that the command is left out where it is illegal.
	Try bool
	// Options are the commands among which the line chooses, one where it does not; Choice is
	// the number of the hole which that is, 0 for none.
	Options []ScriptOption
	Choice  int
}

// ScriptOption is a command with holes in the place of numbers.
type ScriptOption struct {
	// parts are what is between the holes, one more than Holes.
	parts []string
	Holes []NumberHole
}

// NumberHole is a hole in the place of a number.
type NumberHole struct {
	// Number counts the holes of a script, from 1.
	Number int
	// Values are those that it may have; none for "?".
	Values []int64
}

// The words of scripts that are no commands.
const (
	tryWord      = "try"
	eitherWord   = "either"
	completeWord = "complete"
)

// numberHole is a hole in the place of a number: ?, {16,32}, {4..32}.
var numberHole = pattern.New(`\{\s*(?:-?\d+(?:\s*,\s*-?\d+)*|-?\d+\s*\.\.\s*-?\d+)?\s*\}|(?:^|\s)\?(?:\s|$)`)

// ErrNoCommand is that a recipe is empty.
var ErrNoCommand = errors.New("the recipe has no command")

// ReadScript reads the lines of a script. An error is a *CommandError, whose line counts commands.
func ReadScript(lines []Line) (*Script, error) {
	s := &Script{}
	count := 0
	for k, line := range lines {
		read, err := readScriptLine(line, &count)
		switch {
		case err == nil && strings.HasPrefix(line.Text, completeWord+" "):
			err = fmt.Errorf("%s stands alone in the last line", completeWord)
		case err == nil && line.Text == completeWord && k < len(lines)-1:
			err = fmt.Errorf("%s is the last line: what it finds is behind all other commands", completeWord)
		case err == nil && line.Text == completeWord:
			s.Complete = line.Number
			continue
		}
		if err != nil {
			return nil, &CommandError{Line: k + 1, Text: line.Text, Err: err}
		}
		s.Lines = append(s.Lines, read)
	}
	if len(s.Lines) == 0 {
		return nil, ErrNoCommand
	}
	return s, nil
}

func readScriptLine(line Line, count *int) (read ScriptLine, err error) {
	read.Line = line
	word, rest, _ := strings.Cut(line.Text, " ")
	options := []string{line.Text}
	switch word {
	case tryWord:
		read.Try, options = true, []string{strings.TrimSpace(rest)}
	case eitherWord:
		options = strings.Split(rest, "|")
		if len(options) < 2 {
			return read, fmt.Errorf("a choice is written: either COMMAND | COMMAND")
		}
		*count++
		read.Choice = *count
	}
	for _, text := range options {
		text = strings.TrimSpace(text)
		first, _, _ := strings.Cut(text, " ")
		switch {
		case text == "":
			return read, fmt.Errorf("a command is missing; a choice is written: either COMMAND | COMMAND, and an attempt: try COMMAND")
		case (read.Try || read.Choice > 0) && slices.Contains([]string{tryWord, eitherWord, completeWord}, first):
			return read, fmt.Errorf("%s stands at the beginning of a line", first)
		}
		option, err := readOption(text, count)
		if err != nil {
			return read, err
		}
		read.Options = append(read.Options, option)
	}
	return read, nil
}

// readOption reads a command with its holes.
func readOption(text string, count *int) (o ScriptOption, err error) {
	for {
		place := numberHole.FindStringIndex(text)
		if place == nil {
			o.parts = append(o.parts, text)
			return o, nil
		}
		hole := NumberHole{}
		word := strings.TrimSpace(text[place[0]:place[1]])
		if word != holeWord {
			if hole.Values, err = valuesOf(word); err != nil {
				return o, err
			}
		}
		*count++
		hole.Number = *count
		begin := place[0] + strings.Index(text[place[0]:], word)
		if begin > 0 && isInName(text[begin-1]) || begin+len(word) < len(text) && word == holeWord && isInName(text[begin+len(word)]) {
			return o, fmt.Errorf("%s stands in the place of a number, and of no part of a name", word)
		}
		o.parts, o.Holes = append(o.parts, text[:begin]), append(o.Holes, hole)
		text = text[begin+len(word):]
	}
}

// isInName says whether a byte may be part of a name.
func isInName(b byte) bool {
	return b == '.' || b == '_' || '0' <= b && b <= '9' || 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z'
}

// valuesOf are the numbers of a set: {16,32,64}, or the powers of two of {4..32}.
func valuesOf(set string) (values []int64, err error) {
	inside := strings.Trim(set, "{} \t")
	if low, high, isRange := strings.Cut(inside, ".."); isRange {
		from, errFrom := strconv.ParseInt(strings.TrimSpace(low), 10, 64)
		to, errTo := strconv.ParseInt(strings.TrimSpace(high), 10, 64)
		if errFrom != nil || errTo != nil || from < 1 || to > MaxCount {
			return nil, fmt.Errorf("%s is no range: it is from a number from 1 on to one of %d at most", set, int64(MaxCount))
		}
		for power := int64(1); power <= to; power *= 2 {
			if power >= from {
				values = append(values, power)
			}
		}
	} else {
		for word := range strings.SplitSeq(inside, ",") {
			if word = strings.TrimSpace(word); word == "" {
				continue
			}
			value, err := strconv.ParseInt(word, 10, 64)
			if err != nil {
				return nil, fmt.Errorf("%s is too large", word)
			}
			if slices.Contains(values, value) {
				return nil, fmt.Errorf("%s has %d twice", set, value)
			}
			values = append(values, value)
		}
	}
	switch len(values) {
	case 0:
		return nil, fmt.Errorf("%s has no number to choose; a set is written {16,32,64}, and the powers of two from 4 to 32 {4..32}", set)
	case 1:
		return nil, fmt.Errorf("%s leaves nothing to choose; write %d", set, values[0])
	}
	return values, nil
}

// Text is the command with some numbers in the place of its holes; those without one stay open.
func (o ScriptOption) Text(value func(NumberHole) (int64, bool)) string {
	var b strings.Builder
	b.WriteString(o.parts[0])
	for k, hole := range o.Holes {
		if number, has := value(hole); has {
			b.WriteString(strconv.FormatInt(number, 10))
		} else {
			b.WriteString(holeWord)
		}
		b.WriteString(o.parts[k+1])
	}
	return b.String()
}

// IsOpen says whether the script leaves something open.
func (s *Script) IsOpen() bool {
	return s.Complete > 0 || slices.ContainsFunc(s.Lines, func(l ScriptLine) bool {
		return l.Try || l.Choice > 0 || len(l.Options[0].Holes) > 0
	})
}

// WholeCommand is a command without holes.
func WholeCommand(text string) ScriptOption { return ScriptOption{parts: []string{text}} }
