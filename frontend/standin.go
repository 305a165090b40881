package frontend

import (
	"fmt"
	"slices"
	"strings"
)

// standIn is a variable of linear forms that stands for a piecewise value in an index of rows: rows
// and columns are found for a[MIN(i, j) * n + MAX(i, j)] as for a[p * n + q].
type standIn struct {
	name  string
	value affine
}

// standInName is no name in C, so that it is none of an iterator or a parameter.
const standInName = "case%d'"

// standInFor is the form that stands for a value; one value has one form.
func (x *extractor) standInFor(value affine) linear {
	text := value.text()
	k := slices.IndexFunc(x.standIns, func(s standIn) bool { return s.value.text() == text })
	if k < 0 {
		k = len(x.standIns)
		x.standIns = append(x.standIns, standIn{fmt.Sprintf(standInName, k), value})
	}
	return variableForm(x.standIns[k].name)
}

// valueOf is the value that a variable of a form stands for, or nil.
func (x *extractor) valueOf(name string) *affine {
	for k := range x.standIns {
		if x.standIns[k].name == name {
			return &x.standIns[k].value
		}
	}
	return nil
}

// meaning are conditions that say what the variables of a form stand for.
func (x *extractor) meaning(form linear) (conditions []formula) {
	for _, name := range distinct(form.variables()) {
		if value := x.valueOf(name); value != nil {
			conditions = append(conditions, compare(single(variableForm(name)), "=", *value))
		}
	}
	return conditions
}

// spelledOut is the value of a form with all that its variables stand for.
func (x *extractor) spelledOut(form linear) affine {
	sum := single(constantForm(form.constant))
	for _, t := range form.terms {
		if sum.tooLarge() {
			break
		}
		summand := single(linear{terms: []term{{1, t.text, t.variables}}})
		if value := x.valueOf(t.text); value != nil {
			summand = *value
		}
		sum = sum.plus(summand.times(t.coefficient), 1)
	}
	return sum
}

// text tells values apart.
func (a affine) text() string {
	var b strings.Builder
	for _, p := range a.pieces {
		b.WriteString(p.value.String())
		if p.when != nil {
			b.WriteString(" if " + p.when.text(true))
		}
		b.WriteString("; ")
	}
	return b.String()
}
