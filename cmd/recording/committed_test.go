package main

import (
	"os"
	"slices"
	"strings"
	"testing"
	"time"
)

// mostPicture is how large the README's picture may be, in bytes.
const mostPicture = 150_000

// TestCommitted compares the README's picture with the session in the README's text: the same
// command, and the same end.
func TestCommitted(t *testing.T) {
	t.Parallel()
	picture, err := os.ReadFile("../../docs/images/session.svg")
	if err != nil {
		t.Fatal(err)
	}
	if len(picture) > mostPicture {
		t.Errorf("the picture has %d bytes", len(picture))
	}
	readme, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	_, text, found := strings.Cut(string(readme), "\n```text\ntune --bench ")
	text, _, ended := strings.Cut("tune --bench "+text, "\n```\n")
	command, end, cut := strings.Cut(text, "\n…\n")
	if !found || !ended || !cut {
		t.Fatal("the README shows no session; make recording, and write its end there")
	}
	p := read(t, picture)
	if want := "A recording of a terminal: " + command; p.title != want {
		t.Errorf("the picture is %q, not %q", p.title, want)
	}
	if got := p.screenAt(t, 2*typing-typing/2); !slices.Equal(got, []string{"$ " + command}) {
		t.Errorf("the picture begins with %q", got)
	}
	for i := range 1000 { // two texts in one row are an error
		p.screenAt(t, p.length*time.Duration(i)/1000)
	}
	lines := strings.Split(end, "\n")
	screen := p.stillScreen(t)
	if got := screen[max(0, len(screen)-len(lines)):]; !slices.Equal(got, lines) {
		t.Errorf("the picture ends with\n%s\nand the README with\n%s", strings.Join(got, "\n"), end)
	}
	if !strings.Contains(string(readme), "](docs/images/session.svg)") {
		t.Error("the README does not show the picture")
	}
}
