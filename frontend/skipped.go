package frontend

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"
)

// The parser does not understand all that compilers do. What it does not understand in headers is
// left out, and the file is read again: most files use little of what their headers declare. The
// host's compiler says whether a file is C; what a region uses of that which is left out is
// undeclared then.

// maxSkips bounds how often a file is read again for that.
const maxSkips = 12

// headerTexts are the texts of headers as they are read, where these are not those of their files.
// It is a file system in which all other files are missing, so that the parser opens them itself.
type headerTexts struct {
	main  string
	texts map[string][]byte
	// names are those of the user's texts; nil where they are not all known.
	names map[string]bool
}

// quadHeader ends the path of glibc's header that names the complex type of 16 bytes each; the
// parser does not know it, and longDoubles are as large in memory.
const quadHeader = "/bits/floatn.h"

var quadComplex, longDoubles = []byte("_Complex _Float128"), []byte("_Complex long double")

// Open opens a header whose text is another one than that of its file.
func (h *headerTexts) Open(name string) (fs.File, error) {
	content, known := h.texts[name]
	if !known && strings.HasSuffix(name, quadHeader) {
		if own, err := os.ReadFile(name); err == nil {
			content, known = bytes.ReplaceAll(own, quadComplex, longDoubles), true
			h.texts[name] = content
		}
	}
	if !known && h.names != nil && strings.HasSuffix(name, functionsHeader) {
		if own, err := os.ReadFile(name); err == nil {
			content, known = declaredFor(own, h.names), true
			h.texts[name] = content
		}
	}
	if !known {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	return &headerFile{name, int64(len(content)), bytes.NewReader(content)}, nil
}

// headerFile is the text of a header as a file.
type headerFile struct {
	name string
	size int64
	*bytes.Reader
}

func (f *headerFile) Close() error               { return nil }
func (f *headerFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *headerFile) Name() string               { return filepath.Base(f.name) }
func (f *headerFile) Size() int64                { return f.size }
func (f *headerFile) Mode() fs.FileMode          { return 0o444 }
func (f *headerFile) ModTime() time.Time         { return time.Time{} }
func (f *headerFile) IsDir() bool                { return false }
func (f *headerFile) Sys() any                   { return nil }

// skip blanks the declarations of headers in which there are errors, and says whether there was
// one.
func (h *headerTexts) skip(failed error) (found bool) {
	for _, line := range strings.Split(failed.Error(), "\n") {
		m := compilerMessage.FindStringSubmatch(strings.TrimPrefix(line, "TODO "))
		if m == nil || m[1] == h.main || !filepath.IsAbs(m[1]) && !isFile(m[1]) {
			continue
		}
		row, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		found = h.blank(m[1], row, column) || found
	}
	return found
}

func isFile(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// blank makes the declaration around a place of a header white space, and says whether there is
// one.
func (h *headerTexts) blank(name string, row, column int) bool {
	content, known := h.texts[name]
	if !known {
		var err error
		if content, err = os.ReadFile(name); err != nil {
			return false
		}
		content = bytes.Clone(content)
	}
	t := newText(name, content)
	if row < 1 || row > len(t.lines) {
		return false
	}
	start, end := t.declarationAround(t.lines[row-1] + max(0, column-1))
	changed := false
	for _, l := range t.between(start, end) {
		if l.kind != directive {
			changed = true
			blank(content[l.start:l.end])
		}
	}
	h.texts[name] = content
	return changed
}

// declarationAround bounds the declaration or function definition of a text that an offset is in,
// or the next one.
func (t *text) declarationAround(offset int) (start, end int) {
	depth, isBody := 0, false
	start = -1
	before := [2]string{}
	for _, l := range t.lexemes {
		if l.kind == directive {
			continue
		}
		if start < 0 {
			start = l.start
		}
		word, ends := t.of(l), false
		switch word {
		case "(", "[":
			depth++
		case "{":
			if depth == 0 {
				isBody = before[0] == ")" || !isAggregate(before[0]) && !isAggregate(before[1]) && before[0] != "="
			}
			depth++
		case ")", "]", "}":
			depth = max(0, depth-1)
			ends = depth == 0 && word == "}" && isBody
		case ";":
			ends = depth == 0
		}
		if ends {
			if l.end > offset {
				return start, l.end
			}
			start, isBody = -1, false
		}
		before = [2]string{word, before[0]}
	}
	return max(0, start), len(t.source)
}

// isAggregate says whether a word is one behind which braces hold members.
func isAggregate(word string) bool { return word == "struct" || word == "union" || word == "enum" }
