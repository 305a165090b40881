package bug

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Of a log that is too long the end is packed, from the beginning of a line.
func TestLongLog(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "tune.log")
	line := `{"msg":"run"}` + "\n"
	if err := os.WriteFile(path, []byte(strings.Repeat(line, largestLog/len(line)+100)), 0o666); err != nil {
		t.Fatal(err)
	}
	b := &Bundle{}
	if err := b.addLog(path); err != nil {
		t.Fatal(err)
	}
	text := b.Files[0].Text
	if len(text) > largestLog || len(text) < largestLog-len(line) || !bytes.HasPrefix(text, []byte(line)) || !strings.Contains(b.Files[0].About, "last 8 MiB") {
		t.Errorf("%d bytes, %.40q, %s", len(text), text, b.Files[0].About)
	}
}

// A source that polytune does not read is packed with the reason.
func TestRefused(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "refused.c")
	if err := os.WriteFile(path, []byte("int\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	b := &Bundle{}
	if err := b.addUnread(io.Discard, []string{path}, errors.New("refused.c:1:1: no")); err != nil {
		t.Fatal(err)
	}
	var packed bytes.Buffer
	if err := b.Write(&packed); err != nil {
		t.Fatal(err)
	}
	zipped, err := gzip.NewReader(&packed)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for files := tar.NewReader(zipped); ; {
		header, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(files)
		if err != nil {
			t.Fatal(err)
		}
		found[header.Name] = string(text)
	}
	if len(found) != 2 || found["polytune-bug/refused.c"] != "int\n" || found["polytune-bug/refused.txt"] != "refused.c:1:1: no\n" {
		t.Errorf("%q", found)
	}
}
