package scan

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/frontend"
	"polytune/scop"
)

// model finds out which loops can be modelled. Of a nest that cannot be, the loops inside are looked
// at, too.
func (f *File) model(loops []*frontend.Loop) error {
	open := nestsOf(loops, 0)
	for len(open) > 0 {
		f.Nests = append(f.Nests, open...)
		var candidates []group
		for _, n := range open {
			switch {
			case n.loop.Region > 0:
				n.Status = Marked
			case n.loop.IsExpanded:
				n.Status = Refused
				n.Refusals = []string{n.loop.Position.String() + ": the loop's words come out of a macro, so that no pragma can stand around it; write it out"}
			default:
				candidates = append(candidates, group{n})
			}
		}
		if err := f.read(candidates); err != nil {
			return err
		}
		var inside []*Nest
		for _, n := range open {
			if n.Status == Refused || n.Status == Whole {
				inside = append(inside, nestsOf(n.loop.Inner, n.Inside+1)...)
			}
		}
		open = inside
	}
	inOrder(f.Nests)
	f.leaveCalls()
	return nil
}

// nestsOf are the nests of loops.
func nestsOf(loops []*frontend.Loop, inside int) (list []*Nest) {
	for _, l := range loops {
		list = append(list, &Nest{Function: l.Function, Line: l.Line, Column: l.Column, LastLine: l.LastLine, Depth: l.Depth, Inside: inside, loop: l})
	}
	return list
}

// read has the front end read the file with a region around each group, and notes at the first nest
// of each what became of it.
func (f *File) read(groups []group) error {
	if len(groups) == 0 {
		return nil
	}
	list := f.pragmas(groups)
	options := f.options
	options.Each = true
	file, err := frontend.Parse(f.Path, append(list.into(f.source), trivial...), options)
	if err != nil {
		return errors.New(f.placed(err.Error(), list))
	}
	if got, want := len(file.Regions), len(groups)+len(f.regions)+1; got != want {
		return fmt.Errorf("%s: the preprocessor leaves %d of %d regions", f.Path, got, want)
	}
	for k, number := range f.numbered(groups) {
		groups[k][0].note(f, &file.Regions[number], list)
	}
	return nil
}

// note keeps what the front end says of a nest.
func (n *Nest) note(f *File, r *frontend.Region, list insertions) {
	for _, w := range r.Warnings {
		n.Warnings = append(n.Warnings, f.placed(w.Error(), list))
	}
	switch {
	case r.Program == nil:
		n.Status = Refused
		why := "the region is not modelled"
		if r.Refused != nil {
			why = r.Refused.Error()
		}
		n.Refusals = strings.Split(f.placed(why, list), "\n")
	case r.Program.LoopCount() == 0:
		n.Status = Whole
		n.Refusals = []string{n.loop.Position.String() + ": data decide when the loop ends, so that it is one statement, whose iterations keep their order"}
	default:
		n.Status = Modelled
		n.Statements = len(r.Program.Statements)
		n.Operations = workOf(r.Program)
		n.program = r.Program
	}
}

// workOf are the operations of a program's statements by the number of loops around them, the
// deepest first.
func workOf(p *scop.Program) (list []Work) {
	by := map[int]int{}
	for i := range p.Statements {
		s := &p.Statements[i]
		if s.Value != nil {
			by[len(s.Loops)] += scop.Operations(s.Value)
		}
	}
	for _, loops := range slices.Backward(slices.Sorted(maps.Keys(by))) {
		if by[loops] > 0 {
			list = append(list, Work{loops, by[loops]})
		}
	}
	return list
}
