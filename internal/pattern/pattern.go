// Package pattern has regular expressions that are compiled when they are first used: a command needs few of
// polytune's hundred, and compiling all of them took an eighth of its start.
package pattern

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// Pattern is a regular expression; its methods are those of regexp.Regexp with the same names.
type Pattern struct{ compiled func() *regexp.Regexp }

// isTest says that the program is a test as go test builds it. There each pattern is compiled at once, so that
// none is wrong where no test comes by.
var isTest = len(os.Args) > 0 && strings.HasSuffix(os.Args[0], ".test")

// New is a pattern for a text that is known to be right.
func New(text string) *Pattern {
	p := &Pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
	if isTest {
		p.Regexp()
	}
	return p
}

// Regexp is the expression itself.
func (p *Pattern) Regexp() *regexp.Regexp { return p.compiled() }

// Match is that of regexp.Regexp.
func (p *Pattern) Match(text []byte) bool { return p.compiled().Match(text) }

// MatchString is that of regexp.Regexp.
func (p *Pattern) MatchString(text string) bool { return p.compiled().MatchString(text) }

// Split is that of regexp.Regexp.
func (p *Pattern) Split(text string, most int) []string { return p.compiled().Split(text, most) }

// FindString is that of regexp.Regexp.
func (p *Pattern) FindString(text string) string { return p.compiled().FindString(text) }

// FindStringIndex is that of regexp.Regexp.
func (p *Pattern) FindStringIndex(text string) []int { return p.compiled().FindStringIndex(text) }

// FindStringSubmatch is that of regexp.Regexp.
func (p *Pattern) FindStringSubmatch(text string) []string {
	return p.compiled().FindStringSubmatch(text)
}

// FindStringSubmatchIndex is that of regexp.Regexp.
func (p *Pattern) FindStringSubmatchIndex(text string) []int {
	return p.compiled().FindStringSubmatchIndex(text)
}

// FindSubmatch is that of regexp.Regexp.
func (p *Pattern) FindSubmatch(text []byte) [][]byte { return p.compiled().FindSubmatch(text) }

// FindAllString is that of regexp.Regexp.
func (p *Pattern) FindAllString(text string, most int) []string {
	return p.compiled().FindAllString(text, most)
}

// FindAllStringSubmatch is that of regexp.Regexp.
func (p *Pattern) FindAllStringSubmatch(text string, most int) [][]string {
	return p.compiled().FindAllStringSubmatch(text, most)
}

// ReplaceAllString is that of regexp.Regexp.
func (p *Pattern) ReplaceAllString(text, by string) string {
	return p.compiled().ReplaceAllString(text, by)
}

// ReplaceAllStringFunc is that of regexp.Regexp.
func (p *Pattern) ReplaceAllStringFunc(text string, by func(string) string) string {
	return p.compiled().ReplaceAllStringFunc(text, by)
}
