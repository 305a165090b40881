package runner

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"

	"polytune/internal/remember"
)

// plainFlag is a flag that names no file or folder, and has the compiler write none but the object.
var plainFlag = regexp.MustCompile(`^-(O\w*|m[\w.=+-]+|f[\w=-]+|std=[\w:+]+|W[\w=-]+|[DU]\w+(=\w*)?|g\d?|pthread|q[\w=-]+)$`)

// namesFiles are the beginnings of flags that look like plain ones.
var namesFiles = []string{"-fprofile", "-ftest-coverage", "-fplugin", "-fdump", "-fauto-profile", "-Wp,", "-Wa,", "-Wl,"}

// isPlain says whether a flag is one that names no file.
func isPlain(flag string) bool {
	return plainFlag.MatchString(flag) && !slices.ContainsFunc(namesFiles, func(start string) bool { return strings.HasPrefix(flag, start) })
}

// objectOf is where is kept what a compiler makes of a driver's text. Drivers include headers of
// the system alone, so that their text, the compiler and flags that name no files are all that
// counts; with others nothing is kept.
func objectOf(t Toolchain, text string, flags []string) remember.File {
	return keptOf(t, "drivers", ".o", text, flags)
}

// keptOf is where in a folder is kept what a compiler makes with flags of a text that needs no file
// of the user's.
func keptOf(t Toolchain, folder, suffix, text string, flags []string) remember.File {
	if len(t.Environment) > 0 || slices.ContainsFunc(flags, func(flag string) bool { return !isPlain(flag) }) {
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
