package frontend

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestSkipsInHeaders blanks what the parser complains of in a header of our own, whatever it may
// understand: bodies, declarations and typedefs as a whole, with their lines, and nothing beside
// them. The user's own file is never touched.
func TestSkipsInHeaders(t *testing.T) {
	const header = `#define HALF(x) ((x) / 2)
static inline int body(int x) {
    if (x) { return odd { x }; }
    return 0;
}
typedef odd struct { int a; } unknown;
static inline double twice(double x) { return 2 * x; }
struct kept { int a; };
`
	kept := map[int]string{
		3: "typedef odd struct { int a; } unknown;\nstatic inline double twice(double x) { return 2 * x; }\nstruct kept { int a; };",
		6: "static inline int body(int x) {\n    if (x) { return odd { x }; }\n    return 0;\n}\nstatic inline double twice(double x) { return 2 * x; }\nstruct kept { int a; };",
	}
	for line, rest := range kept {
		path := filepath.Join(t.TempDir(), "odd.h")
		if err := os.WriteFile(path, []byte(header), 0o600); err != nil {
			t.Fatal(err)
		}
		h := &headerTexts{main: "f.c", texts: map[string][]byte{}}
		if h.skip(errors.New("f.c:3:9: an error of the user's\nnothing.h:1:1: a file that is not there")) {
			t.Error("something outside of headers is left out")
		}
		if !h.skip(fmt.Errorf("%s:%d:9: unexpected 'odd'", path, line)) || h.skip(fmt.Errorf("%s:99:1: no such line", path)) {
			t.Errorf("line %d: what is left out is wrong", line)
		}
		file, err := h.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(file)
		if err != nil || len(text) != len(header) || strings.Count(string(text), "\n") != strings.Count(header, "\n") {
			t.Errorf("line %d: %v, the lines have moved:\n%s", line, err, text)
		}
		var lines []string
		for _, l := range strings.Split(string(text), "\n") {
			if strings.TrimSpace(l) != "" {
				lines = append(lines, l)
			}
		}
		if got := strings.Join(lines[1:], "\n"); got != rest || lines[0] != "#define HALF(x) ((x) / 2)" {
			t.Errorf("line %d: left is\n%s\ninstead of\n%s", line, got, rest)
		}
	}
}
