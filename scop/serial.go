package scop

// Serial says what of a statement keeps clang from running several instances at once in the lanes
// of vectors. Where it is told to and cannot, it warns; gcc does not.
type Serial int

// What there may be, the most last.
const (
	// NotSerial is a statement of operations that vectors have.
	NotSerial Serial = iota
	// SerialByErrno is one that calls functions which set errno, and which have vectors where they
	// need not (-fno-math-errno).
	SerialByErrno
	// AlwaysSerial is one with loops, or with other functions.
	AlwaysSerial
)
