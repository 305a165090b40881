package device

import (
	"fmt"
	"slices"
	"strings"

	"polytune/internal/pattern"
	"polytune/loopir"
	"polytune/scop"
	"polytune/scop/mark"
)

// functions are those of math.h that devices have, by their names without the f of those for float.
var functions = []string{"acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign", "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "fdim", "floor", "fma",
	"fmax", "fmin", "fmod", "hypot", "log", "log10", "log1p", "log2", "pow", "rint", "round", "sin", "sinh", "sqrt", "tan", "tanh", "trunc"}

// types are those of elements, variables and casts that devices have, by their names in C.
var types = []string{"double", "float", "int", "unsigned", "unsigned int", "long", "long int", "unsigned long", "short", "unsigned short", "char", "signed char", "unsigned char", "long long", "long long int",
	"unsigned long long", boolean, "bool"}

// isType says whether devices have a type.
func isType(text string) bool { return slices.Contains(types, unqualified(text)) }

func unqualified(text string) string { return strings.TrimSpace(strings.TrimPrefix(text, "const ")) }

// typeName is what both languages call a type: OpenCL has no long long, and the long of both has as
// many bits. Truth values are bytes, since OpenCL has no memory of bool.
func typeName(text string) string {
	name := unqualified(text)
	if isBoolean(name) {
		return "unsigned char"
	}
	if rest, isLong := strings.CutSuffix(strings.TrimSuffix(name, " int"), "long long"); isLong {
		return rest + "long"
	}
	return name
}

// isLongDouble finds constants of a type that devices have not.
var isLongDouble = pattern.New(`^[0-9].*\..*[lL]$|^[0-9].*[eE].*[lL]$`)

// instances writes instances of statements in the language of a device, or of its statements'
// values.
type instances struct {
	*words
	arrays map[string]*Array
	// boxes are the copies in memories of the device that the code at hand uses, the outermost
	// first, and turnsOf the variables of loops with a constant number of iterations, as sums of
	// what is known outside and of multiples of a count of these.
	boxes   []*loopir.Box
	turnsOf map[string]*loopir.Expr
	// declares says that the program declares memory for constants.
	declares bool
	// accumulators are the variables in the place of elements that threads add up, by the arrays'
	// names.
	accumulators map[string]string
	// inRegisters are the registers in the place of references of the statement at hand.
	inRegisters map[*scop.Ref]string
	// memory is the name of a copy's memory.
	memory func(mark.Box) string
	// locals are the private variables that the kernel declares.
	locals map[string]bool
	// positive says of operands of % whether no instance has a negative one.
	positive map[*scop.Binary]bool
	// used are the arrays, and values the variables, that kernels use, in the order of their first
	// use; direct are the arrays that statements use where they are, and not copies of.
	used   []*Array
	direct []*Array
	values []value
	// extents are those, in C, that are neither numbers nor parameters.
	extents []string
	// hasDouble says that some number is a double.
	hasDouble bool
	// function is how the language calls a function of math.h.
	function func(name string) string
}

// value is a variable that kernels get by value, with its name in kernels, its type, and what the
// host calls it.
type value struct{ Name, Type, Spelling string }

// instance is the tree of an instance.
func (n *instances) instance(r *loopir.Run) (scop.Expr, error) {
	s := r.Statement.Statement
	if s.Value == nil {
		return nil, fmt.Errorf("%s has no text that is known", s.Spelling())
	}
	return n.value(s.Value, r, false)
}

// value is the tree of a part of a statement at an instance.
func (n *instances) value(e scop.Expr, r *loopir.Run, inSubscript bool) (scop.Expr, error) {
	switch e := e.(type) {
	case *scop.Ref:
		return n.reference(e, r, inSubscript)
	case *scop.Number:
		if isLongDouble.MatchString(e.Text) {
			return nil, fmt.Errorf("devices have no long double, as that of %s", e.Text)
		}
		n.hasDouble = n.hasDouble || typeOfNumber(e.Text) == double
		return &scop.Number{Text: e.Text}, nil
	case *scop.Unary:
		if pointed := n.pointedTo(e); pointed != nil {
			return n.reference(pointed, r, inSubscript)
		}
		x, err := n.value(e.X, r, inSubscript)
		operator := e.Operator
		switch {
		case strings.HasPrefix(operator, "(") && isBoolean(strings.Trim(operator, "()")):
			return truth(x), err
		case (operator == "++" || operator == "--") && n.isTruth(e.X):
			return nil, fmt.Errorf("devices do not have %s of truth values; assign 1, or another one", operator)
		}
		if target := strings.Trim(operator, "()"); target != operator && operator != scop.Parentheses {
			if !isType(target) {
				return nil, fmt.Errorf("devices do not have %s", operator)
			}
			operator = "(" + typeName(target) + ")"
			n.hasDouble = n.hasDouble || typeName(target) == double
		} else if strings.Contains(operator, "f") || operator == "&" {
			return nil, fmt.Errorf("devices do not have %s", operator)
		}
		return &scop.Unary{Operator: operator, Postfix: e.Postfix, X: x}, err
	case *scop.Binary:
		x, err := n.value(e.X, r, inSubscript)
		if err != nil {
			return nil, err
		}
		y, err := n.value(e.Y, r, inSubscript)
		if operator, assigns := strings.CutSuffix(e.Operator, "="); assigns && isAssignment(e.Operator) && n.isTruth(e.X) {
			return truthOf(operator, x, y), err
		}
		return &scop.Binary{Operator: e.Operator, X: x, Y: y}, err
	case *scop.Call:
		return n.call(e, r)
	case *scop.Select:
		condition, err := n.value(e.If, r, inSubscript)
		if err != nil {
			return nil, err
		}
		then, err := n.value(e.Then, r, inSubscript)
		if err != nil {
			return nil, err
		}
		other, err := n.value(e.Else, r, inSubscript)
		return &scop.Select{If: condition, Then: then, Else: other}, err
	}
	return nil, fmt.Errorf("it is more than an expression: %s", strings.Join(strings.Fields(r.Statement.Statement.Source), " "))
}

// call is a call of a function that devices have. In their languages functions have the type of
// their arguments, in C that of their names.
func (n *instances) call(e *scop.Call, r *loopir.Run) (scop.Expr, error) {
	kind := functionType(e.Function)
	if kind == "" {
		return nil, fmt.Errorf("devices have no function %s", e.Function)
	}
	n.hasDouble = n.hasDouble || kind == double
	made := &scop.Call{Function: n.function(e.Function)}
	for _, a := range e.Arguments {
		argument, err := n.value(a, r, false)
		if err != nil {
			return nil, err
		}
		if n.typeOf(a) != kind {
			argument = &scop.Unary{Operator: "(" + kind + ")", X: argument}
		}
		made.Arguments = append(made.Arguments, argument)
	}
	return made, nil
}

// reference is an iterator, a variable, or an element.
func (n *instances) reference(e *scop.Ref, r *loopir.Run, inSubscript bool) (scop.Expr, error) {
	if e.Loop >= 0 {
		at := n.tree(r.At[e.Loop])
		if inSubscript {
			return at, nil
		}
		kind := r.Statement.Statement.Loops[e.Loop].Type
		if kind == "" {
			kind = "int"
		}
		return &scop.Unary{Operator: "(" + kind + ")", X: at}, nil
	}
	program := n.program
	if array := n.arrayOf(e); array != nil {
		return n.element(array, e, r)
	}
	spelling := spellingOf(e)
	for _, parameter := range program.Parameters {
		if program.Spelling(parameter) == spelling {
			return n.parameter(parameter, inSubscript)
		}
	}
	if e.Selected != "" {
		return nil, fmt.Errorf("devices do not have %s", spelling)
	}
	for _, argument := range program.Function.Arguments {
		if argument.Name == e.Name && argument.Role != scop.Pointer && isType(argument.Type) {
			n.needs(value{e.Name, typeName(argument.Type), e.Name})
			return name(deviceWord(e.Name)), nil
		}
	}
	return nil, fmt.Errorf("nobody knows what %s is on a device", e.Name)
}

// spellingOf is the text of a name with what is selected of it, subscripts that are no numbers left
// out.
func spellingOf(e *scop.Ref) string {
	for _, subscript := range e.Subscripts {
		if _, isNumber := subscript.(*scop.Number); !isNumber {
			return e.Name + e.Selected
		}
	}
	return textOf(e)
}

// parameter is the value of a parameter of the program: in a subscript that of kernels, elsewhere
// one of its type in C, as large as it is.
func (n *instances) parameter(parameter string, inSubscript bool) (scop.Expr, error) {
	n.named(parameter)
	value := name(deviceWord(parameter))
	if inSubscript {
		return value, nil
	}
	kind := n.parameterType(parameter)
	if !isType(kind) {
		return nil, fmt.Errorf("devices do not have the type %s of %s", kind, n.program.Spelling(parameter))
	}
	if n.measured != nil {
		n.measured(value)
	}
	return &scop.Unary{Operator: "(" + typeName(kind) + ")", X: value}, nil
}

// arrayOf is the array that a name stands for, nil for none.
func (n *instances) arrayOf(e *scop.Ref) *scop.Array {
	for i := range n.program.Arrays {
		if array := &n.program.Arrays[i]; isNamed(array, e) {
			return array
		}
	}
	return nil
}

// pointedTo is the element that the operator * has of an array, as a reference with all subscripts:
// *p is p[0], *A[i] is A[i][0]; nil for all else.
func (n *instances) pointedTo(e *scop.Unary) *scop.Ref {
	x, isName := e.X.(*scop.Ref)
	if !isName || e.Operator != "*" || x.Loop >= 0 {
		return nil
	}
	array := n.arrayOf(x)
	if array == nil || len(x.Subscripts)+1 != len(array.Extents) {
		return nil
	}
	made := *x
	made.Selected += "[]"
	made.Subscripts = append(slices.Clip(x.Subscripts), number(0))
	if register := n.inRegisters[x]; register != "" {
		n.inRegisters[&made] = register
	}
	return &made
}

// isNamed says whether a name, with what is selected of it, stands for an array.
func isNamed(array *scop.Array, e *scop.Ref) bool {
	if isMember(array) {
		return array.Path == e.Name+e.Selected
	}
	return array.InTexts() == e.Name || array.Linear && array.Variable == e.Name
}

// needs notes that a kernel needs a variable by value.
func (n *instances) needs(v value) {
	if !slices.Contains(n.values, v) {
		n.values = append(n.values, v)
	}
}

// element is an element of an array in the device's memory, or a variable.
func (n *instances) element(array *scop.Array, e *scop.Ref, r *loopir.Run) (scop.Expr, error) {
	kind := typeName(array.Type)
	if !isType(array.Type) {
		return nil, fmt.Errorf("devices have no elements of type %s, as %s has", array.Type, array.Spelling())
	}
	if own := n.accumulators[array.Name]; own != "" {
		return name(own), nil
	}
	if register := n.inRegisters[e]; register != "" {
		return name(register), nil
	}
	if n.locals[array.Name] {
		return n.plain(e, r)
	}
	if box, err := n.boxOf(array, e, r); box != nil || err != nil {
		if err != nil {
			return nil, err
		}
		return n.boxed(box, e, r)
	}
	a := n.arrays[array.Name]
	if a == nil {
		if len(array.Extents) > 0 {
			return nil, fmt.Errorf("%s is a variable of the host's", array.Spelling())
		}
		n.needs(value{array.Name, kind, array.Spelling()})
		return name(deviceName(array)), nil
	}
	if !slices.Contains(n.direct, a) {
		n.direct = append(n.direct, a)
	}
	at, err := n.flat(a, e, r)
	return n.global(a, at), err
}

// global is an element of an array by its place among all of them.
func (n *instances) global(a *Array, at scop.Expr) scop.Expr {
	if !slices.Contains(n.used, a) {
		n.used = append(n.used, a)
	}
	name := deviceName(a.Array)
	if a.Constant && n.declares {
		name = a.ConstantName()
	}
	return &scop.Ref{Name: name, Loop: -1, Selected: "[]", Subscripts: []scop.Expr{at}}
}

// deviceName is the name of an array in kernels.
func deviceName(array *scop.Array) string { return deviceWord(array.Name) }

// plain is a private variable, or an element of a private array.
func (n *instances) plain(e *scop.Ref, r *loopir.Run) (scop.Expr, error) {
	made := &scop.Ref{Name: e.Name, Loop: -1, Selected: e.Selected}
	for _, subscript := range e.Subscripts {
		s, err := n.subscript(subscript, r)
		if err != nil {
			return nil, err
		}
		made.Subscripts = append(made.Subscripts, s)
	}
	return made, nil
}

// flat is the place of an element among all of an array's.
func (n *instances) flat(a *Array, e *scop.Ref, r *loopir.Run) (scop.Expr, error) {
	if strings.Trim(e.Selected, "[]") != "" && !isMember(a.Array) {
		return nil, fmt.Errorf("devices do not have members, as %s", a.Spelling())
	}
	if len(a.Extents) == 0 {
		return number(0), nil
	}
	isLinear := a.Linear && e.Name != a.Rows
	if len(e.Subscripts) != len(a.Extents) && !(isLinear && len(e.Subscripts) == 1) {
		return nil, fmt.Errorf("%s has %d subscripts", a.Spelling(), len(e.Subscripts))
	}
	var subscripts []scop.Expr
	for _, subscript := range e.Subscripts {
		s, err := n.subscript(subscript, r)
		if err != nil {
			return nil, err
		}
		subscripts = append(subscripts, s)
	}
	at := n.placeOf(a, subscripts)
	if n.measured != nil {
		n.measured(at)
	}
	return at, nil
}

// placeOf is the place of the element with some subscripts among all of an array's.
func (n *instances) placeOf(a *Array, subscripts []scop.Expr) scop.Expr {
	at := subscripts[0]
	for d, s := range subscripts[1:] {
		at = joined("+", joined("*", at, n.extent(a.Extents[d+1])), s)
	}
	return at
}

// extent is an extent in a kernel: a number, or a variable of its own.
func (n *instances) extent(text string) scop.Expr {
	if isNumber(text) {
		return &scop.Number{Text: text}
	}
	for _, parameter := range n.program.Parameters {
		if n.program.Spelling(parameter) == text {
			n.named(parameter)
			return name(deviceWord(parameter))
		}
	}
	k := slices.Index(n.extents, text)
	if k < 0 {
		k, n.extents = len(n.extents), append(n.extents, text)
	}
	return name(extentName(k))
}

// extentName is the name of the k-th extent that is no parameter.
func extentName(k int) string { return fmt.Sprintf("tune_extent%d", k) }
