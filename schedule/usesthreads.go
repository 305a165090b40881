package schedule

import "strings"

// UsesThreads says whether a recipe's text has a loop that several threads share. All other
// commands about threads are about such a loop.
func UsesThreads(text string) bool {
	for _, line := range commandLines(text) {
		word, _, _ := strings.Cut(line, " ")
		if word == Name(Parallel{}) || word == Name(Relay{}) {
			return true
		}
	}
	return false
}
