package runner

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// keepAnswers is how long a compiler's answers count: what its libraries are may change without it.
const keepAnswers = 24 * time.Hour

// compilerFile is what the file of a compiler is called that is no script or cache in front of another one, which
// may become another compiler while it stays the same.
var compilerFile = regexp.MustCompile(`(^|-)(gcc|clang|icx|icc|nvc)(-[0-9.]+)?$`)

// compilerVariables decide what a compiler finds, its own parts among it.
var compilerVariables = []string{"PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "LIBRARY_PATH", "CPATH", "C_INCLUDE_PATH", "COMPILER_PATH", "GCC_EXEC_PREFIX", "LOADEDMODULES"}

// toolchainMemory is the file that has what a compiler with its flags answered before; "" for none.
type toolchainMemory string

// memoryOf is the file for a compiler that is to be examined, in the user's cache. Its name is made of the
// compiler's file, its flags, the machine and the environment.
func memoryOf(t Toolchain) toolchainMemory {
	return toolchainMemory(t.cacheFile("compilers", ".json", strings.Join(t.Flags, " "), strings.Join(t.CheckFlags, " "), strings.Join(t.Libraries, " ")))
}

// cacheFile is a file of the user's cache in a folder for what a compiler has made on this machine, in this environment, of what the parts
// say; "" where it may be another compiler next time without a change of its file.
func (t Toolchain) cacheFile(folder, suffix string, parts ...string) string {
	cache, err := os.UserCacheDir()
	if err != nil || len(t.Environment) > 0 {
		return ""
	}
	file := stampOf(t.Path)
	if !compilerFile.MatchString(filepath.Base(file.path)) || !isBinary(file.path) {
		return ""
	}
	host, _ := os.Hostname()
	parts = append([]string{t.Path, fmt.Sprint(file), host, firstProcessor()}, parts...)
	for _, name := range compilerVariables {
		parts = append(parts, os.Getenv(name))
	}
	return filepath.Join(cache, "tune", folder, shortHash(parts...)+suffix)
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
func firstProcessor() string {
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
}

// recall is what is remembered; false where that is nothing, or too old.
func (m toolchainMemory) recall() (t Toolchain, known bool) {
	info, err := os.Stat(string(m))
	if err != nil || time.Since(info.ModTime()) > keepAnswers {
		return t, false
	}
	text, err := os.ReadFile(string(m))
	if err != nil || json.Unmarshal(text, &t) != nil {
		return Toolchain{}, false
	}
	return t, t.ID != "" && t.ID == t.hash()
}

// keep remembers an examined compiler. Where that fails, it is asked again.
func (m toolchainMemory) keep(t Toolchain) {
	if text, err := json.Marshal(t); err == nil {
		keepFile(string(m), text)
	}
}

// keepFile writes a file of the cache, which has all of it or is not there; "" is none.
func keepFile(path string, content []byte) {
	if path == "" || os.MkdirAll(filepath.Dir(path), 0o755) != nil {
		return
	}
	part, err := os.CreateTemp(filepath.Dir(path), "*.part")
	if err != nil {
		return
	}
	_, err = part.Write(content)
	if closed := part.Close(); err != nil || closed != nil || os.Rename(part.Name(), path) != nil {
		os.Remove(part.Name())
	}
}
