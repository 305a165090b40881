package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"
)

// second is the unit of the tests' times.
const second = time.Second

// sample is a terminal of 20 columns and 5 rows.
func sample() options {
	return options{columns: 20, rows: 5, pause: 10 * second, hold: 4 * second, command: []string{"make", "tea"}}
}

// TestFrames plays pictures and compares each moment with a terminal that was sent the same.
func TestFrames(t *testing.T) {
	t.Parallel()
	var scrolling []string
	for i := range 40 {
		scrolling = append(scrolling, fmt.Sprintf("line %d\r\n", i))
	}
	for name, writes := range map[string][]string{
		"nothing":             nil,
		"lines":               {"one\r\n", "two\r\n", "three"},
		"a live line":         {"head\r\n", "\r1 of 2\x1b[K", "\r2 of 2\x1b[K", "\r1 of 2\x1b[K", "\r\x1b[Kdone\r\n"},
		"lines come and go":   {"a\x1b[K", "\r\x1b[K", "\ra", "\r\x1b[K", "\ra"},
		"scrolling":           scrolling,
		"markup":              {"<b>&amp;\"'</b>\r\n", "]]>\r\n", "\x1b[31m<red>\x1b[0m & \x1b[1mbold\x1b[0m\r\n"},
		"no UTF-8":            {"a\xff\xfeb\xc3", "\xa4\r\n", "\ufffe\uffff\x01"},
		"a long line":         {strings.Repeat("0123456789", 25), "\r\nx"},
		"the screen is empty": {"a\r\nb", "\x1b[2J"},
		"the prompt returns":  {"\x1b[H\x1b[J", "\x1b[2m$", "\x1b[m\r\nx"},
		"blanks in front":     {"   a  b   "},
	} {
		o := sample()
		var shown recorded
		for i, text := range writes {
			shown.outputs = append(shown.outputs, output{time.Duration(i+1) * second, []byte(text)})
		}
		shown.took = time.Duration(len(writes)+1) * second
		p := read(t, draw(newFilm(shown, o), "make tea"))
		s := newScreen(o.columns, o.rows)
		s.write([]byte("$ make tea\r\n"))
		start := 2 * typing
		for i := range len(writes) + 1 {
			want := asXML(shownLines(s))
			for _, after := range []time.Duration{second / 20, second * 19 / 20} {
				if got := p.screenAt(t, start+time.Duration(i)*second+after); !slices.Equal(got, want) {
					t.Errorf("%s: %v behind output %d: %q, not %q", name, after, i, got, want)
				}
			}
			if i < len(writes) {
				s.write([]byte(writes[i]))
			}
		}
		want := asXML(shownLines(s))
		if got := p.stillScreen(t); !slices.Equal(got, want) {
			t.Errorf("%s: without motion %q, not %q", name, got, want)
		}
		if got := p.screenAt(t, p.length-second/100); !slices.Equal(got, want) {
			t.Errorf("%s: at the end %q, not %q", name, got, want)
		}
		if want := start + shown.took + o.hold; (p.length - want).Abs() > time.Millisecond {
			t.Errorf("%s: the film has %v, not %v", name, p.length, want)
		}
	}
}

// TestRandomOutput sends terminals what chance makes of control sequences, letters and bytes: they
// stand it, and the picture's end is the terminal's.
func TestRandomOutput(t *testing.T) {
	t.Parallel()
	pieces := []string{"a", "b ", "\r", "\n", "\r\n", "\b", "\t", "\x1b", "\x1b[", "\x1b[K", "\x1b[1K", "\x1b[2K", "\x1b[J", "\x1b[1J", "\x1b[2J", "\x1b[3A", "\x1b[2B", "\x1b[4C",
		"\x1b[5D", "\x1b[18G", "\x1b[2;7H", "\x1b[31m", "\x1b[1;32m", "\x1b[0m", "\x1b]", "\a", "日", "\u0301", "\xff", "\xc3", "\x00", "<", "&", ";", "99999999999", "twenty letters here."}
	random := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		o, shown := sample(), recorded{}
		written := []byte("$ make tea\r\n")
		for i := range 20 {
			var text []byte
			for range random.IntN(8) {
				text = append(text, pieces[random.IntN(len(pieces))]...)
			}
			shown.outputs = append(shown.outputs, output{time.Duration(i+1) * second, text})
			written = append(written, text...)
		}
		s := newScreen(o.columns, o.rows)
		s.write(written)
		p := read(t, draw(newFilm(shown, o), ""))
		if got, want := p.stillScreen(t), shownLines(s); !slices.Equal(got, want) {
			t.Fatalf("%q: %q, not %q", written, got, want)
		}
	}
}

// asXML are lines as they can stand in XML.
func asXML(lines []string) []string {
	for i, line := range lines {
		lines[i] = strings.NewReplacer("\ufffe", "\ufffd", "\uffff", "\ufffd").Replace(line)
	}
	return lines
}

// TestTyping plays what comes before the output.
func TestTyping(t *testing.T) {
	t.Parallel()
	o := sample()
	o.command = []string{"tune", "a b.c", "\x1b[31m<x>"}
	p := read(t, draw(newFilm(recorded{}, o), "tune\x01 <x>"))
	if p.title != "A recording of a terminal: tune  <x>" {
		t.Errorf("the title is %q", p.title)
	}
	if got := p.screenAt(t, typing/2); !slices.Equal(got, []string{"$"}) {
		t.Errorf("at first %q", got)
	}
	if got := p.screenAt(t, typing*3/2); !slices.Equal(got, []string{"$ tune 'a b.c' ' [31", "m<x>'"}) {
		t.Errorf("then %q", got)
	}
}

// TestPauses checks what is shortened, and that the picture says so.
func TestPauses(t *testing.T) {
	t.Parallel()
	o := sample()
	o.pause = second / 2
	at := func(seconds ...float64) (outputs []output) {
		for _, s := range seconds {
			outputs = append(outputs, output{time.Duration(s * float64(second)), []byte("x")})
		}
		return outputs
	}
	for _, c := range []struct {
		shown   recorded
		length  time.Duration
		caption string
	}{
		{recorded{at(0.4, 0.8), second, 0, ""}, second, "it took 1s"},
		{recorded{at(0.4, 5), 64 * second, 0, ""}, 1400 * time.Millisecond, "it took 1m4s; pauses over 0.5 s shortened"},
		{recorded{at(0.8), 9 * second / 10, 0, ""}, 6 * second / 10, "it took 900ms; pauses over 0.5 s shortened"},
		{recorded{nil, 3 * second, 0, ""}, second / 2, "it took 3s; pauses over 0.5 s shortened"},
		{recorded{nil, 1234567 * time.Nanosecond, 0, ""}, 1234567 * time.Nanosecond, "it took 0s"},
		{recorded{at(0.1, 0.3), second / 5, 0, ""}, 3 * second / 10, "it took 200ms"},
	} {
		p := read(t, draw(newFilm(c.shown, o), ""))
		if want := 2*typing + c.length + o.hold; (p.length - want).Abs() > time.Millisecond {
			t.Errorf("%v: the film has %v, not %v", c.shown, p.length, want)
		}
		if p.caption != c.caption {
			t.Errorf("%v: it says %q, not %q", c.shown, p.caption, c.caption)
		}
	}
}

// TestQuick checks that outputs in quick succession are one frame, and that a line which changes in
// it is there once.
func TestQuick(t *testing.T) {
	t.Parallel()
	var shown recorded
	for i := range 500 {
		shown.outputs = append(shown.outputs, output{time.Duration(i) * time.Millisecond, fmt.Appendf(nil, "\r%d", i)})
	}
	shown.took = second
	picture := draw(newFilm(shown, sample()), "")
	if p := read(t, picture); len(p.lines) > 14 {
		t.Errorf("half a second has %d texts", len(p.lines))
	}
	// A line that comes back a hundred times is one text.
	shown.outputs = nil
	for i := range 200 {
		shown.outputs = append(shown.outputs, output{time.Duration(i) * second, []byte("\rtick\x1b[K")})
		if i%2 == 0 {
			shown.outputs[i].text = []byte("\rtock\x1b[K")
		}
	}
	if p := read(t, draw(newFilm(shown, sample()), "")); len(p.lines) != 4 {
		t.Errorf("two texts that take turns are %d, with the command's two", len(p.lines))
	}
}
