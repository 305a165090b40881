package frontend

import (
	"fmt"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// Sweeps over a grid often exchange the pointers to what they read and what they write:
//
//	for (int t = 0; t < n; t++) { …; w = u; u = v; v = w; }
//
// What a pointer leads to depends on the number of iterations before then. The loop has a body for
// each case, with the pointers' names in each other's places:
//
//	for (int t = 0; t < n; t++) if ((t - 0) % 2 == 0) { … u … v … } else { … v … u … }
//
// and the region ends with one exchange if the loop has run an odd number of times.

// mostBodies bounds the number of iterations after which the pointers of a loop are where they
// were.
const mostBodies = 4

// pointerSwap is a loop in which pointers change places.
type pointerSwap struct {
	r      *rewriter
	loop   *cc.IterationStatement
	header loopHeader
	// runs are the moves of each iteration, with their places in the text.
	runs []moveRun
	// swapped are the pointers that change places.
	swapped []*cc.Declarator
}

// moveRun are moves one behind the other.
type moveRun struct {
	start, end int
	moves      []pointerMove
	of         map[*cc.Declarator]*cc.Declarator
}

// pointerSwaps replaces the loop that is an item of the region, by its number, if it exchanges
// pointers.
func (r *rewriter) pointerSwaps(number int) {
	item := r.items[number]
	if item.Case != cc.BlockItemStmt || item.Statement.Case != cc.StatementIteration {
		return
	}
	s := pointerSwap{r: r, loop: item.Statement.IterationStatement}
	if !s.isFor() || !s.findRuns() || !s.onlyChangePlaces() || s.areUsedBehind(number) {
		return
	}
	uses, ok := s.uses()
	start, isWhole := s.r.operandOf(s.header.start)
	if !ok || !isWhole || !r.isSteady(s.header.start, r.isUnchanged) {
		return
	}
	bodies := s.bodies(uses)
	ending, ok := s.ending(start, len(bodies))
	_, _, end, isWhole := r.textOf(r.items[len(r.items)-1])
	if !ok || !isWhole || len(bodies) < 2 {
		return
	}
	count := fmt.Sprintf("%s - %s", s.header.iterator.Name(), start)
	if s.header.step < 0 {
		count = fmt.Sprintf("%s - %s", start, s.header.iterator.Name())
	}
	text := "{ "
	for k, body := range bodies {
		if k < len(bodies)-1 {
			body = fmt.Sprintf("if ((%s) %% %d == %d) %s else ", count, len(bodies), k, body)
		}
		text += body
	}
	body := s.loop.Statement.CompoundStatement
	r.replace(body.Token.Position().Offset, body.Token2.Position().Offset+len("}"), text+" }")
	if ending != "" {
		r.replace(end, end, " "+ending)
	}
}

// isUnchanged says that nothing in the region changes a variable.
func (r *rewriter) isUnchanged(d *cc.Declarator) bool { return r.x.facts.assigned[d] == nil }

// isFor reads the loop's header; its iterator steps by one, and nothing leaves its body.
func (s *pointerSwap) isFor() bool {
	if s.loop.Case != cc.IterationStatementForDecl && s.loop.Case != cc.IterationStatementFor || s.loop.Statement.Case != cc.StatementCompound || mayBreak(s.loop.Statement) || mayPassEnd(s.loop.Statement) {
		return false
	}
	body := s.loop.Statement.CompoundStatement
	h, err := s.r.x.header(s.loop, place{})
	s.header = h
	return err == nil && h.shift == 0 && len(h.declared)+len(h.before)+len(h.further) == 0 && (h.step == 1 || h.step == -1) && h.body == s.loop.Statement &&
		s.r.isToken(body.Token) && s.r.isToken(body.Token2)
}

// findRuns finds the moves among the items of the body. A helper that the body itself declares is
// refused, with advice: which of the two ways to write it is meant is the user's choice then.
func (s *pointerSwap) findRuns() bool {
	inRun := false
	for _, item := range itemsOf(s.loop.Statement.CompoundStatement) {
		moves := movesOf(item)
		switch {
		case moves == nil:
			inRun = false
			continue
		case item.Case == cc.BlockItemDecl:
			return false
		}
		_, start, end, ok := s.r.textOf(item)
		if extent, isThere := spanOf(item); !ok && isThere {
			s.r.x.writeOut(extent.start)
		}
		if !ok {
			return false
		}
		if !inRun {
			s.runs = append(s.runs, moveRun{start: start})
		}
		run := &s.runs[len(s.runs)-1]
		run.end, run.moves, inRun = end, append(run.moves, moves...), true
	}
	return len(s.runs) > 0
}

// onlyChangePlaces says whether the moves are all that happens to the pointers, and finds those
// that change places.
func (s *pointerSwap) onlyChangePlaces() bool {
	moved := map[*cc.Declarator]int{}
	var helpers []*cc.Declarator
	for k := range s.runs {
		run := &s.runs[k]
		of, more, ok := origins(run.moves)
		if !ok {
			return false
		}
		run.of, helpers = of, append(helpers, more...)
		for d := range of {
			if !slices.Contains(s.swapped, d) {
				s.swapped = append(s.swapped, d)
			}
		}
		for _, m := range run.moves {
			moved[m.to]++
		}
	}
	slices.SortFunc(s.swapped, func(a, b *cc.Declarator) int { return strings.Compare(a.Name(), b.Name()) })
	for _, d := range s.swapped {
		isOwn := d.IsParam() || d.StorageDuration() == cc.Automatic
		if slices.Contains(helpers, d) || s.r.x.facts.local[d] || !isOwn || d.AddressTaken() || d.IsVolatile() || s.r.x.facts.assignments[d] != moved[d] ||
			len(s.r.x.facts.named[d.Name()]) != 1 || s.r.isMeasured(d) || !s.r.leadsToSame(d.Type(), s.swapped[0].Type()) {
			return false
		}
	}
	for _, d := range helpers {
		isHidden := !s.r.x.facts.local[d] && len(s.r.x.facts.named[d.Name()]) != 1
		if s.r.x.facts.assignments[d] != moved[d] || s.r.x.readLater(d) != nil || s.usedOutside(d) || isHidden {
			return false
		}
	}
	return true
}

// usedOutside says whether something beside the moves uses a helper.
func (s *pointerSwap) usedOutside(d *cc.Declarator) bool {
	inMoves := 0
	for _, run := range s.runs {
		for _, m := range run.moves {
			if m.from == d {
				inMoves++
			}
			if m.to == d && !s.r.x.facts.local[d] {
				inMoves++
			}
		}
	}
	return len(s.r.x.facts.uses[d]) != inMoves
}

// areUsedBehind says whether the region uses the pointers behind the loop, which is the item of
// that number, or in its header.
func (s *pointerSwap) areUsedBehind(number int) bool {
	var named []*cc.Declarator
	for _, item := range s.r.items[number+1:] {
		named = append(named, namedIn(item)...)
	}
	for _, n := range []cc.Node{s.header.start, s.header.test, s.header.advance} {
		named = append(named, namedIn(n)...)
	}
	return slices.ContainsFunc(named, func(d *cc.Declarator) bool { return slices.Contains(s.swapped, d) })
}

// uses are the places in the loop's body where the pointers stand, but for the moves.
func (s *pointerSwap) uses() (at map[int]*cc.Declarator, ok bool) {
	at = map[int]*cc.Declarator{}
	body := s.loop.Statement.CompoundStatement
	for _, d := range s.swapped {
		places, ok := s.r.usesOf(d)
		if !ok {
			return nil, false
		}
		for _, offset := range places {
			isMove := slices.ContainsFunc(s.runs, func(run moveRun) bool { return offset >= run.start && offset < run.end })
			if !isMove && offset > body.Token.Position().Offset && offset < body.Token2.Position().Offset {
				at[offset] = d
			}
		}
	}
	return at, true
}

// bodies are the loop's bodies in the order of iterations, until the pointers are where they were;
// nil where that takes too many, or a directive is among the text.
func (s *pointerSwap) bodies(uses map[int]*cc.Declarator) (all []string) {
	state := map[*cc.Declarator]*cc.Declarator{}
	for _, d := range s.swapped {
		state[d] = d
	}
	open, closing := s.loop.Statement.CompoundStatement.Token.Position().Offset, s.loop.Statement.CompoundStatement.Token2.Position().Offset
	for range mostBodies {
		var text strings.Builder
		end := open
		for _, l := range s.r.x.between(open, closing+1) {
			if l.kind == directive {
				return nil
			}
			if number := slices.IndexFunc(s.runs, func(run moveRun) bool { return l.start == run.start }); number >= 0 {
				state = s.moved(state, s.runs[number])
			}
			if slices.ContainsFunc(s.runs, func(run moveRun) bool { return l.start >= run.start && l.start < run.end }) {
				end = l.end
				continue
			}
			text.Write(s.r.x.withoutComments(end, l.start))
			word := s.r.x.of(l)
			if d := uses[l.start]; d != nil {
				word = state[d].Name()
			}
			text.WriteString(word)
			end = l.end
		}
		all = append(all, strings.Join(strings.Fields(text.String()), " "))
		if !slices.ContainsFunc(s.swapped, func(d *cc.Declarator) bool { return state[d] != d }) {
			return all
		}
	}
	return nil
}

// moved is whose first value each pointer has behind a run of moves, if that is the state in front
// of it.
func (s *pointerSwap) moved(state map[*cc.Declarator]*cc.Declarator, run moveRun) map[*cc.Declarator]*cc.Declarator {
	next := map[*cc.Declarator]*cc.Declarator{}
	for _, d := range s.swapped {
		next[d] = state[d]
		if run.of[d] != nil {
			next[d] = state[run.of[d]]
		}
	}
	return next
}

// ending is what the region ends with, so that the pointers are where the loop leaves them. Where
// there is no such text, "", ok is false unless nobody reads them there. They are where they were
// after so many iterations.
func (s *pointerSwap) ending(start string, period int) (text string, ok bool) {
	isRead := func(d *cc.Declarator) bool { return s.r.x.readLater(d) != nil }
	optional := !slices.ContainsFunc(s.swapped, isRead)
	moves, _, _, okMoves := s.textBetween(s.runs[0])
	left, op, right, isComparison := comparisonOf(unwrap(s.header.test))
	if len(s.runs) != 1 || !okMoves || !isComparison || !s.r.isInBlock() {
		return "", optional
	}
	if variableOf(right) == s.header.iterator {
		left, op, right = right, swapped(op), left
	}
	limit, okLimit := s.r.operandOf(right)
	okLimit = okLimit && s.r.meansTheSame(right, s.runs[0].end, s.r.x.bounds.end) && s.r.meansTheSame(s.header.start, s.runs[0].end, s.r.x.bounds.end)
	upwards := map[string]bool{"<": true, "<=": true}[op]
	if variableOf(left) != s.header.iterator || !okLimit || !s.r.isSteady(right, s.r.isUnchanged) || upwards != (s.header.step > 0) || !upwards && op != ">" && op != ">=" {
		return "", optional
	}
	from, to := start, limit
	if !upwards {
		from, to = limit, start
	}
	count := to + " - " + from
	if strings.HasSuffix(op, "=") {
		count += " + 1"
	}
	for k := 1; k < period; k++ {
		text += fmt.Sprintf("if (%s %s %s && (%s) %% %d >= %d) { %s } ", start, op, limit, count, period, k, moves)
	}
	return text, true
}

// textBetween is the text of a run of moves on one line.
func (s *pointerSwap) textBetween(run moveRun) (text string, start, end int, ok bool) {
	isDirective := func(l lexeme) bool { return l.kind == directive }
	ok = !slices.ContainsFunc(s.r.x.between(run.start, run.end), isDirective)
	return strings.Join(strings.Fields(string(s.r.x.withoutComments(run.start, run.end))), " "), run.start, run.end, ok
}
