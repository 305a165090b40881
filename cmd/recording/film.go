package main

import (
	"strings"
	"time"

	"polytune/internal/shellwords"
)

const (
	// leastFrame is the shortest time between two frames; what comes sooner is shown with the
	// first.
	leastFrame = 50 * time.Millisecond
	// typing is how long the prompt stands alone, and then the command.
	typing = 700 * time.Millisecond
)

// interval is a time in which something is shown, from the beginning of one frame to that of
// another.
type interval struct{ from, to time.Duration }

// strip is a text at one row of the screen, and when it is there.
type strip struct {
	row   int
	cells []cell
	shown []interval
}

// film is what the picture shows. A line that scrolls is another strip at each of its rows: moving
// all lines at once would be shorter, but browsers do not do that in step with the rest.
type film struct {
	columns, rows int
	length        time.Duration
	strips        []*strip
	// took is how long the command ran; shortened, how long the longest pause is, is 0 if no
	// pause was longer.
	took, shortened time.Duration
}

// place is a text at a row.
type place struct {
	row  int
	text string
}

// newFilm makes frames of a run.
func newFilm(shown recorded, o options) *film {
	f := &film{columns: o.columns, took: shown.took}
	outputs := f.timed(shown, o)
	s := newScreen(o.columns, o.rows)
	known := map[place]*strip{}
	for i := 0; i < len(outputs)-1; {
		at := outputs[i].at
		for i < len(outputs)-1 && (outputs[i].at == at || outputs[i].at-at < leastFrame) {
			s.write(outputs[i].text)
			i++
		}
		end := outputs[i].at
		if i == len(outputs)-1 {
			end = max(end, at) + o.hold
		}
		f.add(s, interval{at, end}, known)
		f.length = end
	}
	return f
}

// timed are the outputs behind the typing of the command, with the pauses that are shown. The last
// one is empty and is the end.
func (f *film) timed(shown recorded, o options) []output {
	outputs := []output{
		{0, []byte("\x1b[2m$\x1b[0m ")},
		{typing, []byte("\x1b[1m" + printable(shellwords.Line(o.command)) + "\x1b[0m")},
	}
	at, before := 2*typing, time.Duration(0)
	add := func(next output) {
		pause := next.at - before
		before = next.at
		if pause > o.pause {
			pause, f.shortened = o.pause, o.pause
		}
		at += pause
		outputs = append(outputs, output{at, next.text})
	}
	add(output{0, []byte("\r\n")})
	for _, out := range shown.outputs {
		add(out)
	}
	add(output{max(shown.took, before), nil})
	return outputs
}

// printable is a text without what controls terminals.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return ' '
		}
		return r
	}, text)
}

// add is a frame: what the screen shows for that long.
func (f *film) add(s *screen, during interval, known map[place]*strip) {
	for row, line := range s.lines[s.top:] {
		cells := trimmed(line)
		if len(cells) == 0 {
			continue
		}
		f.rows = max(f.rows, row+1)
		at := place{row, markup(cells)}
		here := known[at]
		if here == nil {
			here = &strip{row: row, cells: append([]cell(nil), cells...)}
			known[at] = here
			f.strips = append(f.strips, here)
		}
		if last := len(here.shown) - 1; last >= 0 && here.shown[last].to == during.from {
			here.shown[last].to = during.to
		} else {
			here.shown = append(here.shown, during)
		}
	}
}

// trimmed is a line without the blanks at its end.
func trimmed(line []cell) []cell {
	for len(line) > 0 && line[len(line)-1].text == " " {
		line = line[:len(line)-1]
	}
	return line
}
