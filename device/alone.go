package device

import (
	"polytune/isl"
	"polytune/loopir"
)

// alone has thread 0 alone run what is in no loop that threads share along a dimension, of those with several threads. The condition is as far outside as it
// can be: around no barrier, to which all threads have to get, and no loop that they share.
func alone(code loopir.Code, threads [3]int64) loopir.Code {
	for dimension, count := range threads {
		if count > 1 {
			code = firstAlong(code, dimension)
		}
	}
	return code
}

// firstAlong has thread 0 along a dimension alone run what is in no loop that threads share along it.
func firstAlong(code loopir.Code, dimension int) (all loopir.Code) {
	for start := 0; start < len(code); {
		end := start
		for end < len(code) && isWhole(code[end], dimension) {
			end++
		}
		if end > start {
			all = append(all, &loopir.If{Cond: loopir.Operation(isl.OpEq, loopir.Index(dimension), loopir.Int(0)), Then: code[start:end:end]})
		}
		if start = end; start < len(code) {
			inFirst(code[start], dimension)
			all = append(all, code[start])
			start++
		}
	}
	return all
}

// isWhole says whether one thread can run all of a statement that does something.
func isWhole(s loopir.Stmt, dimension int) bool {
	switch s.(type) {
	case *loopir.Private, *loopir.Transfer:
		return false
	}
	code := loopir.Code{s}
	return !loopir.Shares(code, dimension) && !loopir.Waits(code) && !asks(code, dimension)
}

// asks says whether some code has a condition for one thread along a dimension.
func asks(code loopir.Code, dimension int) (is bool) {
	index := map[string]bool{loopir.Index(dimension).Name: true}
	loopir.Walk(code, func(s loopir.Stmt) {
		choice, isChoice := s.(*loopir.If)
		is = is || isChoice && loopir.Mentions(choice.Cond, index)
	})
	return is
}

// inFirst changes what is inside of a statement of which threads share a part.
func inFirst(s loopir.Stmt, dimension int) {
	if loop, is := s.(*loopir.For); is && loop.Share != nil && loop.Share.Threads && loop.Share.Dimension == dimension {
		return
	}
	if choice, is := s.(*loopir.If); is && loopir.Mentions(choice.Cond, map[string]bool{loopir.Index(dimension).Name: true}) {
		return
	}
	for _, body := range loopir.Bodies(s) {
		*body = firstAlong(*body, dimension)
	}
}
