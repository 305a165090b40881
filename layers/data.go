package layers

import (
	"fmt"
	"slices"
	"strings"

	"polytune/schedule"
	"polytune/scop"
)

// Data is Layer III: where values are.
type Data struct {
	Buffers   []Buffer         `json:"buffers"`
	Relations []AccessRelation `json:"relations"`
}

// Buffer is an array or a variable.
type Buffer struct {
	Name string `json:"name"`
	// Type is the C type of an element, and Extents are C expressions, outermost first, "" for one that
	// nothing says.
	Type    string   `json:"type"`
	Extents []string `json:"extents"`
	// Own says that the code allocates it and frees it.
	Own bool `json:"own"`
	// Has is the array whose values it has, "" for its own.
	Has string `json:"has,omitempty"`
}

// AccessRelation leads from instances to the elements that they write or read.
type AccessRelation struct {
	Computation string `json:"computation"`
	Writes      bool   `json:"writes"`
	Relation    string `json:"relation"`
}

// DataOf is Layer III of a schedule: of the program that its commands have made.
func DataOf(m *scop.Model, tree *schedule.Tree) (*Data, error) {
	d := &Data{Buffers: []Buffer{}, Relations: []AccessRelation{}}
	p := m.Program
	for k := range p.Arrays {
		d.Buffers = append(d.Buffers, bufferOf(p, &p.Arrays[k]))
	}
	for _, storage := range p.Storages {
		d.settle(p, storage.Name, storage.Array, storage.Spelled)
	}
	contractions := tree.Contractions()
	for _, e := range p.Expansions {
		extents := slices.Clone(e.Spelled)
		if m, is := contractions[e.Name]; is {
			for _, side := range m.Sides {
				if side.Dimension < len(extents) {
					extents[side.Dimension] = fmt.Sprint(side.Extent)
				}
			}
		}
		d.settle(p, e.Name, "", extents)
	}
	for i := range m.Statements {
		s := &m.Statements[i]
		for k, a := range s.Statement.Accesses {
			relation := named(m, s.Accesses[k])
			for _, writes := range []bool{true, false} {
				if writes && a.Write || !writes && a.Read {
					d.Relations = append(d.Relations, AccessRelation{nameOf(s.Statement), writes, relation})
				}
			}
		}
	}
	d.Relations = slices.Compact(d.Relations)
	return d, m.Context.Err()
}

// bufferOf is an array of the program.
func bufferOf(p *scop.Program, a *scop.Array) Buffer {
	b := Buffer{Name: a.Name, Type: a.Type, Extents: slices.Clone(a.Extents), Own: a.Local}
	b.Own = b.Own || slices.ContainsFunc(p.Function.Own, func(o scop.OwnArray) bool { return o.Name == a.Name })
	if b.Extents == nil {
		b.Extents = []string{}
	}
	return b
}

// settle notes memory that code allocates.
func (d *Data) settle(p *scop.Program, name, has string, extents []string) {
	at := slices.IndexFunc(d.Buffers, func(b Buffer) bool { return b.Name == name })
	if at < 0 {
		b := Buffer{Name: name}
		if of := p.Array(has); of != nil {
			b.Type = of.Type
		}
		d.Buffers = append(d.Buffers, b)
		at = len(d.Buffers) - 1
	}
	b := &d.Buffers[at]
	b.Own, b.Has = true, has
	if extents != nil {
		b.Extents = extents
	}
}

// text declares the buffer as C would.
func (b *Buffer) text() string {
	text := b.Type + " " + b.Name
	for _, e := range b.Extents {
		text += "[" + e + "]"
	}
	return text
}

// String are the buffers, those of the code with allocate and free, and the relations as isl reads
// them.
func (d *Data) String() string {
	var b strings.Builder
	for _, buffer := range d.Buffers {
		if buffer.Own {
			fmt.Fprintf(&b, "allocate %s\n", buffer.text())
		} else {
			fmt.Fprintf(&b, "given %s\n", buffer.text())
		}
	}
	for _, r := range d.Relations {
		how := "reads"
		if r.Writes {
			how = "writes"
		}
		fmt.Fprintf(&b, "%s # %s\n", r.Relation, how)
	}
	for _, buffer := range slices.Backward(d.Buffers) {
		if buffer.Own {
			fmt.Fprintf(&b, "free %s\n", buffer.Name)
		}
	}
	return b.String()
}
