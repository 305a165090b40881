package buildflags

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"polytune/internal/shellwords"
)

// DatabaseName is the file in which builds say how each file is compiled, as CMake, Meson and Bear
// write it: clang.llvm.org/docs/JSONCompilationDatabase.html.
const DatabaseName = "compile_commands.json"

// buildFolder is where clangd looks for it besides.
const buildFolder = "build"

// mostDatabase bounds the file, in bytes.
const mostDatabase = 256 << 20

// entry is how one file is compiled. Relative paths are those of the folder.
type entry struct {
	Directory string   `json:"directory"`
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`
	File      string   `json:"file"`
}

// Compiled finds how a build compiles a file: what --build-flags has of it that says how the file is
// read, and the database that says so, which is in a folder around the file or in build below one.
// A header, which no build compiles, has the words of the file of the database that is nearest to it.
// There is neither where no database has the file. The error is that of a database that cannot be
// read.
func Compiled(path string) (words []string, database string, err error) {
	path = realPath(path)
	for folder := filepath.Dir(path); ; folder = filepath.Dir(folder) {
		for _, database := range []string{filepath.Join(folder, DatabaseName), filepath.Join(folder, buildFolder, DatabaseName)} {
			entries, err := entriesOf(database)
			switch {
			case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission):
				continue
			case err != nil:
				return nil, database, fmt.Errorf("%s cannot be read: %w", database, err)
			}
			if e := entryOf(entries, path); e != nil {
				words, err := e.reading()
				if err != nil {
					return nil, database, fmt.Errorf("%s: the command of %s cannot be read: %w", database, e.File, err)
				}
				return words, database, nil
			}
		}
		if folder == filepath.Dir(folder) {
			return nil, "", nil
		}
	}
}

// realPath is a path from the root, without links as far as the file is there.
func realPath(path string) string {
	if absolute, err := filepath.Abs(path); err == nil {
		path = absolute
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// kept are the databases that were read, with when they were written: an editor asks at each letter.
var kept = struct {
	sync.Mutex
	files map[string]keptDatabase
}{files: map[string]keptDatabase{}}

type keptDatabase struct {
	written time.Time
	size    int64
	entries []entry
}

// entriesOf reads a database.
func entriesOf(path string) ([]entry, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fs.ErrNotExist
	}
	kept.Lock()
	defer kept.Unlock()
	if k, is := kept.files[path]; is && k.written.Equal(info.ModTime()) && k.size == info.Size() {
		return k.entries, nil
	}
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var entries []entry
	if err := json.NewDecoder(io.LimitReader(file, mostDatabase)).Decode(&entries); err != nil {
		return nil, err
	}
	kept.files[path] = keptDatabase{info.ModTime(), info.Size(), entries}
	return entries, nil
}

// entryOf is the first entry of a file, or for a header the one of the nearest file; nil for none.
func entryOf(entries []entry, path string) (found *entry) {
	near, name, isHeader := -1, filepath.Base(path), filepath.Ext(path) == ".h"
	for k := range entries {
		e := &entries[k]
		if filepath.Base(e.File) == name && realPath(e.in(e.File)) == path { // links take long to follow
			return e
		}
		if !isHeader {
			continue
		}
		if n := sharedFolders(filepath.Clean(e.in(e.File)), path); n > near {
			near, found = n, e
		}
	}
	return found
}

// in is a path of the entry from the root.
func (e *entry) in(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(e.Directory, path)
}

// sharedFolders is the number of folders that two paths from the root begin with together.
func sharedFolders(a, b string) (n int) {
	first, second := strings.Split(filepath.Dir(a), "/"), strings.Split(filepath.Dir(b), "/")
	for n < len(first) && n < len(second) && first[n] == second[n] {
		n++
	}
	return n
}

// reading are the words of the command that say how the file is read, with paths from the root:
// folders of headers, macros, headers that come first, and the standard of C.
func (e *entry) reading() (kept []string, err error) {
	words := e.Arguments
	if len(words) == 0 {
		if words, err = shellwords.Split(e.Command); err != nil {
			return nil, err
		}
	}
	for len(words) > 0 {
		option, value, count := optionAt(words)
		words = words[count:]
		if strings.HasPrefix(option, "-std=") || option == "-ansi" {
			kept = append(kept, option)
		}
		if OptionsWithValue[option] != ForPreprocessor {
			continue
		}
		if in := e.in(value); slices.Contains(optionsWithPath, option) && !searchedFor(option, in) {
			value = in
		}
		if len(option) == 2 {
			kept = append(kept, option+value)
		} else {
			kept = append(kept, option, value)
		}
	}
	return kept, nil
}

// optionAt is the option that the first of some words is, with its value, and how many words both are.
func optionAt(words []string) (option, value string, count int) {
	if _, is := OptionsWithValue[words[0]]; is && len(words) > 1 {
		return words[0], words[1], 2
	}
	for name := range OptionsWithValue {
		if IsAttached(words[0], name) && len(name) > len(option) {
			option, value = name, words[0][len(name):]
		}
	}
	if option != "" {
		return option, value, 1
	}
	return words[0], "", 1
}

// FromHere are flags with paths from the present folder where they are below it.
func FromHere(flags string) string {
	words, err := shellwords.Split(flags)
	if err != nil {
		return flags
	}
	for k, word := range words {
		path, isFolder := strings.CutPrefix(word, "-I")
		words[k] = Here(path)
		if isFolder {
			words[k] = "-I" + words[k]
		}
	}
	return shellwords.Line(words)
}

// Here is a path from the root as one from the present folder, where it is below that.
func Here(path string) string {
	folder, err := os.Getwd()
	if err != nil || !filepath.IsAbs(path) {
		return path
	}
	below, err := filepath.Rel(realPath(folder), path)
	if err != nil || !filepath.IsLocal(below) {
		return path
	}
	return below
}
