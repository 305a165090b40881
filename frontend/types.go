package frontend

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// typeName is the C spelling of a type without qualifiers; typedef names of
// arithmetic types are resolved, but for those of vectors.
func typeName(t cc.Type) string {
	if isVector(t) {
		return vectorName(t)
	}
	switch x := t.(type) {
	case *cc.StructType:
		return tagged("struct", x.Tag(), x.Typedef())
	case *cc.UnionType:
		return tagged("union", x.Tag(), x.Typedef())
	case *cc.EnumType:
		return tagged("enum", x.Tag(), x.Typedef())
	case *cc.PointerType:
		return typeName(x.Elem()) + " *"
	}
	if t.Kind() == cc.UInt {
		return "unsigned int"
	}
	return numberName(t)
}

// numberName is the C spelling of a type of numbers, of vectors the one of their elements.
func numberName(t cc.Type) string {
	if name := carriedName(t); name != "" {
		return name
	}
	switch t.Kind() {
	case cc.Float128:
		return "__float128"
	case cc.BFloat16:
		return "__bf16"
	}
	return t.Kind().String()
}

// isVector says whether a type is one of the compiler's vectors, which the parser takes for one of
// numbers.
func isVector(t cc.Type) bool {
	a := t.Attributes()
	return cc.IsArithmeticType(t) && a != nil && a.VectorSize() > 0
}

// vectorName is the name of a type of vectors.
func vectorName(t cc.Type) string {
	if d := t.Typedef(); d != nil {
		return d.Name()
	}
	return fmt.Sprintf("%s __attribute__((vector_size(%d)))", numberName(t), t.Attributes().VectorSize())
}

// vectorLength is the number of numbers in a vector.
func vectorLength(t cc.Type) int {
	abi, err := knownABI()
	if err != nil {
		return 1
	}
	if bytes := carriedBytes(t); bytes > 0 {
		return int(t.Attributes().VectorSize() / bytes)
	}
	return int(t.Attributes().VectorSize() / abi.Types[t.Kind()].Size)
}

// knownABI is what the parser knows of this machine.
var knownABI = sync.OnceValues(func() (*cc.ABI, error) { return cc.NewABI(runtime.GOOS, runtime.GOARCH) })

// isOpaqueNumber says whether a type is one of numbers whose arithmetic is the compiler's business:
// expressions with them stay as they are.
func isOpaqueNumber(t cc.Type) bool {
	switch t.Kind() {
	case cc.Float16, cc.BFloat16, cc.Float128, cc.Decimal32, cc.Decimal64, cc.Decimal128, cc.Int128, cc.UInt128:
		return true
	}
	return false
}

// isNumberType says whether a type is one of single numbers.
func isNumberType(t cc.Type) bool { return cc.IsArithmeticType(t) && !isVector(t) }

func tagged(keyword string, tag cc.Token, typedef *cc.Declarator) string {
	name := tag.SrcStr()
	if name == "" && typedef != nil {
		return typedef.Name()
	}
	return strings.TrimSpace(keyword + " " + name)
}

// arrayShape is the element type of an array or pointer and its extents as C
// text, outermost first; a pointer's own dimension is "".
func (u *unit) arrayShape(t cc.Type) (element cc.Type, extents []string) {
	element = t
	if p, ok := t.(*cc.PointerType); ok {
		if decayed, ok := p.Undecay().(*cc.ArrayType); ok && decayed.Elem().Kind() == p.Elem().Kind() {
			element = decayed
		} else {
			element, extents = p.Elem(), []string{""}
		}
	}
	for {
		array, ok := element.(*cc.ArrayType)
		if !ok {
			return element, extents
		}
		extents = append(extents, u.extent(array))
		element = array.Elem()
	}
}

func (u *unit) extent(array *cc.ArrayType) string {
	if e := array.SizeExpression(); e != nil {
		if s, ok := spanOf(e); ok && array.IsVLA() {
			return u.expressionText(s)
		}
	}
	if array.Len() >= 0 {
		return fmt.Sprint(array.Len())
	}
	return ""
}

// expressionText is the text of an expression as the user wrote it; what
// stands in a header or comes out of a macro is spelled out.
func (u *unit) expressionText(s span) string {
	first, last := s.tokens[0], s.tokens[len(s.tokens)-1]
	if first.Position().Filename != u.name || !u.spelledHere(first) || !u.spelledHere(last) {
		words := make([]string, len(s.tokens))
		for i, t := range s.tokens {
			words[i] = u.carriage.written(t.SrcStr())
		}
		return strings.Join(words, " ")
	}
	return string(u.source[s.start : s.last+len(last.Src())])
}

// spelledHere says that the token stands in the text as such, so that it is
// no product of a macro.
func (u *unit) spelledHere(t cc.Token) bool {
	offset := t.Position().Offset
	end := offset + len(t.Src())
	return t.Position().Filename == u.name && end <= len(u.source) && string(u.source[offset:end]) == t.SrcStr()
}

// functionOf describes a function's declaration.
func (u *unit) functionOf(f *cc.FunctionDefinition) scop.Function {
	d := f.Declarator
	function := scop.Function{Name: d.Name(), Static: d.IsStatic()}
	t, ok := d.Type().(*cc.FunctionType)
	if !ok {
		return function
	}
	if t.Result().Kind() != cc.Void {
		function.Result = dataType(t.Result())
	}
	for _, p := range t.Parameters() {
		if p.Type().Kind() != cc.Void {
			function.Arguments = append(function.Arguments, u.argument(p))
		}
	}
	return function
}

func (u *unit) argument(p *cc.Parameter) scop.Argument {
	t := p.Type()
	switch {
	case cc.IsIntegerType(t) && !isVector(t):
		return scop.Argument{Name: p.Name(), Type: dataType(t), Role: scop.Size}
	case t.Kind() == cc.Ptr || t.Kind() == cc.Array:
		return u.dataOf(p.Name(), t)
	case t.Kind() == cc.Struct || t.Kind() == cc.Union || isVector(t):
		a := u.dataOf(p.Name(), t)
		a.Const, a.ByValue = true, true
		return a
	}
	return scop.Argument{Name: p.Name(), Type: typeName(t), Role: scop.Scalar}
}

// initOf says whether the file defines the function's initialiser with the same argument list, but
// for pointers to structs where the function has structs, or, without, with an empty one; other
// says that it has another.
func initOf(u *unit, definitions map[string]*cc.FunctionDefinition, p *scop.Program) (same, without, other bool) {
	init := definitions[p.Function.Name+"_init"]
	if init == nil {
		return false, false, false
	}
	theirs, ours := u.functionOf(init).Arguments, p.Function.Arguments
	same = slices.EqualFunc(theirs, ours, func(a, b scop.Argument) bool {
		extents := len(b.Extents)
		if b.ByValue {
			extents = 1
		}
		return a.Type == b.Type && a.Role == b.Role && len(a.Extents) == extents && !a.ByValue
	})
	without = !same && len(theirs) == 0
	return same, without, !same && !without
}

// isUnsigned says that arithmetic in this type wraps around at zero.
func isUnsigned(t cc.Type) bool { return cc.IsIntegerType(t) && !cc.IsSignedInteger(t) }
