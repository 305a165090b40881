package frontend

import (
	"bytes"

	"modernc.org/cc/v4"

	"polytune/internal/ctext"
)

// What a region computes is said by the text that its user wrote, not by what this front end has
// made of that to read it. So the original that variants are compared with, and timed against, has
// the user's text in the region's place. Around the region it has the text that variants have:
// definitions of functions that are declared nowhere, without which nothing would compile, and
// names for products of sizes.

// usersText is a region's text as the user wrote it, from the pragmas in front on to the end of its
// second pragma. The places are offsets in it.
type usersText struct {
	source            []byte
	front, start, end int
	blank             [][2]int
	// changes are the names of pointers and integers of the program that the text may change though
	// the program does not.
	changes map[string]bool
	// dead are the names of those whose value nothing reads behind the region.
	dead map[string]bool
}

// usersTextOf is the user's text of a region; nil where it is what the unit has.
func (u *unit) usersTextOf(b bounds) *usersText {
	if u.before == nil {
		return nil
	}
	user, first := u.original(b.pragmaStart)
	_, last := u.original(b.pragmaEnd)
	source := user.source[first:last]
	if bytes.Equal(source, u.source[b.pragmaStart:b.pragmaEnd]) {
		return nil
	}
	at := func(offset int) int {
		_, offset = u.original(offset)
		return offset - first
	}
	t := &usersText{source: source, front: at(b.front), start: at(b.start), end: at(b.end)}
	as := unit{text: user, ast: u.ast}
	for _, place := range as.pragmasOfLoops(bounds{pragmaStart: first, end: first + t.end}) {
		t.blank = append(t.blank, [2]int{place[0] - first, place[1] - first})
	}
	return t
}

// noteChanges notes which variables the user's text of the region may change.
func (x *extractor) noteChanges(t *usersText) {
	if t == nil {
		return
	}
	t.changes, t.dead = map[string]bool{}, map[string]bool{}
	for _, l := range scan(t.source) {
		name := string(t.source[l.start:l.end])
		if l.kind != identifier || x.isMacro(name) {
			continue
		}
		variables := x.facts.named[name]
		t.changes[name], t.dead[name] = len(variables) > 0, len(variables) > 0
		for d := range variables {
			isSimple := d.Type().Kind() == cc.Ptr || cc.IsIntegerType(d.Type())
			t.changes[name] = t.changes[name] && isSimple && !d.IsVolatile()
			t.dead[name] = t.dead[name] && isSimple && d.StorageDuration() == cc.Automatic && !d.AddressTaken() && x.readLater(d) == nil
		}
	}
}

// MayChange says of a pointer or an integer that the user's text of the region may change it,
// though the program, whose subscripts are those of its first value, does not.
func (r *Region) MayChange(name string) bool { return r.user != nil && r.user.changes[name] }

// MayLeaveOther says of a pointer or an integer that the user's text of the region may leave
// another value in it than the program, because nothing reads it.
func (r *Region) MayLeaveOther(name string) bool { return r.user != nil && r.user.dead[name] }

// AsWritten is the region's text without its own two pragmas, as the user wrote it: the loops, and
// the pragmas that belong to them. The source is that of the region's file.
func (r *Region) AsWritten(source []byte) string {
	if t := r.user; t != nil {
		return string(t.source[:t.front]) + string(t.source[t.start:t.end])
	}
	return r.asRead(source)
}

// asRead is that text as it stands in the source.
func (r *Region) asRead(source []byte) string {
	return string(source[r.PragmaStart:r.front]) + string(source[r.Start:r.End])
}

// UsersText is a source with the region as the user wrote it, its pragmas included.
func (r *Region) UsersText(source []byte) []byte {
	if r.user == nil {
		return source
	}
	return ctext.Splice(source, r.PragmaStart, r.PragmaEnd, string(r.user.source))
}

// WithoutPragmas is a source with the region as the user wrote it, in which the pragmas of the
// region's loops are blank, those of OpenMP among them: the program whose results every variant has
// to leave. Nothing else moves.
func (r *Region) WithoutPragmas(source []byte) []byte {
	places, from := r.blank, 0
	if r.user != nil {
		places, from = r.user.blank, r.PragmaStart
	}
	plain := r.UsersText(source)
	if len(places) == 0 {
		return plain
	}
	plain = bytes.Clone(plain)
	for _, place := range places {
		blank(plain[from+place[0] : from+place[1]])
	}
	return plain
}
