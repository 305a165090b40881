package main

import "testing"

// What --watch shows again lies over what was there: no line keeps the end of a longer one.
func TestRedrawn(t *testing.T) {
	t.Parallel()
	if got, want := redrawn("a\nb\n"), "\x1b[Ha\x1b[K\nb\x1b[K\n\x1b[J"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
