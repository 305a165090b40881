package isl_test

import (
	"slices"
	"testing"

	"polytune/isl"
)

func TestPieces(t *testing.T) {
	c := isl.NewContext()
	defer c.Close()
	known := c.ReadSet("[N] -> { S[i] : 0 <= i < N }")
	for text, want := range map[string][]string{
		"[N] -> { S[i] -> [t, i] : 32t <= i <= 32t + 31 }":                   {"[N] -> { S[i] -> [(floor((i)/32)), (i)] }"},
		"[N] -> { S[i] -> [i, N - 1] : i < 9; S[i] -> [i, N - 1] : i >= 9 }": {"[N] -> { S[i] -> [(i), (-1 + N)] }"},
		"{ S[i] -> [i] : i < 9; S[i] -> [-i] : i >= 9 }":                     {"[N] -> { S[i] -> [(-i)] }", "[N] -> { S[i] -> [(i)] }"},
		"{ S[i] -> [i] : false }":                                            nil,
	} {
		var got []string
		for _, piece := range c.ReadMap(text).Coalesce().Pieces(known) {
			got = append(got, piece.Values)
		}
		slices.Sort(got)
		if !slices.Equal(got, want) {
			t.Errorf("%s: the pieces %q, not %q", text, got, want)
		}
	}
	if err := c.Err(); err != nil {
		t.Fatal(err)
	}
}

// A text that is no function is an error, and nothing else.
func TestReadMultiUnionPwAff(t *testing.T) {
	for text, is := range map[string]bool{"[{ S0[i] -> [(i)] }]": true, "[{ S0[i] -> [(i] }]": false, "": false} {
		c := isl.NewContext()
		c.ReadMultiUnionPwAff(text)
		if err := c.Err(); (err == nil) != is {
			t.Errorf("%q: %v", text, err)
		}
		c.Close()
	}
}
