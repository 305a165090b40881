package ranks

import (
	"cmp"
	"fmt"
	"slices"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// Group is what the loops of one command share: in each dimension the ranks at place r of n, see
// Shape and Place, have the rows from Low + total r / n on, and those before Low + total (r + 1) /
// n, where total is High - Low + 1, or 0 if that is negative.
type Group struct {
	// Own, From and To are the parameters for the block of the rank that runs the code, of the one
	// that sends, and of the one that receives.
	Own, From, To Block
	// Low and High are the least and greatest row in each dimension, over the parameters.
	Low, High []*isl.PwAff
	// Shortest is the parameter for the least number of rows of a rank, "" for none.
	Shortest string
	// rows are the values of all loops.
	rows *isl.Set
}

// Exchange is what ranks tell each other in front of some code.
type Exchange struct {
	// Name is that of its instances in the schedule tree. They have the values of the loops around.
	Name string
	// Before is the loop in front of which it stands, "" for other code and for the end.
	Before string
	// Times are the parameters of the sets for the values of the loops around.
	Times []string
	// Arrays have the elements, one array after the other.
	Arrays []Elements
	// Async says that what reads none of the elements runs while they are under way.
	Async bool
	// Last says that it is behind the region.
	Last bool
	// Known is what holds of the parameters: both blocks of a group are those of two ranks.
	Known *isl.Set
}

// Elements are those of an array that one rank tells another one.
type Elements struct {
	Array *scop.Array
	// At is a set over the program's parameters, the times and the blocks From and To; Points
	// relate the times of the exchange to the same.
	At     *isl.Set
	Points *isl.Map
}

// Plan is a program on ranks.
type Plan struct {
	Groups    []Group
	Exchanges []*Exchange
	Sums      []*Sum
	Hands     []ByHand
	Wider     []Wider
	// Tree is the schedule in which a rank runs its own instances alone, with those of the
	// exchanges.
	Tree *isl.Schedule
	// Meets are the names of the instances, in the schedule tree, at which all ranks wait for each
	// other.
	Meets []string
	// Known are conditions of the parameters Own.
	Known *isl.Set
	// Again are the instances of other rows that a rank computes, by the loops in whose iterations
	// it does (mark.Ghost), over the parameters Own.
	Again map[string][]*isl.Set
	// Blocks are those of arrays, where they are asked for.
	Blocks []ArrayBlock
}

// part is a piece of the schedule that one exchange is in front of.
type part struct {
	node *isl.ScheduleNode
	// path leads to the node from the root, by the places of children.
	path []int
	// mark is the one of the loop that ranks share, nil for code that runs on all of them.
	mark *mark.Ranks
	// ghost is the loop in each iteration of which the rank computes values of others again, "" for
	// none; zones relate the bounds of a block to what a rank runs, by the names of statements.
	ghost string
	zones map[string]*isl.Map
	// meets says that the piece is one behind which ranks wait, and nothing else.
	meets bool
	// depth is the number of loops around, and places are those of the parts of sequences around,
	// each behind so many of the loops.
	depth  int
	places []place
	// times relate instances, by the names of statements, to when the piece runs; rows to the rows
	// of the mark.
	times, rows map[string]*isl.Map
	// exchanges are those in front.
	exchanges []*Exchange
	// sums are what is put together behind it.
	sums []*Sum
}

// place is that of a part among those of a sequence, which stands inside of so many loops.
type place struct{ loops, part int }

// partsOf are the pieces of a schedule, in their order.
func partsOf(m *scop.Model, s mark.Schedule) (parts []*part, err error) {
	var walk func(node *isl.ScheduleNode, path []int, loops int, places []place)
	walk = func(node *isl.ScheduleNode, path []int, loops int, places []place) {
		ranks, is := s.Marks.Of(node).(mark.Ranks)
		ghost, isGhost := s.Marks.Of(node).(mark.Ghost)
		found := &part{node: node, path: path, depth: loops, places: places}
		switch {
		case is:
			found.mark = &ranks
			parts = append(parts, found)
			return
		case isGhost && hasRanks(s, node):
			var wrong error
			found.ghost = ghost.Loop
			found.mark, wrong = joined(m, s, ghost, node)
			err = cmp.Or(err, wrong)
			parts = append(parts, found)
			return
		case node.Type() == isl.NodeLeaf || node.Type() != isl.NodeFilter &&
			node.Type() != isl.NodeDomain && !hasRanks(s, node):
			parts = append(parts, found)
			return
		case node.Type() == isl.NodeBand:
			loops += node.BandMembers()
		}
		isSequence := node.Type() == isl.NodeSequence || node.Type() == isl.NodeSet
		for k, child := range node.Children() {
			inside := places
			if isSequence {
				inside = append(slices.Clip(places), place{loops, k})
			}
			walk(child, append(slices.Clip(path), k), loops, inside)
		}
	}
	walk(s.Tree.Root(), nil, 0, nil)
	if err != nil {
		return nil, err
	}
	for _, p := range parts {
		if err := p.relate(m); err != nil {
			return nil, err
		}
	}
	return parts, m.Context.Err()
}

// hasRanks says whether ranks share a loop of a subtree.
func hasRanks(s mark.Schedule, node *isl.ScheduleNode) bool {
	if _, is := s.Marks.Of(node).(mark.Ranks); is {
		return true
	}
	return slices.ContainsFunc(node.Children(),
		func(child *isl.ScheduleNode) bool { return hasRanks(s, child) })
}

// relate fills in the times and rows of a piece.
func (p *part) relate(m *scop.Model) error {
	p.times, p.rows = map[string]*isl.Map{}, map[string]*isl.Map{}
	for _, times := range p.node.PrefixScheduleUnionMap().IntersectDomain(p.node.Domain()).Maps() {
		name := times.TupleName(isl.DimIn)
		s := m.Statement(name)
		if s == nil {
			return fmt.Errorf("the schedule runs %s, which is no statement", name)
		}
		extra := times.Dim(isl.DimIn) - s.Depth()
		p.times[name] = times.ProjectOut(isl.DimIn, 0, extra).SetTupleName(isl.DimIn, name).
			Coalesce()
	}
	if p.mark == nil {
		return nil
	}
	for _, rows := range m.Context.ReadUnionMap(p.mark.Rows).Maps() {
		name := rows.TupleName(isl.DimIn)
		if times := p.times[name]; times != nil {
			p.rows[name] = rows.IntersectDomain(times.Domain())
		}
	}
	return nil
}

// groupsOf are the groups of the marks of some pieces.
func groupsOf(m *scop.Model, parts []*part, names func(string) string) (groups []Group, err error) {
	rows, dims := map[int]*isl.Set{}, map[int]int{}
	count := 0
	for _, p := range parts {
		if p.mark == nil {
			continue
		}
		count, dims[p.mark.Group] = max(count, p.mark.Group+1), p.mark.Dims
		for _, own := range p.rows {
			values := own.Range()
			if known := rows[p.mark.Group]; known != nil {
				values = values.Union(known)
			}
			rows[p.mark.Group] = values
		}
	}
	for g := range count {
		block := func(whose string) Block { return newBlock(whose, g, max(1, dims[g]), names) }
		group := Group{Own: block(""), From: block("from_"), To: block("to_"), rows: rows[g]}
		if err := group.bound(m); err != nil {
			return nil, err
		}
		groups = append(groups, group)
	}
	return groups, m.Context.Err()
}

// bound finds the least and the greatest row in each dimension; where there is none the greatest is
// less.
func (g *Group) bound(m *scop.Model) error {
	none := g.rows == nil
	if !none {
		var err error
		if none, err = g.rows.IsEmpty(); err != nil {
			return err
		}
	}
	if none {
		g.rows = m.Context.ReadSet(m.Program.ParametersText() + "{ " + tupleOf("tune_r", len(g.Own)) +
			" : 1 = 0 }")
	}
	for d := range g.Own {
		if none {
			g.Low = append(g.Low, m.Context.ReadPwAff(m.Program.ParametersText()+"{ [(0)] }"))
			g.High = append(g.High, m.Context.ReadPwAff(m.Program.ParametersText()+"{ [(-1)] }"))
			continue
		}
		bounds := []func(int) (bool, error){g.rows.HasLowerBound, g.rows.HasUpperBound}
		for _, bounded := range bounds {
			is, err := bounded(d)
			if err == nil && !is {
				err = refused("no number by the parameters bounds the iterations that ranks share")
			}
			if err != nil {
				return err
			}
		}
		g.Low, g.High = append(g.Low, g.rows.DimMin(d).Extended()),
			append(g.High, g.rows.DimMax(d).Extended())
	}
	return m.Context.Err()
}
