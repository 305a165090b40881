package transform

import (
	"slices"

	"polytune/scop"
	"polytune/scop/depend"
	"polytune/transform/facts"
)

// A batch is a loop of the source whose iterations have a part of the data each, through which
// several nests inside go one after the other: the passes of a transform, the layers of a network
// for one sample. Nests in loops of their own each bring all of the data from the memory once more.
// Three passes over 50,000 transforms of 64 points take 0.8 of the time of gcc's code on two
// threads of a virtual AMD Zen 4 (gcc 12) where they share the loop, and took 1.5.

// isBatch says whether the outermost loop that some statements share in the source is one of a
// batch: it leaves blocks of registers their loops, nests inside pass values on, and all that is
// written is a part of an array that the loop's iterator alone tells from others, and along which
// elements lie behind each other.
func isBatch(g *depend.Graph, statements []int) (bool, error) {
	if !shareOutermostLoop(g.Model.Program, statements) || !passValuesBetweenNests(g, statements) {
		return false, nil
	}
	for _, s := range statements {
		if loops, err := loopsOutside(g, s, 1); loops == 0 || err != nil {
			return false, err
		}
		if few, err := hasFewAlong(&g.Model.Statements[s], 0, facts.LeastBatch); few || err != nil {
			return false, err
		}
		if apart, err := writesPart(g, statements, s); !apart || err != nil {
			return false, err
		}
	}
	return true, nil
}

// passValuesBetweenNests says whether a loop inside the outermost one of some statements reads
// several elements that another loop there has written.
func passValuesBetweenNests(g *depend.Graph, statements []int) bool {
	program := g.Model.Program
	position := func(s int) int { return program.Statements[s].Position[1] }
	return slices.ContainsFunc(g.Within(statements), func(d *depend.Dependence) bool {
		isRow := len(program.Array(program.Statements[d.Source].Accesses[d.SourceAccess].Array).Extents) > 1
		inLoops := program.Statements[d.Source].Depth() > 1 && program.Statements[d.Target].Depth() > 1
		return d.Kind == depend.RAW && isRow && inLoops && position(d.Source) != position(d.Target)
	})
}

// hasFewAlong says whether an iterator of a statement is known to have fewer than so many values.
func hasFewAlong(s *scop.StatementModel, iterator int, least int64) (bool, error) {
	if s.Depth() <= iterator {
		return true, nil
	}
	values := s.Iterations(iterator)
	distance, bounded, err := values.MapTo(values).Deltas().Greatest()
	return bounded && distance+1 < least, err
}

// writesPart says whether a statement accesses arrays that some statements write by a first
// subscript that is the outermost iterator, alone or with others behind it.
func writesPart(g *depend.Graph, statements []int, s int) (bool, error) {
	model := &g.Model.Statements[s]
	for k, access := range model.Statement.Accesses {
		if program := g.Model.Program; !writeAny(program, statements, access.Array) || program.PrivateLoops(access.Array) > 0 {
			continue
		}
		rows, err := scop.Subscripts(model.Accesses[k])
		if err != nil || len(rows) == 0 || facts.UnitOf(rows[0]) != 0 {
			return false, err
		}
		usesOuter := func(row scop.Row) bool { return row.Iterators[0] != 0 }
		if slices.ContainsFunc(rows[1:], usesOuter) {
			return false, nil
		}
	}
	return true, nil
}

// writeAny says whether one of some statements writes an array.
func writeAny(program *scop.Program, statements []int, array string) bool {
	return slices.ContainsFunc(statements, func(s int) bool {
		return slices.ContainsFunc(program.Statements[s].Accesses, func(a scop.Access) bool { return a.Write && a.Array == array })
	})
}
