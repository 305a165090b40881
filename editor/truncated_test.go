package editor

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
)

// reader is a server without an editor.
func reader() *server {
	return &server{Options: &Options{Log: io.Discard}, place: make(chan struct{}, 1), documents: map[string]*document{}}
}

// readingOf is a text that has just been opened.
func readingOf(text string) *reading {
	d := &document{path: "/nowhere/product.c"}
	d.set(1, []byte(text))
	return d.now
}

// few is a number of attempts, or 500 of the long tests.
func few(number int) int {
	if kerneltest.Long() {
		return 500
	}
	return number
}

// Files that end anywhere, or lack a part, neither stop the server nor get many messages.
func TestTruncated(t *testing.T) {
	t.Parallel()
	s, random := reader(), rand.New(rand.NewPCG(1, 2))
	for range few(6) {
		from := random.IntN(len(product) + 1)
		text := product[:from]
		if random.IntN(2) == 0 {
			text += product[from+random.IntN(len(product)-from+1):]
		}
		r := readingOf(text)
		list := s.diagnostics(r)
		if len(list) > 5 {
			t.Errorf("%d messages for\n%s", len(list), text)
		}
		s.search(r)
		for _, d := range list {
			if start, end := offsetOf(r.text, d.Range.Start), offsetOf(r.text, d.Range.End); start > end || d.Message == "" {
				t.Errorf("%+v for\n%s", d, text)
			}
		}
	}
}

// A file with many nests has a message for each that is refused, up to a hundred.
func TestManyNests(t *testing.T) {
	t.Parallel()
	nests := few(110)
	var text strings.Builder
	for k := range nests {
		fmt.Fprintf(&text, "void f%d(int n, double a[n])\n{\n#pragma scop\n  for (int i = 0; i < n; i++) { a[i] = %d; i++; }\n#pragma endscop\n}\n", k, k)
	}
	if got := len(reader().diagnostics(readingOf(text.String()))); got != mostDiagnostics {
		t.Errorf("%d messages for %d nests", got, nests)
	}
}

// A panic is an error of one request.
func TestGuard(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	s := &server{Options: &Options{Log: &log}}
	if err := s.guard(func() { panic("here") }); err == nil || !strings.Contains(log.String(), "here") {
		t.Errorf("%v, the log has %s", err, log.String())
	}
}

// Places of a text count units of UTF-16 in lines that end in any way, and lead there and back.
func TestPlaces(t *testing.T) {
	t.Parallel()
	text := []byte("a𝄞b\r\nΣx\ry\n\xffz\n")
	for offset, want := range map[int]position{0: {0, 0}, 5: {0, 3}, 6: {0, 4}, 8: {1, 0}, 10: {1, 1}, 12: {2, 0}, 14: {3, 0}, 15: {3, 1}, 17: {4, 0}} {
		if got := positionOf(text, offset); got != want {
			t.Errorf("offset %d is %v, not %v", offset, got, want)
		}
		if got := offsetOf(text, want); got != offset {
			t.Errorf("%v is offset %d, not %d", want, got, offset)
		}
	}
	for _, p := range []position{{0, 99}, {99, 0}, {99, 99}} {
		if got := offsetOf(text, p); got > len(text) {
			t.Errorf("%v is offset %d", p, got)
		}
	}
}

// FuzzMessages has the server's framing read anything.
func FuzzMessages(f *testing.F) {
	f.Add([]byte("Content-Length: 2\r\n\r\n{}"))
	f.Add([]byte("Content-Length: 99999999999\r\n\r\n{"))
	f.Fuzz(func(t *testing.T, input []byte) {
		frames := newFrames(bytes.NewReader(input), io.Discard)
		for {
			message, err := frames.read()
			if err != nil {
				break
			}
			if len(message) > len(input) {
				t.Fatalf("%d bytes of %d", len(message), len(input))
			}
		}
	})
}

// FuzzChanges has an editor change any text at any place, which leaves a text that can be read.
func FuzzChanges(f *testing.F) {
	f.Add([]byte(product), 3, 10, 4, 2, []byte("x"))
	f.Fuzz(func(t *testing.T, text []byte, line, character, endLine, endCharacter int, with []byte) {
		d := &document{}
		d.set(1, text)
		d.apply(2, []change{{&span{position{line % 100, character}, position{endLine % 100, endCharacter}}, string(with)}})
		if len(d.text) > len(text)+len(with) {
			t.Errorf("%q", d.text)
		}
		positionOf(d.text, len(d.text)/2)
	})
}

// A text in a language or at a place that is no file is left alone.
func TestOtherDocuments(t *testing.T) {
	t.Parallel()
	for uri, want := range map[string]string{"file:///a%20b/c.c": "/a b/c.c", "untitled:Untitled-1": "", "file:": "", "git:/x.c": "", "%": ""} {
		if got := pathOf(uri); got != want {
			t.Errorf("%s is %q", uri, got)
		}
	}
	if r := readingOf("int x;"); len(reader().diagnostics(r)) > 0 || r.targets != nil || errors.Join(r.problems...) != nil {
		t.Error("a file without a region has messages")
	}
}
