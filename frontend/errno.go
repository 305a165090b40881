package frontend

import (
	"fmt"
	"maps"
	"slices"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// roots are the functions of math.h that processors have an instruction for, in vectors too, and
// that set errno, by the type that they take and give. Where a compiler knows that nothing else
// happens it takes the instruction alone: n-body 28 ms without, 2 ms with -fno-math-errno (issue 46,
// point 6). The others of math.h have no such instruction.
var roots = map[string]cc.Kind{"sqrt": cc.Double, "sqrtf": cc.Float, "sqrtl": cc.LongDouble}

// errnoReaders are functions that errno stands for in C libraries (glibc and musl, BSD, macOS,
// Solaris), and that print what it means.
var errnoReaders = []string{
	"__errno_location", "__errno", "__error", "___errno", "perror", "err", "warn", "verr", "vwarn",
}

// serialByErrno is what a call of a function that sets errno means for vectors: nothing where the
// code says that it does not.
func (x *extractor) serialByErrno(function string, isDirect bool) scop.Serial {
	if !x.isQuietRoot(function) {
		return scop.SerialByErrno
	}
	x.quiet[function] = true
	if !isDirect {
		return scop.SerialByErrno // clang has read the body of the function around by then
	}
	return scop.NotSerial
}

// isQuietRoot says that a function is a root of the C library, and that nothing in the file could
// tell whether it has set errno.
func (x *extractor) isQuietRoot(name string) bool {
	kind, isRoot := roots[name]
	if !isRoot || x.definitions[name] != nil {
		return false
	}
	t := x.prototype(name)
	if t == nil || len(t.Parameters()) != 1 || t.Result().Kind() != kind || t.Parameters()[0].Type().Kind() != kind {
		return false
	}
	if x.errnoRead == nil {
		reads := slices.ContainsFunc(x.unit.functions(), readsErrno)
		x.errnoRead = &reads
	}
	return !*x.errnoRead
}

// readsErrno says whether a function names errno, or what prints it.
func readsErrno(f *cc.FunctionDefinition) (reads bool) {
	visit(f, func(n cc.Node) {
		p, ok := n.(*cc.PrimaryExpression)
		if !ok || p.Case != cc.PrimaryExpressionIdent {
			return
		}
		d := variableOf(p)
		isReader := d == nil || d.Type().Kind() == cc.Function
		name := p.Token.SrcStr()
		reads = reads || name == "errno" || isReader && slices.Contains(errnoReaders, name)
	})
	return reads
}

// quietDeclarations are declarations by which the roots that the region calls do not set errno.
func (x *extractor) quietDeclarations() (list []string) {
	for _, name := range slices.Sorted(maps.Keys(x.quiet)) {
		spelling := map[cc.Kind]string{cc.Double: "double", cc.Float: "float", cc.LongDouble: "long double"}[roots[name]]
		list = append(list, fmt.Sprintf("extern %s (%s)(%[1]s) __attribute__((const));", spelling, name))
	}
	return list
}
