package space

import (
	"math"
	"slices"
)

// dependentPair are the iterators of two dependent instances, in the
// direction of their loops.
type dependentPair [2]smallRow

// dependentPairs are those of two statements, at least one.
type dependentPairs struct {
	list []dependentPair
	// lags are those known, by rows.
	lags map[[2]smallRow]int64
	// all are the pairs of the two statements outside all loops, and places
	// has a 1 for each of these that is in the list.
	all    *dependentPairs
	places string
}

// lag is how much more than the source the target must be shifted at least.
func (d *dependentPairs) lag(source, target smallRow) int64 {
	lag, known := d.lags[[2]smallRow{source, target}]
	if !known {
		lag = math.MinInt64
		for _, pair := range d.list {
			lag = max(lag, source.at(pair[0])-target.at(pair[1]))
		}
		d.lags[[2]smallRow{source, target}] = lag
	}
	return lag
}

// pairStore holds dependent pairs such that the same ones are the same pointer.
type pairStore struct {
	stored   map[pairPlaces]*dependentPairs
	together map[togetherQuestion]*dependentPairs
}

type pairPlaces struct {
	all    *dependentPairs
	places string
}

// togetherQuestion asks for the pairs for which the source's row is later than
// the target's by so much.
type togetherQuestion struct {
	pairs          *dependentPairs
	source, target smallRow
	by             int64
}

func newPairStore() *pairStore {
	return &pairStore{map[pairPlaces]*dependentPairs{}, map[togetherQuestion]*dependentPairs{}}
}

// keep are the pairs of all whose places have a 1; nil if there are none.
func (p *pairStore) keep(all *dependentPairs, places []byte) *dependentPairs {
	if !slices.Contains(places, 1) {
		return nil
	}
	key := pairPlaces{all, string(places)}
	if p.stored[key] == nil {
		kept := &dependentPairs{lags: map[[2]smallRow]int64{}, all: all, places: key.places}
		for place, is := range places {
			if is == 1 {
				kept.list = append(kept.list, all.list[place])
			}
		}
		p.stored[key] = kept
	}
	return p.stored[key]
}

// inOneIteration are the pairs that two rows run in one iteration.
func (p *pairStore) inOneIteration(pairs *dependentPairs, source, target shifted) *dependentPairs {
	question := togetherQuestion{pairs, source.row, target.row, target.shift - source.shift}
	answer, known := p.together[question]
	if !known {
		places := []byte(pairs.places)
		for place, pair := range pairs.all.list {
			if source.row.at(pair[0])-target.row.at(pair[1]) != question.by {
				places[place] = 0
			}
		}
		answer = p.keep(pairs.all, places)
		p.together[question] = answer
	}
	return answer
}

// pairsOf are the dependent pairs of all executions by the places of the
// statements, without those that others imply (addPairs).
func (p *pairStore) pairsOf(executions []execution) (pairs [mostStatements][mostStatements]*dependentPairs) {
	seen := [mostStatements][mostStatements]map[dependentPair]bool{}
	lists := [mostStatements][mostStatements][]dependentPair{}
	add := func(x, y instance) {
		s, t, pair := x.statement, y.statement, dependentPair{x.iterators(), y.iterators()}
		if seen[s][t] == nil {
			seen[s][t] = map[dependentPair]bool{}
		}
		if !seen[s][t][pair] {
			seen[s][t][pair] = true
			lists[s][t] = append(lists[s][t], pair)
		}
	}
	for _, e := range executions {
		for _, touches := range e {
			addPairs(inOrderOfTime(touches), add)
		}
	}
	for s := range lists {
		for t, list := range lists[s] {
			pairs[s][t] = p.keep(&dependentPairs{list: list}, slices.Repeat([]byte{1}, len(list)))
		}
	}
	return pairs
}

// inOrderOfTime has one touch for each instance, which writes if one of its
// touches does.
func inOrderOfTime(touches []touch) (list []touch) {
	slices.SortFunc(touches, func(x, y touch) int { return slices.Compare(x.instance.time, y.instance.time) })
	for _, x := range touches {
		if last := len(list) - 1; last >= 0 && slices.Equal(list[last].instance.time, x.instance.time) {
			list[last].write = list[last].write || x.write
		} else {
			list = append(list, x)
		}
	}
	return list
}

// addPairs adds the dependent pairs among the instances that touch an element.
//
// A pair (x, z) is left out where an instance y of the statement of x or of z
// is between, such that y depends on x and z on y: rows that do not run these
// two backwards do not run (x, z) backwards either, and if they run x and z in
// one iteration, y is in it too. Where y writes, this holds for all x before.
func addPairs(touches []touch, add func(x, z instance)) {
	for place, z := range touches {
		var written, touched [mostStatements]bool
		for _, x := range slices.Backward(touches[:place]) {
			s, t := x.instance.statement, z.instance.statement
			implied := written[s] || written[t] || x.write && z.write && (touched[s] || touched[t])
			if (x.write || z.write) && !implied {
				add(x.instance, z.instance)
			}
			written[s] = written[s] || x.write
			touched[s] = true
			if written[t] {
				break
			}
		}
	}
}

// iterators are those of an instance, in the direction of their loops.
func (x instance) iterators() (list smallRow) {
	for k := range len(x.time) / 2 {
		list[k] = x.time[1+2*k]
	}
	return list
}
