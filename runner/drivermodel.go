package runner

import (
	"fmt"
	"slices"
	"strings"

	"polytune/scop"
)

// leastDimensions is how many dimensions all drivers have room for, so that most share their first
// part.
const leastDimensions = 4

// driverModel is what driver.c.tmpl and what stands before it are filled with.
type driverModel struct {
	Function      string
	OnRanks       bool
	HasInit       bool
	InitWithout   bool
	Seed          uint64
	Magic         string
	Blocks        int
	Exit          driverExits
	Parameters    []driverParameter
	ResultType    string
	Sizes         []driverSize
	Scalars       []driverScalar
	Objects       []driverData
	Leaves        []driverLeaf
	Types         []driverType
	MaxDimensions int
	// Limits are the dimensions that data is used to subscript.
	Limits []driverLimit
	// Derived are numbers that the function makes of the sizes.
	Derived []scop.Derived
	// Held are the pointers and sizes that the driver puts into its data.
	Held []driverHeld
	// Variables are the C names of the file-scope variables whose addresses
	// are exported, in order.
	Variables []string
}

// driverLimit is a dimension of an object that is subscripted with up to Factor times a number,
// plus Offset.
type driverLimit struct{ Object, Dimension, Factor, Offset int }

type driverExits struct{ Usage, Memory, OutOfBounds, Output int }

// driverParameter is one argument as the driver passes it.
type driverParameter struct {
	CallType, Value string
	// Struct is the type of an argument whose address is passed, "" for others.
	Struct string
}

// driverSize is an integer that the caller sets. Variable is the place of its
// address among the exported ones when it is a file-scope variable, or -1.
type driverSize struct {
	Name, Type string
	// Identifier is the name that it has in extents.
	Identifier string
	TypeIndex  int
	Variable   int
	Optional   bool
}

type driverScalar struct{ Name, Type string }

// The places where data may lie; drivershared.c.tmpl has the same.
const (
	placeArgument = iota
	// placePointer is behind a file-scope pointer.
	placePointer
	placeVariable
	// placeStatic is inside the function.
	placeStatic
	placeResult
	// placeHeld is behind a pointer in the data of another object.
	placeHeld
)

// driverData is one array, one variable or the function's value.
type driverData struct {
	Name  string
	Place int
	// Variable is the place of its address among the exported ones, or -1.
	Variable int
	// Extents are C expressions for the function's file, "" where the
	// declaration gives none; Accessed are those for the driver's.
	Extents, Accessed []string
	// Element is a C expression, in the function's file, of the type of one
	// element: a type's name, or __typeof__ of an expression.
	Element string
	// Paths are those of the leaves, "" for plain data.
	Paths []string
	// Layout is the place of its sizes in tune_exported_layout.
	Layout int
	// Shape is the place of its extents in what tune_exported_shape fills.
	Shape int
	// Alignment is what the function counts on beyond its type's, or 0.
	Alignment int
	// Pointers is how many dimensions are arrays of pointers.
	Pointers int
	// Filled says that it is to get data of the driver's.
	Filled bool
	// of is the name of the elements' type in messages.
	of     string
	behind int
}

// driverLeaf is a part of each element of the data that has one arithmetic
// type: a member, or the element itself.
type driverLeaf struct {
	// Name is for messages; in Element the subscripts of the data go between
	// the brackets, as in p[].x.
	Name, Element, Type, Kind string
	TypeIndex                 int
	Object                    int
	// Extents are those of a member that is an array.
	Extents []int
	// Index says that its integers are used as subscripts.
	Index bool
}

// Inner is the number of numbers in each element.
func (l driverLeaf) Inner() int { return scop.Member{Extents: l.Extents}.Count() }

type driverType struct {
	Index      int
	Type, Kind string
}

func newDriverModel(function scop.Function, options DriverOptions) (*driverModel, error) {
	m := &driverModel{
		Function: function.Name, OnRanks: options.OnRanks, HasInit: options.HasInit, InitWithout: options.InitWithout, Seed: options.Seed,
		Magic: dumpMagic, Blocks: fingerprintBlocks, MaxDimensions: leastDimensions, Derived: slices.Clone(function.Derived),
		Exit: driverExits{exitUsage, exitMemory, exitOutOfBounds, exitOutput},
	}
	for _, argument := range function.Arguments {
		if err := m.addArgument(argument, options); err != nil {
			return nil, err
		}
	}
	for _, variable := range function.Variables {
		if err := m.addVariable(variable, options); err != nil {
			return nil, err
		}
	}
	for _, held := range function.Held {
		if err := m.addHeld(held, options); err != nil {
			return nil, err
		}
	}
	if err := m.addResult(function.Result); err != nil {
		return nil, err
	}
	for k := range m.Derived {
		m.Derived[k].Value = m.inIdentifiers([]string{m.Derived[k].Value})[0]
	}
	for k := range m.Objects {
		data := &m.Objects[k]
		data.Extents, data.Accessed = m.inIdentifiers(data.Extents), m.inIdentifiers(data.Accessed)
		if err := checkExtents(*data); err != nil {
			return nil, err
		}
	}
	m.addSubscripts(options)
	return m, nil
}

// addSubscripts notes which data is used to subscript which.
func (m *driverModel) addSubscripts(options DriverOptions) {
	for _, s := range options.Subscripts {
		for k, data := range m.Objects {
			if data.Name == s.Array && s.Dimension < len(data.Extents) {
				m.Limits = append(m.Limits, driverLimit{k, s.Dimension, max(1, s.Factor), s.Offset})
			}
		}
	}
	for k := range m.Leaves {
		leaf := &m.Leaves[k]
		leaf.Index = len(m.Limits) > 0 && (leaf.Kind == "i" || leaf.Kind == "u") && slices.Contains(options.Indices, leaf.Name)
	}
}

func (m *driverModel) addArgument(a scop.Argument, options DriverOptions) error {
	if !identifier.MatchString(a.Name) {
		return fmt.Errorf("argument %q has no proper name", a.Name)
	}
	switch a.Role {
	case scop.Size:
		kind, err := numberKind(a)
		if err != nil {
			return err
		}
		m.Parameters = append(m.Parameters, driverParameter{CallType: a.Type, Value: fmt.Sprintf("(%s) tune_sizes[%d].value", a.Type, len(m.Sizes))})
		m.Sizes = append(m.Sizes, driverSize{Name: a.Name, Identifier: a.Name, Type: a.Type, TypeIndex: m.typeIndex(a.Type, kind), Variable: -1})
		return nil
	case scop.Scalar:
		if _, err := numberKind(a); err != nil {
			return err
		}
		m.Parameters = append(m.Parameters, driverParameter{CallType: a.Type, Value: fmt.Sprintf("(%s) tune_scalars[%d].value", a.Type, len(m.Scalars))})
		m.Scalars = append(m.Scalars, driverScalar{a.Name, a.Type})
		return nil
	case scop.Pointer:
		pointer := a.Type + " *"
		if a.Members != nil || a.Opaque != "" || a.Pointers > 0 {
			pointer = "void *"
		}
		parameter := driverParameter{CallType: pointer, Value: fmt.Sprintf("tune_objects[%d].passed", len(m.Objects))}
		if a.ByValue {
			parameter.Struct = a.Type
		}
		m.Parameters = append(m.Parameters, parameter)
		return m.addData(driverData{Name: a.Name, Place: placeArgument, Variable: -1, Element: a.Type, Filled: true}, a, options)
	}
	return fmt.Errorf("argument %s has an unknown role %d", a.Name, a.Role)
}

func (m *driverModel) addVariable(v scop.Variable, options DriverOptions) error {
	if !identifier.MatchString(v.Name) {
		return fmt.Errorf("variable %q has no proper name", v.Name)
	}
	if v.Role == scop.Size {
		kind, err := numberKind(v.Argument)
		if err != nil {
			return err
		}
		if v.Inside {
			return fmt.Errorf("the size %s is a static variable of the function; make it an argument", v.Name)
		}
		m.Sizes = append(m.Sizes, driverSize{Name: v.Name, Identifier: v.Name, Type: v.Type, TypeIndex: m.typeIndex(v.Type, kind), Variable: len(m.Variables), Optional: v.Initialized})
		m.Variables = append(m.Variables, v.Name)
		return nil
	}
	switch {
	case v.Pointers > 0 && !v.Pointer || v.Pointers > 0 && v.Inside:
		return fmt.Errorf("the array of pointers %s is a variable, to which the driver gives no rows; make it an argument, or a pointer to pointers", v.Name)
	case v.Pointer && v.Initialized:
		return fmt.Errorf("the pointer %s points to data that its declaration gives it, which the driver cannot compare; use that data by its name, or make the pointer an argument", v.Name)
	case v.Inside && v.Pointer:
		return fmt.Errorf("the pointer %s is a static variable of the function; make it an argument", v.Name)
	case v.Inside && v.Behind == 0:
		return fmt.Errorf("the static variable %s is declared in a macro or header; declare it in the function's own text", v.Name)
	}
	data := driverData{Name: v.Name, Place: placeVariable, Variable: -1, Filled: v.Used, behind: v.Behind,
		Element: fmt.Sprintf("__typeof__(%s%s)", v.Name, strings.Repeat("[0]", len(v.Extents)))}
	switch {
	case v.Inside:
		data.Place, data.Element = placeStatic, v.Type
	case v.Pointer:
		data.Place = placePointer
	}
	if !v.Inside {
		data.Variable = len(m.Variables)
		m.Variables = append(m.Variables, v.Name)
	}
	return m.addData(data, v.Argument, options)
}

// ResultName is the name of a function's value among its data.
const ResultName = "return"

// addResult adds the function's value. One that is a pointer is not looked at.
func (m *driverModel) addResult(name string) error {
	m.ResultType = name
	if name == "" {
		return nil
	}
	if strings.HasSuffix(name, "*") {
		m.ResultType = "void *"
		return nil
	}
	kind, known := elementKind(name)
	if !known {
		return fmt.Errorf("it returns a %s; let it return a number or nothing", name)
	}
	m.addLeaf(ResultName, ResultName, name, kind, nil)
	m.Objects = append(m.Objects, driverData{Name: ResultName, Place: placeResult, Variable: -1, Element: name, Paths: []string{""}, Layout: m.layoutEnd(), Shape: m.shapeEnd()})
	return nil
}

// addData adds data and its leaves.
func (m *driverModel) addData(data driverData, a scop.Argument, options DriverOptions) error {
	data.Extents, data.Alignment, data.Pointers, data.of = a.Extents, a.Alignment, a.Pointers, a.Type
	if given := options.Extents[a.Name]; given != nil {
		data.Extents = given
	}
	data.Accessed = options.Accessed[a.Name]
	if a.Opaque != "" && !options.HasInit && !a.Followed && data.Filled {
		return fmt.Errorf("%s has data that the driver cannot fill: %s; supply %s_init, in the file or with --init FILE.c, which gets %s and sets all that is in it", a.Name, a.Opaque, m.Function, initArgument(a))
	}
	if strings.HasPrefix(data.Element, "struct") && !strings.Contains(data.Element, " ") {
		return fmt.Errorf("%s is of a struct without a name; give it one", a.Name)
	}
	members := a.Members
	if members == nil && a.Opaque == "" {
		members = []scop.Member{{Type: a.Type}}
	}
	outer := strings.Repeat("[]", len(data.Extents))
	for _, member := range members {
		member = numbersOf(member)
		kind, known := elementKind(member.Type)
		if !known {
			return fmt.Errorf("%s%s has type %q; the driver can fill the arithmetic types of C and <stdint.h>, and structs of them", a.Name, member.Path, member.Type)
		}
		element := a.Name
		if member.Path != "" {
			element += outer + member.Path
		}
		m.addLeaf(a.Name+member.Path, element, member.Type, kind, member.Extents)
		data.Paths = append(data.Paths, member.Path)
		m.MaxDimensions = max(m.MaxDimensions, len(data.Extents)+len(member.Extents))
	}
	data.Layout, data.Shape = m.layoutEnd(), m.shapeEnd()
	m.Objects = append(m.Objects, data)
	return nil
}

// initArgument says how an initialiser gets an argument.
func initArgument(a scop.Argument) string {
	if a.ByValue {
		return fmt.Sprintf("%s *%s in the place of %s", a.Type, a.Name, a.Name)
	}
	return a.Name
}

// numbersOf is a complex member as the array of its real and its imaginary part that it is in
// memory (C11, 6.2.5p13), and any other member as it is.
func numbersOf(member scop.Member) scop.Member {
	if part, ok := strings.CutPrefix(member.Type, "_Complex "); ok {
		member.Type, member.Extents = part, append(slices.Clip(member.Extents), 2)
	}
	return member
}

func (m *driverModel) addLeaf(name, element, cType, kind string, extents []int) {
	m.Leaves = append(m.Leaves, driverLeaf{Name: name, Element: element, Type: cType, Kind: kind, TypeIndex: m.typeIndex(cType, kind), Object: len(m.Objects), Extents: extents})
}

// layoutEnd and shapeEnd are the numbers of sizes and extents that the data so
// far has.
func (m *driverModel) layoutEnd() int {
	if len(m.Objects) == 0 {
		return 0
	}
	last := m.Objects[len(m.Objects)-1]
	return last.Layout + 2 + len(last.Paths)
}

func (m *driverModel) shapeEnd() int {
	if len(m.Objects) == 0 {
		return 0
	}
	last := m.Objects[len(m.Objects)-1]
	return last.Shape + len(last.Extents)
}

// ShapeLength is the number of all extents.
func (m *driverModel) ShapeLength() int { return m.shapeEnd() }

func checkExtents(data driverData) error {
	for d, extent := range data.Extents {
		if strings.TrimSpace(extent) == "" && (d >= len(data.Accessed) || data.Accessed[d] == "") {
			return fmt.Errorf("the extent of array %s is unknown; declare it, as in %s %s[N], or give it with --extent", data.Name, data.of, data.Name)
		}
	}
	for _, extent := range slices.Concat(data.Extents, data.Accessed) {
		if extent != "" && (!expression.MatchString(extent) || strings.Contains(extent, "/*") || strings.Contains(extent, "//")) {
			return fmt.Errorf("the extent %q of array %s is not an integer expression", extent, data.Name)
		}
	}
	return nil
}

// numberKind is the kind of an argument that is a single number.
func numberKind(a scop.Argument) (string, error) {
	kind, known := elementKind(a.Type)
	if !known {
		return "", fmt.Errorf("%s has type %q; the driver can pass the arithmetic types of C and <stdint.h>", a.Name, a.Type)
	}
	return kind, nil
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
