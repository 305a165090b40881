package isl

import "testing"

func TestPieces(t *testing.T) {
	c := NewContext()
	defer c.Close()
	known := c.ReadSet("[N] -> { S[i] : 0 <= i < N }")
	for text, want := range map[string][]string{
		"[N] -> { S[i] -> [t, i] : 32t <= i <= 32t + 31 }":                   {"[N] -> { S[i] -> [(floor((i)/32)), (i)] }"},
		"[N] -> { S[i] -> [i, N - 1] : i < 9; S[i] -> [i, N - 1] : i >= 9 }": {"[N] -> { S[i] -> [(i), (-1 + N)] }"},
		"{ S[i] -> [i] : i < 9; S[i] -> [-i] : i >= 9 }":                     {"{ S[i] -> [(i)] }", "{ S[i] -> [(-i)] }"},
		"{ S[i] -> [i] : false }":                                            nil,
	} {
		pieces := c.ReadMap(text).Coalesce().Pieces(known)
		if len(pieces) != len(want) {
			t.Fatalf("%s: %d pieces", text, len(pieces))
		}
		for _, piece := range pieces {
			t.Log(piece.Values, piece.Domain)
		}
		_ = want
	}
	if err := c.Err(); err != nil {
		t.Fatal(err)
	}
	for _, bad := range []string{"{ domain: \"{ S0[i] : 0 <= i < 9 }\", child: { schedule: \"[{ S0[i] -> [(i)] }]\" } }", "# a comment\ndomain: \"{ S0[i] : 0 <= i < 9 }\"\nchild:\n  # more\n  schedule: \"[{ S0[i] -> [(i)] }]\"\n"} {
		s := c.ReadSchedule(bad)
		t.Log(c.TakeErr(), s.String())
	}
}
