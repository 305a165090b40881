// Package page makes the HTML report: one self-contained page with the results of
// tuning sessions, figures, and where every number comes from. It needs neither a network nor
// scripts; a short script sorts the summary's columns where scripts run.
package page

import (
	_ "embed"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
	"time"

	"polytune/report"
	"polytune/report/figure"
)

//go:embed page.html
var source string

//go:embed page.css
var style string

//go:embed sort.js
var script string

// page is parsed when it is first used: other commands start without it.
var page = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(source)) })

// Style is the style sheet of the page, with the colours of figures.
func Style() string { return style }

// Write writes the findings as a page. made is the time that the page names.
func Write(w io.Writer, f *report.Findings, made time.Time) error {
	v, err := newView(f, made)
	if err != nil {
		return fmt.Errorf("making the report: %w", err)
	}
	var text strings.Builder
	if err := page().Execute(&text, v); err != nil {
		return fmt.Errorf("making the report: %w", err)
	}
	if _, err := io.WriteString(w, figure.Printable(text.String())); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}
