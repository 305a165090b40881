package report

import (
	"strings"

	"polytune/tuner"
)

// ModelsChoice is what How says of a point at which the models decide everything.
const ModelsChoice = "the models' choice"

// otherWords are settings that have words of their own.
var otherWords = map[string]string{
	"ahead=off":    "no fetching ahead",
	"free=off":     "statements unsplit",
	"parallel=off": "1 thread",
	"separate=off": "partial tiles not apart",
	"loops=source": "the source's loops",
	"tile=untiled": "untiled",
}

// How says in a few words what differs at a point of the space from the models' choice: the point
// "tile=sizes tile.1=204 tile.2=912 registers=6x16 pack=off" is "tile 204x912, 6x16 registers, no
// pack". Who has built the variant its name says.
func How(setting string) string {
	_, setting = tuner.SplitCompiler(setting)
	var words []string
	place := map[string]int{}
	for _, item := range strings.Fields(setting) {
		name, value, _ := strings.Cut(item, "=")
		axis, _, isSize := strings.Cut(name, ".")
		at, known := place[axis]
		switch {
		case isSize && known:
			words[at] += "x" + value
		case isSize:
			place[axis] = len(words)
			words = append(words, plainWords(axis)+" "+value)
		case value == "sizes":
		default:
			words = append(words, wordsOf(name, value))
		}
	}
	if len(words) == 0 {
		return ModelsChoice
	}
	return strings.Join(words, ", ")
}

// wordsOf says what an axis is set to.
func wordsOf(name, value string) string {
	if text := otherWords[name+"="+value]; text != "" {
		return text
	}
	switch name = plainWords(name); {
	case value == "on":
		return name
	case value == "off":
		return "no " + name
	case name == "registers":
		return value + " registers"
	}
	return name + " " + value
}

// plainWords is the name of an axis in words.
func plainWords(name string) string { return strings.ReplaceAll(name, "_", " ") }
