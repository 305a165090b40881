package frontend

import (
	"cmp"
	"fmt"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// maxMembers bounds the members of a struct that are told apart.
const maxMembers = 512

// maxFilled bounds the members of a struct that a driver fills, each by itself.
const maxFilled = 4096

// memberList are the numbers in a struct, and what else it has.
type memberList struct {
	// most is how many members there may be.
	most    int
	members []scop.Member
	// pointer names the first member that is a pointer, or is "".
	pointer string
	// opaque says why members cannot be told apart, or is "".
	opaque string
	// isFull says that there are too many members to list.
	isFull bool
}

// membersOf are the numbers in an element of a struct or vector type, in the order of
// memory, each by itself. Pointers are left out, because regions do not assign
// them. It is nil for other types, and for structs whose members overlap or
// have no address: those with unions or bit-fields.
func membersOf(element cc.Type) []scop.Member {
	if isVector(element) {
		return vectorMembers(element)
	}
	s, ok := element.(*cc.StructType)
	if !ok {
		return nil
	}
	list := memberList{most: maxMembers}
	list.add(s, "")
	var all []scop.Member
	for _, m := range list.members {
		for k := range m.Count() {
			all = append(all, scop.Member{Path: m.Path + subscripts(k, m.Extents), Type: m.Type})
		}
	}
	if list.opaque != "" || len(all) > maxMembers {
		return nil
	}
	return all
}

// vectorMembers are the numbers in a vector.
func vectorMembers(t cc.Type) (all []scop.Member) {
	for k := range vectorLength(t) {
		all = append(all, scop.Member{Path: fmt.Sprintf("[%d]", k), Type: numberName(t)})
	}
	return all
}

// add adds the members of a struct at a path.
func (l *memberList) add(s *cc.StructType, path string) {
	for i := range s.NumFields() {
		field := s.FieldByIndex(i)
		inner, isStruct := field.Type().(*cc.StructType)
		switch {
		case l.isFull:
			return
		case field.IsBitfield():
			l.leaveOut("its member %s is a bit field", cmp.Or(field.Name(), fmt.Sprint(i+1)))
		case field.IsFlexibleArrayMember():
			l.leaveOut("its member %s is an array without an extent", field.Name())
		case field.Name() == "" && isStruct:
			// C names its members as if they were those of the struct around it.
			l.add(inner, path)
		case field.Name() == "":
			l.leaveOut("its member %d is a union without a name", i+1)
		default:
			l.addMember(field.Type(), path+"."+field.Name())
		}
	}
}

// hasTooMany says whether the structs behind a pointer have more members than a driver fills.
func hasTooMany(t cc.Type) bool {
	s, ok := elementOf(t).(*cc.StructType)
	if !ok {
		return false
	}
	list := memberList{most: maxFilled}
	list.add(s, "")
	return list.isFull
}

// leaveOut leaves a member out, and keeps why, of the first one.
func (l *memberList) leaveOut(why string, about any) {
	if l.opaque == "" {
		l.opaque = fmt.Sprintf(why, about)
	}
}

// addMember adds a number, an array of numbers, or what is in structs.
func (l *memberList) addMember(t cc.Type, path string) {
	element, extents := t, []int(nil)
	elements := int64(1)
	for {
		array, ok := element.(*cc.ArrayType)
		if !ok {
			break
		}
		extents, element, elements = append(extents, int(array.Len())), array.Elem(), elements*array.Len()
	}
	inner, isStruct := element.(*cc.StructType)
	switch {
	case elements < 0 || isStruct && elements > int64(l.most) || len(l.members) > l.most:
		l.opaque, l.isFull = fmt.Sprintf("it has more than %d members", l.most), true
	case isStruct:
		for k := range int(elements) {
			if !l.isFull {
				l.add(inner, path+subscripts(k, extents))
			}
		}
	case element.Kind() == cc.Ptr:
		if l.pointer == "" {
			l.pointer = fmt.Sprintf("its member %s is a pointer", path[1:])
		}
	case !cc.IsArithmeticType(element):
		l.leaveOut("its member %s", path[1:]+" is a "+typeName(element))
	case isVector(element):
		l.members = append(l.members, scop.Member{Path: path, Type: numberName(element), Extents: append(extents, vectorLength(element))})
	default:
		l.members = append(l.members, scop.Member{Path: path, Type: dataType(element), Extents: extents})
	}
}

// subscripts is the place of an element of an array in C: "[1][2]".
func subscripts(position int, extents []int) string {
	text := ""
	for d := len(extents) - 1; d >= 0; d-- {
		text = fmt.Sprintf("[%d]%s", position%extents[d], text)
		position /= extents[d]
	}
	return text
}
