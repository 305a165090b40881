package editor

import (
	"bytes"
	"context"
	"errors"
	"io"
	"slices"

	"polytune/frontend"
	"polytune/pipeline"
)

// mostDiagnostics is how many messages a text gets: who has a hundred begins with the first.
const mostDiagnostics = 100

// diagnose tells the editor what the front end says of a text, where that is not what it has been
// told already.
func (s *server) diagnose(d *document) {
	leave, err := s.enter(s.ended)
	if err != nil {
		return
	}
	defer leave()
	r := d.current()
	var list []diagnostic
	if s.guard(func() { list = s.diagnostics(r) }) != nil {
		return
	}
	d.use.Lock()
	version, isNews := d.version, d.now == r && !d.closed && (d.told == nil || !slices.Equal(d.told, list))
	if isNews {
		d.told = list
	}
	d.use.Unlock()
	if isNews {
		_ = s.publish(s.ended, diagnosticsParams{d.uri, version, list})
	}
}

// publish sends messages in a text.
func (s *server) publish(ctx context.Context, p diagnosticsParams) error {
	return s.rpc.Notify(ctx, "textDocument/publishDiagnostics", p)
}

// diagnostics are what the front end says of a text; never nil.
func (s *server) diagnostics(r *reading) []diagnostic {
	list := []diagnostic{}
	targets, problems := s.read(r)
	for _, err := range problems {
		list = r.add(list, severityError, err)
	}
	for _, t := range targets {
		list = r.add(list, severityWarning, t.Region.Warnings)
	}
	slices.SortStableFunc(list, func(a, b diagnostic) int { return comparePositions(a.Range.Start, b.Range.Start) })
	if len(list) > mostDiagnostics {
		list = list[:mostDiagnostics]
	}
	return list
}

// comparePositions orders positions.
func comparePositions(a, b position) int {
	if a.Line != b.Line {
		return a.Line - b.Line
	}
	return a.Character - b.Character
}

// add adds what an error of the front end says: each of several at its place. One in another file
// stands at the text's beginning, with its place.
func (r *reading) add(list []diagnostic, severity int, err error) []diagnostic {
	var several frontend.ErrorList
	var one *frontend.Error
	switch {
	case errors.As(err, &several):
	case errors.As(err, &one):
		several = frontend.ErrorList{one}
	case err != nil:
		return append(list, diagnostic{Severity: severity, Source: serverName, Message: err.Error()})
	}
	for _, e := range several {
		d := diagnostic{Severity: severity, Code: e.Construct, Source: serverName, Message: e.Error()}
		if e.File == r.path {
			at := e.OffsetIn(r.text)
			d.Range = spanOf(r.text, at, wordEnd(r.text, at))
			d.Message = e.Message + "; " + e.Advice
		}
		list = append(list, d)
	}
	return list
}

// read reads a text's regions: those that can be modelled, and what is wrong with the others. A text
// without a region has neither.
func (s *server) read(r *reading) ([]*pipeline.Target, []error) {
	if r.isRead {
		return r.targets, r.problems
	}
	r.isRead = true
	if !bytes.Contains(r.text, []byte("scop")) {
		return nil, nil
	}
	o := s.asBuilt(r.path)
	o.Notes = io.Discard
	o.Refused = func(_ string, why error) { r.problems = append(r.problems, why) }
	targets, err := o.Regions(r.base(), r.path, r.text)
	r.targets = targets
	if none := (*frontend.NoRegionError)(nil); err != nil && !errors.As(err, &none) {
		r.problems = append(r.problems, err)
	}
	return r.targets, r.problems
}

// asBuilt says how a file is read: as its build compiles it, where a compile_commands.json has it. One
// that cannot be read, as while a build writes it, does not count.
func (s *server) asBuilt(path string) pipeline.Options {
	o, _, _ := s.Target.AsBuilt(path)
	return o
}

// base is what the file's regions have in common.
func (r *reading) base() *pipeline.Target {
	return &pipeline.Target{Name: pipeline.KernelName(r.path), Path: r.path}
}
