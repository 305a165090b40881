package frontend

import (
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// The parser has types of numbers that it cannot add to others: _Float16, __bf16 and _Decimal32.
// What is computed in them is the compiler's business, so all that has to be known of an expression
// with them is that it has such a type. Where the parser fails, the file is read again with each of
// these types carried by one that the parser can compute in and that the file does not use, with
// the size of the carried one.

// carried is a type that the parser cannot compute in.
type carried struct {
	// words are the keywords for it, the first one that of messages and of the code; suffix is that
	// of its constants.
	words  []string
	suffix string
	bytes  int64
}

// carriedTypes are all of them; those in front come first where there are not enough carriers.
var carriedTypes = []carried{
	{[]string{"_Float16"}, "f16", 2},
	{[]string{"_Decimal32"}, "df", 4},
	{[]string{"__bf16"}, "bf16", 2},
	{[]string{"__fp16"}, "", 2},
}

// carrier is a type that stands for one of those; constants with its suffix are of it.
type carrier struct {
	kind   cc.Kind
	word   string
	suffix string
	// uses are the words and suffixes by which a file uses the type itself.
	uses []string
}

var carriers = []carrier{
	{cc.Decimal64, "_Decimal64", "dd", []string{"_Decimal64", "dd"}},
	{cc.Decimal128, "_Decimal128", "dl", []string{"_Decimal128", "dl"}},
	{cc.Float128, "__float128", "", []string{"__float128", "_Float128", "f128", "q", "w"}},
}

// carriage says which types stand for which.
type carriage struct {
	by map[int]carrier
}

// carriageFor finds carriers for the types that a text uses, and for the others as far as there are
// carriers left.
func carriageFor(t *text) carriage {
	used := t.identifiers()
	for suffix := range t.numberSuffixes() {
		used[suffix] = true
	}
	isUsed := func(word string) bool { return used[word] }
	free := slices.DeleteFunc(slices.Clone(carriers), func(c carrier) bool { return slices.ContainsFunc(c.uses, isUsed) })
	c := carriage{map[int]carrier{}}
	for _, wanted := range []bool{true, false} {
		for k, carried := range carriedTypes {
			isWanted := slices.ContainsFunc(carried.words, isUsed) || isUsed(carried.suffix)
			if isWanted == wanted && len(free) > 0 {
				c.by[k], free = free[0], free[1:]
			}
		}
	}
	return c
}

// macros are the directives by which the parser reads the carriers.
func (c carriage) macros() string {
	var b strings.Builder
	for k, by := range c.by {
		for _, word := range carriedTypes[k].words {
			b.WriteString("#define " + word + " " + by.word + "\n")
		}
	}
	return b.String()
}

// abi is an ABI in which carriers have the sizes of what they carry. The alignment in structs, of
// which the parser makes nothing, says which type that is.
func (c carriage) abi(abi *cc.ABI) *cc.ABI {
	extended := *abi
	extended.Types = maps.Clone(abi.Types)
	for k, by := range c.by {
		bytes := carriedTypes[k].bytes
		extended.Types[by.kind] = cc.AbiType{Size: bytes, Align: int(bytes), FieldAlign: firstCarried + k}
	}
	return &extended
}

// firstCarried is the alignment in structs of carriers of the first carried type. No type has so
// large a one.
const firstCarried = 1 << 20

// carriedBy is the type that another one carries; nil where it carries none.
func carriedBy(t cc.Type) *carried {
	if k := t.FieldAlign() - firstCarried; isOpaqueNumber(t) && k >= 0 {
		return &carriedTypes[k]
	}
	return nil
}

// carriedName is the name of the type that another one carries; "" where it carries none.
func carriedName(t cc.Type) string {
	if c := carriedBy(t); c != nil {
		return c.words[0]
	}
	return ""
}

// carriedBytes is its size, 0 where there is none.
func carriedBytes(t cc.Type) int64 {
	if c := carriedBy(t); c != nil {
		return c.bytes
	}
	return 0
}
