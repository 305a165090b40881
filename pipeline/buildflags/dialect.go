package buildflags

import (
	"slices"
	"strings"
)

// The options that may change which macros the compiler defines, by their
// beginnings, so that the front end has to know of them: dialectOptions but for
// quietOptions, and ValuedDialect, whose value is the next word.
var (
	dialectOptions = []string{"-O", "-f", "-m", "-std=", "--std=", "--sysroot=", "-ansi", "-pthread", "-undef", "-trigraphs", "-nostdinc", "-traditional"}
	quietOptions   = []string{"-fdebug-prefix", "-fdiagnostics", "-fdump", "-ffile-prefix", "-flto", "-fmacro-prefix", "-fplugin", "-fprofile", "-framework", "-fsave", "-ftime", "-mllvm"}
	ValuedDialect  = []string{"--sysroot", "-isysroot"}
)

// IsDialect says that an option without a value in the next word is one of the former.
func IsDialect(word string) bool {
	begins := func(with string) bool { return strings.HasPrefix(word, with) }
	return slices.ContainsFunc(dialectOptions, begins) && !slices.ContainsFunc(quietOptions, begins) && !slices.Contains(ValuedDialect, word)
}
