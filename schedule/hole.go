package schedule

import "fmt"

// Hole is an argument of a command that is written "?": it has no value yet.
type Hole struct {
	// Field is the place of the argument among the command's, from 0.
	Field int
	// Kind is the argument's, as the syntax names it: "SIZES".
	Kind string
	// From and To are the least and the greatest of its numbers; both are 0 for arguments that are
	// no numbers.
	From, To int64
}

// hole is an argument of the kind without a value, of a command whose largest number is most.
func (k kind) hole(name string, field int, most int64) Hole {
	h := Hole{Field: field, Kind: name}
	if k.isNumber {
		h.From, h.To = max(k.least, -most), most
	}
	return h
}

// holeWord is what a hole is written as.
const holeWord = "?"

// Open is a command some of whose arguments are holes. It is read and written, and cannot be
// applied.
type Open struct {
	Command
	Holes []Hole
}

// Apply is an error.
func (c Open) Apply(*Tree) error {
	hole := c.Holes[0]
	if hole.To == 0 {
		return fmt.Errorf("argument %d of %s, %s, is a hole without a value", hole.Field+1, Name(c), hole.Kind)
	}
	return fmt.Errorf("argument %d of %s, %s from %d to %d, is a hole without a value", hole.Field+1, Name(c), hole.Kind, hole.From, hole.To)
}
