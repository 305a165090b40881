package device

import (
	"fmt"

	"polytune/loopir"
	"polytune/scop/mark"
)

// waiting is code behind which threads wait; or a loop at the end of each of whose iterations they do.
func (m *mapper) waiting(s *loopir.Marked, c context) (loopir.Code, error) {
	m.env.Honour(s.Mark)
	if s.Mark.(mark.Barrier).Part != "" {
		body, err := m.code(s.Body, c)
		return append(body, &loopir.Barrier{}), err
	}
	if s.Depth < 0 {
		return nil, fmt.Errorf("isl has made several loops of %s, or left some out, so that nobody knows at the end of which iterations threads wait", mark.LoopOf(s.Mark))
	}
	return m.code((&waiter{m, mark.LoopOf(s.Mark), s.Depth}).iterations(s.Body), c)
}

// waiter puts barriers at the end of the iterations of a loop. isl may have made several loops of it, code alone where it runs once, and one iteration of several: of
// 2t and 2t + 1 for each t.
type waiter struct {
	*mapper
	loop  string
	depth int
}

// iterations is code with the loop and marks of it.
func (w *waiter) iterations(code loopir.Code) (made loopir.Code) {
	for _, s := range code {
		loop, isLoop := s.(*loopir.For)
		depth, known := 0, false
		if isLoop {
			depth, known = w.env.DepthOf(loop.Var)
		}
		switch {
		case known && depth == w.depth:
			waits := *loop
			waits.Body = append(w.apart(loop.Body), &loopir.Barrier{})
			made = append(made, &waits)
		case isWrapper(s):
			made = append(made, wrapped(s, w.iterations))
		default:
			made = append(made, s, &loopir.Barrier{})
		}
	}
	return made
}

// apart is the body of the loop with barriers between what runs in different iterations.
func (w *waiter) apart(code loopir.Code) (made loopir.Code) {
	for k, s := range code {
		if isWrapper(s) {
			s = wrapped(s, w.apart)
		}
		if k > 0 && !w.isOne(loopir.Code{code[k-1], s}) {
			made = append(made, &loopir.Barrier{})
		}
		made = append(made, s)
	}
	return made
}

// isOne says whether all instances of some code are certainly of one iteration of the loop.
func (w *waiter) isOne(code loopir.Code) bool {
	runs := loopir.Runs(code)
	for _, r := range runs {
		first, err := w.valueOf(w.loop, runs[0])
		value, problem := w.valueOf(w.loop, r)
		if err != nil || problem != nil || first.Key() != value.Key() {
			return false
		}
	}
	return true
}

// isWrapper says whether a statement is a mark or a condition, and wrapped is that with its code changed.
func isWrapper(s loopir.Stmt) bool {
	switch s.(type) {
	case *loopir.Marked, *loopir.If:
		return true
	}
	return false
}

func wrapped(s loopir.Stmt, change func(loopir.Code) loopir.Code) loopir.Stmt {
	if choice, is := s.(*loopir.If); is {
		return &loopir.If{Cond: choice.Cond, Then: change(choice.Then), Else: change(choice.Else)}
	}
	inside := *s.(*loopir.Marked)
	inside.Body = change(inside.Body)
	return &inside
}
