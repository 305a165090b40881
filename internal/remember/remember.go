// Package remember keeps for a day, in the user's cache, what compilers have answered or made:
// asking them again costs more than most commands do otherwise.
//
// # Where to find what
//
//   - what is kept of a compiler from one command to the next: runner/toolchainmemory.go; its
//     macros and paths: frontend/hostmemory.go; drivers it has compiled: runner/objectmemory.go,
//     programs: programmemory.go
package remember

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"polytune/internal/pattern"
)

// Day is how long what is kept counts: what a compiler's libraries are may change without it.
const Day = 24 * time.Hour

// compilerFile is what the file of a compiler is called that is no script or cache in front of
// another one, which may become another compiler while it stays the same.
var compilerFile = pattern.New(`(^|-)(gcc|g\+\+|clang|icx|icc|nvc)(-[0-9.]+)?$`)

// variables decide what a compiler finds, its own parts among it.
var variables = []string{"PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX", "LOADEDMODULES"}

// File is a file of the user's cache; "" stands for none.
type File string

// Of is the file, in a folder of the cache, for what a compiler says or makes on this machine, in
// this environment, of what the parts say. It is "" where that may be another compiler next time
// without a change of its file.
func Of(compiler, folder, suffix string, parts ...string) File {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	resolved, err := filepath.EvalSymlinks(compiler)
	if err != nil || !compilerFile.MatchString(filepath.Base(resolved)) || !isBinary(resolved) {
		return ""
	}
	var status unix.Stat_t
	if unix.Stat(resolved, &status) != nil {
		return ""
	}
	host, _ := os.Hostname()
	sum := sha256.New()
	add := func(part string) { fmt.Fprintf(sum, "%d %s\n", len(part), part) }
	for _, part := range append([]string{compiler, resolved, host, firstProcessor()}, parts...) {
		add(part)
	}
	add(fmt.Sprint(status.Dev, status.Ino, status.Size, status.Mtim))
	for _, name := range variables {
		add(os.Getenv(name))
	}
	return File(filepath.Join(cache, "tune", folder, hex.EncodeToString(sum.Sum(nil)[:8])+suffix))
}

// isBinary says that a file is a program for the processor, not a script.
func isBinary(path string) bool {
	file, err := os.Open(path)
	if err != nil {
		return false
	}
	defer file.Close()
	magic := make([]byte, 4)
	_, err = file.Read(magic)
	return err == nil && string(magic) == "\x7fELF"
}

// firstProcessor is what Linux tells of the first processor, as far as it stays the same.
var firstProcessor = sync.OnceValue(func() string {
	text, _ := os.ReadFile("/proc/cpuinfo")
	first, _, _ := strings.Cut(string(text), "\n\n")
	var lines []string
	for _, line := range strings.Split(first, "\n") {
		name, _, _ := strings.Cut(line, "\t")
		switch name {
		case "model name", "flags", "Features", "CPU part", "cpu":
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
})

// Recall is what is kept; false where that is nothing, or too old.
func (f File) Recall() (content []byte, known bool) {
	info, err := os.Stat(string(f))
	if err != nil || time.Since(info.ModTime()) > Day {
		return nil, false
	}
	content, err = os.ReadFile(string(f))
	return content, err == nil
}

// Most is how many files a folder has: with one more, all but the younger half of them go.
const Most = 512

// Keep keeps the content, all of it or nothing, and forgets what is too old in its folder, and what
// is too much. Where that fails, the compiler is asked again.
func (f File) Keep(content []byte) {
	folder := filepath.Dir(string(f))
	if f == "" || os.MkdirAll(folder, 0o755) != nil {
		return
	}
	part, err := os.CreateTemp(folder, "*.part")
	if err != nil {
		return
	}
	_, err = part.Write(content)
	if closed := part.Close(); err != nil || closed != nil || os.Rename(part.Name(), string(f)) != nil {
		os.Remove(part.Name())
	}
	if _, is := looked.LoadOrStore(folder, true); !is || countIn(folder) > Most {
		forget(folder)
	}
}

// looked are the folders in which this process has looked for what is too old: looking at hundreds
// of files takes as long as what is kept in a new one saves.
var looked sync.Map

// countIn is how many files a folder has.
func countIn(folder string) int {
	opened, err := os.Open(folder)
	if err != nil {
		return 0
	}
	defer opened.Close()
	names, _ := opened.Readdirnames(-1)
	return len(names)
}

// forget removes what is too old in a folder, and what is too much.
func forget(folder string) {
	type other struct {
		path string
		age  time.Duration
	}
	var others []other
	paths, _ := filepath.Glob(filepath.Join(folder, "*"))
	for _, path := range paths {
		if info, err := os.Stat(path); err == nil {
			others = append(others, other{path, time.Since(info.ModTime())})
		}
	}
	slices.SortFunc(others, func(a, b other) int { return cmp.Compare(a.age, b.age) })
	for k, o := range others {
		if o.age > Day || len(others) > Most && k >= Most/2 {
			os.Remove(o.path)
		}
	}
}
