package reuse

import (
	"fmt"
	"slices"
	"strings"

	"polytune/internal/pattern"
	"polytune/schedule"
)

// definition is a text with arguments.
type definition struct {
	name string
	at   place
	// arguments are names of statements, loops and arrays, numbers those behind "by".
	arguments, numbers []string
	lines              []place
}

// isName is what an argument, or a definition, may be called.
var isName = pattern.New(`^[A-Za-z_]\w*$`)

// define begins a definition: NAME ARGUMENTS [by NUMBERS].
func (r *reader) define(here place, rest string) (*definition, error) {
	arguments, numbers := parted(rest)
	if len(arguments) == 0 {
		return nil, fmt.Errorf("a definition is written: %s NAME ARGUMENTS [%s NUMBERS], and ends with %s", defineWord, byWord, endWord)
	}
	d := &definition{name: arguments[0], at: here, arguments: arguments[1:], numbers: numbers}
	if before := r.definitions[d.name]; before != nil {
		return nil, fmt.Errorf("%s is defined in %s already", d.name, before.at)
	}
	all := slices.Concat([]string{d.name}, d.arguments, d.numbers)
	for k, name := range all {
		switch {
		case !isName.MatchString(name):
			return nil, fmt.Errorf("%q is no name", name)
		case slices.Contains(all[:k], name):
			return nil, fmt.Errorf("the name %s is there twice", name)
		}
	}
	r.definitions[d.name] = d
	return d, nil
}

// parted are the words in front of "by", and those behind it. A set in braces is one word.
func parted(text string) (before, behind []string) {
	words := word.FindAllString(text, -1)
	if by := slices.Index(words, byWord); by >= 0 {
		return words[:by], words[by+1:]
	}
	return words, nil
}

// word is a word of a line, or a set of numbers.
var word = pattern.New(`\{[^}]*\}|[^\s{]+`)

// use takes a definition's lines with values in the place of its arguments into the recipe.
func (r *reader) use(here place, rest string) error {
	return r.used(here, here.number, rest, nil)
}

// used is use for a line of the recipe's file that has a number, where the uses of some definitions
// are being taken in.
func (r *reader) used(here place, number int, rest string, around []string) error {
	values, numbers := parted(rest)
	if len(values) == 0 {
		return fmt.Errorf("a definition is used by: %s NAME ARGUMENTS [%s NUMBERS]", useWord, byWord)
	}
	d := r.definitions[values[0]]
	if d == nil {
		return fmt.Errorf("there is no definition of %s in front of it%s", values[0], r.defined())
	}
	if slices.Contains(around, d.name) {
		return fmt.Errorf("%s uses itself", d.name)
	}
	if values = values[1:]; len(values) != len(d.arguments) || len(numbers) != len(d.numbers) {
		return fmt.Errorf("%s, which %s defines, is used by: %s", d.name, d.at, d.usage())
	}
	if r.uses++; r.uses > mostLines {
		return fmt.Errorf("the recipe has more than %d uses of definitions", mostLines)
	}
	given := map[string]string{}
	for k, name := range d.arguments {
		given[name] = values[k]
	}
	for k, name := range d.numbers {
		given[name] = numbers[k]
	}
	for _, line := range d.lines {
		text := substituted(line.text, given)
		if first, inside, _ := strings.Cut(text, " "); first == useWord {
			if err := r.used(line, number, inside, append(around, d.name)); err != nil {
				return line.refused(err)
			}
			continue
		}
		if len(r.lines) == mostLines {
			return fmt.Errorf("the recipe has more than %d lines", mostLines)
		}
		r.lines = append(r.lines, schedule.Line{Number: number, Text: text, In: line.String()})
	}
	return nil
}

// usage is how the definition is used.
func (d *definition) usage() string {
	text := strings.Join(slices.Concat([]string{useWord, d.name}, d.arguments), " ")
	if len(d.numbers) > 0 {
		text += " " + byWord + " " + strings.Join(d.numbers, " ")
	}
	return text
}

// defined lists the definitions that there are.
func (r *reader) defined() string {
	var names []string
	for name := range r.definitions {
		names = append(names, name)
	}
	if slices.Sort(names); len(names) > 0 {
		return "; there are " + strings.Join(names, ", ")
	}
	return ""
}

// identifier is a name in a line.
var identifier = pattern.New(`[A-Za-z_]\w*`)

// substituted is a line with values in the place of arguments. The tile loop of one is written with
// a t behind it, the register loop with an r: S.kt.
func substituted(line string, given map[string]string) string {
	return identifier.ReplaceAllStringFunc(line, func(name string) string {
		if value, has := given[name]; has {
			return value
		}
		stem := name[:len(name)-1]
		if value, has := given[stem]; has && (strings.HasSuffix(name, "t") || strings.HasSuffix(name, "r")) {
			return value + name[len(name)-1:]
		}
		return name
	})
}
