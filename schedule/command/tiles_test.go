package command

import (
	"fmt"
	"testing"
)

func TestTilesOfText(t *testing.T) {
	for text, want := range map[string]string{
		"": "[]",
		"classes {S0}\ntile c0.1 c0.2 by 32 64\nparallel c0.1t\n":                "[{[c0.1 c0.2] [32 64] []}]",
		"tile c0.1 by 8 # small\n\n  tile c0.1t by 4\n":                          "[{[c0.1] [8] []} {[c0.1t] [4] []}]",
		"tile c0.1 c0.2\ntile c0.1 by much\ntiles c0.1 by 8\n# tile c0.1 by 8\n": "[]",
	} {
		if got := fmt.Sprint(Tiles(text)); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
