package device

import (
	"polytune/isl"
	"polytune/loopir"
)

// alone has block 0 alone, of those along a dimension, run what is in no loop whose iterations are
// blocks along it, and thread 0 alone what is in no loop that threads share along a dimension, of
// those with several threads. The condition is as far outside as it can be: for threads around no
// barrier, to which all of them have to get, and no loop that they share. In resident kernels all
// instances are in loops of blocks.
func alone(code loopir.Code, threads [3]int64, isResident bool) loopir.Code {
	for dimension, count := range threads {
		if isBlocks := (sharers{dimension: dimension}); !isResident && isBlocks.share(code) {
			code = isBlocks.firstAlong(code)
		}
		if count > 1 {
			code = sharers{threads: true, dimension: dimension}.firstAlong(code)
		}
	}
	return code
}

// sharers are the threads of a block along a dimension, or the blocks of a grid.
type sharers struct {
	threads   bool
	dimension int
}

// index is the number of one of them.
func (w sharers) index() *loopir.Expr {
	if w.threads {
		return loopir.Index(w.dimension)
	}
	return loopir.BlockIndex(w.dimension)
}

// owns says whether a statement is a loop that they share.
func (w sharers) owns(s loopir.Stmt) bool {
	loop, is := s.(*loopir.For)
	return is && loop.Share != nil && loop.Share.Threads == w.threads && loop.Share.Dimension == w.dimension
}

// share says whether some code has a loop that they share.
func (w sharers) share(code loopir.Code) (is bool) {
	loopir.Walk(code, func(s loopir.Stmt) { is = is || w.owns(s) })
	return is
}

// firstAlong has the first of them alone run what is in no loop that they share.
func (w sharers) firstAlong(code loopir.Code) (all loopir.Code) {
	for start := 0; start < len(code); {
		end := start
		for end < len(code) && w.isWhole(code[end]) {
			end++
		}
		if end > start {
			all = append(all, &loopir.If{Cond: loopir.Operation(isl.OpEq, w.index(), loopir.Int(0)), Then: code[start:end:end]})
		}
		if start = end; start < len(code) {
			w.inFirst(code[start])
			all = append(all, code[start])
			start++
		}
	}
	return all
}

// isWhole says whether one of them can run all of a statement that does something. One block of
// several can copy what it runs alone, and its threads wait there.
func (w sharers) isWhole(s loopir.Stmt) bool {
	code := loopir.Code{s}
	isAll := len(loopir.Runs(code)) == 0
	if w.threads {
		isAll = ofAll(code) || loopir.Waits(code)
	}
	return !isAll && !w.share(code) && !w.asks(code)
}

// ofAll says whether some code declares a variable, copies elements, adds up what all of them have,
// or streams a tile, which is for each of them to do.
func ofAll(code loopir.Code) (is bool) {
	loopir.Walk(code, func(s loopir.Stmt) {
		switch s.(type) {
		case *loopir.Private, *loopir.Transfer, *loopir.AddUp, *loopir.Streamed:
			is = true
		}
	})
	return is
}

// asks says whether some code has a condition for one of them.
func (w sharers) asks(code loopir.Code) (is bool) {
	loopir.Walk(code, func(s loopir.Stmt) { is = is || w.isCondition(s) })
	return is
}

// isCondition says whether a statement is a condition for one of them.
func (w sharers) isCondition(s loopir.Stmt) bool {
	choice, is := s.(*loopir.If)
	return is && loopir.Mentions(choice.Cond, map[string]bool{w.index().Name: true})
}

// inFirst changes what is inside of a statement of which they share a part. The core of a tile, and
// one that is streamed, say themselves what each has.
func (w sharers) inFirst(s loopir.Stmt) {
	switch s.(type) {
	case *loopir.Core, *loopir.Streamed:
		return
	}
	if w.owns(s) || w.isCondition(s) {
		return
	}
	for _, body := range loopir.Bodies(s) {
		*body = w.firstAlong(*body)
	}
}
