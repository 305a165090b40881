package profile

import (
	"slices"

	"polytune/schedule"
	"polytune/scop"
	"polytune/scop/mark"
)

// Memory is what the code makes for an array that is none of the source's.
type Memory struct {
	// Array is its name, Of what it has: an element of the source's with its place, or the array whose
	// values are computed again; "" for a temporary with elements of its own.
	Array, Of string
	// Extents are those of its dimensions, none of a variable; Bytes is the size of all.
	Extents []int64
	Bytes   int64
	// Loop is the one in each of whose iterations the memory is made, "" for memory that is made once
	// in front of all; Own says that each thread has its own.
	Loop string
	Own  bool
}

// memories are all of the program's.
func (p *profiler) memories() (list []Memory, err error) {
	program := p.tree.Program
	places := p.places()
	for _, s := range program.Storages {
		m := Memory{Array: s.Name, Of: s.ElementText() + " at " + s.PlaceText()}
		m.Own = slices.ContainsFunc(program.Privates(), func(v scop.Private) bool { return v.Name == s.Name })
		if m.Extents, err = p.extents(s.Extents); err != nil {
			return nil, err
		}
		list = append(list, p.sized(m))
	}
	for _, e := range program.Expansions {
		m, made := places[e.Name]
		m.Array = e.Name
		extents := e.Extents
		computed := program.ComputedNamed(e.Name)
		if computed != nil {
			m.Of, extents = "values of "+computed.Of, computed.Extents
		}
		if m.Extents, err = p.extents(extents); err != nil {
			return nil, err
		}
		if made && computed == nil {
			for _, side := range p.contractions[e.Name].Sides {
				m.Extents[side.Dimension] = side.Extent
			}
		}
		list = append(list, p.sized(m))
	}
	return list, nil
}

// places are where memory is made that loops have, by the arrays' names: at the outermost loop that
// says so.
func (p *profiler) places() map[string]Memory {
	places := map[string]Memory{}
	note := func(array string, l *schedule.Loop, own bool) {
		if known, has := places[array]; !has {
			places[array] = Memory{Loop: l.Name, Own: own}
		} else if own {
			known.Own = true
			places[array] = known
		}
	}
	p.tree.Walk(func(n *schedule.Node) bool {
		for place, l := range n.Loops {
			for _, m := range p.tree.Asked(n, place) {
				switch m := m.(type) {
				case mark.Local:
					if m.Loop == "" {
						note(m.Array, l, m.Own)
					}
				case mark.Held:
					note(m.Array, l, slices.ContainsFunc(append(p.tree.Outside(n), n.Loops[:place+1]...), sharedOut))
				case mark.Allocate:
					note(m.Array, l, false)
				}
			}
		}
		return true
	})
	return places
}

// sharedOut says whether threads run iterations of a loop.
func sharedOut(l *schedule.Loop) bool { return l.IsParallel() || l.StartsThreads() }

// extents are numbers that isl's notation says for the values of the parameters.
func (p *profiler) extents(texts []string) (extents []int64, err error) {
	for _, text := range texts {
		set := p.model.Context.ReadSet(text)
		value, known, err := set.IntersectParams(p.model.Parameters).Greatest()
		if err != nil || !known {
			return nil, err
		}
		extents = append(extents, value)
	}
	return extents, nil
}

// sized is memory with its size.
func (p *profiler) sized(m Memory) Memory {
	m.Bytes = int64(p.tree.Program.Array(m.Array).Size)
	for _, extent := range m.Extents {
		m.Bytes *= extent
	}
	return m
}
