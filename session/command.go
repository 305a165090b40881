package session

import (
	"slices"
	"strings"

	"polytune/internal/shellwords"
)

// settingsPrefix begins the names of variables that are settings.
const settingsPrefix = "TUNE_"

// CommandLine is a line to type that does again what the arguments do in an environment: with the
// settings that stand there.
func CommandLine(arguments, environment []string) string {
	var words []string
	for _, entry := range environment {
		if name, value, _ := strings.Cut(entry, "="); strings.HasPrefix(name, settingsPrefix) {
			words = append(words, name+"="+shellwords.Quoted(value))
		}
	}
	slices.Sort(words)
	return strings.Join(append(words, shellwords.Line(arguments)), " ")
}
