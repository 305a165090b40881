package editor

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"polytune/frontend"
	"polytune/pipeline"
	"polytune/schedule/refusal"
	"polytune/scop"
	"polytune/scop/depend"
)

// about is what is said of a region's loops.
type about struct {
	loops []loopFacts
}

// loopFacts are those of a loop of a region.
type loopFacts struct {
	// position is the beginning of the positions of its statements, by which it is known.
	position   []int
	name       string
	statements []int
	carried    []carriedFact
	// withCopies says that the loop carries nothing where temporaries have private copies.
	withCopies bool
}

// carriedFact is one dependence that a loop carries.
type carriedFact struct {
	array                     string
	what, references, example string
	// isUpdate says that reductions in any order are free of it.
	isUpdate bool
}

// aboutOf finds out what the loops of a region carry.
func (r *reading) aboutOf(ctx context.Context, t *pipeline.Target) (*about, error) {
	if known := r.about[t]; known != nil {
		return known, nil
	}
	a := &about{loops: loopsOf(t.Unit.Program)}
	err := t.WithGraph(ctx, func(g *depend.Graph) error {
		for k := range a.loops {
			if err := a.loops[k].find(g, filepath.Base(r.path)); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = a.withCopies(ctx, t)
	}
	if err != nil {
		return nil, err
	}
	r.about[t] = a
	return a, nil
}

// loopsOf are the loops of a program, in the order of the text.
func loopsOf(p *scop.Program) (list []loopFacts) {
	for s := range p.Statements {
		statement := &p.Statements[s]
		for k, loop := range statement.Loops {
			position := statement.Position[:k+1]
			at := slices.IndexFunc(list, func(l loopFacts) bool { return slices.Equal(l.position, position) })
			if at < 0 {
				at, list = len(list), append(list, loopFacts{position: position, name: loop.Iterator})
			}
			list[at].statements = append(list[at].statements, s)
		}
	}
	return list
}

// find asks the graph what a loop carries: one of several between the same references.
func (l *loopFacts) find(g *depend.Graph, file string) error {
	carried, err := g.Carried(l.statements[0], len(l.position))
	if err != nil {
		return err
	}
	for _, d := range carried {
		array := g.Model.Statements[d.Source].Statement.Accesses[d.SourceAccess].Array
		fact := carriedFact{array: array, isUpdate: depend.IsUpdate(g.Model.Program, d)}
		fact.what, fact.references = refusal.Words(g.Model, d, file)
		if !slices.ContainsFunc(l.carried, func(f carriedFact) bool { return f.what == fact.what && f.references == fact.references }) {
			fact.example = refusal.Example(g.Model, d)
			l.carried = append(l.carried, fact)
		}
	}
	return nil
}

// withCopies finds out which loops carry nothing where temporaries have private copies.
func (a *about) withCopies(ctx context.Context, t *pipeline.Target) error {
	if !slices.ContainsFunc(a.loops, func(l loopFacts) bool { return len(l.carried) > 0 }) {
		return nil
	}
	other := *t
	other.Privatize = true
	if err := other.Change(scop.Room{}, false); err != nil || other.Unit.Program == t.Unit.Program {
		return err
	}
	return other.WithGraph(ctx, func(g *depend.Graph) error {
		for k := range a.loops {
			l := &a.loops[k]
			if len(l.carried) == 0 {
				continue
			}
			carried, err := g.Carried(l.statements[0], len(l.position))
			if err != nil {
				return err
			}
			l.withCopies = len(carried) == 0
		}
		return nil
	})
}

// text says of a loop whether its iterations may run at the same time, and what keeps them from it.
func (l *loopFacts) text(p *scop.Program) string {
	var names []string
	for _, s := range l.statements {
		names = append(names, p.Statements[s].Spelling())
	}
	text := fmt.Sprintf("loop `%s` around %s: ", l.name, strings.Join(names, ", "))
	if len(l.carried) == 0 {
		return text + "parallel, it carries no dependence\n"
	}
	allUpdates := !slices.ContainsFunc(l.carried, func(f carriedFact) bool { return !f.isUpdate })
	switch {
	case allUpdates:
		text += "a reduction, parallel only with `--reassociate`; it carries\n"
	case l.withCopies:
		text += fmt.Sprintf("parallel where each iteration has its own %s, as `tune` makes them; as it is written it carries\n", strings.Join(l.arrays(), ", "))
	default:
		text += "not parallel, it carries\n"
	}
	for k, f := range l.carried {
		if k == mostCarried {
			return text + fmt.Sprintf("- and %d more; `tune deps` has all\n", len(l.carried)-k)
		}
		text += "- " + f.what + f.references
		if f.example != "" {
			text += "; for example " + f.example
		}
		text += "\n"
	}
	return text
}

// arrays are those that the carried dependences are about.
func (l *loopFacts) arrays() (names []string) {
	for _, f := range l.carried {
		if !slices.Contains(names, f.array) {
			names = append(names, f.array)
		}
	}
	return names
}

// mostCarried is how many dependences are said of a loop.
const mostCarried = 5

// search finds the loops and the regions of the text, as far as it can be read.
func (s *server) search(r *reading) {
	if r.isSearched {
		return
	}
	r.isSearched = true
	target := s.asBuilt(r.path)
	if o, err := target.Parsing(r.path); err == nil {
		r.loops, r.regions, _ = frontend.Loops(r.path, r.text, o)
	}
}

// regionAt is the number of the region at a place, from 0, with the lines of its pragmas, to whose ends
// its bounds go; -1 for none.
func (r *reading) regionAt(offset int) int {
	line := positionOf(r.text, offset).Line
	return slices.IndexFunc(r.regions, func(b [2]int) bool {
		return positionOf(r.text, b[0]).Line <= line && line <= positionOf(r.text, b[1]-1).Line
	})
}

// targetOf is a region that can be modelled, nil for others.
func (r *reading) targetOf(region int) *pipeline.Target {
	for _, t := range r.targets {
		if region >= 0 && region < len(t.File.Regions) && &t.File.Regions[region] == t.Region {
			return t
		}
	}
	return nil
}

// around are the loops of a region in the text around a place, outermost first: those that begin in
// front of it.
func (r *reading) around(region [2]int, offset int) (list []*frontend.Loop) {
	inside := r.loops
	for len(inside) > 0 {
		at := slices.IndexFunc(inside, func(l *frontend.Loop) bool { return l.Start < offset && offset < l.End })
		if at < 0 {
			break
		}
		if inside[at].Start >= region[0] {
			list = append(list, inside[at])
		}
		inside = inside[at].Inner
	}
	return list
}

// statementAt is the statement at a place of the text, the last that begins in front of it or there
// and does not end in front of it; -1 for none.
func (r *reading) statementAt(p *scop.Program, offset int) int {
	found, start := -1, -1
	for s := range p.Statements {
		statement := &p.Statements[s]
		begin := frontend.Position{Line: statement.Line, Column: statement.Column}.OffsetIn(r.text)
		if begin <= offset && offset < begin+len(statement.Source) && begin > start {
			found, start = s, begin
		}
	}
	return found
}

// loopAt is the innermost loop of a region whose text a place is in, as the program knows it: the
// statements in it have as many loops around them as in the text. nil where it is not known.
func (r *reading) loopAt(a *about, p *scop.Program, region [2]int, offset int) *loopFacts {
	around := r.around(region, offset+1)
	for len(around) > 0 {
		innermost := around[len(around)-1]
		for s := range p.Statements {
			begin := frontend.Position{Line: p.Statements[s].Line, Column: p.Statements[s].Column}.OffsetIn(r.text)
			outside := r.around(region, begin)
			if k := slices.Index(outside, innermost); k >= 0 && len(outside) == len(p.Statements[s].Loops) {
				return a.at(p.Statements[s].Position[:k+1])
			}
		}
		around = around[:len(around)-1]
	}
	return nil
}

// at is the loop with a position.
func (a *about) at(position []int) *loopFacts {
	for k := range a.loops {
		if slices.Equal(a.loops[k].position, position) {
			return &a.loops[k]
		}
	}
	return nil
}

// ofStatement are the loops around a statement, outermost first.
func (a *about) ofStatement(s int) (list []*loopFacts) {
	for k := range a.loops {
		if slices.Contains(a.loops[k].statements, s) {
			list = append(list, &a.loops[k])
		}
	}
	slices.SortFunc(list, func(a, b *loopFacts) int { return cmp.Compare(len(a.position), len(b.position)) })
	return list
}
