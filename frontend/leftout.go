package frontend

import (
	"errors"
	"slices"
	"strconv"
	"strings"
)

// What the parser does not understand in the file itself, outside of the regions, is left out as
// well, as far as regions do not use it: neither what is declared there, nor a variable of the file
// that is mentioned there.

// declarationPart is a declaration or definition of a file, from an offset up to another.
type declarationPart struct{ start, end int }

// leaveOut blanks the declarations of the file in which there are errors, and says whether there
// was one. Those with regions stay.
func (r *parserRun) leaveOut(failed error) (found bool) {
	for _, offset := range r.faultyPlaces(failed) {
		part := declarationPart{}
		part.start, part.end = r.unit.declarationAround(offset)
		if slices.Contains(r.left, part) || r.unit.hasRegion(part) {
			continue
		}
		for _, l := range r.unit.between(part.start, part.end) {
			if l.kind != directive {
				blank(r.main[l.start:l.end])
			}
		}
		r.left, found = append(r.left, part), true
	}
	return found
}

// faultyPlaces are the offsets in the file at which the parser fails.
func (r *parserRun) faultyPlaces(failed error) (offsets []int) {
	var fault *parserFault
	if errors.As(failed, &fault) {
		if offset, known := r.faultyPlace(); known {
			return []int{offset}
		}
		return nil
	}
	for _, line := range strings.Split(failed.Error(), "\n") {
		m := compilerMessage.FindStringSubmatch(strings.TrimPrefix(line, frontEndsOwn+" "))
		if m == nil || m[1] != r.unit.name {
			continue
		}
		row, _ := strconv.Atoi(m[2])
		column, _ := strconv.Atoi(m[3])
		if row >= 1 && row <= len(r.unit.lines) {
			offsets = append(offsets, r.unit.lines[row-1]+max(0, column-1))
		}
	}
	return offsets
}

// hasRegion says whether there is a pragma of a region in a declaration.
func (t *text) hasRegion(part declarationPart) bool {
	return slices.ContainsFunc(t.between(part.start, part.end), func(l lexeme) bool {
		return l.kind == directive && (t.isPragma(l, "scop") || t.isPragma(l, "endscop"))
	})
}

// needsLeftOut says whether the file's regions may use what is left out: a name that it declares,
// or a variable of the file that it may write. The program's main function, and what may be the
// initialiser of a region's function, count as used.
func (r *parserRun) needsLeftOut() bool {
	if len(r.left) == 0 {
		return false
	}
	t := r.unit.text
	used, variables := t.usedByRegions()
	for _, part := range r.left {
		for _, name := range t.declaredIn(part) {
			if used[name] || name == "main" || strings.HasSuffix(name, "_init") {
				return true
			}
		}
		for _, l := range t.between(part.start, part.end) {
			if l.kind == identifier && variables[t.of(l)] && used[t.of(l)] {
				return true
			}
		}
	}
	return false
}

// usedByRegions are the names in the declarations that have regions, and in those of the file that
// these name, and so on; variables are the names that declarations of the file without a body
// declare, but for types.
func (t *text) usedByRegions() (used, variables map[string]bool) {
	used, variables = map[string]bool{}, map[string]bool{}
	var others []declarationPart
	take := func(part declarationPart) {
		for _, l := range t.between(part.start, part.end) {
			if l.kind == identifier {
				used[t.of(l)] = true
			}
		}
	}
	for offset := 0; offset < len(t.source); {
		part := declarationPart{}
		part.start, part.end = t.declarationAround(offset)
		if part.start < offset { // nothing is left but white space
			break
		}
		offset = part.end
		if t.hasRegion(part) {
			take(part)
			continue
		}
		others = append(others, part)
		inside := t.between(part.start, part.end)
		isType := slices.ContainsFunc(inside, func(l lexeme) bool { return t.of(l) == "typedef" })
		if !isType && len(inside) > 0 && t.of(inside[len(inside)-1]) == ";" {
			for _, name := range t.declaredIn(part) {
				variables[name] = true
			}
		}
	}
	for isMore := true; isMore; {
		isMore = false
		others = slices.DeleteFunc(others, func(part declarationPart) bool {
			isUsed := slices.ContainsFunc(t.declaredIn(part), func(name string) bool { return used[name] && !typeWords[name] && !declaringWords[name] })
			if isUsed {
				take(part)
			}
			isMore = isMore || isUsed
			return isUsed
		})
	}
	return used, variables
}

// declaringWords stand in declarations, and declare nothing.
var declaringWords = map[string]bool{"static": true, "extern": true, "inline": true, "__inline": true, "__inline__": true, "typedef": true, "__attribute__": true, "__extension__": true, "_Noreturn": true}

// declaredIn are the names that a declaration may declare: those in no parentheses, and not in the
// braces of a function's body.
func (t *text) declaredIn(part declarationPart) (names []string) {
	parens, braces, isBody := 0, 0, false
	last := ""
	for _, l := range t.between(part.start, part.end) {
		word := t.of(l)
		if word == "{" && last == ")" {
			isBody = true
		}
		parens += depthOf(word, "(", ")") + depthOf(word, "[", "]")
		braces += depthOf(word, "{", "}")
		isPointer := last == "*" && braces == 0
		if l.kind == identifier && (parens == 0 || isPointer) && !(isBody && braces > 0) && !declaringWords[word] && !typeWords[word] {
			names = append(names, word)
		}
		last = word
	}
	return names
}
