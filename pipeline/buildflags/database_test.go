package buildflags

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// writeAt writes a file and its folders.
func writeAt(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// What says how a file is read is found in the databases around it, as lists of words and as commands
// of a shell, with paths from the root; what else compilers are told is left out.
func TestCompiled(t *testing.T) {
	t.Parallel()
	root := realPath(t.TempDir())
	writeAt(t, filepath.Join(root, "build", DatabaseName), `[
 {"directory": "`+root+`/build", "file": "../src/a.c", "command": "/usr/bin/cc -DN=4 -D 'TEXT=\"a b\"' -I../include -isystem /opt/x -Iwith\\ blank -O2 -g -Wall -std=gnu11 -fopenmp -march=native -MD -MF a.d -o a.o -c ../src/a.c"},
 {"directory": "`+root+`", "file": "`+root+`/src/b.c", "arguments": ["ccache", "gcc", "-U", "N", "-include", "src/first.h", "-include", "elsewhere.h", "-c", "src/b.c", "-ob.o", "-Lx", "-lm"]},
 {"directory": "`+root+`", "file": "src/a.c", "command": "cc -DSECOND -c src/a.c"},
 {"directory": "`+root+`", "file": "src/odd.c", "command": "cc 'open"}]`)
	writeAt(t, filepath.Join(root, "own", DatabaseName), `[{"directory": "`+root+`", "file": "own/c.c", "command": "cc -c own/c.c"}]`)
	writeAt(t, filepath.Join(root, "broken", DatabaseName), `[{"directory`)
	writeAt(t, filepath.Join(root, "src/first.h"), "")
	writeAt(t, filepath.Join(root, "src/a.c"), "")
	if err := os.Symlink(filepath.Join(root, "src"), filepath.Join(root, "link")); err != nil {
		t.Fatal(err)
	}
	a := "-DN=4|-DTEXT=\"a b\"|-I" + root + "/include|-isystem|/opt/x|-I" + root + "/build/with blank|-std=gnu11 build"
	for path, want := range map[string]string{
		"src/a.c": a, "link/a.c": a, "src/sub/a.h": a, "src/other.c": " ",
		"src/b.c":   "-UN|-include|" + root + "/src/first.h|-include|elsewhere.h build",
		"own/c.c":   " own",
		"own/d.c":   " ",
		"own/c.h":   " own",
		"broken/x":  "error: unexpected EOF",
		"src/odd.c": "error: the command of src/odd.c cannot be read: the quote",
	} {
		words, database, err := Compiled(filepath.Join(root, path))
		if says, isError := strings.CutPrefix(want, "error: "); isError {
			if err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), DatabaseName) {
				t.Errorf("%s: %v", path, err)
			}
			continue
		}
		folder := ""
		if database != "" {
			folder = filepath.Base(filepath.Dir(database))
		}
		if got := strings.Join(words, "|") + " " + folder; got != want || err != nil {
			t.Errorf("%s: %s, %v, want %s", path, got, err, want)
		}
	}
	// A database that is written anew is read anew.
	writeAt(t, filepath.Join(root, "own", DatabaseName), `[{"directory": "`+root+`", "file": "own/c.c", "command": "cc -DNEW -c own/c.c"}]`)
	if words, _, err := Compiled(filepath.Join(root, "own/c.c")); len(words) != 1 || err != nil {
		t.Errorf("%v, %v", words, err)
	}
}

// Flags that people type have paths from where they are.
func TestFromHere(t *testing.T) {
	t.Parallel()
	here, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	flags := fmt.Sprintf("-DA=/x '-I%[1]s/a b' -isystem %[1]s/sys -I/usr/include -I%[1]s", here)
	if got, want := FromHere(flags), "-DA=/x '-Ia b' -isystem sys -I/usr/include -I."; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
