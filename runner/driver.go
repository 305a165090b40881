package runner

import (
	"crypto/sha256"
	_ "embed"
	"errors"
	"fmt"
	"strings"
	"text/template"

	"polytune/internal/pattern"
	"polytune/scop"
)

// The driver's own exit statuses, and what marks its dumps.
const (
	exitUsage       = 90
	exitMemory      = 91
	exitOutOfBounds = 92
	exitOutput      = 93

	dumpMagic         = "polytune-dump-1"
	fingerprintBlocks = 64
)

// Driver is a C program that calls one function: a source file of its own,
// and the text that the function's source file needs.
type Driver struct {
	// Source is the text of the driver's source file. Parts have the same code in two files: what
	// drivers of all functions share, which is most of it, and what this one has of its own.
	Source string
	Parts  []string
	// Export is C text for the end of the function's source file, where the
	// user's types, macros and file-scope data are known: it gives the driver
	// the function's address, whatever its linkage, and what it has to know
	// of the data.
	Export string
	// Hooks are in front of the function's region, in ascending order.
	Hooks []Hook
}

// Hook is text that the driver needs at an offset of the function's source
// file.
type Hook struct {
	Offset int
	Text   string
}

// Attach is the function's source file with the driver's hooks in it and its
// export at its end. No line gets another number.
func (d Driver) Attach(source string) (string, error) {
	var text strings.Builder
	last := 0
	for _, hook := range d.Hooks {
		if hook.Offset < last || hook.Offset > len(source) {
			return "", fmt.Errorf("the driver's text at offset %d is outside of the source", hook.Offset)
		}
		text.WriteString(source[last:hook.Offset] + hook.Text)
		last = hook.Offset
	}
	return text.String() + source[last:] + "\n" + d.Export, nil
}

// Companion is the driver's source file, which differs wherever the exports do.
func (d Driver) Companion() Companion {
	hash := sha256.Sum256([]byte(d.Export))
	return Companion{Text: d.Source + fmt.Sprintf("/* For the exports %x. */\n", hash[:8]), Parts: d.Parts}
}

// DriverOptions say what a function's declaration alone does not.
type DriverOptions struct {
	// HasInit says that the source, or Include, defines FUNCTION_init with the
	// same arguments; it is called after the seeded filling. InitWithout says
	// that it takes no arguments.
	HasInit, InitWithout bool
	// Include is the path of a C file that is included at the end of the
	// function's file, "" for none; IncludeHash tells its versions apart.
	Include, IncludeHash string
	// Extents replace the declared extents of the named arrays: C expressions
	// over the sizes, outermost first, that may use what the function's file
	// knows.
	Extents map[string][]string
	// Accessed are the least extents of the named arrays: C expressions over
	// the sizes with the macros min, max and floord, "" for none. An array
	// whose declaration leaves an extent out needs them.
	Accessed map[string][]string
	// Subscripts are what the data of Indices is used to subscript: integers
	// there are filled with 0 up to the least of these extents, less one.
	Subscripts []Subscript
	// Indices are the names of arrays, or members of arrays of structs, whose
	// integers are used as subscripts.
	Indices []string
	// Seed selects the data with which the arrays are filled.
	Seed uint64
	// OnRanks says that variants run on several ranks, which meet in front of each call that is timed,
	// and behind it.
	OnRanks bool
}

// Subscript is a dimension of an array that is subscripted with data.
type Subscript struct {
	// Array is the name of the argument or variable.
	Array     string
	Dimension int
	// Factor and Offset say that it is subscripted with up to Factor times a number of the data,
	// plus Offset.
	Factor, Offset int
}

// GenerateDriver writes the driver of a function. Floating-point elements are
// filled with values in (0.25, 1], integers with 1 to 4, or with values that
// serve as subscripts, reproducibly; data of
// file scope keeps the values that its declaration gives. It is an error when
// there is data that the driver cannot fill or that has an unknown extent.
func GenerateDriver(function scop.Function, options DriverOptions) (Driver, error) {
	if !identifier.MatchString(function.Name) {
		return Driver{}, fmt.Errorf("no driver for function %q: not a C name", function.Name)
	}
	if function.Name == "main" {
		return Driver{}, errors.New("no driver for function main: move the region into a function of its own, which the driver can call")
	}
	model, err := newDriverModel(function, options)
	if err != nil {
		return Driver{}, fmt.Errorf("no driver for function %s: %w", function.Name, err)
	}
	var texts [3]strings.Builder
	for i, t := range []*template.Template{sharedTemplate(), coreTemplate(), driverTemplate()} {
		if err := t.Execute(&texts[i], model); err != nil {
			return Driver{}, fmt.Errorf("no driver for function %s: %w", function.Name, err)
		}
	}
	shared, core, own := texts[0].String()+"\n", texts[1].String(), texts[2].String()
	return Driver{Source: shared + core + "\n" + own, Parts: []string{shared + core, shared + own}, Export: model.export(options), Hooks: model.hooks()}, nil
}

var (
	//go:embed drivershared.c.tmpl
	sharedText     string
	sharedTemplate = sourceTemplate("drivershared.c", &sharedText)
	//go:embed drivercore.c.tmpl
	coreText     string
	coreTemplate = sourceTemplate("drivercore.c", &coreText)
	//go:embed driver.c.tmpl
	driverText     string
	driverTemplate = sourceTemplate("driver.c", &driverText)

	identifier = pattern.New(`^[A-Za-z_][A-Za-z0-9_]*$`)
	expression = pattern.New(`^[A-Za-z0-9_+\-*/%()<>=!?:&|, ]+$`)
)

var fixedWidthType = pattern.New(`^(u?)int(_least|_fast)?(8|16|32|64|ptr|max)_t$`)

// elementKind classifies an arithmetic C type: "f" floating, "i" signed, "u" unsigned, "b" boolean,
// "o" floating in a format of the compiler's, whose bits alone are compared.
func elementKind(name string) (kind string, known bool) {
	if match := fixedWidthType.FindStringSubmatch(name); match != nil {
		if match[1] == "u" {
			return "u", true
		}
		return "i", true
	}
	switch name {
	case "size_t":
		return "u", true
	case "ptrdiff_t":
		return "i", true
	case "_Bool":
		return "b", true
	case "float", "double", "long double":
		return "f", true
	case "__float128", "_Float16", "__bf16", "_Decimal32", "_Decimal64", "_Decimal128":
		return "o", true
	}
	return integerKind(strings.Fields(name))
}

// integerKind classifies an integer type written in C's keywords, in any
// order. Plain char counts as signed, which decides only how it is printed.
func integerKind(words []string) (kind string, known bool) {
	kind = "i"
	for _, word := range words {
		switch word {
		case "unsigned":
			kind = "u"
		case "signed", "char", "short", "int", "long", "__int128":
		default:
			return "", false
		}
	}
	return kind, len(words) > 0
}
