package ranks

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
	"polytune/scop/mark"
)

// HandError is a message by hand that is refused, with its line of the recipe.
type HandError struct {
	Command string
	Err     error
}

func (e *HandError) Error() string { return e.Command + ": " + e.Err.Error() }
func (e *HandError) Unwrap() error { return e.Err }

// longestTried is the greatest least length of blocks for which messages by hand are proven.
const longestTried = 16

// checkHands proves the messages that somebody has written: each is received as it is sent, and all
// that is read of other ranks is in one, at least where all blocks have some length. Where they
// have, the code sends them, and what is derived otherwise.
func (p *planner) checkHands() error {
	for _, part := range p.parts {
		if part.mark == nil {
			continue
		}
		told := map[string][]mark.Hand{}
		for _, hand := range part.mark.Hands {
			if part.mark.Dims > 1 {
				return &HandError{hand.Command, fmt.Errorf("messages by hand are for blocks of " +
					"one loop, and ranks share a grid here: what is read of other ranks is " +
					"derived without send and receive")}
			}
			told[hand.Array] = append(told[hand.Array], hand)
		}
		for _, receives := range []bool{true, false} {
			for k, hand := range part.mark.Hands {
				if hand.Receives != receives {
					continue
				}
				if err := p.checkPaired(part, k); err != nil {
					return err
				}
			}
		}
		for _, name := range slices.Sorted(maps.Keys(told)) {
			if err := p.byHand(part, told[name]); err != nil {
				return err
			}
		}
	}
	return p.Context.Err()
}

// checkPaired checks that a message has another end, which is the same, and no elements of another
// one to the same rank, but where blocks are short. It is the one of the piece with that number.
func (p *planner) checkPaired(part *part, number int) error {
	hand := part.mark.Hands[number]
	var ends []string
	isPaired, long := false, p.atLeast(part, longestTried)
	for k, other := range part.mark.Hands {
		switch {
		case other.Array != hand.Array:
		case other.Receives == hand.Receives && other.Distance == hand.Distance && k < number:
			both := p.box(part, hand).Intersect(p.box(part, other)).IntersectParams(long).
				IntersectParams(p.apart())
			if none, err := both.IsEmpty(); err != nil || !none {
				return cmp.Or(err, error(&HandError{hand.Command,
					fmt.Errorf("some of its elements are in another message to or from the same "+
						"rank: %s; name each once", other.Command)}))
			}
		case other.Receives != hand.Receives && other.Distance == -hand.Distance:
			beside := p.beside(part, sentBy(hand, other).Distance)
			same, err := p.box(part, other).IntersectParams(beside).
				IsEqual(p.box(part, hand).IntersectParams(beside))
			if err != nil {
				return err
			}
			isPaired, ends = isPaired || same, append(ends, other.Command)
		}
	}
	switch {
	case isPaired:
		return nil
	case len(ends) == 0 && hand.Receives:
		return &HandError{hand.Command, fmt.Errorf("nothing sends what is to be received: write "+
			"\"send %s[…] to rank %s before …\", or the rank waits for ever", hand.Array,
			sign(-hand.Distance))}
	case len(ends) == 0:
		return &HandError{hand.Command, fmt.Errorf("nothing receives what is sent: write "+
			"\"receive %s[…] from rank %s before …\"", hand.Array, sign(-hand.Distance))}
	case hand.Receives:
		return &HandError{hand.Command, fmt.Errorf("it is not what the rank there sends of %s: %s",
			hand.Array, strings.Join(ends, "; "))}
	}
	return &HandError{hand.Command, fmt.Errorf("it is not what the rank there receives of %s: %s",
		hand.Array, strings.Join(ends, "; "))}
}

// sentBy is the one of the two ends of a message that sends.
func sentBy(a, b mark.Hand) mark.Hand {
	if a.Receives {
		return b
	}
	return a
}

// box are the elements of a message, by the block of the rank at its end.
func (p *planner) box(part *part, hand mark.Hand) *isl.Set {
	g := p.plan.Groups[part.mark.Group]
	block := g.From
	if hand.Receives {
		block = g.To
	}
	var conditions []string
	names := block.names()
	for k, bounds := range hand.Ranges {
		low, high := bounds[0].Text(names, p.Program.Parameters),
			bounds[1].Text(names, p.Program.Parameters)
		conditions = append(conditions, fmt.Sprintf("%s <= tune_e%d <= %s", low, k, high))
	}
	parameters := strings.Join(append(names, p.Program.Parameters...), ", ")
	return p.Context.ReadSet(fmt.Sprintf("[%s] -> { %s : %s }", parameters,
		tupleOf("tune_e", len(hand.Ranges)), strings.Join(append(conditions, "true"), " and ")))
}

// beside are the parameters for which the rank that receives is so far from the one that sends:
// one.
func (p *planner) beside(part *part, distance int) *isl.Set {
	g := p.plan.Groups[part.mark.Group]
	from, to := g.From[0], g.To[0]
	next := fmt.Sprintf("%s = %s + 1", to.First, from.Last)
	if distance < 0 {
		next = fmt.Sprintf("%s = %s + 1", from.First, to.Last)
	}
	return p.Context.ReadSet(fmt.Sprintf("[%s, %s, %s, %s] -> { : %s and %[1]s <= %[2]s and "+
		"%[3]s <= %[4]s }", from.First, from.Last, to.First, to.Last, next))
}

// atLeast are the parameters of two blocks of such a length, or a greater one, of two ranks.
func (p *planner) atLeast(part *part, length int) *isl.Set {
	g := p.plan.Groups[part.mark.Group]
	return p.Context.ReadSet(fmt.Sprintf("[%s, %s, %s, %s] -> { : %[2]s - %[1]s >= %[5]d and "+
		"%[4]s - %[3]s >= %[5]d and (%[3]s = %[2]s + 1 or %[1]s = %[4]s + 1 or %[3]s > %[2]s + 1 "+
		"+ %[5]d or %[1]s > %[4]s + 1 + %[5]d) }",
		g.From[0].First, g.From[0].Last, g.To[0].First, g.To[0].Last, length-1))
}

// uncovered is the error of elements that are read and that no message has.
func (p *planner) uncovered(part *part, a Elements, hand mark.Hand, left *isl.Set) error {
	refused := &depend.StorageError{Reason: fmt.Sprintf("of %s elements are read that another "+
		"rank computes and no message has", a.Array.Spelling())}
	g := p.plan.Groups[part.mark.Group]
	for name := range part.times {
		s := p.Statement(name)
		own := part.rows[name].ApplyRange(p.within(g.To)).Domain()
		for k, access := range s.Statement.Accesses {
			if access.Array != a.Array.Name || !access.Read {
				continue
			}
			if none, err := s.Accesses[k].IntersectDomain(own).Range().SetTupleName("e").
				Intersect(left.SetTupleName("e")).IsEmpty(); err != nil || none {
				continue
			}
			refused.At = &depend.Reference{Statement: s.Spelling(), Text: p.Program.Written(s, k),
				Line: access.Line, Column: access.Column}
			refused.Reason = refused.At.Text + " reads elements that another rank computes" +
				p.writtenBy(a.Array.Name) + " and that no message has"
		}
	}
	refused.Example = p.exampleOf(part, a, left, "the rank with the rows %d to %d reads %s of "+
		"the rank with the rows %d to %d", false)
	return &HandError{hand.Command, refused}
}

// exampleOf is one of some elements with two blocks, "" for none: that of the rank which receives
// is named first, or that of the sender.
func (p *planner) exampleOf(part *part, a Elements, left *isl.Set, format string,
	senderFirst bool) string {
	g := p.plan.Groups[part.mark.Group]
	names := slices.Concat(g.From.names(), g.To.names(), p.Program.Parameters)
	all := p.Context.ReadMap(fmt.Sprintf("[%s] -> { %s -> [%[1]s] }", strings.Join(names, ", "),
		tupleOf("tune_e", left.Dim(isl.DimSet))))
	for _, name := range names[:4] {
		rows := p.Context.ReadSet(fmt.Sprintf("[%s] -> { [%[1]s] }", name)).
			Intersect(g.rows).Params()
		left = left.IntersectParams(rows)
	}
	sample := left.Sample()
	element, is := sample.Point()
	values, too := sample.Apply(all).Point()
	if !is || !too {
		return ""
	}
	var sizes, subscripts []string
	for k, parameter := range p.Program.Parameters {
		sizes = append(sizes, fmt.Sprintf("%s = %d", p.Program.Spelling(parameter), values[4+k]))
	}
	for _, e := range element {
		subscripts = append(subscripts, fmt.Sprint(e))
	}
	from, to := values[:2], values[2:4]
	if senderFirst {
		from, to = to, from
	}
	return strings.Join(sizes, ", ") + ": " + fmt.Sprintf(format, to[0], to[1],
		a.Array.Element(subscripts), from[0], from[1])
}

// writtenBy says by which references elements of an array are written.
func (p *planner) writtenBy(array string) string {
	for i := range p.Statements {
		s := &p.Statements[i]
		if k := slices.IndexFunc(s.Statement.Accesses,
			func(a scop.Access) bool { return a.Write && a.Array == array }); k >= 0 {
			return fmt.Sprintf(" by %s (line %d)", p.Program.Written(s, k),
				s.Statement.Accesses[k].Line)
		}
	}
	return ""
}
