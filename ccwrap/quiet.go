package ccwrap

import (
	"bytes"
	"fmt"
	"strings"
)

// generatedWarnings are the warnings of gcc that code which no person has written may
// give rise to: its loops have counters of type long, blocks of vectors, copies of
// statements of which some are never executed, and variables that another compiler or
// another branch needs. The first two are those that are needed for the others: of
// pragmas that the compiler does not know, and of names in this list.
var generatedWarnings = strings.Fields(`
	pragmas unknown-pragmas
	aggressive-loop-optimizations arith-conversion array-bounds attributes bad-function-cast bool-compare
	bool-operation c++-compat c11-c23-compat c11-c2x-compat c90-c99-compat c99-c11-compat cast-align
	cast-align=strict cast-qual conversion dangling-else declaration-after-statement disabled-optimization
	discarded-qualifiers div-by-zero double-promotion duplicated-branches duplicated-cond empty-body
	float-conversion float-equal ignored-attributes ignored-qualifiers implicit-fallthrough inline
	int-in-bool-context logical-not-parentheses logical-op long-long maybe-uninitialized
	misleading-indentation missing-braces missing-field-initializers nested-externs nonnull
	null-dereference openmp-simd overflow overlength-strings padded parentheses pedantic pointer-arith psabi
	redundant-decls restrict shadow sign-compare sign-conversion strict-aliasing strict-overflow
	stringop-overflow stringop-overread switch-default tautological-compare traditional traditional-conversion
	type-limits uninitialized unsafe-loop-optimizations unsuffixed-float-constants unused
	unused-but-set-variable unused-const-variable unused-label unused-macros unused-value unused-variable
	use-after-free vector-operation-performance vla`)

// withoutWarnings puts pragmas around generated code, on lines of their own, with which
// the compiler has nothing to say of it: a build with -Werror gets variants too.
// Compilers that are based on clang can turn off all of their warnings at once.
func withoutWarnings(code []byte, family string) []byte {
	of, ignored := "GCC", generatedWarnings
	if family == "clang" || family == "icx" {
		of, ignored = "clang", []string{"everything"}
	}
	var b bytes.Buffer
	fmt.Fprintf(&b, "#pragma %s diagnostic push\n", of)
	for _, name := range ignored {
		fmt.Fprintf(&b, "#pragma %s diagnostic ignored \"-W%s\"\n", of, name)
	}
	b.Write(code)
	fmt.Fprintf(&b, "\n#pragma %s diagnostic pop\n", of)
	return b.Bytes()
}

// onOneLine puts the directive in front of each line of code where it may stand, so that
// all of the code has its line: a debugger that stops in there shows the region's pragma,
// and no other part of the user's file. Within parentheses may be the arguments of
// a macro, and behind a backslash is the rest of a directive.
func onOneLine(code []byte, directive string) []byte {
	var b bytes.Buffer
	depth, continued := 0, false
	for line := range bytes.Lines(code) {
		if depth <= 0 && !continued {
			b.WriteString(directive + "\n")
		}
		b.Write(line)
		text := bytes.TrimSpace(line)
		continued = bytes.HasSuffix(text, []byte(`\`))
		if !bytes.HasPrefix(text, []byte("#")) {
			depth += bytes.Count(text, []byte("(")) - bytes.Count(text, []byte(")"))
		}
	}
	return b.Bytes()
}
