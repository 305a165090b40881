package editor

import (
	"context"
	"fmt"
	"io"
	"strings"

	"polytune/scan"
)

// markKind is the kind of the actions that put pragmas into the text.
const markKind = "refactor.rewrite"

// codeAction lists what can be done at a place: pragmas around the loop nest there, and around all
// of the file, where they can be modelled; and in a region, show what is known of it.
func (s *server) codeAction(ctx context.Context, p actionParams) (any, error) {
	list := []codeAction{}
	d := s.opened(p.TextDocument.URI)
	if d == nil {
		return list, nil
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	r := d.current()
	offset := offsetOf(r.text, p.Range.Start)
	s.search(r)
	if region := r.regionAt(offset); region >= 0 {
		title := "Show the best variant that polytune knows of this region"
		return append(list, codeAction{Title: title, Command: &command{title, bestCommand, []bestOf{{d.uri, region + 1}}}}), nil
	}
	if len(r.loops) == 0 {
		return list, nil
	}
	if r.scanned == nil {
		o := scan.Options{Target: s.Target, Settings: s.Settings, Stderr: io.Discard}
		o.Target.Notes = io.Discard
		if r.scanned, err = o.Source(r.path, r.text); err != nil {
			// Half a file has no nests.
			r.scanned = &scan.File{Path: r.path}
		}
	}
	return s.marking(list, d.uri, r, offset), ctx.Err()
}

// marking adds the actions that mark loop nests.
func (s *server) marking(list []codeAction, uri string, r *reading, offset int) []codeAction {
	modelled := 0
	for _, n := range r.scanned.Nests {
		if n.Status == scan.Modelled {
			modelled++
		}
	}
	n := nestAt(r, offset)
	switch {
	case n == nil:
	case n.Status == scan.Modelled:
		list = append(list, r.edit(uri, fmt.Sprintf("Mark the loop nest of line %d for tune", n.Line), r.scanned.Pragmas(n)))
	case len(n.Refusals) > 0 && s.showsDisabled.Load():
		list = append(list, codeAction{Title: fmt.Sprintf("Mark the loop nest of line %d for tune", n.Line), Kind: markKind, Disabled: &disabled{strings.Join(n.Refusals, "\n")}})
	}
	if n == nil || modelled < 2 {
		return list
	}
	if all, err := r.scanned.AllPragmas(); err == nil {
		list = append(list, r.edit(uri, fmt.Sprintf("Mark all %d loop nests of this file for tune", modelled), all))
	}
	return list
}

// nestAt is the innermost nest at a place that is listed, nil for none.
func nestAt(r *reading, offset int) (found *scan.Nest) {
	line := positionOf(r.text, offset).Line + 1
	for _, n := range r.scanned.Nests {
		if n.Line <= line && line <= n.LastLine && n.Status != scan.Marked && (found == nil || n.Inside >= found.Inside) {
			found = n
		}
	}
	return found
}

// edit is an action that puts texts into the document.
func (r *reading) edit(uri, title string, insertions []scan.Insertion) codeAction {
	edits := []textEdit{}
	for _, i := range insertions {
		edits = append(edits, textEdit{spanOf(r.text, i.At, i.At), i.Text})
	}
	return codeAction{Title: title, Kind: markKind, Edit: &workspaceEdit{map[string][]textEdit{uri: edits}}}
}
