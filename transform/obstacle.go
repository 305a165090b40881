package transform

import (
	"cmp"
	"slices"

	"polytune/isl"
	"polytune/schedule"
	"polytune/scop/depend"
	"polytune/scop/flow"
	"polytune/transform/facts"
)

// Obstacle is what keeps the iterations of a loop in order: the dependences through one array
// that the loop carries, of which one stands for all.
type Obstacle struct {
	// Array is the array's name in the program.
	Array string
	Kind  depend.Kind
	// Source and Target are the references, of which the first comes first.
	Source, Target Reference
	// Depth is the number of the source's loop, from 1, whose iterations have them in that
	// order; 0 where the statements share none. Distance is how many iterations
	// lie from one to the other, 0 where that is not always the same.
	Depth    int
	Distance int64
	// Updates says that all of them are between updates of a reduction, which may be
	// done in any order where the user allows it.
	Updates bool
	// Values says that a value goes from an iteration of the source's loop to a later one, and
	// Before that one may come from in front of the region. Without values nothing but the memory
	// is in the way; without both each iteration could have an array of its own.
	Values, Before bool
	// Unknown says that the model does not know which elements one of the references touches.
	Unknown bool
}

// Reference is a reference of a statement: indices of both.
type Reference struct{ Statement, Access int }

// ObstaclesOf are the obstacles of the loops of a schedule, those over tiles left aside, by the
// loops' names: of those that are not parallel. Like FactsOf, it looks at the schedule and the
// dependences only.
func ObstaclesOf(g *depend.Graph, tree *schedule.Tree) (map[string][]Obstacle, error) {
	f := &obstacleFinder{planner: &planner{graph: g}}
	found := map[string][]Obstacle{}
	err := eachBand(f.graph, tree, func(band *facts.Band, loops []*schedule.Loop) error {
		for _, loop := range loops {
			if loop.Level > 0 {
				continue
			}
			obstacles, err := f.obstacles(facts.Constraining(band.Active), loop.TilingRows())
			if err != nil {
				return err
			}
			if len(obstacles) > 0 {
				found[loop.Name] = obstacles
			}
		}
		return nil
	})
	return found, err
}

// obstacleFinder finds obstacles.
type obstacleFinder struct {
	*planner
}

// obstacles groups the dependences that have a distance along a loop with these rows by their
// arrays, in the order of the program's.
func (f *obstacleFinder) obstacles(active []*depend.Dependence, rows map[int]schedule.Row) (list []Obstacle, err error) {
	through := map[string][]*depend.Dependence{}
	for _, d := range active {
		free, err := facts.Coincident([]*depend.Dependence{d}, rows)
		if err != nil {
			return nil, err
		}
		if !free {
			array := f.graph.Model.Statements[d.Source].Statement.Accesses[d.SourceAccess].Array
			through[array] = append(through[array], d)
		}
	}
	for _, array := range f.graph.Model.Program.Arrays {
		if len(through[array.Name]) == 0 {
			continue
		}
		o, err := f.obstacle(array.Name, ownOf(through[array.Name], rows))
		if err != nil {
			return nil, err
		}
		list = append(list, o)
	}
	return list, nil
}

// ownOf are the dependences that iterations of the source's loop order along which the rows run,
// where there are some: others have a distance along them, too, but a loop around that one carries
// them.
func ownOf(carried []*depend.Dependence, rows map[int]schedule.Row) (own []*depend.Dependence) {
	for _, d := range carried {
		if d.Depth > 0 && facts.LastIterator(rows[d.Source]) == d.Depth-1 && facts.LastIterator(rows[d.Target]) == d.Depth-1 {
			own = append(own, d)
		}
	}
	if len(own) == 0 {
		return carried
	}
	return own
}

// obstacle is that of the dependences through one array: with one by which a value goes to a later
// iteration, where there is one.
func (f *obstacleFinder) obstacle(array string, through []*depend.Dependence) (o Obstacle, err error) {
	o = Obstacle{Array: array, Updates: true}
	for _, d := range through {
		o.Updates = o.Updates && depend.IsUpdate(f.graph.Model.Program, d)
		for _, r := range []Reference{{d.Source, d.SourceAccess}, {d.Target, d.TargetAccess}} {
			known, err := f.graph.Model.Statements[r.Statement].Accesses[r.Access].Reverse().IsInjective()
			if err != nil {
				return o, err
			}
			o.Unknown = o.Unknown || !known
		}
	}
	values, err := flow.Of(f.graph.Model, array)
	if err != nil {
		return o, err
	}
	defined, err := values.Undefined.IsEmpty()
	if err != nil {
		return o, err
	}
	o.Before = !defined
	main, pairs, err := f.mainOf(through, values)
	if err != nil {
		return o, err
	}
	o.Kind, o.Depth, o.Values = main.Kind, main.Depth, pairs != nil
	o.Source, o.Target = Reference{main.Source, main.SourceAccess}, Reference{main.Target, main.TargetAccess}
	if o.Depth == 0 {
		o.Values = true
		return o, nil
	}
	if pairs == nil {
		pairs = main.Relation
	}
	o.Distance, err = distanceAlong(pairs, o.Depth-1)
	return o, err
}

// mainOf is a dependence by which values go to other iterations, and the pairs by which they do, or
// else one with nil, of those of memory.
func (f *obstacleFinder) mainOf(through []*depend.Dependence, flow isl.Flow) (*depend.Dependence, *isl.Map, error) {
	statements := f.graph.Model.Statements
	for _, d := range through {
		if d.Kind != depend.RAW || d.Depth == 0 {
			continue
		}
		for _, values := range flow.From.Maps() {
			if values.TupleName(isl.DimIn) != statements[d.Source].Name || values.TupleName(isl.DimOut) != statements[d.Target].Name {
				continue
			}
			pairs := values.Intersect(d.Relation)
			pairs = pairs.Subtract(pairs.Equate(isl.DimIn, d.Depth-1, isl.DimOut, d.Depth-1))
			if none, err := pairs.IsEmpty(); err != nil || !none {
				return d, pairs, err
			}
		}
	}
	return slices.MinFunc(through, func(a, b *depend.Dependence) int {
		return cmp.Or(cmp.Compare(kindRank[a.Kind], kindRank[b.Kind]), cmp.Compare(b.Depth, a.Depth))
	}), nil, nil
}

// kindRank sorts dependences by which no value goes: overwriting what has been read tells most.
var kindRank = map[depend.Kind]int{depend.WAR: 0, depend.WAW: 1, depend.RAW: 2}

// distanceAlong is the number of iterations of a loop, an index, from the sources of pairs to their
// targets; 0 where that differs.
func distanceAlong(pairs *isl.Map, loop int) (int64, error) {
	only := func(m *isl.Map, t isl.DimType) *isl.Map {
		return m.ProjectOut(t, loop+1, m.Dim(t)-loop-1).ProjectOut(t, 0, loop)
	}
	values := only(only(pairs, isl.DimIn), isl.DimOut).SetTupleName(isl.DimIn, "").SetTupleName(isl.DimOut, "").Deltas()
	least, bounded, err := values.Least()
	if err != nil || !bounded {
		return 0, err
	}
	greatest, bounded, err := values.Greatest()
	if err != nil || !bounded || least != greatest {
		return 0, err
	}
	return max(least, -least), nil
}
