package isl

/*
#cgo LDFLAGS: -Wl,--wrap=__gmpz_set -Wl,--wrap=__gmpz_set_si -Wl,--wrap=__gmpz_mul
#cgo LDFLAGS: -Wl,--wrap=__gmpz_addmul -Wl,--wrap=__gmpz_submul -Wl,--wrap=__gmpz_add
#cgo LDFLAGS: -Wl,--wrap=__gmpz_sub -Wl,--wrap=__gmpz_cmp -Wl,--wrap=__gmpz_cmpabs
#cgo LDFLAGS: -Wl,--wrap=__gmpz_divexact -Wl,--wrap=__gmpz_fdiv_q -Wl,--wrap=__gmpz_gcd
#include <stdlib.h>
#include "small.h"
*/
import "C"

import "unsafe"

// agreesWithGMP says whether an operation on numbers, from 0 on, gives what GMP's own does, of two
// operands and what is in its result before; there is none where the operation is past the last.
func agreesWithGMP(operation int, result, a, b string) (agrees, isOne bool) {
	texts := []*C.char{C.CString(result), C.CString(a), C.CString(b)}
	for _, text := range texts {
		defer C.free(unsafe.Pointer(text))
	}
	answer := C.agrees_with_gmp(C.int(operation), texts[0], texts[1], texts[2])
	return answer == 1, answer >= 0
}
