package mark

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

func (m Local) String() string {
	words := []string{"contract", m.Array}
	if m.Loop != "" {
		words = []string{"copy", m.Loop, m.Array}
	}
	if m.Own {
		words = append(words, "own")
	}
	for _, side := range m.Sides {
		words = append(words, side.words()...)
	}
	return strings.Join(words, " ")
}

// words are the side's in the text of its mark: 1:8:0 S0@1.
func (s LocalSide) words() []string {
	first := fmt.Sprintf("%d:%d:%d", s.Dimension, s.Size, s.Offset)
	if s.Extent != s.Size {
		first += fmt.Sprintf(":%d", s.Extent)
	}
	words := []string{first}
	for _, name := range slices.Sorted(maps.Keys(s.Tiles)) {
		words = append(words, fmt.Sprintf("%s@%d", name, s.Tiles[name]))
	}
	return words
}
