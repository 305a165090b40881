package ctext

import (
	"strings"
	"testing"
)

func TestSplice(t *testing.T) {
	for _, test := range []struct{ name, source, code, want string }{
		{"whole lines", "a\n<  old\n>b\n", "  new\n  lines\n", "a\n  new\n  lines\nb\n"},
		{"inside lines", "a\n  <old>\nb\n", "  new\n  lines\n", "a\n  new\n  lines\nb\n"},
		{"text before", "a; <old>\nb\n", "  new\n", "a; \n  new\nb\n"},
		{"text behind", "  <old> b;\n", "  new\n", "  new\n b;\n"},
		{"line ends of DOS", "a\r\n  <old>\r\nb\r\n", "  new\n  lines\n", "a\r\n  new\r\n  lines\r\nb\r\n"},
		{"whole lines of DOS", "a\r\n<  old\r\n>b\r\n", "  new\n", "a\r\n  new\r\nb\r\n"},
		{"no line end", "<old>", "new\n", "new\n"},
		{"odd bytes", "\xff\t\n<old>\n\x00\r", "new\n", "\xff\t\nnew\n\x00\r"},
	} {
		start, end := strings.IndexByte(test.source, '<'), strings.IndexByte(test.source, '>')-1
		source := strings.NewReplacer("<", "", ">", "").Replace(test.source)
		if got := string(Splice([]byte(source), start, end, test.code)); got != test.want {
			t.Errorf("%s: got %q, want %q", test.name, got, test.want)
		}
	}
}

func TestSpliceOutside(t *testing.T) {
	for _, places := range [][2]int{{-1, 2}, {1, 9}, {3, 1}, {9, 9}} {
		Splice([]byte("abc"), places[0], places[1], "new\n")
	}
}
