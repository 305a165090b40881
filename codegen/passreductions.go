package codegen

import (
	"cmp"
	"fmt"
	"strings"

	"polytune/isl"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
)

// copiedBytes is the largest size of a copy of an array of which data decide which elements are
// updated.
const copiedBytes = 1 << 26

// reductions gives threads that add up in an array copies of it: OpenMP's clause for parts of
// arrays puts them on the stack, which large ones overflow. Where nobody knows how large a copy is,
// one thread runs the loop.
func reductions(p *loopir.Program, e *Env) error {
	return loopir.Rewrite(p.Code, func(s loopir.Stmt) (loopir.Stmt, error) {
		loop, is := s.(*loopir.For)
		if !is || loop.Threads == nil {
			return s, nil
		}
		e.loop = loop.Var
		if atomically := e.withAtomics(loop); atomically != nil {
			return atomically, nil
		}
		return e.inCopies(loop)
	})
}

// inCopies is a loop in which the threads add up in copies of its arrays.
func (e *Env) inCopies(loop *loopir.For) (loopir.Stmt, error) {
	reduce, scalars := &loopir.Reduce{Threads: loop.Threads.Several}, []loopir.Reduction(nil)
	for _, r := range loop.Threads.Reductions {
		if !r.Elements {
			scalars = append(scalars, r)
			continue
		}
		partial, ok, err := e.partial(r.Clause, loop.Threads.Worth)
		if err != nil {
			return nil, err
		}
		if !ok {
			if m, is := mark.Of[mark.Parallel](loop.Marks); is {
				e.Decline(m, e.whyNoCopies(r.Clause))
			}
			loop.Threads = nil
			return loop, nil
		}
		reduce.Partials = append(reduce.Partials, partial)
	}
	if len(reduce.Partials) == 0 {
		return loop, nil
	}
	e.limitCopies(reduce)
	loop.Threads.InTeam, loop.Threads.Several, loop.Threads.Reductions = true, "", scalars
	reduce.Body = loopir.Code{loop}
	return reduce, nil
}

// whyNoCopies is why threads cannot have copies of a clause's array.
func (e *Env) whyNoCopies(c scop.Clause) string {
	return "each thread would add up in a copy of " + e.nodes.variableOf(c.Array) +
		", and which of its elements the loop updates is not known before it runs: have threads share a loop that does not carry the sum"
}

// limitCopies lets several threads run only where there are some, and copies are small enough and
// have memory.
func (e *Env) limitCopies(reduce *loopir.Reduce) {
	reduce.Several, reduce.Team = e.nodes.fresh("tune_copies"), e.nodes.fresh("tune_threads")
	conditions, memories := []string{reduce.Team + " > 1"}, []string(nil)
	if reduce.Threads != "" {
		conditions = append(conditions, reduce.Threads)
	}
	for _, p := range reduce.Partials {
		memories = append(memories, p.Memory+" != 0")
		if p.Limit != "" {
			conditions = append(conditions, p.Limit)
		}
	}
	reduce.Threads, reduce.Copied = strings.Join(conditions, " && "), strings.Join(memories, " && ")
}

// partial is what each thread has of a clause's array. Worth is as for loopir.Threads.
func (e *Env) partial(c scop.Clause, worth string) (p loopir.Partial, ok bool, err error) {
	array := e.model.Program.Array(c.Array)
	element := cmp.Or(e.model.Program.Wraps(c), array.Type)
	total, scattered, ok, err := e.total(c)
	if err != nil || !ok {
		return p, false, err
	}
	p = loopir.Partial{
		Clause: c, Name: e.nodes.variableOf(c.Array), Type: element, Total: total, Row: rowType(array),
		Count: e.nodes.fresh("tune_count_" + c.Array), All: e.nodes.fresh("tune_all_" + c.Array), Copy: e.nodes.fresh("tune_own_" + c.Array), Memory: e.nodes.fresh("tune_copies_" + c.Array), K: e.nodes.fresh("tune_k"),
	}
	if array.Linear {
		p.Row = ""
	}
	if scattered {
		p.Limit = fmt.Sprintf("%s <= %s && %s <= %d", p.Count, worth, p.Count, copiedBytes/max(1, array.Size))
	}
	return p, true, nil
}

// total is the number of elements of a copy as a C expression; scattered says that data decide
// which of them are updated.
func (e *Env) total(c scop.Clause) (total string, scattered, ok bool, err error) {
	elements, ok, err := e.model.Accumulated(c)
	if err != nil || !ok {
		return "", false, false, err
	}
	array := e.model.Program.Array(c.Array)
	extents := array.Extents
	if elements.Count == nil {
		total = "(long) (" + array.UpdatedRows() + ")"
	} else {
		build := isl.NewAstBuild(e.model.Parameters)
		count := e.nodes.expression(loopir.FromISL(build.ExprFromPwAff(elements.Count)))
		if len(extents) > 1 {
			count = count.asLong()
		}
		total = count.within(multiplicative)
	}
	for _, extent := range extents[1:] {
		if array.Linear {
			// Nothing says that rows have a positive length where there are none.
			extent = e.nodes.call(helperMax, text{code: extent}, number(0)).code
		}
		total += " * (" + extent + ")"
	}
	return total, elements.Scattered, true, nil
}
