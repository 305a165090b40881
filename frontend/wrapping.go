package frontend

import (
	"slices"

	"modernc.org/cc/v4"

	"polytune/scop"
)

// unsignedTypes are the types without sign of integers that are computed in their own type.
var unsignedTypes = map[cc.Kind]string{
	cc.Int: "unsigned", cc.UInt: "unsigned", cc.Long: "unsigned long", cc.ULong: "unsigned long",
	cc.LongLong: "unsigned long long", cc.ULongLong: "unsigned long long",
}

// narrowTypes are those of integers that C computes as int: a step of one cannot overflow there.
var narrowTypes = map[cc.Kind]string{
	cc.Char: "unsigned char", cc.SChar: "unsigned char", cc.UChar: "unsigned char",
	cc.Short: "unsigned short", cc.UShort: "unsigned short",
}

// wrapping is the unsigned type in which the sums of a reduction are the same in any order, modulo
// a power of two, and nothing overflows; "" where there is none. Only those whose elements data
// decide have one: other loops have further dimensions for threads, so that threads with copies of
// an array are for those who ask.
func wrapping(program *scop.Program, draft *statementDraft, r *scop.Reduction, updates []*updateForm) string {
	array := program.Array(r.Array)
	if r.Operator != scop.Sum || len(updates) == 0 || array.UpdatedRows() == "" || draft.scattered(array) == nil {
		return ""
	}
	t := updates[0].accumulator.Type()
	isStep := func(u *updateForm) bool { return u.bytes == 0 }
	isOwn := func(u *updateForm) bool { return u.bytes <= t.Size() }
	switch {
	case all(updates, isOwn) && unsignedTypes[t.Kind()] != "":
		return unsignedTypes[t.Kind()]
	case all(updates, isStep):
		return narrowTypes[t.Kind()]
	}
	return ""
}

// all says whether something holds of all updates.
func all(updates []*updateForm, holds func(*updateForm) bool) bool {
	return !slices.ContainsFunc(updates, func(u *updateForm) bool { return !holds(u) })
}

// updatesOf are those of elements of one array.
func updatesOf(d *cc.Declarator, updates []*updateForm) (own []*updateForm) {
	for _, u := range updates {
		if v, ok := resolve(u.accumulator); ok && v.variable == d {
			own = append(own, u)
		}
	}
	return own
}
