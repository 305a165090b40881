package ctext

import "testing"

// What the text has of the file, such as an extent, keeps its macro; all others are taken away, also
// those that headers alone may name.
func TestWithoutMacros(t *testing.T) {
	got := WithoutMacros([]string{"count", "length", "op", "size"}, "\n/* Own. */\nint {{.X}}_size(int count);\n", "\n/* Own. */\nint x_size(int count, double a[length]);\n")
	if want := "\n/* Own. */\n#undef count\n#undef op\n#undef size\nint x_size(int count, double a[length]);\n"; got != want {
		t.Errorf("got %q, not %q", got, want)
	}
}
