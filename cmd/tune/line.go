package main

import (
	"bytes"
	"fmt"
	"strings"
)

// lineOption is the flag of commands that write a program.
const (
	lineFlag = "line-directives"
	lineHelp = "put a #line directive behind each replaced region, so that compilers and debuggers give the rest of the file its original lines"
)

// withLineDirective puts a #line directive behind the code that took the place
// of the target's region, which gives the rest of the file the lines it has
// in the original: next is the target's file after the replacement.
func (t *target) withLineDirective(next []byte) []byte {
	rest := t.file.Source[t.region.PragmaEnd:]
	line := bytes.Count(t.file.Source[:t.region.PragmaEnd], []byte("\n")) + 1
	lineEnd := "\n"
	switch {
	case bytes.HasPrefix(rest, []byte("\r\n")):
		line, lineEnd, rest = line+1, "\r\n", rest[2:]
	case bytes.HasPrefix(rest, []byte("\n")):
		line, rest = line+1, rest[1:]
	}
	before := bytes.TrimSuffix(next[:len(next)-len(rest)], []byte(lineEnd))
	return bytes.Join([][]byte{before, []byte(lineEnd + lineDirective(line, t.linePath()) + lineEnd), rest}, nil)
}

// linePath is the name that the target's file has in #line directives.
func (t *target) linePath() string {
	if t.benchmark != nil {
		return t.benchmark.File
	}
	return t.path
}

// lineDirective says that the next line is that line of the file.
func lineDirective(line int, path string) string {
	return fmt.Sprintf("#line %d \"%s\"", line, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path))
}
