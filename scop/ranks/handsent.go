package ranks

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// ByHand are messages with elements of an array as somebody has written them.
type ByHand struct {
	Array  *scop.Array
	Before string
	// Least is the length of blocks from which on they are right: where a rank's block is shorter,
	// what is read is sent.
	Least int
	// unread relates the times of the exchange to the elements that are sent and that nobody reads.
	unread *isl.Map
	from   *Exchange
}

// byHand has a piece send what somebody has written, where blocks are long enough.
func (p *planner) byHand(part *part, hands []mark.Hand) error {
	x := p.exchangeOf(part, hands[0].Array)
	k := slices.IndexFunc(x.Arrays, func(a Elements) bool { return a.Array.Name == hands[0].Array })
	if k < 0 {
		k = len(x.Arrays)
		x.Arrays = append(x.Arrays, p.nothingOf(part, x, hands[0].Array))
	}
	derived, sent := x.Arrays[k], p.sentByHand(part, hands)
	stale, err := p.stale(p.earlierThan(part, x), hands[0].Array)
	if err != nil {
		return err
	}
	stale = stale.Intersect(sent)
	least, err := p.leastLength(part, derived, hands[len(hands)-1], sent, stale)
	if err != nil {
		return err
	}
	if x.Async {
		if err := p.checkLate(part, x, hands[0], sent.Subtract(derived.At)); err != nil {
			return err
		}
	}
	g := &p.plan.Groups[part.mark.Group]
	if g.Shortest == "" {
		g.Shortest = p.name(fmt.Sprint("tune_shortest", part.mark.Group))
	}
	long := p.Context.ReadSet(fmt.Sprintf("[%s] -> { : %[1]s >= %d }", g.Shortest, least))
	short := p.Context.ReadSet(fmt.Sprintf("[%s] -> { : %[1]s < %d }", g.Shortest, least))
	points := p.fullTimes(part).MapTo(sent).IntersectParams(x.Known)
	x.Arrays[k].At = sent.IntersectParams(long).Union(derived.At.IntersectParams(short))
	x.Arrays[k].Points = points.IntersectParams(long).Union(derived.Points.IntersectParams(short))
	p.plan.Hands = append(p.plan.Hands, ByHand{Array: derived.Array, Before: x.Before, Least: least,
		unread: points.IntersectParams(long).Subtract(derived.Points), from: x})
	return p.Context.Err()
}

// nothingOf are no elements of an array.
func (p *planner) nothingOf(part *part, x *Exchange, name string) Elements {
	array := p.Program.Array(name)
	none := p.Context.ReadSet("{ " + tupleOf("e", len(array.Extents)) + " : 1 = 0 }")
	return Elements{Array: array, At: none, Points: p.fullTimes(part).MapTo(none)}
}

// fullTimes are the times of a piece among all others.
func (p *planner) fullTimes(part *part) *isl.Set { return p.timesOf(part).Apply(p.inTime(part)) }

// inTime relates the values of the loops around a piece to its time among all others.
func (p *planner) inTime(part *part) *isl.Map {
	return p.Context.ReadMap(fmt.Sprintf("{ %s -> %s }", tupleOf("t", part.depth),
		p.timesText(part, false)))
}

// sentByHand are the elements of messages to the ranks beside.
func (p *planner) sentByHand(part *part, hands []mark.Hand) (sent *isl.Set) {
	for _, hand := range hands {
		if hand.Receives {
			continue
		}
		box := p.box(part, hand).IntersectParams(p.beside(part, hand.Distance))
		if sent != nil {
			box = box.Union(sent)
		}
		sent = box
	}
	return sent.Coalesce()
}

// stale are the elements of an array of whose last values at some times the rank From need not be
// the one that has computed them: all that another rank was last to write for certain.
func (p *planner) stale(before *isl.Set, array string) (*isl.Set, error) {
	context, length := p.Context, p.length
	elements := tupleOf("e", len(p.Program.Array(array).Extents))
	none := context.ReadMap("{ " + elements + " -> " + tupleOf("t", length) + " : 1 = 0 }")
	all, foreign := none, none
	for _, other := range p.parts {
		at := p.inTime(other)
		for name, times := range other.times {
			s := p.Statement(name)
			for k, access := range s.Statement.Accesses {
				if access.Array != array || !access.Write || access.May {
					continue
				}
				written := p.elements(s, k)
				all = all.Union(written.Reverse().ApplyRange(times.ApplyRange(at)))
				if other.mark == nil || other.summed(array) {
					continue
				}
				own := p.runs(other, name, p.plan.Groups[other.mark.Group].From)
				if own == nil {
					continue
				}
				foreign = foreign.Union(written.Reverse().
					ApplyRange(times.IntersectDomain(times.Domain().Subtract(own)).ApplyRange(at)))
			}
		}
	}
	last := all.IntersectRange(before).Lexmax()
	return last.Intersect(foreign).Domain().Coalesce(), context.Err()
}

// elements relate instances to the subscripts of the elements that a reference touches.
func (p *planner) elements(s *scop.StatementModel, reference int) *isl.Map {
	tuple := tupleOf("e", s.Accesses[reference].Dim(isl.DimOut))
	return s.Accesses[reference].ApplyRange(p.Context.ReadMap(fmt.Sprintf("{ %s%s -> %[2]s }",
		s.Statement.Accesses[reference].Array, tuple)))
}

// earlierThan are the times in front of a piece.
func (p *planner) earlierThan(part *part, x *Exchange) *isl.Set {
	own := strings.Split(strings.Trim(p.timesText(part, true), "[]"), ", ")
	var ways []string
	for k := range own {
		way := []string{fmt.Sprintf("t%d < %s", k, own[k])}
		for before := range k {
			way = append(way, fmt.Sprintf("t%d = %s", before, own[before]))
		}
		ways = append(ways, "("+strings.Join(way, " and ")+")")
	}
	return p.Context.ReadSet(fmt.Sprintf("[%s] -> { %s : %s }", strings.Join(x.Times, ", "),
		tupleOf("t", len(own)), strings.Join(ways, " or ")))
}

// leastLength is the least length of blocks for which messages have all that is read of other
// ranks, and each element its last value.
func (p *planner) leastLength(part *part, derived Elements, hand mark.Hand,
	sent, stale *isl.Set) (int, error) {
	for length := 1; ; length++ {
		long := p.atLeast(part, length)
		missing, old := derived.At.Subtract(sent).IntersectParams(long), stale.IntersectParams(long)
		complete, err := missing.IsEmpty()
		if err != nil {
			return 0, err
		}
		right, err := old.IsEmpty()
		switch {
		case err != nil || complete && right:
			return length, err
		case length < longestTried:
		case !complete:
			return 0, p.uncovered(part, derived, hand, missing.Coalesce())
		default:
			reason := &depend.StorageError{Reason: fmt.Sprintf("the message has elements of %s "+
				"of which the rank has not the last value: another one writes them%s",
				derived.Array.Spelling(), p.writtenBy(derived.Array.Name))}
			reason.Example = p.exampleOf(part, derived, old.Coalesce(),
				"the rank with the rows %d to %d sends %s the rank with the rows %d to %d", true)
			return 0, &HandError{hand.Command, reason}
		}
	}
}

// checkLate checks that no rank writes an element while a message is under way that has it without
// need: neither the one that gets it nor the one that sends it, from its array.
func (p *planner) checkLate(part *part, x *Exchange, hand mark.Hand, unread *isl.Set) error {
	check := func(s *scop.StatementModel, written *isl.Set) error {
		none, err := written.Intersect(unread).IsEmpty()
		if err == nil && !none {
			err = &HandError{hand.Command, fmt.Errorf("%s writes elements of %s that the message "+
				"has, while it is under way: leave async out, or send what is read alone",
				s.Spelling(), p.Program.Array(hand.Array).Spelling())}
		}
		return err
	}
	return p.writtenMeanwhile(part, x, hand.Array, check)
}

// writtenMeanwhile visits the elements of an array that statements of a piece write, on the ranks
// at both ends of messages, while these are under way.
func (p *planner) writtenMeanwhile(part *part, x *Exchange, array string,
	visit func(*scop.StatementModel, *isl.Set) error) error {
	g := p.plan.Groups[part.mark.Group]
	times := strings.Join(x.Times, ", ")
	now := p.Context.ReadSet(fmt.Sprintf("[%s] -> { [%[1]s] }", times))
	ends := p.within(g.To).Union(p.within(g.From))
	for name, own := range part.times {
		s := p.Statement(name)
		runs := part.rows[name].ApplyRange(ends).Domain()
		runs = runs.Intersect(own.IntersectRange(now).Domain())
		for k, access := range s.Statement.Accesses {
			if access.Array != array || !access.Write {
				continue
			}
			if err := visit(s, p.elements(s, k).IntersectDomain(runs).Range()); err != nil {
				return err
			}
		}
	}
	return nil
}

// Notes say from which length of blocks on messages by hand are as they are written, and which
// messages have more than is read.
func (p *Plan) Notes() (list []string) {
	for _, h := range p.Hands {
		list = append(list, fmt.Sprintf("The messages with %s before %s are as written by hand "+
			"where each rank has a block of %d or more; with\nshorter ones what is read is sent.",
			h.Array.Spelling(), h.Before, h.Least))
	}
	for _, w := range p.Wider {
		list = append(list, fmt.Sprintf("The messages with %s%s have more than is read: loops "+
			"over that alone have too many conditions.", w.Array.Spelling(),
			placed(w.Before, w.from.Last)))
	}
	return list
}

// chosenIn is a statement that reads elements of an array which data decide, nil for none.
func chosenIn(m *scop.Model, array string) *scop.Statement {
	for i := range m.Statements {
		s := m.Statements[i].Statement
		if slices.ContainsFunc(s.Accesses,
			func(a scop.Access) bool { return a.Array == array && a.Read && a.May }) {
			return s
		}
	}
	return nil
}

// placed says in front of which loop something is told, "" for other code, or that it is a result.
func placed(before string, last bool) string {
	switch {
	case last:
		return " as a result"
	case before == "":
		return ""
	}
	return " before " + before
}

// typicalRanks and typicalSize are the number of ranks and the value of each parameter at which
// Warnings count.
const typicalRanks, typicalSize = 4, 24

// Warnings say which messages have elements that nobody reads, and how many, and where data decide
// what is read.
func (p *Plan) Warnings(m *scop.Model) (list []string, err error) {
	for _, x := range p.Exchanges {
		for _, a := range x.Arrays {
			if by := chosenIn(m, a.Array.Name); by != nil && !x.Last {
				list = append(list, fmt.Sprintf("data decide which elements of %s %s reads (line "+
					"%d): all that other ranks compute are sent%s", a.Array.Spelling(),
					by.Spelling(), by.Line, placed(x.Before, false)))
			}
		}
	}
	if len(p.Hands)+len(p.Wider) == 0 {
		return list, nil
	}
	parameters := map[string]int{}
	var sizes []string
	for _, name := range m.Program.Parameters {
		parameters[name] = typicalSize
		sizes = append(sizes, fmt.Sprintf("%s = %d", m.Program.Spelling(name), typicalSize))
	}
	v, err := p.Volume(m, parameters, typicalRanks, OnNone)
	add := func(array *scop.Array, before string, last bool) {
		unread := int64(0)
		if last && v.Gather != nil {
			unread = v.Gather.Unread
		}
		for _, x := range v.Exchanges {
			if x.Array == array.Spelling() && x.Before == before && !last {
				unread += x.Unread
			}
		}
		if unread > 0 {
			list = append(list, fmt.Sprintf("the messages with %s%s have elements that nobody "+
				"reads: %d with %s on %d ranks", array.Spelling(), placed(before, last), unread,
				strings.Join(sizes, ", "), typicalRanks))
		}
	}
	for _, h := range p.Hands {
		add(h.Array, h.Before, false)
	}
	for _, w := range p.Wider {
		add(w.Array, w.Before, w.from.Last)
	}
	return list, err
}
