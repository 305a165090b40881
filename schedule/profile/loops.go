package profile

import (
	"fmt"
	"slices"
	"strings"

	"polytune/isl"
	"polytune/isl/points"
	"polytune/schedule"
)

// iterations is the number of different values that the loops have together
// where they run some of the statements. Tile loops whose tiles the point loops
// determine add none.
func (p *profiler) iterations(statements []int, loops []*schedule.Loop) (points.Count, error) {
	values := p.values(statements, telling(loops))
	if values == nil {
		return points.Count{Exact: true}, nil
	}
	return p.count(values)
}

// telling are the loops whose values others do not determine.
func telling(loops []*schedule.Loop) (list []*schedule.Loop) {
	for k, loop := range loops {
		rest := append(slices.Clone(loops[:k]), loops[k+1:]...)
		if loop.Level == 0 || !determined(loop, rest) {
			list = append(list, loop)
		}
	}
	return list
}

// withoutHexagons are the loops without those over hexagons that others determine.
func withoutHexagons(loops []*schedule.Loop) []*schedule.Loop {
	return slices.DeleteFunc(slices.Clone(loops), func(l *schedule.Loop) bool { return l.Hexagon != nil && l.Hexagon.Of.IsDetermined(loops) })
}

// determined says whether other loops with smaller tiles along the same rows
// tell the value of the loop.
func determined(loop *schedule.Loop, others []*schedule.Loop) bool {
	if loop.Hexagon != nil {
		return loop.Hexagon.Of.IsDetermined(others)
	}
	for _, term := range loop.Terms {
		if !slices.ContainsFunc(others, func(o *schedule.Loop) bool {
			return len(o.Terms) == 1 && o.Level < loop.Level && term.Size%max(o.Terms[0].Size, 1) == 0 && sameRows(o.Terms[0].Rows, term.Rows)
		}) {
			return false
		}
	}
	return true
}

func sameRows(a, b map[int]schedule.Row) bool {
	for s, row := range a {
		other := b[s]
		if !slices.Equal(row.Iterators, other.Iterators) || !slices.Equal(row.Parameters, other.Parameters) || row.Constant != other.Constant {
			return false
		}
	}
	return len(a) == len(b)
}

// values are those that the loops have together; nil where there are no
// statements.
func (p *profiler) values(statements []int, loops []*schedule.Loop) *isl.Set {
	var all *isl.Set
	for _, s := range statements {
		values := p.domain(s).Apply(p.relation(s, loops))
		if all != nil {
			values = all.Union(values)
		}
		all = values
	}
	return all
}

// relation leads from the instances of a statement to the values of loops: the
// tile coordinates t of a row r with tiles of size n are quantified by
// n t <= r <= n t + n - 1, those of hexagons by their conditions.
func (p *profiler) relation(s int, loops []*schedule.Loop) *isl.Map {
	program := p.tree.Program
	iterators := program.IteratorNames(s)
	taken := strings.Join(append(slices.Clone(iterators), program.Parameters...), " ")
	prefix := "t"
	for strings.Contains(taken, prefix) {
		prefix += "_"
	}
	var tiles, conditions, values []string
	known, hexagons := map[string]string{}, map[*schedule.Hexagon][]string{}
	for k, loop := range loops {
		var terms []string
		if at := loop.Hexagon; at != nil {
			if hexagons[at.Of] == nil {
				for range at.Of.Sizes {
					hexagons[at.Of] = append(hexagons[at.Of], fmt.Sprint(prefix, len(tiles)))
					tiles = append(tiles, fmt.Sprint(prefix, len(tiles)))
				}
				conditions = append(conditions, at.Of.Says(program, s, hexagons[at.Of]))
			}
			terms = append(terms, hexagons[at.Of][at.Place])
		}
		for _, term := range loop.Terms {
			row := "(" + term.Rows[s].Text(iterators, program.Parameters) + ")"
			if term.Size > 1 {
				condition := fmt.Sprintf("%d %%[1]s <= %s <= %d %%[1]s + %d", term.Size, row, term.Size, term.Size-1)
				if known[condition] == "" {
					known[condition] = fmt.Sprint(prefix, len(tiles))
					tiles = append(tiles, known[condition])
					conditions = append(conditions, fmt.Sprintf(condition, known[condition]))
				}
				row = known[condition]
			}
			terms = append(terms, row)
		}
		value := fmt.Sprint(prefix, "v", k)
		values = append(values, value)
		conditions = append(conditions, value+" = "+strings.Join(terms, " + "))
	}
	where := ""
	if len(conditions) > 0 {
		where = " : " + strings.Join(conditions, " and ")
		if len(tiles) > 0 {
			where = " : exists (" + strings.Join(tiles, ", ") + where + ")"
		}
	}
	return p.model.Context.ReadMap(fmt.Sprintf("%s{ %s -> [%s]%s }", program.ParametersText(), program.InstanceText(s), strings.Join(values, ", "), where))
}

// middle are the instances of the statements in the middle of the loops: of
// their first one's range, then of that of the next inside this iteration, and
// so on; nil where there are none.
func (p *profiler) middle(statements []int, loops []*schedule.Loop) (map[int]*isl.Set, []int64, error) {
	values := p.values(statements, loops)
	if values == nil {
		return nil, nil, nil
	}
	point, ok, err := points.Middle(withoutParameters(values))
	if err != nil || !ok {
		return nil, nil, err
	}
	return p.instancesAt(statements, loops, point), point, nil
}

// instancesAt are the instances of the statements at these values of the
// loops.
func (p *profiler) instancesAt(statements []int, loops []*schedule.Loop, point []int64) map[int]*isl.Set {
	at := p.model.Context.ReadSet("{ [" + strings.Trim(strings.ReplaceAll(fmt.Sprint(point), " ", ", "), "[]") + "] }")
	instances := map[int]*isl.Set{}
	for _, s := range statements {
		instances[s] = at.Apply(p.relation(s, loops).Reverse()).Intersect(p.domain(s))
	}
	return instances
}

// tile is what one iteration in the middle of the last of the loops touches.
func (p *profiler) tile(statements []int, loops []*schedule.Loop) (Tile, error) {
	last := loops[len(loops)-1]
	tile := Tile{Loop: last.Name, Level: last.Level, Bytes: points.Count{Exact: true}}
	instances, _, err := p.middle(statements, loops)
	if err != nil {
		return tile, err
	}
	touched := map[string]*isl.Set{}
	inside := points.Count{Exact: true}
	for _, s := range statements {
		if instances[s] == nil {
			continue
		}
		n, err := p.count(instances[s])
		if err != nil {
			return tile, err
		}
		inside = inside.Add(n)
		for k, a := range p.model.Statements[s].Statement.Accesses {
			addTo(touched, a.Array, instances[s].Apply(p.model.Statements[s].Accesses[k]))
		}
	}
	for name, set := range touched {
		elements, err := p.elements(set, inside)
		if err != nil {
			return tile, fmt.Errorf("the elements of %s: %w", name, err)
		}
		tile.Bytes = tile.Bytes.Add(elements.Times(float64(p.model.Program.Array(name).Size)))
	}
	return tile, nil
}

// Strides say how references move from one iteration of a loop to the next.
type Strides struct {
	// Same, Next and Apart are numbers of references: to the same element, to
	// the next one of the array, and to another one.
	Same  int `json:"same"`
	Next  int `json:"next"`
	Apart int `json:"apart"`
}

// strides compares an iteration in the middle of the last of the loops with the
// next one, or the one before.
func (p *profiler) strides(statements []int, loops []*schedule.Loop) (*Strides, error) {
	strides := &Strides{}
	loops = withoutHexagons(loops)
	for _, s := range statements {
		instances, point, err := p.middle([]int{s}, loops)
		if err != nil {
			return nil, err
		}
		if point == nil {
			continue
		}
		here := instances[s]
		for _, step := range []int64{1, -1} {
			next := slices.Clone(point)
			next[len(next)-1] += step
			there := p.instancesAt([]int{s}, loops, next)[s]
			if empty, err := there.IsEmpty(); err != nil {
				return nil, err
			} else if !empty {
				p.compare(s, here, there, strides)
				break
			}
		}
	}
	return strides, p.model.Context.Err()
}

// compare counts how the references of a statement move from one instance to
// another one.
func (p *profiler) compare(s int, here, there *isl.Set, strides *Strides) {
	for _, access := range p.model.Statements[s].Accesses {
		if access.Dim(isl.DimOut) == 0 {
			continue
		}
		from, known1 := withoutParameters(here.Apply(access)).Point()
		to, known2 := withoutParameters(there.Apply(access)).Point()
		switch {
		case !known1 || !known2:
			strides.Apart++
		case slices.Equal(from, to):
			strides.Same++
		case isNext(from, to):
			strides.Next++
		default:
			strides.Apart++
		}
	}
}

// isNext says whether two elements are next to each other.
func isNext(from, to []int64) bool {
	last := len(from) - 1
	step := to[last] - from[last]
	return slices.Equal(from[:last], to[:last]) && (step == 1 || step == -1)
}
