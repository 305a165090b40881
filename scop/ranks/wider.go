package ranks

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
)

// Printing bounds what is spent on loops over the elements that ranks tell each other.
type Printing struct {
	// Operations are those of isl for the elements of one array.
	Operations uint64
	// Pieces is the number of convex sets from which on the operations are counted.
	Pieces int
}

// DefaultPrinting is what is spent where nobody says otherwise: some seconds. What few pieces
// are is printed at once; the elements of benchmarks have up to 12.
var DefaultPrinting = Printing{Operations: 10_000_000, Pieces: 64}

// Wider is an array of which an exchange has more elements than are read, since the loops over
// these have too many conditions.
type Wider struct {
	Array  *scop.Array
	Before string
	// unread relates the times of the exchange to the elements that nobody reads.
	unread *isl.Map
	from   *Exchange
}

// Syntax are loops over elements, in their order, with tell(e0, e1, …) inside, where something is
// known of the parameters. Names are those of the elements' subscripts and of the loops' variables.
func Syntax(at, known *isl.Set, subscripts, variables []string) *isl.AstNode {
	const call = "tell"
	context := at.Context()
	schedule := context.Lexicographic(at.SetTupleName(call).ToUnionSet(), call, subscripts, 0)
	return isl.NewAstBuild(known).SetIterators(variables).NodeFromSchedule(schedule)
}

// widen has exchanges tell more than is read where loops over what is read take too long. What is
// told in addition is last written by the rank that tells it, or by none, so that the other one
// gets what it has already, or what it never reads. While messages are under way neither end writes
// one of their elements: those that one of them might write then are left out.
func (p *planner) widen() error {
	for _, part := range p.parts {
		for _, x := range part.exchanges {
			w := widening{x, p.earlierThan(part, x), p.fullTimes(part), p.timesText(part, false),
				part}
			if err := p.widenIn(w); err != nil {
				return err
			}
		}
	}
	for _, x := range p.plan.Exchanges {
		if !x.Last {
			continue
		}
		end := "[1" + strings.Repeat(", 0", p.length-1) + "]"
		before := p.Context.ReadSet("{ " + tupleOf("t", p.length) + " : t0 < 1 }")
		w := widening{x, before, p.Context.ReadSet("{ " + end + " }"), end, nil}
		if err := p.widenIn(w); err != nil {
			return err
		}
	}
	return p.Context.Err()
}

// widening is an exchange that may tell more than is read.
type widening struct {
	*Exchange
	// before are the times in front of it, times its own, and now the text of these.
	before, times *isl.Set
	now           string
	// part is the piece that it is in front of, nil behind the region.
	part *part
}

// widenIn widens what an exchange tells of each array, as far as that is needed.
func (p *planner) widenIn(w widening) error {
	for k := range w.Arrays {
		exact := w.Arrays[k]
		if p.isByHand(w.Exchange, exact.Array) || p.isPrinted(w.Exchange, exact.At) {
			continue
		}
		wide, err := p.widerThan(w, exact)
		if err != nil {
			return err
		}
		if wide == nil {
			continue
		}
		elements := tupleOf("e", wide.Dim(isl.DimSet))
		at := p.Context.ReadMap(fmt.Sprintf("[%s] -> { %s -> %s : %s }",
			strings.Join(w.Times, ", "), w.now, elements, sameTimes(w.Times)))
		points := at.IntersectRange(wide).IntersectDomain(w.times).IntersectParams(w.Known)
		points = without(points, w.Times)
		w.Arrays[k].At, w.Arrays[k].Points = wide, points
		unread := points.Subtract(exact.Points)
		none, err := unread.IsEmpty()
		if err != nil {
			return err
		}
		if !none {
			p.plan.Wider = append(p.plan.Wider, Wider{exact.Array, w.Before, unread, w.Exchange})
		}
	}
	return nil
}

// without is a relation for any values of some parameters.
func without(m *isl.Map, parameters []string) *isl.Map {
	for k := m.Dim(isl.DimParam) - 1; k >= 0; k-- {
		if slices.Contains(parameters, m.Domain().DimName(isl.DimParam, k)) {
			m = m.ProjectOut(isl.DimParam, k, 1)
		}
	}
	return m
}

// isByHand says whether somebody has written what an exchange has of an array.
func (p *planner) isByHand(x *Exchange, array *scop.Array) bool {
	return slices.ContainsFunc(p.plan.Hands,
		func(h ByHand) bool { return h.from == x && h.Array == array })
}

// sameTimes are the conditions that the variables t0, t1, … have the values of parameters.
func sameTimes(parameters []string) string {
	conditions := []string{"true"}
	for k, name := range parameters {
		conditions = append(conditions, fmt.Sprintf("t%d = %s", k, name))
	}
	return strings.Join(conditions, " and ")
}

// widerThan is a set around elements that an exchange tells, small ones first, for which loops are
// made within the limit; nil for none, or where isl needs too long for that, too.
func (p *planner) widerThan(w widening, exact Elements) (wide *isl.Set, err error) {
	exceeded := p.Context.Within(wideningOperations, func() {
		left, failed := p.stale(w.before, exact.Array.Name)
		if failed == nil && w.Async {
			left, failed = p.leftOut(w, exact, left)
		}
		if err = failed; err != nil || left == nil {
			return
		}
		for _, set := range p.setsAround(exact, left) {
			if p.isPrinted(w.Exchange, set) {
				wide = set
				return
			}
		}
	})
	if exceeded {
		return nil, nil
	}
	return wide, err
}

// leftOut adds to elements that messages must not have those that an end of them writes while they
// are under way; nil where one of these is read, so that nothing wider can be sent.
func (p *planner) leftOut(w widening, exact Elements, stale *isl.Set) (*isl.Set, error) {
	err := p.writtenMeanwhile(w.part, w.Exchange, exact.Array.Name,
		func(_ *scop.StatementModel, written *isl.Set) error {
			stale = stale.Union(written)
			return nil
		})
	if err != nil {
		return nil, err
	}
	stale = stale.Coalesce()
	none, err := stale.Intersect(exact.At).IntersectParams(w.Known).IsEmpty()
	if err != nil || !none {
		return nil, err
	}
	return stale, nil
}

// wideningOperations bounds isl's work for what is told instead of the elements of one array.
const wideningOperations = 20_000_000

// setsAround are sets around some elements of an array, small ones first, without those that are
// stale and those that no statement writes.
func (p *planner) setsAround(exact Elements, stale *isl.Set) (list []*isl.Set) {
	var touched *isl.Set
	for i := range p.Statements {
		s := &p.Statements[i]
		for k, access := range s.Statement.Accesses {
			if access.Array != exact.Array.Name || !access.Write {
				continue
			}
			more := p.elements(s, k).IntersectDomain(s.Domain).Range()
			if touched != nil {
				more = more.Union(touched)
			}
			touched = more
		}
	}
	if touched == nil {
		return nil
	}
	touched = touched.Coalesce()
	apart := exact.At.Params().SimpleHull().ToSet()
	for _, wide := range []*isl.Set{exact.At.SimpleHull().ToSet(), touched.IntersectParams(apart),
		touched} {
		list = append(list, wide.Intersect(touched).Subtract(stale).Coalesce())
	}
	return list
}

// isPrinted says whether loops over elements are made within the limit.
func (p *planner) isPrinted(x *Exchange, at *isl.Set) bool {
	most := p.Printing
	if most == (Printing{}) {
		most = DefaultPrinting
	}
	if len(at.BasicSets()) < most.Pieces {
		return true
	}
	start := p.Context.Mark()
	defer p.Context.Release(start)
	count := at.Dim(isl.DimSet)
	return !p.Context.Within(most.Operations, func() {
		Syntax(at, p.Parameters.Intersect(x.Known),
			listed("i", count), listed("tune_e", count))
	})
}
