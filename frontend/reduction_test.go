package frontend

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReductions compares, statement by statement, what is taken to be a
// reduction and where its accumulator stands in the text.
func TestReductions(t *testing.T) {
	path := filepath.Join("testdata", "reductions.c")
	source, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	file, err := Parse(path, source, Options{})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, s := range file.Regions[0].Program.Statements {
		kind := "-"
		text := strings.Join(strings.Fields(s.Source), " ")
		if r := s.Reduction; r != nil {
			kind = r.Clause().String()
			marked, done := "", 0
			for _, p := range r.Places {
				marked += s.Source[done:p.Start] + "«" + s.Source[p.Start:p.End] + "»"
				done = p.End
			}
			text = strings.Join(strings.Fields(marked+s.Source[done:]), " ")
		}
		b.WriteString(kind + "\t" + text + "\n")
	}
	checkGolden(t, filepath.Join("testdata", "reductions.golden"), b.String())
}
