package main

import (
	"fmt"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/sync/errgroup"

	"polytune/pipeline/variant"
	"polytune/schedule"
	"polytune/scop/mark"
)

// TestAccounted looks at the code of TestFrozen: each loop that is to run on threads or in lanes
// has a pragma for that in the code, or is declined; and what is declined has none.
func TestAccounted(t *testing.T) {
	t.Parallel()
	if *frozenCase != "" {
		t.Skip("for another test")
	}
	var group errgroup.Group
	group.SetLimit(runtime.GOMAXPROCS(0))
	for _, f := range frozenShort(t, frozenCases(t)) {
		group.Go(func() error {
			for _, wrong := range f.made(t).unaccounted {
				t.Errorf("%s: %s", f, wrong)
			}
			return nil
		})
	}
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
}

// told is a loop of the code with what compilers are told of it.
var told = regexp.MustCompile(`\n *(#pragma omp .*|tune_ivdep_*)\n *for \(long c_*(\d+) = `)

// unaccounted are the loops of a recipe whose threads or lanes are neither in the code nor
// declined, and those that are declined and in the code. Loops are known by their depths, which are
// in the names of their variables.
func unaccounted(d variant.Transformed) (wrong []string) {
	tree, err := d.Variant.Recipe.Replay(d.Target.Unit.Program)
	if err != nil {
		return []string{err.Error()}
	}
	code := string(d.Variant.Source)
	threads, lanes := toldDepths(code)
	hasOwn := strings.Contains(code, "vector_size")
	kept, gone := askedDepths(tree, schedule.Telling{Declined: d.Variant.Notes.Declined})
	for depth, l := range kept {
		if l.IsParallel() && !threads[depth] {
			wrong = append(wrong, fmt.Sprintf("%s has no threads, and nothing says why", l.Name))
		}
		if l.IsVector() && !lanes[depth] && !hasOwn {
			wrong = append(wrong, fmt.Sprintf("%s has no lanes, and nothing says why", l.Name))
		}
	}
	for depth, l := range gone {
		other := kept[depth]
		if other == nil {
			other = &schedule.Loop{}
		}
		if l.IsParallel() && threads[depth] && !other.IsParallel() {
			wrong = append(wrong, fmt.Sprintf("%s has the threads that are declined", l.Name))
		}
		if l.IsVector() && lanes[depth] && !other.IsVector() {
			wrong = append(wrong, fmt.Sprintf("%s has the lanes that are declined", l.Name))
		}
	}
	return wrong
}

// toldDepths are the depths of the loops of which the code says that they run on threads, and in
// lanes.
func toldDepths(code string) (threads, lanes map[int]bool) {
	threads, lanes = map[int]bool{}, map[int]bool{}
	for _, found := range told.FindAllStringSubmatch(code, -1) {
		depth, _ := strconv.Atoi(found[2])
		words := strings.Fields(found[1])
		isOf := func(word string) bool { return strings.Contains(" "+strings.Join(words, " ")+" ", " "+word+" ") }
		threads[depth] = threads[depth] || isOf("for")
		lanes[depth] = lanes[depth] || isOf("simd") || strings.HasPrefix(words[0], "tune_ivdep")
	}
	for _, depths := range []map[int]bool{threads, lanes} {
		for depth, is := range depths {
			if !is {
				delete(depths, depth)
			}
		}
	}
	return threads, lanes
}

// askedDepths are the loops of a tree by their depths, with the threads and lanes of all of one
// depth: kept are those that were not declined, gone the others.
func askedDepths(tree *schedule.Tree, telling schedule.Telling) (kept, gone map[int]*schedule.Loop) {
	kept, gone = map[int]*schedule.Loop{}, map[int]*schedule.Loop{}
	add := func(to map[int]*schedule.Loop, depth int, name string, m mark.Mark) {
		if to[depth] == nil {
			to[depth] = &schedule.Loop{Name: name}
		}
		to[depth].Marks = to[depth].Marks.With(m)
	}
	var down func(nodes []*schedule.Node, depth int)
	down = func(nodes []*schedule.Node, depth int) {
		for _, n := range nodes {
			for place, l := range n.Loops {
				coded := telling.Coded(l)
				for _, m := range l.Marks {
					if slices.ContainsFunc(coded.Marks, func(o mark.Mark) bool { return o.String() == m.String() }) {
						add(kept, depth+place, l.Name, m)
					} else {
						add(gone, depth+place, l.Name, m)
					}
				}
			}
			down(n.Parts, depth+len(n.Loops))
		}
	}
	down(tree.Classes, 0)
	return kept, gone
}
