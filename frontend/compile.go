package frontend

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"modernc.org/cc/v4"

	"polytune/internal/pattern"
	"polytune/internal/processor"
)

// compileTimeout bounds the processor time that the C front end may take for one file.
const compileTimeout = 10 * time.Second

// cppSuffixes end the names of files in C++. Those that are C as well are read all the same.
var cppSuffixes = []string{".C", ".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx"}

// isCPP says that a file's name is that of one in C++.
func isCPP(file string) bool { return slices.Contains(cppSuffixes, filepath.Ext(file)) }

// compileAdvice is what to do where a file does not compile.
func compileAdvice(file string) string {
	if isCPP(file) {
		return "polytune reads C, and the file's name says that it is C++: move the region into a function of a C file, and call that"
	}
	return "make the file compile with the C compiler first"
}

// unit is a parsed and type-checked file.
type unit struct {
	*text
	ast *cc.AST
	// systemPaths are the folders of the compiler's own headers.
	systemPaths []string
	// pragmas are the offsets of the scop and endscop words that the
	// preprocessor passed, in order.
	pragmas []int
	// passed are the offsets of the first words of all pragmas that it passed, and listed what
	// allPragmas found.
	passed map[int]bool
	listed *[]pragma
	// noAlias says that pointers are known to lead to different memory, and pure are functions
	// known to have no side effects.
	noAlias bool
	pure    []string
	// toWrite are the places of macros that are to be written out.
	toWrite map[int]bool
	// writesMacros says that all macros of statements are to be written out, wroteMacros in which
	// regions, by their numbers, that has been tried.
	writesMacros bool
	wroteMacros  map[int]bool
	// toReplace are the replacements in regions that are refused as they stand, by where these
	// begin.
	toReplace map[int][]replacement
	// toBring are definitions that are to be put into the file, by the functions' names, and
	// brought the names of those that have been.
	toBring map[string]replacement
	brought map[string]bool
	// separated are the names of iterators that loops have got for themselves.
	separated map[string]bool
	// freed are the variables that loops declare themselves now, by the functions that declare them
	// as well, and the functions whose bodies stand in the place of calls, by those that called
	// them.
	freed map[string][]string
	// inLeftOut are the names in clauses of directives that are left out, by the regions' numbers.
	inLeftOut map[int]map[string]bool
	// wholes is the code of functions that have been looked at as a whole.
	wholes map[*cc.FunctionDefinition]*wholeFunction
	// extents are those of nodes that were asked for.
	extents map[cc.Node]span
	// carriage says which types of the parser's stand for others.
	carriage carriage
	// isPartly says that declarations of the file are left out, which the parser does not
	// understand.
	isPartly bool
	// nested are the functions that are defined inside of others, once they were asked for.
	nested map[*cc.Declarator]bool
	// coarse are the regions, by their numbers, in which statements with control flow of their own
	// are taken as they are, and coarser those that are refused for such.
	coarse, coarser map[int]bool
}

// hostConfigs are what hostConfig has been told, by the environment's compiler
// and the options.
var hostConfigs sync.Map

// hostConfig asks the host's C compiler for its macros and paths with some
// options, once.
func hostConfig(compilerOptions []string) (*cc.Config, error) {
	key := os.Getenv("CC") + "\x00" + strings.Join(compilerOptions, "\x00")
	ask, _ := hostConfigs.LoadOrStore(key, sync.OnceValues(func() (*cc.Config, error) {
		if recalled := recalledConfig(compilerOptions); recalled != nil {
			return recalled, nil
		}
		return askedConfig(compilerOptions)
	}))
	return ask.(func() (*cc.Config, error))()
}

// builtins are declarations that system headers expect of a compiler and
// that cc.Builtin lacks. For clang the GNU headers define types whose names our
// front end has as keywords.
const builtins = `
#ifdef __clang__
#define _Float32 __tune_Float32
#define _Float64 __tune_Float64
#define _Float32x __tune_Float32x
#define _Float64x __tune_Float64x
#define _Float128 __tune_Float128
#else
#define _Float32 float
#define _Float64 double
#define _Float32x double
#define _Float64x long double
#endif
#if __STDC_VERSION__ > 201710L
#define bool _Bool
#define true ((_Bool) 1)
#define false ((_Bool) 0)
#define nullptr ((void *) 0)
#define constexpr const
#define auto __auto_type
#define static_assert _Static_assert
#define thread_local _Thread_local
#define alignas _Alignas
#define alignof _Alignof
#define typeof __typeof__
#define typeof_unqual __typeof__
#endif
void *__builtin_assume_aligned(const void *, unsigned long, ...);
double __builtin_fma(double, double, double);
float __builtin_fmaf(float, float, float);
double __builtin_fmax(double, double);
double __builtin_fmin(double, double);
float __builtin_fmaxf(float, float);
float __builtin_fminf(float, float);
int __builtin_isnan();
int __builtin_isinf();
int __builtin_isinf_sign();
int __builtin_isfinite();
int __builtin_isnormal();
int __builtin_signbit();
int __builtin_fpclassify();
int __builtin_isgreater();
int __builtin_isgreaterequal();
int __builtin_isless();
int __builtin_islessequal();
int __builtin_islessgreater();
int __builtin_constant_p();
void __builtin_assume(_Bool);
`

// compile runs preprocessor, parser and type checker.
func compile(t *text, options Options) (*unit, error) {
	type result struct {
		unit *unit
		err  error
	}
	done := make(chan result, 1)
	go func() {
		u, err := translate(t, options)
		done <- result{u, err}
	}()
	r, arrived := processor.Wait(done, compileTimeout)
	if !arrived {
		return nil, tooSlow(t.name, compileTimeout)
	}
	return r.unit, r.err
}

func tooSlow(file string, limit time.Duration) error {
	return ErrorList{{Position: Position{File: file}, Construct: "file",
		Message: fmt.Sprintf("parsing took longer than %s and was given up", limit),
		Advice:  "move the region into a file of its own"}}
}

func (u *unit) notePragma(tokens []cc.Token) error {
	if len(tokens) == 0 || tokens[0].Position().Filename != u.name {
		return nil
	}
	u.passed[tokens[0].Position().Offset] = true
	if word := tokens[0].SrcStr(); word == "scop" || word == "endscop" {
		u.pragmas = append(u.pragmas, tokens[0].Position().Offset)
	}
	return nil
}

// commandLine are the directives that stand for the options -D, -U and
// -include.
func commandLine(options Options) string {
	var b strings.Builder
	for _, d := range options.Defines {
		name, value, found := strings.Cut(d, "=")
		if !found {
			value = "1"
		}
		fmt.Fprintf(&b, "#define %s %s\n", name, value)
	}
	for _, name := range options.Undefines {
		fmt.Fprintf(&b, "#undef %s\n", name)
	}
	for _, path := range options.Includes {
		fmt.Fprintf(&b, "#include \"%s\"\n", path)
	}
	return b.String()
}

// withoutLineDirectives blanks #line directives, so that every position is
// one of this text, and carriage returns, which C knows only as white space.
func withoutLineDirectives(t *text) []byte {
	clean := bytes.ReplaceAll(t.source, []byte("\\\r\n"), []byte(" \\\n"))
	clean = bytes.ReplaceAll(clean, []byte("\r\n"), []byte(" \n"))
	clean = append(bytes.Clone(clean), '\n')
	for _, l := range t.lexemes {
		if l.kind != directive {
			continue
		}
		words := t.directiveWords(l)
		if len(words) > 0 && (words[0] == "line" || isDigit(words[0][0])) {
			for i := l.start; i < l.end; i++ {
				clean[i] = ' '
			}
		}
	}
	return clean
}

// compilerMessage is a message of the C front end, which may end with a place
// in the front end's own source.
var compilerMessage = pattern.New(`^(.+?):(\d+):(\d+): (.*?)(?: \(\w+\.go:\d+:\w*:?\))?$`)

// maxCompilerErrors is the number of errors of a file that does not compile
// that are worth showing.
const maxCompilerErrors = 10

// frontEndsOwn begins lines in which the C front end names its own unfinished parts, which tell a
// user nothing about the file.
const frontEndsOwn = "TODO"

func compilerErrors(file string, err error) error {
	var list, headers ErrorList
	for _, line := range strings.Split(err.Error(), "\n") {
		e := compilerError(file, line)
		switch {
		case e.Construct == "#include":
			headers = append(headers, e)
		case strings.TrimSpace(line) != "" && !strings.HasPrefix(line, frontEndsOwn):
			list = append(list, e)
		}
	}
	for _, causes := range []ErrorList{headers, list} {
		if len(causes) > 0 {
			return causes[:min(len(causes), maxCompilerErrors)].asError()
		}
	}
	return ErrorList{compilerError(file, firstLine(err.Error()))}
}

func compilerError(file, line string) *Error {
	e := &Error{Position: Position{File: file}, Construct: "C source", Message: line, Advice: compileAdvice(file)}
	if m := compilerMessage.FindStringSubmatch(line); m != nil {
		e.Position.File, e.Message = m[1], m[4]
		e.Position.Line, _ = strconv.Atoi(m[2])
		e.Position.Column, _ = strconv.Atoi(m[3])
	}
	switch {
	case strings.Contains(e.Message, "include file not found"):
		e.Construct, e.Advice = "#include", "give its folder with -I"
		if isCPP(file) {
			e.Advice = compileAdvice(file)
		}
	case strings.Contains(e.Message, "expansion limit"):
		e.Construct = "macro"
		e.Message = fmt.Sprintf("macros and headers expand to more than %d tokens", maxExpansion)
		e.Advice = "move the region into a file of its own"
	}
	return e
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(s, "\n")
	return strings.TrimSpace(line)
}
