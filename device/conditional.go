package device

import (
	"polytune/codegen"
	"polytune/isl"
	"polytune/loopir"
)

// unconditional has threads wait under no condition, where that can be: `if (c) { A; wait; B }`
// becomes `if (c) A; wait; if (c) B`. A condition around a barrier has the same value for all
// threads of a block, so that they wait once more where it does not hold. Compilers of OpenCL for
// processors make loops over the threads between barriers, and copy what follows a barrier for each
// condition around it: a kernel of 48 kB with eight of them did not get through PoCL 3.1 in two
// minutes. Cores of tiles, which are the most of the time, stay under the one condition that they
// have.
func unconditional(p *loopir.Program, _ *codegen.Env) error {
	loopir.Walk(p.Code, func(s loopir.Stmt) {
		if kernel, is := s.(*loopir.Kernel); is {
			kernel.Body = withoutConditions(kernel.Body)
			if kernel.Other != nil {
				kernel.Other.Body = withoutConditions(kernel.Other.Body)
			}
		}
	})
	return nil
}

// withoutConditions is code of a kernel in which threads wait under no condition.
func withoutConditions(code loopir.Code) (all loopir.Code) {
	for _, s := range code {
		for _, body := range loopir.Bodies(s) {
			*body = withoutConditions(*body)
		}
		choice, is := s.(*loopir.If)
		if !is || !loopir.Waits(loopir.Code{s}) || isForSome(choice.Cond) || !canBeParted(choice.Then) || !canBeParted(choice.Else) {
			all = appendOnce(all, s)
			continue
		}
		all = appendOnce(all, under(choice.Cond, choice.Then)...)
		all = appendOnce(all, under(loopir.Operation(isl.OpEq, choice.Cond, loopir.Int(0)), choice.Else)...)
	}
	return all
}

// isForSome says whether a condition holds for some blocks alone: it stays whole, as what says that
// there has to be one.
func isForSome(condition *loopir.Expr) bool {
	blocks := map[string]bool{}
	for dimension := range dimensions {
		blocks[loopir.BlockIndex(dimension).Name] = true
	}
	return loopir.Mentions(condition, blocks)
}

// appendOnce appends statements to code, of barriers that follow each other the first alone.
func appendOnce(code loopir.Code, more ...loopir.Stmt) loopir.Code {
	for _, s := range more {
		if len(code) > 0 && isPlainBarrier(s) && isPlainBarrier(code[len(code)-1]) {
			continue
		}
		code = append(code, s)
	}
	return code
}

// isPlainBarrier says whether threads of a block wait in a statement, and do nothing else.
func isPlainBarrier(s loopir.Stmt) bool {
	barrier, is := s.(*loopir.Barrier)
	return is && !barrier.Grid
}

// canBeParted says whether each statement of some code can have a condition of its own: none
// declares what others use, and threads wait in loops alone that they all run.
func canBeParted(code loopir.Code) bool {
	for _, s := range code {
		switch s := s.(type) {
		case *loopir.Barrier:
		case *loopir.For:
			if s.Share != nil && loopir.Waits(s.Body) {
				return false
			}
		case *loopir.If, *loopir.Run, *loopir.Transfer, *loopir.Let:
			if loopir.Waits(loopir.Code{s}) {
				return false
			}
		default:
			return false
		}
	}
	return true
}

// under is code under a condition, and the barriers in it under none.
func under(condition *loopir.Expr, code loopir.Code) (all loopir.Code) {
	var together loopir.Code
	flush := func() {
		if len(together) > 0 {
			all = append(all, &loopir.If{Cond: condition, Then: together})
			together = nil
		}
	}
	for _, s := range code {
		loop, isLoop := s.(*loopir.For)
		switch {
		case !loopir.Waits(loopir.Code{s}):
			together = append(together, s)
		case isLoop:
			flush()
			own := *loop
			own.While, own.Full = loopir.Operation(isl.OpAnd, condition, loop.While), false
			all = append(all, &own)
		default:
			flush()
			all = append(all, s)
		}
	}
	flush()
	return all
}
