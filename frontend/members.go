package frontend

import (
	"fmt"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// maxMembers bounds the members of a struct that are told apart.
const maxMembers = 512

// membersOf are the numbers in an element of a struct type, in the order of
// memory. Pointers are left out, because regions do not assign them. It is nil
// for other types, and for structs whose members overlap or have no address:
// those with unions or bit-fields.
func membersOf(element cc.Type) []scop.Member {
	s, ok := element.(*cc.StructType)
	if !ok {
		return nil
	}
	var all []scop.Member
	if !appendMembers(&all, s, "") || len(all) > maxMembers {
		return nil
	}
	return all
}

// appendMembers appends the numbers of a member at a path, and says whether
// it has nothing else.
func appendMembers(all *[]scop.Member, t cc.Type, path string) bool {
	switch x := t.(type) {
	case *cc.StructType:
		for i := range x.NumFields() {
			field := x.FieldByIndex(i)
			if field.IsBitfield() || field.Name() == "" || !appendMembers(all, field.Type(), path+"."+field.Name()) {
				return false
			}
		}
		return true
	case *cc.ArrayType:
		for i := range x.Len() {
			if len(*all) > maxMembers || !appendMembers(all, x.Elem(), fmt.Sprintf("%s[%d]", path, i)) {
				return false
			}
		}
		return true
	case *cc.PointerType:
		return true
	}
	if !cc.IsArithmeticType(t) {
		return false
	}
	*all = append(*all, scop.Member{Path: path, Type: typeName(t)})
	return true
}
