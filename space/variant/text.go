package variant

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Text is the setting as Parse reads it: "tile=wide unroll=4", in alphabetical
// order, without the axes that have their default. It is "" for the default
// setting.
func (m *Model) Text(s Setting) string {
	var words []string
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if k, ok := m.index[name]; !ok || s[name] != m.axes[k].Default {
			words = append(words, name+"="+s[name].text)
		}
	}
	return strings.Join(words, " ")
}

// Parse reads a setting: words NAME=VALUE, in any order, with spaces or commas
// between them. Axes that are not named have their default. The error is a
// *SettingError. Of a text with an axis that there is not it is what is wrong
// with the others, if anything is: where there are no tiles of some shape, there
// are no axes for their sizes.
func (m *Model) Parse(text string) (Setting, error) {
	pairs, err := readPairs(text)
	if err != nil {
		return nil, err
	}
	given, unknown := m.read(pairs)
	setting, err := m.Complete(given)
	if err == nil && len(unknown) > 0 {
		return nil, m.checkValue(unknown[0], Value{})
	}
	return setting, err
}

// read turns texts into values of the model's axes. A text that is no value
// of its axis becomes a word that Complete will refuse. Names of no axis are
// left over.
func (m *Model) read(pairs map[string]string) (given Setting, unknown []string) {
	given = Setting{}
	for _, name := range slices.Sorted(maps.Keys(pairs)) {
		k, ok := m.index[name]
		if !ok {
			unknown = append(unknown, name)
			continue
		}
		value, ok := m.axes[k].Values.find(pairs[name])
		if !ok {
			value = Word(pairs[name])
		}
		given[name] = value
	}
	return given, unknown
}

// readPairs splits a text in names and values.
func readPairs(text string) (map[string]string, error) {
	pairs := map[string]string{}
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' }) {
		name, value, ok := strings.Cut(word, "=")
		switch _, twice := pairs[name]; {
		case !ok || name == "" || value == "":
			return nil, &SettingError{"", fmt.Sprintf("%q is not the value of an axis; write NAME=VALUE, such as tile=wide", word)}
		case twice:
			return nil, &SettingError{name, fmt.Sprintf("the axis %s is given twice", name)}
		}
		pairs[name] = value
	}
	return pairs, nil
}

// names are the names of the axes, for people.
func (m *Model) names() string {
	if len(m.axes) == 0 {
		return "none"
	}
	names := make([]string, len(m.axes))
	for i, a := range m.axes {
		names[i] = a.Name
	}
	return strings.Join(names, ", ")
}
