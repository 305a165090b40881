// Package marktest reads schedule trees whose marks are written in words, for tests.
package marktest

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// inTree finds marks in the text of a schedule tree.
var inTree = regexp.MustCompile(`mark: "([^"]*)"`)

// Read reads a schedule tree in isl's notation with marks in words, such as mark: "parallel c0".
func Read(t testing.TB, c *isl.Context, text string) mark.Schedule {
	t.Helper()
	return ReadWith(t, c, text, nil)
}

// ReadWith is Read with marks that Parse cannot read, by their words.
func ReadWith(t testing.TB, c *isl.Context, text string, others map[string]mark.Mark) mark.Schedule {
	t.Helper()
	marks := &mark.Table{}
	text = inTree.ReplaceAllStringFunc(text, func(found string) string {
		words := inTree.FindStringSubmatch(found)[1]
		m, is := others[words]
		if !is {
			m = Parse(t, words)
		}
		return fmt.Sprintf("mark: %q", marks.Name(m))
	})
	return mark.Schedule{Tree: c.ReadSchedule(text), Marks: marks}
}

// Change is the schedule with another mark in the place of the one with that text.
func Change(t testing.TB, s mark.Schedule, said string, other mark.Mark) mark.Schedule {
	t.Helper()
	changed := append(mark.Table{}, *s.Marks...)
	for k, m := range changed {
		if m.String() == said {
			changed[k] = other
			return mark.Schedule{Tree: s.Tree, Marks: &changed}
		}
	}
	t.Fatalf("no mark %q in %s", said, s)
	return s
}

// Parse reads the text of a mark of a loop, and of those of memory.
func Parse(t testing.TB, text string) mark.Mark {
	t.Helper()
	kind, rest, _ := strings.Cut(text, " ")
	name, clauses, _ := strings.Cut(rest, " ")
	reductions, err := scop.ParseClauses(clauses)
	var number int64
	switch kind {
	case "parallel":
		return known(t, mark.Parallel{Loop: name, Reductions: reductions}, err)
	case "vector":
		return known(t, mark.Vector{Loop: name, Reductions: reductions}, err)
	case "private":
		return mark.Private{Variable: rest}
	case "region":
		return mark.Region{Loop: rest}
	case "team":
		return mark.Team{Loop: rest}
	case "dynamic":
		return mark.Dynamic{Loop: rest}
	case "atomics":
		return mark.Atomics{Loop: rest}
	case "collapse":
		return mark.Collapse{Loop: rest}
	case "ivdep":
		return mark.Ivdep{Loop: rest}
	case "threads":
		_, err = fmt.Sscanf(rest, "%d %s", &number, &name)
		return known(t, mark.Threads{Loop: name, From: number}, err)
	case "simdlen":
		_, err = fmt.Sscanf(rest, "%d %s", &number, &name)
		return known(t, mark.Simdlen{Loop: name, Lanes: number}, err)
	case "strips":
		_, err = fmt.Sscanf(rest, "%d %s", &number, &name)
		return known(t, mark.Strips{Loop: name, Lanes: number}, err)
	case "wait":
		return mark.Wait{Loop: rest}
	case "unroll":
		return mark.Unroll{Loop: rest}
	case "allocate":
		m := mark.Allocate{Array: name}
		_, err = fmt.Sscanf(clauses, "%s", &m.Loop)
		return known(t, m, err)
	case "prefetch":
		m := mark.Prefetch{}
		_, err = fmt.Sscanf(rest, "%s %s %d", &m.Loop, &m.Array, &m.By)
		return known(t, m, err)
	case "layout":
		m := mark.Layout{}
		_, err = fmt.Sscanf(rest, "%s %s %d:%d", &m.Loop, &m.Array, &m.Dimension, &m.Size)
		return known(t, m, err)
	case "contract":
		return local(t, mark.Local{}, strings.Fields(rest))
	case "copy":
		return local(t, mark.Local{Loop: name}, strings.Fields(clauses))
	}
	t.Fatalf("no mark reads %q", text)
	return nil
}

// known is a mark that has been read without an error.
func known(t testing.TB, m mark.Mark, err error) mark.Mark {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// local reads the array, "own" if each thread has memory of its own, and the sides, each with the
// tiles of statements behind it.
func local(t testing.TB, m mark.Local, words []string) mark.Mark {
	t.Helper()
	m.Array, words = words[0], words[1:]
	if len(words) > 0 && words[0] == "own" {
		m.Own, words = true, words[1:]
	}
	for _, word := range words {
		statement, place, isTile := strings.Cut(word, "@")
		if isTile {
			var tile int
			_, err := fmt.Sscan(place, &tile)
			known(t, m, err)
			m.Sides[len(m.Sides)-1].Tiles[statement] = tile
			continue
		}
		side := mark.LocalSide{Tiles: map[string]int{}}
		if n, _ := fmt.Sscanf(word, "%d:%d:%d:%d", &side.Dimension, &side.Size, &side.Offset, &side.Extent); n < 3 {
			t.Fatalf("no side %q", word)
		} else if n == 3 {
			side.Extent = side.Size
		}
		m.Sides = append(m.Sides, side)
	}
	return m
}
