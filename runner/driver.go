package runner

import (
	_ "embed"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"text/template"

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
// and the text that the function's source file needs at its end.
type Driver struct {
	// Source is the text of the driver's source file.
	Source string
	// Export is C text for the end of the function's source file: it gives
	// the driver the function's address, whatever its linkage.
	Export string
}

// Attach is the function's source file with the driver's export at its end.
func (d Driver) Attach(source string) (string, error) { return source + "\n" + d.Export, nil }

// Companion is the driver's source file. Extents may name the user's macros.
func (d Driver) Companion() Companion { return Companion{Text: d.Source, Macros: true} }

// DriverOptions say what a function's arguments alone do not.
type DriverOptions struct {
	// HasInit says that the source defines FUNCTION_init with the same
	// arguments; it is called after the seeded filling.
	HasInit bool
	// Extents replace the extents of the named array arguments: C
	// expressions over the Size arguments, outermost first, that may use the
	// macros min, max and floord. An array whose declaration leaves one out
	// needs them.
	Extents map[string][]string
	// Seed selects the data with which the arrays are filled.
	Seed uint64
}

// GenerateDriver writes the driver of a function. Floating-point elements are
// filled with values in (0.25, 1], integers with 1 to 4, reproducibly. It is
// an error when an argument has a type that the driver cannot fill or an
// extent is unknown.
func GenerateDriver(function scop.Function, options DriverOptions) (Driver, error) {
	model := driverModel{
		Function: function.Name, HasInit: options.HasInit, Seed: options.Seed,
		Magic: dumpMagic, Blocks: fingerprintBlocks, MaxDimensions: 1,
		Exit: driverExits{exitUsage, exitMemory, exitOutOfBounds, exitOutput},
	}
	if !identifier.MatchString(function.Name) {
		return Driver{}, fmt.Errorf("no driver for function %q: not a C name", function.Name)
	}
	if function.Name == "main" {
		return Driver{}, errors.New("no driver for function main: move the region into a function of its own, which the driver can call")
	}
	for _, argument := range function.Arguments {
		if err := model.add(argument, options.Extents[argument.Name]); err != nil {
			return Driver{}, fmt.Errorf("no driver for function %s: %w", function.Name, err)
		}
	}
	var source strings.Builder
	if err := driverTemplate.Execute(&source, model); err != nil {
		return Driver{}, fmt.Errorf("no driver for function %s: %w", function.Name, err)
	}
	return Driver{Source: source.String(), Export: exportText(function.Name, options.HasInit)}, nil
}

func exportText(function string, hasInit bool) string {
	text := "/* For polytune's driver. */\n" + exportLine("kernel", function)
	if hasInit {
		text += exportLine("init", function+"_init")
	}
	return text
}

func exportLine(role, function string) string {
	return fmt.Sprintf("void (*const tune_exported_%s)(void) = (void (*)(void)) %s;\n", role, function)
}

// driverModel is what driver.c.tmpl is filled with.
type driverModel struct {
	Function      string
	HasInit       bool
	Seed          uint64
	Magic         string
	Blocks        int
	Exit          driverExits
	Parameters    []driverParameter
	Sizes         []driverScalar
	Scalars       []driverScalar
	Arrays        []driverArray
	Types         []driverType
	MaxDimensions int
}

type driverExits struct{ Usage, Memory, OutOfBounds, Output int }

// driverParameter is one argument as the driver passes it.
type driverParameter struct{ CallType, Value string }

type driverScalar struct{ Name, Type string }

type driverArray struct {
	Name, Type, Kind string
	TypeIndex        int
	Extents          []string
}

type driverType struct {
	Index      int
	Type, Kind string
}

var (
	//go:embed driver.c.tmpl
	driverText     string
	driverTemplate = template.Must(template.New("driver.c").Funcs(template.FuncMap{
		"atLeastOne": func(n int) int { return max(n, 1) },
	}).Parse(driverText))

	identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)
	expression = regexp.MustCompile(`^[A-Za-z0-9_+\-*/%()<>=!?:&|, ]+$`)
)

func (m *driverModel) add(a scop.Argument, extents []string) error {
	if !identifier.MatchString(a.Name) {
		return fmt.Errorf("argument %q has no proper name", a.Name)
	}
	element, inner := numbersOf(a)
	kind, known := elementKind(element)
	if !known {
		return fmt.Errorf("argument %s has type %q; the driver can fill the arithmetic types of C and <stdint.h>, and structs of one of them", a.Name, a.Type)
	}
	switch a.Role {
	case scop.Size:
		m.Parameters = append(m.Parameters, driverParameter{a.Type, fmt.Sprintf("(%s) tune_sizes[%d].value", a.Type, len(m.Sizes))})
		m.Sizes = append(m.Sizes, driverScalar{a.Name, a.Type})
	case scop.Scalar:
		m.Parameters = append(m.Parameters, driverParameter{a.Type, fmt.Sprintf("(%s) tune_scalars[%d].value", a.Type, len(m.Scalars))})
		m.Scalars = append(m.Scalars, driverScalar{a.Name, a.Type})
	case scop.Pointer:
		if extents == nil {
			extents = a.Extents
		}
		return m.addArray(a.Name, element, kind, slices.Concat(extents, inner))
	default:
		return fmt.Errorf("argument %s has an unknown role %d", a.Name, a.Role)
	}
	return nil
}

// numbersOf is the type of the numbers in an argument, and the extents that
// its structs add.
func numbersOf(a scop.Argument) (element string, inner []string) {
	if a.Numbers.Count == 0 {
		return a.Type, nil
	}
	return a.Numbers.Type, []string{strconv.Itoa(a.Numbers.Count)}
}

func (m *driverModel) addArray(name, element, kind string, extents []string) error {
	for _, extent := range extents {
		if strings.TrimSpace(extent) == "" {
			return fmt.Errorf("the extent of array %s is unknown; declare it, as in %s %s[N], or give it", name, element, name)
		}
		if !expression.MatchString(extent) || strings.Contains(extent, "/*") || strings.Contains(extent, "//") {
			return fmt.Errorf("the extent %q of array %s is not an integer expression", extent, name)
		}
	}
	m.Parameters = append(m.Parameters, driverParameter{element + " *", fmt.Sprintf("tune_arrays[%d].data", len(m.Arrays))})
	m.Arrays = append(m.Arrays, driverArray{Name: name, Type: element, Kind: kind, TypeIndex: m.typeIndex(element, kind), Extents: extents})
	m.MaxDimensions = max(m.MaxDimensions, len(extents))
	return nil
}

func (m *driverModel) typeIndex(name, kind string) int {
	for _, t := range m.Types {
		if t.Type == name {
			return t.Index
		}
	}
	m.Types = append(m.Types, driverType{len(m.Types), name, kind})
	return len(m.Types) - 1
}

var fixedWidthType = regexp.MustCompile(`^(u?)int(_least|_fast)?(8|16|32|64|ptr|max)_t$`)

// elementKind classifies an arithmetic C type: "f" floating, "i" signed,
// "u" unsigned, "b" boolean.
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
		case "signed", "char", "short", "int", "long":
		default:
			return "", false
		}
	}
	return kind, len(words) > 0
}
