package remember

import (
	"slices"
	"strings"

	"polytune/internal/pattern"
)

// includeLine is a line that includes a header of C's or POSIX's, or of OpenMP's.
var includeLine = pattern.New(`(?m)^[ \t]*#[ \t]*include[ \t]*<(assert|complex|ctype|errno|fenv|float|inttypes|limits|locale|math|omp|setjmp|signal|stdarg|stdbool|stddef|stdint|stdio|stdlib|string|strings|sys/resource|sys/time|tgmath|time|unistd)\.h>[ \t]*$`)

// otherFiles are words by which the text of a program may depend on further files, or on the time.
var otherFiles = pattern.New(`include|incbin|embed|dependency|__DATE__|__TIME__|__TIMESTAMP__`)

// splice ends a line that goes on in the next one; compilers take it with blanks as well.
var splice = pattern.New(`\\[ \t\v\f\r]*\n`)

// IsWhole says whether compilers read no file for a text but headers of the system.
func IsWhole(text string) bool {
	joined := splice.ReplaceAllString(text, "")
	return !otherFiles.MatchString(includeLine.ReplaceAllString(joined, ""))
}

// plainFlag is a flag that names no file or folder, and has the compiler write none but the object.
var plainFlag = pattern.New(`^-(O\w*|m[\w.=+-]+|f[\w=-]+|f(no-)?sanitize(-recover)?=[\w,-]+|std=[\w:+]+|W[\w=-]+|[DU]\w+(=\w*)?|g\d?|pthread|q[\w=-]+)$`)

// namesFiles are the beginnings of flags that look like plain ones.
var namesFiles = []string{"-fprofile", "-ftest-coverage", "-fplugin", "-fdump", "-fauto-profile", "-Wp,", "-Wa,", "-Wl,"}

// IsPlain says whether a flag is one that names no file.
func IsPlain(flag string) bool {
	return plainFlag.MatchString(flag) && !slices.ContainsFunc(namesFiles, func(start string) bool { return strings.HasPrefix(flag, start) })
}
