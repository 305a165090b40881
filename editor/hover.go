package editor

import (
	"context"
	"fmt"
	"strings"

	"polytune/pipeline"
	"polytune/scop"
)

// hover says what is at a place of a region: a statement with its loops, or a loop, and of other
// places all loops of the region.
func (s *server) hover(ctx context.Context, p placeParams) (any, error) {
	d := s.opened(p.TextDocument.URI)
	if d == nil {
		return nil, nil
	}
	leave, err := s.enter(ctx)
	if err != nil {
		return nil, err
	}
	defer leave()
	r := d.current()
	offset := offsetOf(r.text, p.Position)
	s.search(r)
	region := r.regionAt(offset)
	if region < 0 {
		return nil, nil
	}
	s.read(r)
	t := r.targetOf(region)
	if t == nil {
		return nil, nil
	}
	a, err := r.aboutOf(ctx, t)
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case err != nil:
		return hover{Contents: markup{"markdown", "the dependences are not known: " + err.Error()}}, nil
	}
	return hover{Contents: markup{"markdown", r.said(a, t, r.regions[region], offset)}}, nil
}

// said is what is said at a place of a region.
func (r *reading) said(a *about, t *pipeline.Target, region [2]int, offset int) string {
	program := t.Unit.Program
	var text strings.Builder
	if s := r.statementAt(program, offset); s >= 0 {
		text.WriteString(statementText(program, s))
		for _, l := range a.ofStatement(s) {
			text.WriteString("\n" + l.text(program))
		}
		return text.String()
	}
	if l := r.loopAt(a, program, region, offset); l != nil {
		return l.text(program)
	}
	fmt.Fprintf(&text, "region of `%s`: %d statements in %d loops\n", t.Region.Function, len(program.Statements), len(a.loops))
	for k := range a.loops {
		text.WriteString("\n" + a.loops[k].text(program))
	}
	return text.String()
}

// statementText is a statement's name, and its text.
func statementText(p *scop.Program, s int) string {
	statement := &p.Statements[s]
	return fmt.Sprintf("statement %s:\n```c\n%s\n```\n", statement.Spelling(), statement.Source)
}
