package frontend

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"modernc.org/cc/v4"
)

// A macro may stand for what a region's text has to show: several statements, the head of a loop,
// an iterator that is not among its arguments.
//
//	#define BUTTERFLY(i, j) { double t = x[i]; x[i] = t + x[j]; x[j] = t - x[j]; }
//
// Such an invocation is written out: the text is read once more with the tokens that the macro
// becomes in its place. Positions are still those of the user's text, and the program is only taken
// for the same where it has the same tokens behind the preprocessor.

// mostWritings is the number of times that a file is read once more because of its macros and what
// else is rewritten.
const mostWritings = 6

// edit is a piece of the user's text, and the place of what has taken its place.
type edit struct{ start, end, newStart, newEnd int }

// writeOut notes that the macro whose name stands at an offset is to be written out.
func (u *unit) writeOut(offset int) {
	if u.toWrite == nil {
		u.toWrite = map[int]bool{}
	}
	u.toWrite[offset] = true
}

// parseWritten is Parse of a text whose macros are written out as far as its regions need that.
func parseWritten(t *text, kernel string, options *Options) (*File, error) {
	u, err := compile(t, *options)
	if err != nil {
		return nil, err
	}
	written := u
	file, problem := extractFile(u, kernel, options)
	for writings := 0; problem != nil; writings++ {
		var next *unit
		if writings < mostWritings {
			next = u.writtenOtherwise(options)
		}
		if next != nil {
			u = next
		} else if u.writesMacros { // what is not written out stays as it is
			u.writesMacros, u.toWrite = false, nil
		} else if !u.isCoarser() {
			break
		}
		file, problem = extractFile(u, kernel, options)
	}
	if problem != nil && (!options.Each || file == nil || !file.isPartly()) {
		return nil, problem
	}
	if file.changesRefused(written) {
		again := *options
		again.refused = file.refusals()
		return parseWritten(t, kernel, &again)
	}
	file.Original = t.source
	return file, nil
}

// changesRefused says that the text of a region that is refused is not the one of the unit as it was
// written.
func (f *File) changesRefused(as *unit) bool {
	before, err := as.regionBounds()
	return err == nil && slices.ContainsFunc(before, func(b bounds) bool {
		r := f.Regions[b.number]
		return r.Refused != nil && !bytes.Equal(f.Source[r.Start:r.End], as.source[b.start:b.end])
	})
}

// refusals are the regions that are refused, by their index, with the reasons.
func (f *File) refusals() map[int]error {
	list := map[int]error{}
	for i, r := range f.Regions {
		if r.Refused != nil {
			list[i] = r.Refused
		}
	}
	return list
}

// writtenOtherwise is the unit with macros written out, or else with what can be said in another
// way rewritten; nil where nothing is left of that.
func (u *unit) writtenOtherwise(options *Options) *unit {
	written := u.withoutMacros()
	hasMacros := written != nil
	if !hasMacros {
		written = u.rewritten(slices.Concat(append(slices.Collect(maps.Values(u.toReplace)), slices.Collect(maps.Values(u.toBring)))...))
	}
	if written == nil || checkLimits(u.name, written.source) != nil {
		return nil
	}
	next, err := compile(written, *options)
	if err != nil || hasMacros && !slices.Equal(next.words(), u.words()) {
		return nil
	}
	next.coarse, next.brought, next.separated, next.freed, next.wroteMacros, next.inLeftOut = u.coarse, u.brought, u.separated, u.freed, u.wroteMacros, u.inLeftOut
	if !hasMacros {
		next.brought = u.broughtNames()
	}
	return next
}

// isCoarser says that there are refused regions that can be read more coarsely; they are, from now
// on.
func (u *unit) isCoarser() (is bool) {
	for number := range u.coarser {
		is = is || !u.coarse[number]
		u.coarse[number] = true
	}
	return is
}

// words are the preprocessed tokens of the file's own functions.
func (u *unit) words() (words []string) {
	for _, f := range u.functions() {
		if u.inFile(f) {
			for _, t := range tokensOf(f) {
				words = append(words, t.SrcStr())
			}
		}
	}
	return words
}

// withoutMacros is the text with those macros written out that are to be; nil where there are none.
func (u *unit) withoutMacros() *text {
	var tokens []cc.Token
	for _, f := range u.functions() {
		if u.inFile(f) {
			tokens = append(tokens, tokensOf(f)...)
		}
	}
	var list []replacement
	for _, start := range slices.Sorted(maps.Keys(u.toWrite)) {
		if last := u.invocationEnd(start); last >= 0 {
			breaks := strings.Repeat("\n", bytes.Count(u.source[start:last], []byte("\n")))
			list = append(list, replacement{start, last, u.spelled(tokens, start, last) + breaks})
		}
	}
	return u.rewritten(list)
}

// invocationEnd is the offset behind the invocation of a macro whose name stands at an offset, with
// its arguments; -1 where there is none. A macro that has no definition at the end of the file has
// arguments where there is a parenthesis. Directives among them are not to be lost.
func (u *unit) invocationEnd(offset int) int {
	i := u.at(offset)
	if i+1 >= len(u.lexemes) || u.lexemes[i].start != offset || u.lexemes[i].kind != identifier {
		return -1
	}
	m := u.ast.Macros[u.of(u.lexemes[i])]
	if hasArguments := u.of(u.lexemes[i+1]) == "("; m != nil && !m.IsFnLike || m == nil && !hasArguments {
		return u.lexemes[i].end
	} else if !hasArguments {
		return -1
	}
	depth := 0
	for _, l := range u.lexemes[i+1:] {
		if l.kind == directive {
			return -1
		}
		if depth += depthOf(u.of(l), "(", ")"); depth == 0 {
			return l.end
		}
	}
	return -1
}

// spelled is the text of the tokens that stand, or come out of macros that stand, between two
// offsets.
func (u *unit) spelled(tokens []cc.Token, start, end int) string {
	var text strings.Builder
	last := ""
	for _, t := range tokens {
		if offset := t.Position().Offset; offset < start || offset >= end {
			continue
		}
		word := u.carriage.written(t.SrcStr())
		if needsSpace(last, word) {
			text.WriteByte(' ')
		}
		text.WriteString(word)
		last = word
	}
	return text.String()
}

// original is the place in the user's text of an offset: that of the macro, where it is in one that
// is written out.
func (t *text) original(offset int) (*text, int) {
	if t.before == nil {
		return t, offset
	}
	moved := offset
	for _, e := range t.edits {
		switch {
		case offset >= e.newEnd:
			moved = offset - e.newEnd + e.end
		case offset >= e.newStart:
			moved = e.start
		}
	}
	return t.before.original(moved)
}
