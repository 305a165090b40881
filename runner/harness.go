package runner

import (
	"context"
	_ "embed"
	"fmt"
	"sync"
	"text/template"
)

// Harness makes a program of a variant's source file and gets results out of
// it. There are three: a Driver calls one function, with data of its own; a
// Program is the user's own program, whose region is watched; a WholeProgram is that
// without anybody who watches.
type Harness interface {
	// Attach is the text that is compiled in place of a variant's source
	// file.
	Attach(source string) (string, error)
	// Companion is the C file that is linked with every variant.
	Companion() Companion

	// time, dump and reference run a binary as Time, Dump and DumpReference
	// say.
	time(ctx context.Context, binary Binary, request TimeRequest) (Timing, error)
	dump(ctx context.Context, binary Binary, request RunRequest, path string) error
	reference(ctx context.Context, binary Binary, request RunRequest, path string) error
	// byHand is what ByHand says.
	byHand(runtime Runtime, request TimeRequest, result string) Invocation
}

// Companion is a harness' own C file.
type Companion struct {
	Text string
	// Parts have the same code in files that are compiled apart; there are none for the text alone.
	Parts []string
	// Link are what the linker needs to be told.
	Link []string
}

// files are the texts that are compiled, by the names of the files without ".c".
func (c Companion) files() map[string]string {
	if len(c.Parts) == 0 {
		return map[string]string{"driver": c.Text}
	}
	files := map[string]string{}
	for i, part := range c.Parts {
		files[fmt.Sprintf("driver%d", i)] = part
	}
	return files
}

var (
	//go:embed fingerprint.c.tmpl
	fingerprintText string
	//go:embed direction.c.tmpl
	directionText string
	//go:embed meter.c.tmpl
	meterText string
	//go:embed programcount.c.tmpl
	countText string
)

// sourceTemplate parses the template of a companion, when it is asked for first; it has the template
// "fingerprint" for the fingerprints of what is computed, "direction" for the rounding, "meter" for
// energy and counters, and "count" for how many elements pointers lead to.
func sourceTemplate(name string, text *string) func() *template.Template {
	return sync.OnceValue(func() *template.Template { return parsedSource(name, *text) })
}

func parsedSource(name, text string) *template.Template {
	t := template.New(name).Funcs(template.FuncMap{
		"atLeastOne":        func(n int) int { return max(n, 1) },
		"directionVariable": func() string { return directionVariable },
	})
	template.Must(t.New("fingerprint").Parse(fingerprintText))
	template.Must(t.New("direction").Parse(directionText))
	template.Must(t.New("meter").Parse(meterText))
	template.Must(t.New("count").Parse(countText))
	return template.Must(t.Parse(text))
}
