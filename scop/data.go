package scop

import (
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
)

// Member is a number inside a struct, or an array of numbers.
type Member struct {
	// Path leads from the struct to the member: ".x", ".pos.x", ".q[3].x".
	Path string
	// Type is the C type of the member, or of its elements.
	Type string
	// Extents are those of a member that is an array, outermost first.
	Extents []int
}

// Count is the number of numbers.
func (m Member) Count() int {
	count := 1
	for _, extent := range m.Extents {
		count *= extent
	}
	return count
}

// String is the member's declaration with its path for a name.
func (m Member) String() string {
	s := m.Type + " " + m.Path
	for _, extent := range m.Extents {
		s += fmt.Sprintf("[%d]", extent)
	}
	return s
}

// Variable is data that the function uses and that outlives its calls: a
// file-scope variable, or a static one of its own. Its Role is Size for a
// parameter of the SCoP, otherwise Pointer, with no extents for a single
// value.
type Variable struct {
	Argument
	// Pointer says that the variable is a pointer, which a driver lets point
	// to data of its own.
	Pointer bool
	// Inside says that the variable is declared inside the function; then
	// Behind is the offset in the file behind the declaration, which is in
	// front of the region, or 0 when that is not in the file's own text.
	Inside bool
	Behind int
	// Used says that the region uses the variable, not just the code around
	// it.
	Used bool
	// Initialized says that the declaration gives a value.
	Initialized bool
}

// String is the variable's declaration as C would write it and what is known
// about it.
func (v Variable) String() string {
	s := v.Argument.String()
	for _, known := range []struct {
		holds bool
		word  string
	}{{v.Role == Size, "size"}, {v.Pointer, "pointer"}, {v.Inside, fmt.Sprintf("inside %d", v.Behind)}, {!v.Used, "unused"}, {v.Initialized, "initialized"}} {
		if known.holds {
			s += " " + known.word
		}
	}
	return s
}

// View is a pointer that a function makes of one of its arguments, as A is in
// double (*A)[n] = (void *) p.
type View struct {
	// Variable is the name of the pointer, and Of that of the argument, or of what is held in one.
	Variable, Of string
	// Offset is how many elements behind the argument's first one it leads to: a C expression over
	// the function's sizes.
	Offset string
	// Size is the number of bytes of what it points to when its inner dimensions are taken off, and
	// OfSize that of the argument's elements.
	Size, OfSize int
}

// String is the view as an assignment.
func (v View) String() string {
	return fmt.Sprintf("%s = %s + %s sizes %d %d", v.Variable, v.Of, v.Offset, v.Size, v.OfSize)
}

// OwnArray is an array that a function declares for itself.
type OwnArray struct {
	Name string
	// Size is the number of bytes of an element; Extents are C expressions, which may be over more
	// than the function's sizes.
	Size    int
	Extents []string
}

// String is the array's declaration.
func (a OwnArray) String() string {
	return fmt.Sprintf("%s[%s] size %d", a.Name, strings.Join(a.Extents, "]["), a.Size)
}

// Stack is how many bytes of stack the function's own arrays take at the values. It is an error
// where an extent is no expression over these.
func (f Function) Stack(values map[string]int) (int64, error) {
	total := new(big.Int)
	for _, a := range f.Own {
		bytes, err := bytesOf(a.Name, a.Extents, int64(a.Size), values)
		if err != nil {
			return 0, err
		}
		total.Add(total, bytes)
	}
	if !total.IsInt64() {
		return math.MaxInt64, nil
	}
	return total.Int64(), nil
}

// Data is what a caller can fill before the function runs and look at after
// it: arguments that are arrays, variables, and what pointers in these lead to.
func (f Function) Data() []Argument {
	var data []Argument
	for _, a := range f.Arguments {
		if a.Role == Pointer {
			data = append(data, a)
		}
	}
	for _, v := range f.Variables {
		if v.Role == Pointer {
			data = append(data, v.Argument)
		}
	}
	for _, h := range f.Held {
		if h.Role == Pointer {
			data = append(data, h.Argument)
		}
	}
	return data
}

// IsPointer says that the named data lies behind a pointer, so that its extents
// are the caller's choice.
func (f Function) IsPointer(name string) bool {
	for _, a := range f.Arguments {
		if a.Name == name {
			return a.Role == Pointer && !a.ByValue
		}
	}
	for _, v := range f.Variables {
		if v.Name == name {
			return v.Pointer
		}
	}
	return slices.ContainsFunc(f.Held, func(h Held) bool { return h.Role == Pointer && h.Name == name })
}

// ViewsOf are the views of an argument's memory.
func (f Function) ViewsOf(name string) (views []View) {
	for _, v := range f.Views {
		if v.Of == name {
			views = append(views, v)
		}
	}
	return views
}

// Sizes are the names of the integers that a caller sets before the function
// runs: those among its arguments, the file-scope variables that are
// parameters, and parameters that its data holds. Optional says which need not be set.
func (f Function) Sizes() (names []string, optional map[string]bool) {
	optional = map[string]bool{}
	for _, a := range f.Arguments {
		if a.Role == Size {
			names = append(names, a.Name)
		}
	}
	for _, v := range f.Variables {
		if v.Role == Size {
			names = append(names, v.Name)
			optional[v.Name] = v.Initialized
		}
	}
	for _, h := range f.Held {
		if h.Role == Size {
			names = append(names, h.Name)
		}
	}
	return names, optional
}
