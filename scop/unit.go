package scop

// Unit is a program and the text that it comes from, as far as those have to know it who put
// other code in its place: a front end makes it, whatever its language, and code generation
// reads it.
type Unit struct {
	Program *Program
	// Original is the text that the program was read from, which code for some values of the
	// parameters contains.
	Original string
	// When is a condition of C for code that has Original for what it cannot do, such as code for a
	// device: elsewhere Original runs. "" is always.
	When string
	// Taken are identifiers around it that code must not define.
	Taken map[string]bool
	// Macros are those of small letters that the text around it defines, in alphabetical order.
	Macros []string
	// Indent is the white space in front of its first statement.
	Indent string
	// Unused are variables declared around it that may lose their last use with it.
	Unused []string
	// Declarations are those that the code in its place begins with.
	Declarations []string
	// Before and After are lines that belong to it and come first and last in the code that
	// takes its place.
	Before, After []string
	// NamesLoops says that comments in the code are to have the names of the schedule's loops.
	NamesLoops bool
	// Place is the whole text with code, lines that end with line feeds, in the program's place.
	Place func(code string) []byte
}
