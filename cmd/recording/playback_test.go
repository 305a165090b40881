package main

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// playback is a picture as a browser reads it.
type playback struct {
	length time.Duration
	lines  []shownText
	// rules are the steps of animations by their names.
	rules   map[string][]step
	title   string
	caption string
}

// step is the part of an animation from there on.
type step struct {
	percent float64
	value   string
}

// shownText is a text element of the terminal.
type shownText struct {
	classes []string
	row     int
	text    string
}

// Parts of the style sheet.
var (
	lengthRule    = regexp.MustCompile(`animation:([0-9.]+)s step-end infinite`)
	keyframesRule = regexp.MustCompile(`@keyframes (\w+)\{((?:[^{}]*\{[^{}]*\})*)\}`)
	stepRule      = regexp.MustCompile(`([0-9.]+)%\{visibility:([^{}]*)\}`)
)

// read reads a picture, which has to be well-formed.
func read(t *testing.T, picture []byte) *playback {
	t.Helper()
	p := &playback{rules: map[string][]step{}}
	var sheet string
	var open []xml.StartElement
	decoder := xml.NewDecoder(bytes.NewReader(picture))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, picture)
		}
		switch token := token.(type) {
		case xml.StartElement:
			open = append(open, token.Copy())
			if token.Name.Local == "text" {
				p.lines = append(p.lines, shownText{strings.Fields(attribute(token, "class")), number(t, attribute(token, "y")) / lineHeight, ""})
			}
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			for _, element := range open {
				switch element.Name.Local {
				case "title":
					p.title += string(token)
				case "style":
					sheet += string(token)
				case "text":
					p.lines[len(p.lines)-1].text += string(token)
				}
			}
		}
	}
	p.caption, p.lines = p.lines[len(p.lines)-1].text, p.lines[:len(p.lines)-1]
	seconds, err := strconv.ParseFloat(lengthRule.FindStringSubmatch(sheet)[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	p.length = time.Duration(seconds * float64(time.Second))
	for _, rule := range keyframesRule.FindAllStringSubmatch(sheet, -1) {
		for _, s := range stepRule.FindAllStringSubmatch(rule[2], -1) {
			percent, err := strconv.ParseFloat(s[1], 64)
			if err != nil {
				t.Fatal(err)
			}
			if before := p.rules[rule[1]]; len(before) > 0 && before[len(before)-1].percent >= percent {
				t.Fatalf("two steps at one time: %s", rule[0])
			}
			p.rules[rule[1]] = append(p.rules[rule[1]], step{percent, s[2]})
		}
	}
	return p
}

func attribute(element xml.StartElement, name string) string {
	for _, a := range element.Attr {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func number(t *testing.T, text string) int {
	t.Helper()
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// value is what an animation says at a time.
func (p *playback) value(name string, at time.Duration) string {
	value := ""
	for _, s := range p.rules[name] {
		if s.percent <= 100*at.Seconds()/p.length.Seconds() {
			value = s.value
		}
	}
	return value
}

// screenAt are the lines that are visible at a time. Two in one row are an error.
func (p *playback) screenAt(t *testing.T, at time.Duration) []string {
	t.Helper()
	return p.visible(t, func(line shownText) bool {
		for _, class := range line.classes {
			if p.rules[class] != nil {
				return p.value(class, at) == "visible"
			}
		}
		return !slices.Contains(line.classes, "past")
	})
}

// stillScreen are the lines that are visible where nothing moves.
func (p *playback) stillScreen(t *testing.T) []string {
	t.Helper()
	return p.visible(t, func(line shownText) bool { return !slices.Contains(line.classes, "past") })
}

func (p *playback) visible(t *testing.T, is func(shownText) bool) []string {
	t.Helper()
	var screen []string
	for _, line := range p.lines {
		if !is(line) {
			continue
		}
		for len(screen) <= line.row {
			screen = append(screen, "")
		}
		if screen[line.row] != "" {
			t.Fatalf("%q and %q are in one row", screen[line.row], line.text)
		}
		screen[line.row] = line.text
	}
	return screen
}
