package pipeline

import (
	"bytes"
	"fmt"
	"strings"
)

// WithLineDirective puts a #line directive behind the code that took the place
// of the target's region, which gives the rest of the file the lines it has
// in the original: next is the target's file after the replacement.
func (t *Target) WithLineDirective(next []byte) []byte {
	rest := t.File.Source[t.Region.PragmaEnd:]
	line := bytes.Count(t.File.Source[:t.Region.PragmaEnd], []byte("\n")) + 1
	lineEnd := "\n"
	switch {
	case bytes.HasPrefix(rest, []byte("\r\n")):
		line, lineEnd, rest = line+1, "\r\n", rest[2:]
	case bytes.HasPrefix(rest, []byte("\n")):
		line, rest = line+1, rest[1:]
	}
	before := bytes.TrimSuffix(next[:len(next)-len(rest)], []byte(lineEnd))
	return bytes.Join([][]byte{before, []byte(lineEnd + LineDirective(line, t.LinePath()) + lineEnd), rest}, nil)
}

// LinePath is the name that the target's file has in #line directives.
func (t *Target) LinePath() string {
	if t.Benchmark != nil {
		return t.Benchmark.File
	}
	return t.Path
}

// LineDirective says that the next line is that line of the file.
func LineDirective(line int, path string) string {
	return fmt.Sprintf("#line %d \"%s\"", line, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(path))
}
