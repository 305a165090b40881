package profile

import (
	"slices"

	"polytune/isl"
	"polytune/schedule"
)

// Trips are the mean numbers of iterations of the schedule's loops, by their names, as Of finds
// them, without the rest of a profile. The errors are those of Of.
func Trips(ctx *isl.Context, tree *schedule.Tree, values map[string]int) (map[string]float64, error) {
	p, err := begin(ctx, tree, values)
	if err != nil {
		return nil, err
	}
	trips := map[string]float64{}
	for _, n := range tree.Classes {
		if err := p.tripsOf(n, nil, trips); err != nil {
			return nil, err
		}
	}
	return trips, ctx.Err()
}

// tripsOf notes the trips of the loops of a node inside the given ones.
func (p *profiler) tripsOf(n *schedule.Node, outside []*schedule.Loop, to map[string]float64) error {
	statements, leave := p.enter(n)
	defer leave()
	if len(statements) == 0 && len(outside) > 0 {
		return nil
	}
	chain := slices.Clone(outside)
	entries, err := p.iterations(statements, chain)
	if err != nil {
		return err
	}
	for _, loop := range n.Loops {
		chain = append(chain, loop)
		iterations, trips, err := p.trips(statements, chain, entries)
		if err != nil {
			return err
		}
		to[loop.Name], entries = trips.Value, iterations
	}
	for _, part := range n.Parts {
		if err := p.tripsOf(part, chain, to); err != nil {
			return err
		}
	}
	return nil
}
