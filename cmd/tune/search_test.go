package main

import (
	"strings"
	"testing"

	"polytune/session"
	"polytune/transform"
	"polytune/tuner/search"
)

// The default strategies exist, and the help names all.
func TestStrategiesAreNamed(t *testing.T) {
	for effort, name := range session.DefaultStrategies {
		if err := search.Check(name); err != nil {
			t.Errorf("%s: %v", effort, err)
		}
	}
	for _, name := range search.Names() {
		if !strings.Contains(strategiesHelp, "  "+name+" ") {
			t.Errorf("the help does not say what %s does", name)
		}
	}
	if transform.TileAxis != "tile" || !search.IsTileAxis(transform.TileAxis) {
		t.Error("the search does not know the axis of tiles")
	}
}
