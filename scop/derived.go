package scop

import "maps"

// Derived is a parameter of a SCoP that a function makes of its sizes in front of the region.
type Derived struct {
	Name string
	// Value is a C expression over sizes, and over what is derived in front of it.
	Value string
}

// String is the parameter as an assignment.
func (d Derived) String() string { return d.Name + " = " + d.Value }

// IsDerived says whether the name is one of a parameter that the function makes of its sizes.
func (f Function) IsDerived(name string) bool {
	for _, d := range f.Derived {
		if d.Name == name {
			return true
		}
	}
	return false
}

// derive adds the values of derived parameters to those by C expression; of one that cannot be told
// it adds none.
func (f Function) derive(values map[string]int) map[string]int {
	all := maps.Clone(values)
	for _, d := range f.Derived {
		if value, err := evaluate(d.Value, all); err == nil && value.IsInt64() {
			all[d.Name] = int(value.Int64())
		}
	}
	return all
}
