package frontend

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// pureFunctions are functions of the C library, and builtins of compilers,
// whose value depends on their arguments alone. Setting errno and
// floating-point flags does not count.
var pureFunctions = func() map[string]bool {
	pure := map[string]bool{}
	for _, name := range strings.Fields(integerFunctions + " " + otherFunctions + " " + classifications) {
		pure[name] = true
	}
	for _, name := range strings.Fields(realFunctions + " " + complexFunctions) {
		for _, suffix := range []string{"", "f", "l"} {
			pure[name+suffix] = true
		}
	}
	for name := range pure {
		pure[builtinPrefix+name] = true
	}
	for _, name := range strings.Fields(builtinFunctions) {
		pure[builtinPrefix+name] = true
	}
	return pure
}()

const (
	// realFunctions are those of math.h but lgamma, which writes signgam.
	realFunctions = "acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma " +
		"fmax fmin fmod hypot ldexp log log10 log1p log2 logb nan nearbyint nextafter nexttoward pow remainder rint round scalbln scalbn " +
		"sin sinh sqrt tan tanh tgamma trunc lround llround lrint llrint ilogb exp10 pow10 roundeven drem significand j0 j1 jn y0 y1 yn " +
		"fmaximum fminimum fmaximum_num fminimum_num fmaximum_mag fminimum_mag canonicalize sinpi cospi tanpi"
	// complexFunctions are those of complex.h.
	complexFunctions = "cabs cacos cacosh carg casin casinh catan catanh ccos ccosh cexp cimag clog conj cpow cproj creal csin csinh " +
		"csqrt ctan ctanh"
	// classifications are the macros of math.h that say what kind of number
	// one is, where they are functions.
	classifications = "fpclassify isfinite isgreater isgreaterequal isinf isless islessequal islessgreater isnan isnormal isunordered signbit"
	// integerFunctions are those of stdlib.h and inttypes.h.
	integerFunctions = "abs labs llabs imaxabs"
	// otherFunctions are those that compilers have no vectors for: of strings.h, and of ctype.h,
	// whose locale a region does not change.
	otherFunctions = "ffs ffsl ffsll isalnum isalpha isblank iscntrl isdigit isgraph islower isprint ispunct isspace isupper isxdigit tolower toupper"
	// builtinFunctions are builtins of gcc and clang: what INFINITY, HUGE_VAL
	// and isinf stand for, and operations on bits.
	builtinFunctions = "huge_val huge_valf huge_vall inf inff infl isinf_sign bswap16 bswap32 bswap64 clz clzl clzll ctz ctzl ctzll " +
		"complex assume expect expect_with_probability unpredictable constant_p clrsb clrsbl clrsbll parity parityl parityll popcount popcountl popcountll"
	builtinPrefix = "__builtin_"
)

// writers are functions of the C library that write one element behind some of
// their arguments, by the numbers of these, and nothing else.
var writers = func() map[string][]int {
	all := map[string][]int{}
	for name, arguments := range map[string][]int{"modf": {1}, "frexp": {1}, "remquo": {2}, "sincos": {1, 2}} {
		for _, suffix := range []string{"", "f", "l"} {
			all[name+suffix] = arguments
		}
	}
	for _, suffix := range []string{"", "f", "l"} {
		all["lgamma"+suffix+"_r"] = []int{1}
	}
	for _, operation := range []string{"add", "sub", "mul"} {
		all[builtinPrefix+operation+"_overflow"] = []int{2}
		for _, suffix := range []string{"", "l", "ll"} {
			all[builtinPrefix+"s"+operation+suffix+"_overflow"], all[builtinPrefix+"u"+operation+suffix+"_overflow"] = []int{2}, []int{2}
		}
	}
	return all
}()

// readers are functions of the C library that read what some of their arguments point to, by the
// numbers of these, and do nothing else.
var readers = map[string][]int{
	"strlen": {0}, "strnlen": {0}, "strcmp": {0, 1}, "strncmp": {0, 1}, "memcmp": {0, 1}, "strspn": {0, 1}, "strcspn": {0, 1}, "strcasecmp": {0, 1},
	"strncasecmp": {0, 1}, "atoi": {0}, "atol": {0}, "atoll": {0}, "atof": {0}, "wcslen": {0}, "wcscmp": {0, 1}, "wmemcmp": {0, 1},
}

// libraryEffects are those of a function of the C library, or a builtin of compilers; ok is false
// for one that is not known.
func libraryEffects(name string) (effects []effect, ok bool) {
	effects = make([]effect, maxArguments)
	plain := strings.TrimPrefix(name, builtinPrefix)
	written, read := slices.Concat(writers[name], writers[plain]), readers[plain]
	for _, k := range written {
		effects[k] = effect{write: true, single: true}
	}
	for _, k := range read {
		effects[k] = effect{read: true}
	}
	return effects, written != nil || read != nil || pureFunctions[name]
}

// call collects from a call of a function that computes a value from its
// arguments, and may read and write what some of them point to.
func (c *collector) call(x *cc.PostfixExpression) {
	d := variableOf(x.PostfixExpression)
	c.unknownWork = c.unknownWork || d == nil || !isShort(c.x.definitions[d.Name()])
	if d == nil || d.Type().Kind() != cc.Function {
		c.fail(x, "call", "a call through a pointer", "call a named function without side effects")
		return
	}
	if d.Name() == prefetch && !slices.ContainsFunc(argumentsOf(x), func(n cc.ExpressionNode) bool { return hasEffect(n) }) {
		return
	}
	if d.Name() == unreachable || c.chosenByCompiler(d.Name(), x) {
		return
	}
	if c.x.isNested(d) {
		c.fail(x, "call", fmt.Sprintf("the function %s is defined inside of another one", d.Name()), "define it at file scope, with what it uses as arguments")
		return
	}
	c.calls = append(c.calls, d.Name())
	c.serial = max(c.serial, c.x.serialOf(d.Name(), map[string]bool{}))
	tree := &callTree{calling: map[string]bool{}}
	effects, why := c.x.effectsOf(d.Name(), tree)
	if why != "" {
		advice := "call functions of math.h, or functions of this file that write nothing but what their arguments point to, and read nothing else but plain variables of the file"
		if c.x.definitions[d.Name()] != nil {
			advice += "; or let its body be one that can stand in the place of the call: without loops that return, labels, recursion, and variables that are static or volatile"
		}
		if isUnknown := strings.HasSuffix(why, unknownBody) || strings.HasSuffix(why, isRecursive); isUnknown && c.x.isTrustable(d) {
			advice = fmt.Sprintf("where it does nothing but read its arguments, and read and write what they point to, say so by --assume-pure %s or #pragma scop %s(%s); else call functions of math.h, or of this file that do no more than that", d.Name(), assumePure, d.Name())
		}
		if wellKnown[d.Name()] != "" && c.x.isUndeclared(d) {
			why, advice = "is declared nowhere, and known without a definition only where the file calls it with two values of type int", "define it in the file, or include its header"
		}
		if slices.Contains(copyFunctions, d.Name()) {
			why = "is understood only where the number of bytes says which elements it sets, as in memcpy(a, b, n * sizeof(double)), and these are a whole array or row"
			advice = "write a loop over the elements"
		}
		c.fail(x, "call", fmt.Sprintf("the function %s %s", d.Name(), why), advice)
		return
	}
	for _, read := range tree.outside {
		c.readByCall(x, d.Name(), read)
	}
	for _, function := range tree.pure {
		c.readByPure(x, function)
	}
	for number, argument := range argumentsOf(x) {
		if d.Name() == tgmathFunction && isPureName(argument) {
			continue
		}
		c.argument(argument, effectOf(effects, number))
	}
}

// readByPure refuses a call of a function that may read any variable of the program where the
// region writes one that other files know, or have been given the address of.
func (c *collector) readByPure(x *cc.PostfixExpression, function string) {
	for _, d := range slices.SortedFunc(maps.Keys(c.x.facts.written), func(a, b *cc.Declarator) int { return strings.Compare(a.Name(), b.Name()) }) {
		if at := c.x.changeOf(lvalue{variable: d}); at != nil && d.StorageDuration() == cc.Static && (d.Linkage() == cc.External || d.AddressTaken()) {
			c.fail(x, "call", fmt.Sprintf("the function %s is declared pure, so it may read %s, which the region writes at line %d", function, d.Name(), c.x.positionOf(at).Line),
				fmt.Sprintf("declare it const if it reads nothing but the values of its arguments, or say by --assume-pure %s that it reads nothing else but what they point to", function))
			return
		}
	}
}

// isPureName says whether an expression is the name of a pure function.
func isPureName(n cc.ExpressionNode) bool {
	d := variableOf(n)
	return d != nil && d.Type().Kind() == cc.Function && pureFunctions[d.Name()]
}

// shortOperations is the number of operations up to which a function of the file is as quick as a
// few accesses.
const shortOperations = 16

// isShort says whether a function has neither loops nor calls, and few operations: compilers put it
// in place.
func isShort(f *cc.FunctionDefinition) bool {
	if f == nil {
		return false
	}
	operations := 0
	visit(f.CompoundStatement, func(n cc.Node) {
		switch n := n.(type) {
		case *cc.IterationStatement, *cc.LabeledStatement:
			operations += shortOperations + 1
		case *cc.PostfixExpression:
			if n.Case == cc.PostfixExpressionCall {
				operations += shortOperations + 1
			}
		case *cc.AdditiveExpression, *cc.MultiplicativeExpression, *cc.ConditionalExpression, *cc.RelationalExpression, *cc.ShiftExpression:
			operations++
		}
	})
	return operations <= shortOperations
}

// readByCall collects what a called function reads of a variable of the file: any element. The
// region must not write it, because what a variable is in the generated code, such as one of
// several copies, is nothing that the function knows of.
func (c *collector) readByCall(x *cc.PostfixExpression, function string, d *cc.Declarator) {
	for other := range c.x.facts.named[d.Name()] {
		advice := fmt.Sprintf("give %s what it reads as an argument", function)
		if !isFileScope(other) {
			c.fail(x, "call", fmt.Sprintf("the function %s reads %s of the file, and the region has another variable of that name", function, d.Name()), advice)
			return
		}
		if at := c.x.changeOf(lvalue{variable: other}); at != nil {
			c.fail(x, "call", fmt.Sprintf("the function %s reads %s, which the region writes at line %d", function, d.Name(), c.x.positionOf(at).Line), advice)
			return
		}
	}
	_, extents := c.x.arrayShape(d.Type())
	c.refer(x, lvalue{variable: d, name: x, subscripts: make([]cc.ExpressionNode, len(extents))}, reference{read: true}, 0)
}

// isText says whether an expression is a text between quotation marks.
func isText(n cc.ExpressionNode) bool {
	p, ok := unwrap(n).(*cc.PrimaryExpression)
	return ok && (p.Case == cc.PrimaryExpressionString || p.Case == cc.PrimaryExpressionLString)
}

// argument collects from an argument of a call; a pointer stands for the
// accesses that the function makes through it.
func (c *collector) argument(n cc.ExpressionNode, e effect) {
	if !isPointer(n) {
		c.expression(n)
		return
	}
	if value, ok := constantValue(n); ok && value == 0 || !e.read && !e.write {
		return
	}
	pointer, size := withoutCast(n)
	if isText(pointer) && !e.write {
		return
	}
	if size > 0 {
		e = e.through(size)
	}
	v, ok := resolvePointed(pointer)
	if !ok {
		c.fail(n, "call", "what this pointer leads to is not understood", "pass an array, a row such as A[i], or the address of an element such as &A[i][j]")
		return
	}
	if c.inner[v.variable] {
		for _, s := range v.subscripts {
			if s != nil {
				c.expression(s)
			}
		}
		return
	}
	c.x.alignments[v.variable] = max(c.x.alignments[v.variable], e.alignment)
	exact := len(v.subscripts)
	if !e.single && e.bytes == 0 {
		exact = 0
		if _, isRow := unwrap(pointer).(*cc.PostfixExpression); isRow {
			exact = len(v.subscripts) - 1
		}
	}
	if b := c.bindingOf(v.variable); b != nil && b.loop >= 0 {
		c.fail(n, "iterator", fmt.Sprintf("the address of the iterator %s is passed to a function", v.variable.Name()), "pass its value, or a copy of it")
		return
	}
	c.refer(n, v, reference{read: e.read, write: e.write, may: e.write, bytes: e.bytes}, exact)
}
