package scop

import (
	"fmt"
	"slices"
	"strings"

	"polytune/internal/pattern"
)

// Held is what the data that a caller passes holds beside numbers of its own: a pointer to more
// data, or an integer that is a parameter of the SCoP.
type Held struct {
	// Argument describes the data behind a pointer, whose Name is the way to it without
	// subscripts, such as m.data. That of a Size is the spelling of the parameter, such as m->rows.
	Argument
	// In is the name of the argument or variable that the way begins at.
	In string
	// Place is how C writes the pointer or the integer where In is a variable of the file or a
	// pointer to the argument's data: m[0].data, dims[2].
	Place string
}

// String is the declaration of what is held, and its place.
func (h Held) String() string {
	role := "data"
	if h.Role == Size {
		role = "size"
	}
	return fmt.Sprintf("%s at %s %s", h.Argument, h.Place, role)
}

// IsHeld says whether the name is one of an integer that the data of a caller holds.
func (f Function) IsHeld(size string) bool {
	return slices.ContainsFunc(f.Held, func(h Held) bool { return h.Role == Size && h.Name == size })
}

// HoldsIn says whether something is held in the elements of what a pointer that is itself held
// leads to.
func (f Function) HoldsIn(pointer string) bool {
	for _, outer := range f.Held {
		if outer.Role == Pointer && outer.Name == pointer {
			return slices.ContainsFunc(f.Held, func(h Held) bool { return strings.HasPrefix(h.Place, outer.Place+"[") })
		}
	}
	return false
}

// WithoutHeld is the function for a caller that sets what its data holds in a way of its own.
func (f Function) WithoutHeld() Function {
	f.Held = nil
	f.Arguments, f.Variables = slices.Clone(f.Arguments), slices.Clone(f.Variables)
	for k := range f.Arguments {
		f.Arguments[k].Followed = false
	}
	for k := range f.Variables {
		f.Variables[k].Followed = false
	}
	return f
}

// withoutNumbers is the way to data without the numbers of elements on it.
func withoutNumbers(way string) string { return elementNumber.ReplaceAllString(way, "") }

// elementNumber is the number of an element between brackets.
var elementNumber = pattern.New(`\[\d+\]`)

// DimensionsBefore is the number of an array's first dimensions that belong to the elements which
// the named pointer lies in: 1 of an array m[].data[] for m.data, 0 where the name is that of a
// variable.
func (a *Array) DimensionsBefore(name string) int {
	count, way := 0, ""
	name = withoutNumbers(name)
	for _, step := range strings.Split(a.path(), ".") {
		if way = strings.TrimPrefix(way+"."+strings.ReplaceAll(step, "[]", ""), "."); way == name {
			return count
		}
		count += strings.Count(step, "[]")
	}
	return 0
}
