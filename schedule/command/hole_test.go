package command

import (
	"errors"
	"strings"
	"testing"

	"polytune/schedule"
)

// Arguments may be holes: such lines are read with what may stand there, are written as they were,
// and cannot be applied.
func TestHoles(t *testing.T) {
	for line, want := range map[string]schedule.Hole{
		"tile c0.1 c0.2 by ?":               {Field: 1, Kind: "SIZES", From: 1, To: schedule.MaxCount},
		"skew c0.2 by ? c0.1":               {Field: 1, Kind: "NUMBER", From: -schedule.MaxFactor, To: schedule.MaxFactor},
		"threads c0.1 from ?":               {Field: 1, Kind: "COUNT", From: 1, To: schedule.MaxNumber},
		"threads c0.1 from 4 of ?":          {Field: 2, Kind: "EXTENTS"},
		"overlap ? by 2 lanes 8":            {Field: 0, Kind: "LOOP"},
		"registers c0.1 by 4 ahead lanes ?": {Field: 4, Kind: "COUNT", From: 1, To: schedule.MaxCount},
		"pack S1 ? around c0.1":             {Field: 1, Kind: "REFERENCE"},
		"classes ?":                         {Field: 0, Kind: "GROUPS"},
	} {
		p := gemm()
		recipe, err := Parse(p, line)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		if open, is := recipe[0].(schedule.Open); !is || len(open.Holes) != 1 || open.Holes[0] != want {
			t.Errorf("%s is read as %+v", line, recipe[0])
		}
		if got := strings.TrimSpace(recipe.Text(p)); got != line {
			t.Errorf("%s is written %s", line, got)
		}
	}
}

// A recipe with a hole has no schedule; the error says where the hole is.
func TestHolesAreNotLowered(t *testing.T) {
	p := gemm()
	recipe, err := Parse(p, "classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\ntile c0.1 c0.2 by ?\n")
	if err != nil {
		t.Fatal(err)
	}
	_, err = recipe.Replay(p)
	const want = "recipe line 3: tile c0.1 c0.2 by ?: argument 2 of tile, SIZES from 1 to 2147483648, is a hole without a value"
	var at *schedule.CommandError
	if !errors.As(err, &at) || at.Line != 3 || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if tiles := Tiles("tile c0.1 by ?\ntile c0.1 by 8\n"); len(tiles) != 1 {
		t.Errorf("tiles %v", tiles)
	}
}
