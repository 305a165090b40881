package schedule

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/scop"
	"polytune/scop/mark"
)

// Places relates the instances of a statement to their values of the loops over time and space. It
// is of all iterators that are integers.
func (o *Overlapped) Places(m *scop.Model, s int) *isl.Map {
	p, rows := m.Program, []string{}
	for _, row := range append([]map[int]Row{o.Time}, o.Space...) {
		rows = append(rows, row[s].Text(p.IteratorNames(s), p.Parameters))
	}
	return m.Context.ReadMap(fmt.Sprintf("%s{ %s -> [%s] }", p.ParametersText(), p.InstanceText(s), strings.Join(rows, ", ")))
}

// streamMark says where statements find the values that tiles compute: how many steps before, and
// how far away; nil for tiles that are not streamed.
func (o *Overlapped) streamMark(m *scop.Model, statements []int) *mark.Streaming {
	if o.Stream == nil {
		return nil
	}
	stream := &mark.Streaming{Place: o.Stream.Place, Lag: o.Stream.Lag}
	places, used := m.Context.ReadUnionMap("{ }"), &arrayPlaces{of: map[string]*isl.Set{}}
	for _, s := range statements {
		own := o.Places(m, s)
		places = places.Union(own.ToUnionMap())
		at := m.Statements[s].Domain.Apply(own)
		for k, access := range m.Statements[s].Statement.Accesses {
			if access.Write {
				used.add(access.Array, at)
			}
			if !access.Read {
				continue
			}
			if back, distance := o.distanceOf(m, statements, s, k); distance != nil {
				read := mark.StreamRead{Statement: m.Statements[s].Name, Access: k, Array: access.Array, Back: back, Distance: distance}
				stream.Reads = append(stream.Reads, read)
				used.add(access.Array, at.Apply(read.From(m.Context)))
			}
		}
	}
	stream.Places, stream.Fields = places.String(), used.fields()
	return stream
}

// arrayPlaces are the places of arrays' values, in the order in which the arrays are found.
type arrayPlaces struct {
	order []string
	of    map[string]*isl.Set
}

func (p *arrayPlaces) add(array string, at *isl.Set) {
	if known := p.of[array]; known != nil {
		p.of[array] = known.Union(at)
		return
	}
	p.order, p.of[array] = append(p.order, array), at
}

// fields are the arrays, each with those found before that have values of other places.
func (p *arrayPlaces) fields() (fields [][]string) {
	for _, array := range p.order {
		k := slices.IndexFunc(fields, func(others []string) bool {
			return !slices.ContainsFunc(others, func(other string) bool {
				apart, err := p.of[array].Intersect(p.of[other]).IsEmpty()
				return err != nil || !apart
			})
		})
		if k < 0 {
			k, fields = len(fields), append(fields, nil)
		}
		fields[k] = append(fields[k], array)
	}
	return fields
}

// mostBack bounds how many steps before a value may have been written that tiles which are streamed
// keep.
const mostBack = 8

// distanceOf is how many steps before an access finds what has been written last, and how far away,
// along each loop over space; nil where that is not constant.
func (o *Overlapped) distanceOf(m *scop.Model, statements []int, s, access int) (back int64, distance []int64) {
	var writers []*isl.Set
	for _, writer := range statements {
		for k, write := range m.Statements[writer].Statement.Accesses {
			if !write.Write || write.Array != m.Statements[s].Statement.Accesses[access].Array {
				continue
			}
			pairs := m.Statements[s].Accesses[access].ApplyRange(m.Statements[writer].Accesses[k].Reverse())
			writers = append(writers, o.Places(m, s).Reverse().ApplyRange(pairs).ApplyRange(o.Places(m, writer)).Deltas())
		}
	}
	for back = 1; back <= mostBack && len(writers) > 0; back++ {
		for _, steps := range writers {
			steps = steps.FixSi(isl.DimSet, 0, int(-back))
			steps = steps.ProjectOut(isl.DimParam, 0, steps.Dim(isl.DimParam)).Coalesce()
			if none, err := steps.IsEmpty(); err != nil || none {
				continue
			}
			only, isOne := steps.OnlyPoint()
			if !isOne || distance != nil && !slices.Equal(distance, only[1:]) {
				return 0, nil
			}
			distance = only[1:]
		}
		if distance != nil {
			return back, distance
		}
	}
	return 0, nil
}
