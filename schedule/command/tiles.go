package command

import (
	"strings"

	"polytune/schedule"
)

// Tiles are the tile commands in the text of a recipe, in their order. They are
// found without the program, for those who compare stored recipes; lines that are no
// well-formed tile commands are passed over.
func Tiles(text string) []Tile {
	var list []Tile
	for _, line := range schedule.Lines(text) {
		if !strings.HasPrefix(line, schedule.Name(Tile{})+" ") {
			continue
		}
		if c, err := All.ReadLine(nil, line); err == nil {
			if tile, is := c.(Tile); is {
				list = append(list, tile)
			}
		}
	}
	return list
}
