package frontend

import (
	"strings"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// Functions that clang has in vectors, with and without -fmath-errno (clang 19); it says of loops
// with others that it cannot.
const (
	vectorFunctions = "ceil copysign fabs floor fma fmax fmin nearbyint rint round trunc " + integerFunctions + " " + classifications
	vectorBuiltins  = "huge_val huge_valf huge_vall inf inff infl bswap16 bswap32 bswap64 expect clz clzl clzll ctz ctzl ctzll popcount popcountl popcountll"
	errnoFunctions  = "cos exp exp2 fmod log log10 log2 pow sin sqrt"
)

// serialFunctions says what calls of functions mean for vectors; of those that are not there, and
// have no body in the file, it is the worst.
var serialFunctions = func() map[string]scop.Serial {
	all := map[string]scop.Serial{}
	for list, serial := range map[string]scop.Serial{vectorFunctions: scop.NotSerial, errnoFunctions: scop.SerialByErrno} {
		for _, name := range strings.Fields(list) {
			for _, suffix := range []string{"", "f", "l"} {
				all[name+suffix], all[builtinPrefix+name+suffix] = serial, serial
			}
		}
	}
	for _, name := range strings.Fields(vectorBuiltins) {
		all[builtinPrefix+name] = scop.NotSerial
	}
	return all
}()

// serialOf says what a call of a function means for vectors. Compilers write out small functions of
// the file where they are called; visited are those whose bodies are looked at already.
func (x *extractor) serialOf(function string, visited map[string]bool) scop.Serial {
	if serial, known := serialFunctions[function]; known {
		if serial == scop.SerialByErrno {
			return x.serialByErrno(function, len(visited) == 0)
		}
		return serial
	}
	definition := x.definitions[function]
	if definition == nil || visited[function] {
		return scop.AlwaysSerial
	}
	visited[function] = true
	most := scop.NotSerial
	visit(definition.CompoundStatement, func(n cc.Node) {
		switch n := n.(type) {
		case *cc.IterationStatement:
			most = scop.AlwaysSerial
		case *cc.PostfixExpression:
			if d := calledBy(n); d != nil {
				most = max(most, x.serialOf(d.Name(), visited))
			}
		}
	})
	delete(visited, function)
	return most
}

// calledBy is the function that an expression calls by its name, or nil; a variable that leads to
// one may have the name of another.
func calledBy(n *cc.PostfixExpression) *cc.Declarator {
	if n.Case != cc.PostfixExpressionCall {
		return nil
	}
	d := variableOf(n.PostfixExpression)
	if d == nil || d.Type().Kind() != cc.Function {
		return nil
	}
	return d
}
