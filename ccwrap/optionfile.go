package ccwrap

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"polytune/internal/shellwords"
)

// optionFileDepth is how deep files of options may name others.
const optionFileDepth = 10

// withOptionFiles replaces the words @FILE by the words in the file, as gcc and clang
// do; where there is no such file the word stays. Where that cannot be done exactly,
// the error says so, and the words are those that were given.
func withOptionFiles(words []string) ([]string, error) {
	all, err := expandOptionFiles(words, optionFileDepth)
	if err != nil {
		return words, err
	}
	return all, nil
}

func expandOptionFiles(words []string, depth int) (all []string, err error) {
	for _, word := range words {
		path, is := strings.CutPrefix(word, "@")
		text, missing := []byte(nil), error(nil)
		if is {
			text, missing = os.ReadFile(path)
		}
		if !is || missing != nil {
			all = append(all, word)
			continue
		}
		inner, err := optionFileWords(string(text))
		if err == nil && depth == 0 {
			err = errors.New("it names itself, or too many others")
		}
		if err == nil {
			inner, err = expandOptionFiles(inner, depth-1)
		}
		if err != nil {
			return nil, fmt.Errorf("options come from the file %s: %w", path, err)
		}
		all = slices.Concat(all, inner)
	}
	return all, nil
}

// optionFileWords splits the text of a file of options. In quotes the compilers take
// backslashes in another way than shells do, and outside other characters are blanks.
func optionFileWords(text string) ([]string, error) {
	if strings.ContainsAny(text, "'\"") && strings.Contains(text, "\\") || strings.ContainsAny(text, "\r\v\f") {
		return nil, errors.New("it has backslashes beside quotes, or unusual blanks")
	}
	return shellwords.Split(text)
}
