package frontend

import (
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// vectorPrefix begins the names of the compilers' builtins for vectors of x86, which the bodies and
// macros of <immintrin.h> call.
const vectorPrefix = "__builtin_ia32_"

// tgmathFunction is what gcc's <tgmath.h> calls with the functions for each type, and their
// arguments behind them.
const tgmathFunction = "__builtin_tgmath"

// notOnVectors are parts of the names of such builtins that do something else than compute, load
// and store.
var notOnVectors = strings.Fields("fence rdtsc rdpmc rdrand rdseed rdpid rdfsbase rdgsbase wrfsbase wrgsbase clflush clwb clzero cldemote mxcsr monitor mwait " +
	"xsave xrstor xgetbv xsetbv xbegin xend xabort xtest pause emms femms serialize ptwrite wbinvd wbnoinvd eflags directstore movdir enqcmd rdssp incssp saveprevssp rstorssp wrss wruss ssbsy " +
	"clui stui testui senduipi hreset kl_u8 encodekey iwkey lwp invpcid llwpcb slwpcb tile")

// readsVectors are parts of the names of builtins that read what pointers lead to, and write
// nothing.
var readsVectors = strings.Fields("load gather lddqu broadcast movntdqa")

// vectorEffects are those of a builtin for vectors: pointers may lead to anything that is read, and
// written where its name does not say that it only reads.
func vectorEffects(name string) ([]effect, string) {
	for _, part := range notOnVectors {
		if strings.Contains(name, part) {
			return nil, "may have side effects"
		}
	}
	effects := make([]effect, maxArguments)
	onlyReads := slices.ContainsFunc(readsVectors, func(part string) bool { return strings.Contains(name, part) })
	for k := range effects {
		effects[k] = effect{read: true, write: !onlyReads}
		if !strings.Contains(name, "gather") && !strings.Contains(name, "scatter") {
			effects[k].bytes = maxVectorBytes
		}
		if strings.Contains(name, "movnt") {
			effects[k].alignment = maxVectorBytes
		}
	}
	return effects, ""
}

// maxVectorBytes is the size of the longest vectors of x86, which a load or store does not exceed.
const maxVectorBytes = 64

// withoutCast is the pointer that an expression casts to another type of pointers, with the size of
// what that leads to; the expression and 0 for others.
func withoutCast(n cc.ExpressionNode) (pointer cc.ExpressionNode, size int64) {
	pointer = n
	for {
		cast, ok := unwrap(pointer).(*cc.CastExpression)
		if !ok || cast.Case != cc.CastExpressionCast || !isPointer(cast) || !isPointer(cast.CastExpression) {
			return pointer, size
		}
		if p, ok := cast.Type().(*cc.PointerType); ok && size == 0 {
			size = max(1, p.Elem().Size())
		}
		pointer = cast.CastExpression
	}
}

// behindCast is the effect on what an argument leads to that is cast to another type, as in
// *(__m256 *) p; nil for other expressions.
func (a *callee) behindCast(n *cc.UnaryExpression) *effect {
	pointer, size := withoutCast(n.CastExpression)
	if size == 0 {
		return nil
	}
	d := variableOf(pointer)
	if d == nil || !d.IsParam() {
		return nil
	}
	return a.pointers[d.Name()]
}

// noteBehindCasts notes that what stands behind casts in the target of an assignment is written.
func (a *callee) noteBehindCasts(target cc.ExpressionNode) {
	visit(target, func(n cc.Node) {
		if u, ok := n.(*cc.UnaryExpression); ok && u.Case == cc.UnaryExpressionDeref {
			a.written[u] = true
		}
	})
}

// throughCast looks at what stands behind a cast: it is read, and written where something is
// assigned to it. ok is false where the cast is none of an argument.
func (a *callee) throughCast(n *cc.UnaryExpression) (ok bool) {
	known := a.behindCast(n)
	if known == nil {
		return false
	}
	e := effect{read: true, write: a.written[n], bytes: n.Type().Size(), alignment: beyondNatural(n.CastExpression.Type())}
	if isPointer(n) { // It is an array, whose address goes where it is not followed.
		e.write, e.bytes = true, 0
	}
	known.add(e)
	return true
}

// spread makes a reference to an element one to any of those that its bytes reach; ok is false
// where these are not all of one array.
func (c *collector) spread(r *reference) (ok bool) {
	last := len(r.subscripts) - 1
	if last < 0 || r.array.members != "" {
		return false
	}
	r.may = true
	if !r.subscripts[last].known {
		return true
	}
	size := int64(max(1, r.array.Size))
	count := (r.bytes + size - 1) / size
	lengths := r.array.rows
	isColumn := lengths != nil && last == r.array.LinearAt+len(lengths)
	if lengths != nil && !(isColumn && c.staysWithin(r.subscripts[last].value, count, lengths[len(lengths)-1].value)) {
		r.subscripts = make([]subscript, len(r.subscripts))
		return true
	}
	first := r.subscripts[last].value
	r.subscripts[last] = subscript{value: first, end: first.plus(single(constantForm(count)), 1)}
	return true
}

// staysWithin says whether so many elements from a column on are in one row.
func (c *collector) staysWithin(column affine, count int64, length linear) bool {
	behind := column.plus(single(constantForm(count)), 1)
	return c.evaluator().holds(compare(behind, "<=", single(length)))
}
