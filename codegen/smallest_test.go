package codegen

import (
	"maps"
	"testing"

	"polytune/isl"
	"polytune/loopir"
)

// TestSmallest says what is known of a difference all over a tile: inner
// loops are replaced before the outer ones that their bounds mention.
func TestSmallest(t *testing.T) {
	half := loopir.Operation(isl.OpFdivQ, &loopir.Expr{Kind: isl.AstID, Name: "a"}, loopir.Int(2))
	tile := &fullTile{opaque: map[string]*loopir.Expr{}}
	ranges := map[string]interval{
		"a": {linear{"T": 8}, linear{"T": 8, "": 7}, 0},
		"b": {linear{"a": 1}, linear{"a": 1, "": 3}, 1},
		"c": {linear{"a": 1, "b": 1}, linear{"a": 1, "b": 1, "": 1}, 2},
		"d": {tile.linearOf(half), linear{"N": 1}, 3},
		"e": {depth: 4},
	}
	for _, test := range []struct {
		form, want linear
	}{
		{linear{"b": 1, "a": -1}, linear{}},
		{linear{"a": 1, "b": -1}, linear{"": -3}},
		{linear{"c": 1, "b": -1, "a": -1, "": 2}, linear{"": 2}},
		{linear{"N": 1, "c": -1}, linear{"N": 1, "T": -16, "": -18}},
		{linear{"d": -1}, linear{"N": -1}},
		{linear{"d": 1}, nil},
		{linear{"e": 1}, nil},
	} {
		for range 20 {
			got, ok := tile.smallest(test.form, ranges)
			if ok != (test.want != nil) || ok && !maps.Equal(got, test.want) {
				t.Fatalf("%v: got %v %t, want %v", test.form, got, ok, test.want)
			}
		}
	}
}
