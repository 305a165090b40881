package run

import (
	"fmt"

	"polytune/isl"
)

// affine is an integer expression, or a condition, over the iterators of one statement, as isl
// writes it.
type affine struct {
	operator isl.AstOpType
	leaf     bool
	// iterator is the place of the iterator that it names, -1 for a number.
	iterator int
	number   int64
	parts    []*affine
}

// affineOf copies an expression of isl's; names are those of iterators, and parameters have values.
func affineOf(e *isl.AstExpr, names []string, parameters map[string]int64) (*affine, error) {
	switch e.Type() {
	case isl.AstInt:
		return &affine{leaf: true, iterator: -1, number: e.Int()}, nil
	case isl.AstID:
		for k, name := range names {
			if name == e.ID() {
				return &affine{leaf: true, iterator: k}, nil
			}
		}
		if v, is := parameters[e.ID()]; is {
			return &affine{leaf: true, iterator: -1, number: v}, nil
		}
		return nil, fmt.Errorf("%s has no value", e.ID())
	}
	a := &affine{operator: e.OpType()}
	for _, part := range e.Args() {
		p, err := affineOf(part, names, parameters)
		if err != nil {
			return nil, err
		}
		a.parts = append(a.parts, p)
	}
	return a, nil
}

// at is the value for some iterators; conditions are 1 or 0.
func (a *affine) at(x []int64) int64 {
	if a.leaf {
		if a.iterator >= 0 {
			return x[a.iterator]
		}
		return a.number
	}
	first := a.parts[0].at(x)
	switch a.operator {
	case isl.OpAnd, isl.OpAndThen:
		for _, p := range a.parts[1:] {
			if first == 0 {
				return 0
			}
			first = p.at(x)
		}
		return first
	case isl.OpOr, isl.OpOrElse:
		for _, p := range a.parts[1:] {
			if first != 0 {
				return 1
			}
			first = p.at(x)
		}
		return first
	case isl.OpCond, isl.OpSelect:
		if first != 0 {
			return a.parts[1].at(x)
		}
		return a.parts[2].at(x)
	case isl.OpMinus:
		return -first
	}
	for _, p := range a.parts[1:] {
		first = applied(a.operator, first, p.at(x))
	}
	return first
}

func applied(operator isl.AstOpType, a, b int64) int64 {
	holds := false
	switch operator {
	case isl.OpAdd:
		return a + b
	case isl.OpSub:
		return a - b
	case isl.OpMul:
		return a * b
	case isl.OpMax:
		return max(a, b)
	case isl.OpMin:
		return min(a, b)
	case isl.OpDiv, isl.OpPdivQ:
		return a / b
	case isl.OpPdivR, isl.OpZdivR:
		return a % b
	case isl.OpFdivQ:
		if a%b != 0 && (a < 0) != (b < 0) {
			return a/b - 1
		}
		return a / b
	case isl.OpEq:
		holds = a == b
	case isl.OpLe:
		holds = a <= b
	case isl.OpLt:
		holds = a < b
	case isl.OpGe:
		holds = a >= b
	case isl.OpGt:
		holds = a > b
	}
	if holds {
		return 1
	}
	return 0
}
