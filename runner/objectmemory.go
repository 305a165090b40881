package runner

import (
	"os"
	"path/filepath"
	"strings"
	"time"
)

// objectMemory is the file that has what a compiler made of a driver before; "" for none. Drivers include headers of the system
// alone, so that their text, the compiler and its flags are all that counts.
type objectMemory string

// objectOf is the memory of a text with flags.
func objectOf(t Toolchain, text string, flags []string) objectMemory {
	return objectMemory(t.cacheFile("drivers", ".o", text, strings.Join(flags, "\x00")))
}

// recall writes what is remembered to a file; false where that is nothing, or too old.
func (m objectMemory) recall(path string) bool {
	info, err := os.Stat(string(m))
	if err != nil || time.Since(info.ModTime()) > keepAnswers || !isBinary(string(m)) {
		return false
	}
	object, err := os.ReadFile(string(m))
	return err == nil && os.WriteFile(path, object, 0o600) == nil
}

// keep remembers a file, and forgets all that are too old.
func (m objectMemory) keep(path string) {
	object, err := os.ReadFile(path)
	if m == "" || err != nil {
		return
	}
	keepFile(string(m), object)
	others, _ := filepath.Glob(filepath.Join(filepath.Dir(string(m)), "*"))
	for _, other := range others {
		if info, err := os.Stat(other); err == nil && time.Since(info.ModTime()) > keepAnswers {
			os.Remove(other)
		}
	}
}
