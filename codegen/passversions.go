package codegen

import "polytune/loopir"

// mostTwice is the largest number of lines of a loop that is there twice.
const mostTwice = 64

// versions has loops that threads share under a condition twice, where they have not too many
// lines: compilers make a function of a parallel region, in which they know less of the data, such
// as that nothing else has what restricted pointers point to; and one thread would pay for the
// call.
func versions(p *loopir.Program, e *Env) error {
	return loopir.Rewrite(p.Code, func(s loopir.Stmt) (loopir.Stmt, error) {
		loop, is := s.(*loopir.For)
		if !is || loop.Threads == nil || !loop.Threads.Apart {
			return s, nil
		}
		alone := *loop
		if alone.Threads, alone.Lanes = nil, nil; len(e.nodes.linesOf(&alone)) > mostTwice {
			return s, nil
		}
		several, threads := *loop, *loop.Threads
		threads.Several, threads.Apart = "", false
		several.Threads, alone.Lanes = &threads, loop.Lanes
		return &loopir.Either{Condition: loop.Threads.Several, Then: loopir.Code{&several}, Else: loopir.Code{&alone}, Short: true}, nil
	})
}
