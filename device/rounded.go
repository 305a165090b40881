package device

import (
	"slices"
	"strings"

	"polytune/scop"
)

// exactFunctions are those of math.h whose results the languages of devices fix to the last bit, as
// C does.
var exactFunctions = []string{"ceil", "copysign", "fabs", "fdim", "floor", "fma", "fmax", "fmin", "fmod", "rint", "round", "sqrt", "trunc"}

// Rounded are the functions of math.h in a statement that devices may round otherwise than a C
// library: the languages allow some units in the last place (OpenCL 1.2, section 7.4; CUDA C
// Programming Guide, "Mathematical Functions"). Each has its place once.
func Rounded(s *scop.Statement) (names []string) {
	scop.Walk(s.Value, func(e scop.Expr) bool {
		call, is := e.(*scop.Call)
		if is && functionType(call.Function) != "" && !slices.Contains(exactFunctions, strings.TrimSuffix(call.Function, "f")) && !slices.Contains(names, call.Function) {
			names = append(names, call.Function)
		}
		return true
	})
	return names
}
