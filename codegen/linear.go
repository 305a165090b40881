package codegen

import "maps"

// linear is an affine expression: coefficients by variable, the constant
// under "". Parts that are not affine, such as N/2, count as variables of
// which no more is known than that they are equal where their keys are.
type linear map[string]int64

// plus is l + factor·o.
func (l linear) plus(o linear, factor int64) linear {
	sum := maps.Clone(l)
	for name, c := range o {
		if sum[name] += factor * c; sum[name] == 0 {
			delete(sum, name)
		}
	}
	return sum
}

// isConstant says whether l has no variables.
func (l linear) isConstant() bool {
	return len(l) == 0 || len(l) == 1 && l[""] != 0
}
