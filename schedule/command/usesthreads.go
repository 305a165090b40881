package command

import (
	"strings"

	"polytune/schedule"
)

// UsesThreads says whether a recipe's text has a loop that several threads share. All other
// commands about threads are about such a loop.
func UsesThreads(text string) bool {
	for _, line := range schedule.Lines(text) {
		word, _, _ := strings.Cut(line, " ")
		if word == schedule.Name(Parallel{}) || word == schedule.Name(Relay{}) {
			return true
		}
	}
	return false
}
