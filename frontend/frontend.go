package frontend

import (
	"path/filepath"
	"strings"

	"polytune/scop"
)

// File is one C source file and the regions in it.
type File struct {
	Path string
	// Source is the file's text, in which macros are written out where a region's text has to show
	// what they stand for, and Original the text as it was read.
	Source, Original []byte
	// Regions are in the order of the text; there is at least one.
	Regions []Region
	// HasMain says that the file defines main.
	HasMain bool
}

// Region is the text between one #pragma scop and its #pragma endscop.
type Region struct {
	// Program is nil for a region that was not asked for, or is refused.
	Program *scop.Program
	// Refused says why the region cannot be modelled; only with Options.Each.
	Refused error
	// Function is the name of the function around the region.
	Function string
	// Start and End bound the region's text in File.Source: from the end of
	// the line of #pragma scop to the start of the line of #pragma endscop.
	Start, End int
	// PragmaStart and PragmaEnd bound the text with the two pragma lines, and with the pragmas
	// of the first loop that stand in front of them.
	PragmaStart, PragmaEnd int
	// front is the end of those pragmas, and blank are the places of all pragmas of loops.
	front int
	blank [][2]int
	// user is the region as the user wrote it; nil where that is its text in File.Source.
	user *usersText
	// Indent is the white space in front of the region's first statement.
	Indent string
	// Names holds every identifier and macro known in the file, so that
	// generated names can be chosen to clash with nothing.
	Names map[string]bool
	// Macros are those of small letters that the file itself defines, in alphabetical order.
	Macros []string
	// HasInit says that the file defines a function named Function+"_init"
	// that takes the same arguments or, with InitTakesNothing, none though
	// the function has some.
	HasInit, InitTakesNothing bool
	// OutsideIterators are the loop iterators declared outside the region, and
	// other names of its bounds, which may lose their last use when the region
	// is replaced.
	OutsideIterators []string
	// Declarations are those that the code begins with.
	Declarations []string
	// Beginnings are lines of C that come in front of the code that replaces
	// the region: directives that stood inside it.
	Beginnings []string
	// Endings are lines of C that come last in that code: assignments of what
	// loops leave in their iterators, and directives.
	Endings []string
	// IsLast says that the function does nothing behind the region but return.
	IsLast bool
	// ReducesElsewhere says that threads that OpenMP starts outside of the region add up, or update
	// what they share, in an order that is another one each time.
	ReducesElsewhere bool
	// Warnings are assumptions the user should know of.
	Warnings ErrorList
	// IfReordered are those that matter where reductions may be done in another order.
	IfReordered ErrorList
}

// Options say how to read a file.
type Options struct {
	// QuotePaths, IncludePaths, SystemPaths and LastPaths are folders for #include, as
	// of a compiler's options -iquote, -I, -isystem and -idirafter: the first ones are
	// for names in quotation marks only, the last ones come behind the system's.
	QuotePaths, IncludePaths, SystemPaths, LastPaths []string
	// Defines are macros in the form of a compiler's -D option: NAME or
	// NAME=VALUE.
	Defines []string
	// Undefines are names of macros in the form of -U: they have no
	// definition at the beginning of the file. No name is in both lists.
	Undefines []string
	// Includes are files in the form of -include, read before the file.
	Includes []string
	// CompilerOptions are options that change which macros the host's compiler
	// defines, such as -O2 or -std=c99, as words.
	CompilerOptions []string
	// AssumeNoAlias says that pointers without restrict lead to different
	// memory, so that there is no need for a warning. A region can say so for
	// itself: #pragma scop assume-no-alias.
	AssumeNoAlias bool
	// AssumePure are names of functions whose calls do nothing but read the values of their
	// arguments, and read and write what these point to. A region can say so for itself: #pragma
	// scop assume-pure(NAME, …).
	AssumePure []string
	// WriteMacros has the macros in the statements of regions written out, as far as that can be
	// done: what reads the statements knows no macros.
	WriteMacros bool
	// KernelName is the name of the program; by default the file's name
	// without its suffix. Several regions get "#1", "#2", … appended.
	KernelName string
	// Each says that a region is read where others of the file are refused.
	Each bool
	// Function and Number ask for the regions of one function and for one
	// region, counted from 1, when they are not "" and 0: others are not read.
	Function string
	Number   int
	// refused are regions, by their index, that are known to be refused: they are not read.
	refused map[int]error
}

// Asks says whether the region with that index, in that function, is one that
// is asked for.
func (o *Options) Asks(index int, function string) bool {
	return (o.Number == 0 || o.Number == index+1) && (o.Function == "" || o.Function == function)
}

// Parse reads the C source of the file called name and extracts all its
// regions that the options ask for.
//
// The error is a *NoRegionError when there is no #pragma scop, and otherwise
// an ErrorList sorted by position. With options.Each regions that are refused
// are no error as long as another one is not: their own Refused is.
func Parse(name string, source []byte, options Options) (*File, error) {
	if err := checkLimits(name, source); err != nil {
		return nil, err
	}
	text := newText(name, source)
	if !text.mentionsPragma("scop") && !text.mentionsPragma("endscop") {
		return nil, &NoRegionError{File: name}
	}
	return parseWritten(text, kernelName(name, options), &options)
}

func kernelName(file string, options Options) string {
	if options.KernelName != "" {
		return options.KernelName
	}
	base := filepath.Base(file)
	return strings.TrimSuffix(base, filepath.Ext(base))
}
