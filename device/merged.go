package device

import (
	"fmt"
	"maps"

	"polytune/isl"
	"polytune/loopir"
)

// isl makes one loop over t of a schedule whose values are 2t for one statement and 2t + 1 for another: one iteration of the loop is two of the schedule's.

// waitingBody is the body of a loop at the end of each of whose iterations, as the schedule counts them, threads wait.
func (m *mapper) waitingBody(loop string, l *loopir.For) (all loopir.Code, err error) {
	if m.isOneIteration(loop, l) {
		return append(l.Body[:len(l.Body):len(l.Body)], &loopir.Barrier{}), nil
	}
	var last *loopir.Expr
	for _, s := range l.Body {
		var value *loopir.Expr
		for _, r := range loopir.Runs(loopir.Code{s}) {
			own, err := m.valueOf(loop, r)
			if err != nil {
				return nil, err
			}
			if summands(own)[l.Var] == 0 || value != nil && !isSame(value, own) {
				return nil, fmt.Errorf("isl has made one iteration of several of the loop %s, so that nobody knows where threads wait at their ends", loop)
			}
			value = own
		}
		if last != nil && value != nil && !isSame(last, value) {
			all = append(all, &loopir.Barrier{})
		}
		if value != nil {
			last = value
		}
		all = append(all, s)
	}
	return append(all, &loopir.Barrier{}), nil
}

// isOneIteration says whether all instances in a loop of isl's have the loop's variable as their value of the schedule's loop. Those that run in one iteration alone
// have a number instead.
func (m *mapper) isOneIteration(loop string, l *loopir.For) bool {
	for _, r := range loopir.Runs(l.Body) {
		value, err := m.valueOf(loop, r)
		if err == nil && summands(value)[l.Var] != 0 && !isSame(value, loopir.Named(l.Var)) {
			return false
		}
	}
	return true
}

// isSame says whether two expressions certainly have the same value, as far as sums of multiples tell.
func isSame(a, b *loopir.Expr) bool {
	return maps.Equal(summands(a), summands(b))
}

// summands are the factors of what an expression is a sum of, by its name or key; that of numbers is by "".
func summands(e *loopir.Expr) map[string]int64 {
	sum := map[string]int64{}
	addSummands(sum, e, 1)
	maps.DeleteFunc(sum, func(_ string, factor int64) bool { return factor == 0 })
	return sum
}

func addSummands(sum map[string]int64, e *loopir.Expr, factor int64) {
	switch {
	case e.Kind == isl.AstInt:
		sum[""] += factor * e.Value
	case e.Is(isl.OpAdd):
		for _, a := range e.Args {
			addSummands(sum, a, factor)
		}
	case e.Is(isl.OpSub):
		addSummands(sum, e.Args[0], factor)
		addSummands(sum, e.Args[1], -factor)
	case e.Is(isl.OpMinus):
		addSummands(sum, e.Args[0], -factor)
	case e.Is(isl.OpMul) && e.Args[0].Kind == isl.AstInt:
		addSummands(sum, e.Args[1], factor*e.Args[0].Value)
	case e.Is(isl.OpMul) && e.Args[1].Kind == isl.AstInt:
		addSummands(sum, e.Args[0], factor*e.Args[1].Value)
	case e.Kind == isl.AstID:
		sum[e.Name] += factor
	default:
		sum[e.Key()] += factor
	}
}
