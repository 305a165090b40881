package runner

import (
	"bytes"
	"os"
	"slices"
	"strings"

	"polytune/internal/remember"
)

// objectOf is where is kept what a compiler makes of a driver's text. Drivers include headers of
// the system alone, so that their text, the compiler and flags that name no files are all that
// counts; with others nothing is kept.
func objectOf(t Toolchain, text string, flags []string) remember.File {
	return keptOf(t, "drivers", ".o", text, flags)
}

// keptOf is where in a folder is kept what a compiler makes with flags of a text that needs no file
// of the user's.
func keptOf(t Toolchain, folder, suffix, text string, flags []string) remember.File {
	if len(t.Environment) > 0 || slices.ContainsFunc(flags, func(flag string) bool { return !remember.IsPlain(flag) }) {
		return ""
	}
	return remember.Of(t.Path, folder, suffix, text, strings.Join(flags, "\x00"))
}

// recallObject writes the object file that is kept to a path; false where there is none.
func recallObject(memory remember.File, path string) bool {
	object, known := memory.Recall()
	return known && bytes.HasPrefix(object, []byte("\x7fELF")) && os.WriteFile(path, object, 0o600) == nil
}

// keepObject keeps the object file at a path.
func keepObject(memory remember.File, path string) {
	if object, err := os.ReadFile(path); err == nil {
		memory.Keep(object)
	}
}
