package codegen

import (
	"polytune/loopir"
	"polytune/scop"
)

// Clang warns of vector loops that it cannot make vectors of, such as those that call functions of
// which it knows none for vectors, and no pragma turns that off for a part of the file: the warning
// has the place of the function, or none where threads run the loop. So it is told that they are
// not vector loops:
//
//	#if defined(__clang__) && __clang_major__ >= 11
//	#define tune_serial if(simd: 0)
//	#else
//	#define tune_serial
//	#endif
//
//	#pragma omp simd tune_serial

// serialOf is the most that keeps clang from making vectors of a loop's statements.
func (n *statements) serialOf(header loopHeader) scop.Serial {
	most := scop.NotSerial
	for _, run := range loopir.Runs(header.body) {
		most = max(most, run.Statement.Statement.Serial)
	}
	return most
}
