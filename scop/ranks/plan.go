package ranks

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/flow"
	"polytune/scop/mark"
)

// Options say how a plan is made.
type Options struct {
	// Gather are the ranks that have all results in the end.
	Gather Gather
	// Taken are names that a parameter must not have.
	Taken map[string]bool
	// Local asks for the blocks of arrays that ranks have where these have no more.
	Local bool
	// Printing bounds what is spent on loops over elements; {} stands for DefaultPrinting.
	Printing Printing
	// Reordered says that the schedule has updates in another order than the program.
	Reordered bool
}

// Gather are ranks.
type Gather string

// All ranks, rank 0, and none: each has its own part of the results.
const (
	OnAll  Gather = "all"
	OnRoot Gather = "root"
	OnNone Gather = "none"
)

// RefusedError says why ranks cannot run a schedule that is legal.
type RefusedError struct{ Reason string }

func (e *RefusedError) Error() string { return e.Reason }

func refused(format string, arguments ...any) error {
	return &RefusedError{fmt.Sprintf(format, arguments...)}
}

// planner makes a plan.
type planner struct {
	*scop.Model
	Options
	schedule mark.Schedule
	parts    []*part
	plan     *Plan
	values   []*values
	// length is that of the longest time of a piece.
	length int
}

// Of is the plan of a schedule that is proven.
func Of(m *scop.Model, s mark.Schedule, o Options) (*Plan, error) {
	parts, err := partsOf(m, s)
	if err != nil {
		return nil, err
	}
	p := &planner{Model: m, Options: o, schedule: s, parts: parts, plan: &Plan{Tree: s.Tree}}
	if !slices.ContainsFunc(parts, func(p *part) bool { return p.mark != nil }) {
		return p.plan, nil
	}
	if err := p.sureWrites(); err != nil {
		return nil, err
	}
	if p.plan.Groups, err = groupsOf(m, parts, p.name); err != nil {
		return nil, err
	}
	order := flow.Order(m)
	if o.Reordered {
		order = p.ownOrder()
	}
	if p.values, err = valuesOf(m, order,
		func(a *scop.Array) bool { return !a.Local }); err != nil {
		return nil, err
	}
	if err := p.fillZones(); err != nil {
		return nil, err
	}
	if err := p.exchanges(); err != nil {
		return nil, err
	}
	if err := p.sums(); err != nil {
		return nil, err
	}
	if o.Local {
		if p.plan.Blocks, err = p.arrayBlocks(); err != nil {
			return nil, err
		}
	}
	return p.plan, errors.Join(p.graft(), m.Context.Err())
}

// name is a name like that which nothing has.
func (p *planner) name(like string) string {
	for p.Taken[like] || slices.Contains(p.Program.Parameters, like) {
		like += "_"
	}
	return like
}

// sureWrites is an error where data decide what a statement writes of which each rank runs a part.
func (p *planner) sureWrites() error {
	for _, part := range p.parts {
		for name := range part.rows {
			s := p.Statement(name)
			for _, a := range s.Statement.Accesses {
				if a.Write && a.May {
					return refused("data decide which elements of %s statement %s writes (line "+
						"%d), so that nobody knows which rank has them: leave its loops out of %q",
						p.Program.Array(a.Array).Spelling(), s.Spelling(), s.Line, "ranks")
				}
			}
		}
	}
	return nil
}

// ownOrder is the order of the schedule.
func (p *planner) ownOrder() *isl.UnionMap {
	order := p.Context.ReadUnionMap("{ }")
	for _, m := range p.schedule.Tree.Map().IntersectDomain(p.schedule.Tree.Domain()).Maps() {
		name := m.TupleName(isl.DimIn)
		order = order.Union(m.ProjectOut(isl.DimIn, 0, m.Dim(isl.DimIn)-p.Statement(name).Depth()).
			SetTupleName(isl.DimIn, name).Coalesce().ToUnionMap())
	}
	return order
}

// exchanges finds what is told in front of each piece, and behind all.
func (p *planner) exchanges() error {
	for _, part := range p.parts {
		p.length = max(p.length, 1+part.depth+len(part.places))
	}
	last := &Exchange{Name: p.name("tune_gather"), Last: true, Known: p.apart()}
	for _, v := range p.values {
		first, err := p.firstReads(v)
		if err != nil {
			return err
		}
		if first == nil {
			continue
		}
		for _, part := range p.parts {
			if err := p.add(p.exchangeOf(part, v.array), v, first, p.timesText(part, false),
				p.timesText(part, true)); err != nil {
				return err
			}
		}
		end := "[1" + strings.Repeat(", 0", p.length-1) + "]"
		if err := p.add(last, v, first, end, end); err != nil {
			return err
		}
	}
	if err := p.checkHands(); err != nil {
		return err
	}
	for _, part := range p.parts {
		part.exchanges = slices.DeleteFunc(part.exchanges,
			func(x *Exchange) bool { return len(x.Arrays) == 0 })
		p.plan.Exchanges = append(p.plan.Exchanges, part.exchanges...)
	}
	if len(last.Arrays) > 0 {
		p.plan.Exchanges = append(p.plan.Exchanges, last)
	}
	return p.widen()
}

// exchangeOf is the exchange in front of a piece that tells values of an array, which is made where
// there is none.
func (p *planner) exchangeOf(part *part, array string) *Exchange {
	made := Exchange{Times: p.timeNames(part.depth), Known: p.apart()}
	key := ""
	if part.mark != nil {
		made.Before = part.mark.Loop
		for _, hand := range part.mark.Hands {
			if hand.Array == array {
				made.Async, key = made.Async || hand.Async, "_hand_"+array
			}
		}
		for k, way := range part.mark.Ways {
			if slices.Contains(way.Arrays, array) {
				made.Async, key = way.Async, fmt.Sprint("_", k)
				if way.Apart {
					key += "_" + array
				}
			}
		}
	}
	made.Name = p.name(fmt.Sprintf("tune_exchange%d%s", slices.Index(p.parts, part), key))
	for _, x := range part.exchanges {
		if x.Name == made.Name {
			return x
		}
	}
	part.exchanges = append(part.exchanges, &made)
	return &made
}

func (p *planner) timeNames(depth int) []string {
	names := listed("tune_at", depth)
	for k := range names {
		names[k] = p.name(names[k])
	}
	return names
}

// timesText is the time of a piece, by the variables t0, t1, … of the loops around or by the
// parameters for them.
func (p *planner) timesText(part *part, parameters bool) string {
	names := listed("t", part.depth)
	if parameters {
		names = p.timeNames(part.depth)
	}
	items := []string{"0"}
	for loops := range part.depth + 1 {
		for _, place := range part.places {
			if place.loops == loops {
				items = append(items, fmt.Sprint(place.part))
			}
		}
		if loops < part.depth {
			items = append(items, names[loops])
		}
	}
	for len(items) < p.length {
		items = append(items, "0")
	}
	return "[" + strings.Join(items, ", ") + "]"
}

// firstReads relate the values that a rank other than the writer's reads to when it does so first;
// nil where there are none. What is added to on some ranks is read by all.
func (p *planner) firstReads(v *values) (*isl.Map, error) {
	written := p.owned(v)
	if written == nil {
		return nil, nil
	}
	var reads *isl.Map
	add := func(more *isl.Map) {
		if reads != nil {
			more = more.Union(reads)
		}
		reads = more.Coalesce()
	}
	for _, part := range p.parts {
		for name, times := range part.times {
			by := v.readers[name]
			if by == nil {
				continue
			}
			if part.mark != nil && !part.summed(v.array) {
				if own := p.runs(part, name, p.plan.Groups[part.mark.Group].To); own != nil {
					times = times.IntersectDomain(own)
				}
			}
			add(by.ApplyRange(times.ApplyRange(p.inTime(part))))
		}
	}
	if v.final != nil && p.Gather != OnNone {
		add(v.final.MapTo(p.Context.ReadSet("{ [1" + strings.Repeat(", 0", p.length-1) + "] }")))
	}
	if reads == nil {
		return nil, nil
	}
	if own := p.computedAgain(v); own != nil {
		written = written.Subtract(own)
	}
	reads = reads.IntersectDomain(written).Coalesce()
	if none, err := reads.IsEmpty(); err != nil || none {
		return nil, err
	}
	return reads.Lexmin().Coalesce(), p.Context.Err()
}

// owned are the values that a rank with the block From computes, and not all ranks; nil for none.
func (p *planner) owned(v *values) *isl.Set {
	var owned *isl.Set
	for _, part := range p.parts {
		rows := part.rows[v.writer]
		if part.mark == nil || rows == nil || part.summed(v.array) {
			continue
		}
		own := v.writers.ApplyRange(rows).ApplyRange(p.within(p.plan.Groups[part.mark.Group].From)).
			Domain()
		if owned != nil {
			own = own.Union(owned)
		}
		owned = own
	}
	return owned
}

// add adds the elements of values that are read first at a time to an exchange. The time is given
// by variables t0, t1, … and by the parameters for them.
func (p *planner) add(x *Exchange, v *values, first *isl.Map, times, now string) error {
	parameters := "[" + strings.Join(x.Times, ", ") + "] -> "
	element := v.element(p.Model)
	at := first.Reverse().IntersectDomain(p.Context.ReadSet(parameters + "{ " + now + " }")).
		Range().Apply(element)
	apart := at.IntersectParams(x.Known)
	if none, err := apart.IsEmpty(); err != nil || none {
		return err
	}
	points := first.Reverse().IntersectDomain(p.Context.ReadSet("{ " + times + " }")).
		ApplyRange(element)
	if !p.plan.HasGrids() {
		at, points = apart, points.IntersectParams(x.Known)
	}
	at = at.Coalesce()
	array := p.Program.Array(v.array)
	if array == nil || p.Program.PrivateLoops(v.array) > 0 {
		name := v.array
		if array != nil {
			name = array.Spelling()
		}
		return refused("ranks would have to tell each other values of %s, of which each "+
			"iteration has its own", name)
	}
	for k := range x.Arrays {
		if x.Arrays[k].Array == array {
			x.Arrays[k].At = x.Arrays[k].At.Union(at).Coalesce()
			x.Arrays[k].Points = x.Arrays[k].Points.Union(points).Coalesce()
			return nil
		}
	}
	x.Arrays = append(x.Arrays, Elements{Array: array, At: at, Points: points.Coalesce()})
	return nil
}
