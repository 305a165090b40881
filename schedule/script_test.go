package schedule

import (
	"fmt"
	"strings"
	"testing"
)

// Scripts are read with their holes in order, and written with values in their places.
func TestScripts(t *testing.T) {
	for text, want := range map[string]string{
		"tile a b by {16,32,64} ?":               "1 [16 32 64], 2 []: tile a b by 16 ?",
		"tile a b c by {16, 32} {4..32} 7":       "1 [16 32], 2 [4 8 16 32]: tile a b c by 16 4 7",
		"shift a S1 by {-1,1}":                   "1 [-1 1]: shift a S1 by -1",
		"skew a by ? b\nskew a by ? b":           "1 []: skew a by ? b; 2 []: skew a by ? b",
		"try parallel a":                         "try : parallel a",
		"either sink a | tile a by {2,3}":        "1 of 2; : sink a; 2 [2 3]: tile a by 2",
		"classes {S0} {S1}\r\n\tsink\ta # {1,2}": ": classes {S0} {S1}; : sink\ta",
		"sink a\ncomplete":                       ": sink a; complete in 2",
		"tile a b by ? ?":                        "1 [], 2 []: tile a b by ? ?",
	} {
		s, err := ReadScript(NumberedLines(text))
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		if got := scriptText(s); got != want {
			t.Errorf("%q is read as %q, not %q", text, got, want)
		}
	}
}

// scriptText says what is in a script.
func scriptText(s *Script) string {
	var lines []string
	for _, line := range s.Lines {
		if line.Choice > 0 {
			lines = append(lines, fmt.Sprintf("%d of %d", line.Choice, len(line.Options)))
		}
		for _, option := range line.Options {
			var holes []string
			for _, h := range option.Holes {
				holes = append(holes, fmt.Sprint(h.Number, " ", h.Values))
			}
			text := strings.Join(holes, ", ") + ": " + option.Text(func(h NumberHole) (int64, bool) {
				if len(h.Values) == 0 {
					return 0, false
				}
				return h.Values[0], true
			})
			if line.Try {
				text = "try " + text
			}
			lines = append(lines, text)
		}
	}
	if s.Complete > 0 {
		lines = append(lines, fmt.Sprintf("complete in %d", s.Complete))
	}
	return strings.Join(lines, "; ")
}

// What cannot be read is an error with the line and what would be right.
func TestBadScripts(t *testing.T) {
	for text, want := range map[string]string{
		"":                                   "the recipe has no command",
		"# nothing\n\n":                      "the recipe has no command",
		"complete":                           "the recipe has no command",
		"sink a\ntile a by {16}":             "recipe line 2: tile a by {16}: {16} leaves nothing to choose; write 16",
		"tile a by {}":                       "recipe line 1: tile a by {}: {} has no number to choose; a set is written {16,32,64}, and the powers of two from 4 to 32 {4..32}",
		"tile a by {4,4}":                    "recipe line 1: tile a by {4,4}: {4,4} has 4 twice",
		"tile a by {5..7}":                   "recipe line 1: tile a by {5..7}: {5..7} has no number to choose; a set is written {16,32,64}, and the powers of two from 4 to 32 {4..32}",
		"tile a by {32..4}":                  "recipe line 1: tile a by {32..4}: {32..4} has no number to choose; a set is written {16,32,64}, and the powers of two from 4 to 32 {4..32}",
		"tile a by {5..9}":                   "recipe line 1: tile a by {5..9}: {5..9} leaves nothing to choose; write 8",
		"tile a by {0..8}":                   "recipe line 1: tile a by {0..8}: {0..8} is no range: it is from a number from 1 on to one of 2147483648 at most",
		"tile a by {1,99999999999999999999}": "recipe line 1: tile a by {1,99999999999999999999}: 99999999999999999999 is too large",
		"parallel c1.{1,2}":                  "recipe line 1: parallel c1.{1,2}: {1,2} stands in the place of a number, and of no part of a name",
		"complete\nsink a":                   "recipe line 1: complete: complete is the last line: what it finds is behind all other commands",
		"either sink a":                      "recipe line 1: either sink a: a choice is written: either COMMAND | COMMAND",
		"either sink a |":                    "recipe line 1: either sink a |: a command is missing; a choice is written: either COMMAND | COMMAND, and an attempt: try COMMAND",
		"try":                                "recipe line 1: try: a command is missing; a choice is written: either COMMAND | COMMAND, and an attempt: try COMMAND",
		"try try sink a":                     "recipe line 1: try try sink a: try stands at the beginning of a line",
		"either sink a | complete":           "recipe line 1: either sink a | complete: complete stands at the beginning of a line",
	} {
		if _, err := ReadScript(NumberedLines(text)); err == nil || err.Error() != want {
			t.Errorf("%q: %v, not %s", text, err, want)
		}
	}
}

// Any text is a script or an error; what is read is written as it was.
func FuzzReadScript(f *testing.F) {
	for _, text := range []string{"tile a by {1,2} ?\ntry sink a\neither sink a | sink b\ncomplete", "{..}", "a {1..4", "? ?", "try\teither"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ReadScript(NumberedLines(text))
		if err != nil {
			return
		}
		for _, line := range s.Lines {
			if line.Choice == 0 && !line.Try && len(line.Options[0].Holes) == 0 && line.Options[0].Text(nil) != line.Text {
				t.Errorf("%q is written %q", line.Text, line.Options[0].Text(nil))
			}
		}
	})
}
