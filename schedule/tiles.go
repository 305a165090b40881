package schedule

import "strings"

// Tiles are the tile commands in the text of a recipe, in their order. They are
// found without the program, for those who compare stored recipes; lines that are no
// well-formed tile commands are passed over.
func Tiles(text string) []Tile {
	var list []Tile
	for _, line := range commandLines(text) {
		if !strings.HasPrefix(line, Name(Tile{})+" ") {
			continue
		}
		if c, err := parseCommand(nil, line); err == nil {
			list = append(list, c.(Tile))
		}
	}
	return list
}
