package codegen

import (
	"fmt"
	"maps"
	"slices"

	"polytune/isl"
	"polytune/loopir"
)

// Stores of a vector loop that pass by the caches: streaming, or non-temporal, stores. Processors
// have them for whole vectors at aligned addresses only, and compilers give names of their own to each, so
// the loop is written with vectors, between single iterations up to an aligned
// element and those of the rest. Such stores of one thread may be seen by others later than those that
// follow: a fence behind the loop says that they have to be seen before anything else.

// macro is what stands in front of the block in the preprocessor's language.
type macro struct {
	name  string
	lines []string
}

// streamed is a vector loop whose stores pass by the caches. ok is false where its body is not an
// assignment alone whose target moves to the next element in each iteration.
func (n *nodes) streamed(header loopHeader, lanes int64, s scope) (f fragment, ok bool) {
	w := n.streamWriter(header, lanes)
	if w == nil || !w.useVectors() {
		return f, false
	}
	single := n.chunk(n.fragment(header.body, s).code)
	statement := &w.statements[0]
	offsets := []int64{0}
	values := w.block.values(n, statement, offsets)
	place := statement.operands[0].place
	target := oneLine(textBetween(statement.model.Statement, values, place.Start, place.End))
	declarations, value := w.valueOf(statement, addend{"=", statement.assignment.Value}, values, offsets, map[string]string{})
	store := line{0, fmt.Sprintf("%s(&%s, %s);", n.streamMacro(statement.assignment.Element, lanes), target, value)}
	vectors := chunk{lines: append(declarations, store), bare: len(declarations) == 0}

	variable, last := header.variable, n.fresh("tune_last")
	bytes := lanes * elementSizes[statement.assignment.Element]
	aligned := fmt.Sprintf("(__UINTPTR_TYPE__) &%s %% %d", target, bytes)
	loop := func(condition, step string, body chunk) []line {
		return enclose("for (; "+condition+"; "+variable+step+")", body)
	}
	lines := slices.Concat(
		[]line{
			{0, "const long " + last + " = " + n.expression(lastOf(header.condition)).code + ";"},
			{0, "long " + variable + " = " + n.expression(header.start).code + ";"},
		},
		loop(variable+" <= "+last+" && "+aligned, "++", single),
		loop(fmt.Sprintf("%s <= %s - %d", variable, last, lanes-1), fmt.Sprintf(" += %d", lanes), vectors),
		loop(variable+" <= "+last, "++", single),
		[]line{{0, n.fence() + "();"}},
	)
	return fragment{code: rawCode(braces(lines))}, true
}

// streamWriter is for the vectors of a loop whose body is one assignment by =, also of several iterations of loops around; nil for others.
func (n *nodes) streamWriter(header loopHeader, lanes int64, around ...unrolledLoop) *blockWriter {
	body := skipMarks(n.marks, header.body)
	if n.lanes != nil || body == nil || body.Type() != isl.AstUser || header.step.Kind != isl.AstInt || header.step.Value != 1 {
		return nil
	}
	whole := linear{header.variable: 1}
	w := &blockWriter{nodes: n, block: &registerBlock{
		tile:     &fullTile{opaque: map[string]*loopir.Expr{}},
		lanes:    lanes,
		unrolled: append(around, unrolledLoop{variable: header.variable, lower: whole, count: lanes}),
	}}
	s, ok := w.statementOf(loopir.FromISL(body.UserExpr()))
	if !ok || s.assignment == nil || s.assignment.Operator != "=" {
		return nil
	}
	w.statements = []blockStatement{s}
	return w
}

// lastOf is the last value of a canonical loop's variable.
func lastOf(condition *loopir.Expr) *loopir.Expr {
	if condition.Is(isl.OpLt) {
		return loopir.Operation(isl.OpSub, condition.Args[1], loopir.Int(1))
	}
	return condition.Args[1]
}

// elementSizes are the sizes of elements of vectors, in bytes, by their C types.
var elementSizes = map[string]int64{"double": 8, "float": 4}

// streamingStores are, by the size of a vector in bytes, what GCC's name for the streaming
// store of it on x86 ends in, and the macro that says that there is one.
var streamingStores = map[int64]struct{ defined, end string }{
	16: {"__SSE2__", ""},
	32: {"__AVX__", "256"},
	64: {"__AVX512F__", "512"},
}

// builtinLetters are, in these names, those for elements of a C type.
var builtinLetters = map[string]string{"double": "d", "float": "s"}

// streamMacro is the name of a macro that stores a vector of so many elements past the caches, at an
// address that is a multiple of its size; where a compiler has nothing for that, like any other.
func (n *nodes) streamMacro(element string, lanes int64) string {
	vector, bytes := n.vectorType(element, lanes), lanes*elementSizes[element]
	return n.define("stream "+vector, fmt.Sprintf("tune_stream_%s%d", element, lanes), func(name string) []string {
		aligned := n.fresh(vector + "_aligned")
		n.typedefs = append(n.typedefs, fmt.Sprintf("typedef %s %s __attribute__((vector_size(%d), may_alias));", element, aligned, bytes))
		store, at := streamingStores[bytes], "("+aligned+" *) (p)"
		return []string{
			"#if defined(__clang__)",
			fmt.Sprintf("#define %s(p, v) __builtin_nontemporal_store((%s) (v), %s)", name, aligned, at),
			"#elif defined(" + store.defined + ")",
			fmt.Sprintf("#define %s(p, v) __builtin_ia32_movntp%s%s((%s *) %s, v)", name, builtinLetters[element], store.end, element, at),
			"#else",
			fmt.Sprintf("#define %s(p, v) (*%s = (v))", name, at),
			"#endif",
		}
	})
}

// fence is the name of a macro behind which all threads see what was stored past the caches in front of it.
func (n *nodes) fence() string {
	return n.define("fence", "tune_fence", func(name string) []string {
		return []string{
			"#if defined(__SSE__)",
			"#define " + name + " __builtin_ia32_sfence",
			"#else",
			"#define " + name + " __sync_synchronize",
			"#endif",
		}
	})
}

// define is the name of a macro, which is defined when it is asked for first; lines
// are its definition.
func (n *nodes) define(key, name string, lines func(name string) []string) string {
	if m, known := n.macros[key]; known {
		return m.name
	}
	if n.macros == nil {
		n.macros = map[string]macro{}
	}
	name = n.fresh(name)
	n.macros[key] = macro{name, lines(name)}
	return name
}

// macrosText are the definitions of macros, and what takes them back.
func (n *nodes) macrosText() (definitions, undefined []string) {
	for _, key := range slices.Sorted(maps.Keys(n.macros)) {
		definitions = append(definitions, n.macros[key].lines...)
		undefined = append(undefined, "#undef "+n.macros[key].name)
	}
	return definitions, undefined
}
