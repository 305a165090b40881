package command

import (
	"errors"
	"strings"
	"testing"
)

// Numbers up to their bounds are read, and names with digits are no numbers.
func TestNumbersWithinBounds(t *testing.T) {
	for _, line := range []string{
		"band c0 S0[i, j] -> [65536i - 65536*j + 9223372036854775807]", "skew c0.12345678901 by 65536 c0.2", "tile c0.1 by 2147483648",
		"threads c0.1 from 4611686018427387904 of NI", "classes {S0 S99999999999}",
	} {
		if _, err := Parse(gemm(), line); err != nil && strings.Contains(err.Error(), "is too large") {
			t.Errorf("%s: %v", line, err)
		}
	}
}

// What isl needs too long for names the line whose rows have large factors.
func TestLargeFactors(t *testing.T) {
	why := errors.New("too long")
	for text, want := range map[string]string{
		"classes {S0} {S1}\nband c0 S0[i, j] -> [32i, j]\nband c1 S1[i, j, k] -> [i - 33j, j, k]": "recipe line 3: band c1 S1[i, j, k] -> [i - 33j, j, k]: with factors above 32: too long",
		"classes {S0} {S1}\nband c0 S0[i, j] -> [32i + 1000, j]":                                  "",
	} {
		recipe, err := Parse(gemm(), text)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if err := LargeFactors(recipe, gemm(), why); err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: got %q, want %q", text, got, want)
		}
	}
}
