package codegen

import (
	"polytune/loopir"
)

// mostTwice is the largest size of a loop that is there twice.
const mostTwice = 45

// versions has loops that threads share under a condition twice, where they are not too large: compilers make a function of a
// parallel region, in which they know less of the data, such as that nothing else has what
// restricted pointers point to; and one thread would pay for the call.
func versions(p *loopir.Program, e *Env) error {
	return loopir.Rewrite(p.Code, func(s loopir.Stmt) (loopir.Stmt, error) {
		loop, is := s.(*loopir.For)
		if !is || loop.Threads == nil || !loop.Threads.Apart {
			return s, nil
		}
		alone := *loop
		if alone.Threads, alone.Lanes = nil, nil; sizeOf(&alone) > mostTwice {
			return s, nil
		}
		several, threads := *loop, *loop.Threads
		threads.Several, threads.Apart = "", false
		several.Threads, alone.Lanes = &threads, loop.Lanes
		return &loopir.Either{Condition: loop.Threads.Several, Then: loopir.Code{&several}, Else: loopir.Code{&alone}, Short: true}, nil
	})
}

// sizeOf is the number of statements of a program in one, and of places where such end that have several inside.
func sizeOf(s loopir.Stmt) int {
	size := 1
	for _, body := range loopir.Bodies(s) {
		for _, inner := range *body {
			size += sizeOf(inner)
		}
		if len(*body) > 1 {
			size++
		}
	}
	return size
}
