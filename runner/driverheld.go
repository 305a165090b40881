package runner

import (
	"fmt"
	"slices"
	"strings"

	"polytune/scop"
)

// driverHeld is a pointer or a size in the data of an object.
type driverHeld struct {
	// Place is how C writes it in the function's file, where Root, if not -1, is the object of an
	// argument whose name it begins with.
	Place string
	Root  int
	// Object is what the pointer leads to, -1 for a size; Size is the number of a size of a type.
	Object, Size int
	Type         string
}

// addHeld adds what the data of other objects, which are known, holds.
func (m *driverModel) addHeld(h scop.Held, options DriverOptions) error {
	held := driverHeld{Place: h.Place, Root: slices.IndexFunc(m.Objects, func(o driverData) bool { return o.Name == h.In && o.Place == placeArgument }), Object: -1, Type: h.Type}
	if h.Role == scop.Size {
		kind, err := numberKind(h.Argument)
		if err != nil {
			return err
		}
		held.Size = len(m.Sizes)
		m.Held = append(m.Held, held)
		m.Sizes = append(m.Sizes, driverSize{Name: h.Name, Identifier: m.identifierFor(h.Name), Type: h.Type, TypeIndex: m.typeIndex(h.Type, kind), Variable: -1})
		return nil
	}
	held.Object = len(m.Objects)
	m.Held = append(m.Held, held)
	// The root's own name is declared where the type of a member is asked for.
	element := "*" + m.rootedIn(h.Place, held.Root) + strings.Repeat("[0]", len(h.Extents)-1)
	return m.addData(driverData{Name: h.Name, Place: placeHeld, Variable: -1, Element: "__typeof__(" + element + ")", Filled: true}, h.Argument, options)
}

// identifierFor is a name for extents of a size that C writes in another way.
func (m *driverModel) identifierFor(name string) string {
	if identifier.MatchString(name) {
		return name
	}
	return fmt.Sprintf("tune_held_%d", len(m.Sizes))
}

// rootedIn is a place without the name of the argument that it begins with.
func (m *driverModel) rootedIn(place string, root int) string {
	if root < 0 {
		return place
	}
	object := m.Objects[root]
	return fmt.Sprintf("((%s *) 0)%s", object.Element, strings.TrimPrefix(place, object.Name))
}

// inIdentifiers are extents with the identifiers of sizes in the place of what C calls them.
func (m *driverModel) inIdentifiers(extents []string) []string {
	extents = slices.Clone(extents)
	for d := range extents {
		for _, size := range m.Sizes {
			if size.Identifier != size.Name {
				extents[d] = replaceWhole(extents[d], size.Name, size.Identifier)
			}
		}
	}
	return extents
}

// replaceWhole replaces a name in a text where it is no part of a longer one.
func replaceWhole(text, name, with string) string {
	isPart := func(c byte) bool {
		return c == '_' || c == '.' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
	}
	var b strings.Builder
	for {
		at := strings.Index(text, name)
		if at < 0 {
			return b.String() + text
		}
		end := at + len(name)
		isWhole := (at == 0 || !isPart(text[at-1])) && (end == len(text) || !isPart(text[end]))
		b.WriteString(text[:at])
		if isWhole {
			b.WriteString(with)
		} else {
			b.WriteString(name)
		}
		text = text[end:]
	}
}

// holding is a function of the function's file that puts the pointers and sizes into the data; ""
// where it holds none.
func (m *driverModel) holding() string {
	if len(m.Held) == 0 {
		return ""
	}
	var b strings.Builder
	const declaration = "void tune_exported_hold(void *const *tune_object, const long long *tune_size)"
	b.WriteString(declaration + ";\n" + declaration + "\n{\n  (void) tune_object; (void) tune_size;\n")
	for _, held := range m.Held {
		b.WriteString("  {")
		if held.Root >= 0 {
			root := m.Objects[held.Root]
			fmt.Fprintf(&b, " %s *%s = (void *) tune_object[%d];", root.Element, root.Name, held.Root)
		}
		if held.Object >= 0 {
			fmt.Fprintf(&b, " void *tune_value = tune_object[%d];", held.Object)
		} else {
			fmt.Fprintf(&b, " %s tune_value = (%s) tune_size[%d];", held.Type, held.Type, held.Size)
		}
		fmt.Fprintf(&b, " __builtin_memcpy((void *) &%s, &tune_value, sizeof tune_value); }\n", held.Place)
	}
	b.WriteString("}\n")
	return b.String()
}
