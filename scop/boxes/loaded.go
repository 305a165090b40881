package boxes

import (
	"fmt"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// Inside relates the values of the loops around the box and the numbers of a thread to the elements
// that the box, or the thread's, has.
func (b *Box) Inside(m *scop.Model) *isl.Map {
	var loops, numbers, elements, steps, conditions []string
	for d := range b.Depth {
		loops = append(loops, fmt.Sprint("tune_l", d))
	}
	for d := range Dimensions {
		numbers = append(numbers, fmt.Sprint("tune_t", d))
	}
	for d, side := range b.Sides {
		elements, steps = append(elements, fmt.Sprint("tune_e", d)), append(steps, fmt.Sprint("tune_k", d))
		first := side.Origin.Text(loops, m.Program.Parameters)
		if side.Thread >= 0 {
			first += " + " + numbers[side.Thread]
		}
		conditions = append(conditions, fmt.Sprintf("%s = %s + %d %s and 0 <= %s < %d", elements[d], first, side.Stride, steps[d], steps[d], side.Extent))
	}
	return m.Context.ReadMap(fmt.Sprintf("%s{ [%s] -> %s[%s] : exists %s : %s }", m.Program.ParametersText(), strings.Join(append(loops, numbers...), ", "), b.Array,
		strings.Join(elements, ", "), strings.Join(steps, ", "), strings.Join(conditions, " and ")))
}

// Loaded are the elements that are loaded in front of the code, by the values of the loops around
// and the numbers of the thread; nil for none. They are those that it reads, or, in shared memory,
// all of the box that there is in the array, where those read are no convex set, whose many
// conditions would take longer than the loads; nothing is where it has written all of them before.
// Other blocks may write what is loaded besides: it is neither used nor stored.
func (b *Box) Loaded(m *scop.Model) (*isl.Map, error) {
	if !b.reads() || b.writtenFirst {
		return nil, nil
	}
	if b.Overlapped != nil {
		return b.loadedFirst(m), m.Context.Err()
	}
	all, known := m.There(b.Array)
	if b.Memory != mark.Shared || !known || b.isConvex() {
		return b.Elements(Read), nil
	}
	whole := b.Inside(m).Reverse().IntersectDomain(all).Reverse()
	if has, err := b.HasAllRead(m, whole); err != nil || has {
		return whole, err
	}
	return b.Elements(Read), nil
}

// loadedFirst are the elements that are loaded in an overlapped tile: those that its first
// instances read, and those that nobody writes. Where the array's elements are known, others of the
// box are among them, as that takes fewer conditions.
func (b *Box) loadedFirst(m *scop.Model) (all *isl.Map) {
	inside := b.Inside(m)
	declared, known := m.There(b.Array)
	if known {
		inside = inside.Reverse().IntersectDomain(declared).Reverse()
	}
	for _, use := range b.Uses {
		if !use.Read {
			continue
		}
		if all == nil {
			all = use.First
		} else {
			all = all.Union(use.First)
		}
	}
	if known {
		all = all.Coalesce().Wrap().SimpleHull().ToSet().Unwrap().Intersect(inside)
	}
	others := b.Elements(Read)
	if written := b.Elements(Written); written != nil && known {
		others = inside.Reverse().IntersectDomain(declared.Subtract(written.Range())).Reverse()
	} else if written != nil {
		others = others.Subtract(b.byAnyThread(written))
	}
	return all.Union(others).Coalesce()
}

// byAnyThread relates the values of the loops around and the numbers of all threads to the elements
// that some thread touches.
func (b *Box) byAnyThread(elements *isl.Map) *isl.Map {
	return b.withThreads(elements.Context()).Reverse().ApplyRange(elements.ProjectOut(isl.DimIn, b.Depth, Dimensions))
}

// ExecutionsOfThreads are the values of the loops around when the code runs, with any numbers of
// threads.
func (b *Box) ExecutionsOfThreads() *isl.Set {
	all := b.Executions()
	return all.Apply(b.withThreads(all.Context()))
}

// withThreads relates the values of the loops around to them and any numbers of threads.
func (b *Box) withThreads(context *isl.Context) *isl.Map {
	var loops []string
	for d := range b.Depth {
		loops = append(loops, fmt.Sprint("l", d))
	}
	around := strings.Join(loops, ", ")
	return context.ReadMap(fmt.Sprintf("{ [%s] -> [%s] }", around, strings.Join(append(loops, "t0", "t1", "t2"), ", ")))
}

// StoredElements are the elements that are stored behind the code, by the values of the loops
// around and the numbers of the thread; nil for none: all that it writes, or in overlapped tiles
// what the mark says.
func (b *Box) StoredElements() (all *isl.Map) {
	if b.Overlapped == nil {
		return b.Elements(Written)
	}
	for _, use := range b.Uses {
		switch {
		case !use.Write:
		case all == nil:
			all = use.Stored
		default:
			all = all.Union(use.Stored)
		}
	}
	if all == nil {
		return nil
	}
	return all.Coalesce()
}

// reads says whether the code reads elements of the box.
func (b *Box) reads() bool {
	for _, use := range b.Uses {
		if use.Read {
			return true
		}
	}
	return false
}

// isConvex says that the elements that the code reads are one set without alternatives and
// remainders, each value of which is an alternative in the code, as far as that is seen at once.
func (b *Box) isConvex() bool {
	count := 0
	for _, use := range b.Uses {
		if use.Read {
			count += len(use.Elements.BasicMaps())
		}
	}
	if count > mostUnited {
		return false
	}
	read := b.Elements(Read).BasicMaps()
	return len(read) == 1 && read[0].Wrap().Dim(isl.DimDiv) == 0
}

// mostUnited is the number of convex sets whose union may be seen to be convex, too, in little
// time.
const mostUnited = 4

// HasAllRead says whether all elements that the code reads are among some, for all parameters that
// the model knows.
func (b *Box) HasAllRead(m *scop.Model, some *isl.Map) (bool, error) {
	for _, use := range b.Uses {
		if !use.Read {
			continue
		}
		if has, err := use.Elements.IntersectParams(m.Parameters).IsSubset(some); err != nil || !has {
			return false, err
		}
	}
	return true, nil
}
