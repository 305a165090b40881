package depend

import "polytune/isl"

// common are times that both instances of each pair of a graph's dependences have in common, since
// its relations were made so: for each of them what it is of the instances of a statement. Checks
// ask it before they compute with relations: that one of two equal times is later is true of no
// pair, and that they are equal is true of all.
type common []map[int]*isl.Map

// has says whether two times, of the sources and the targets of a dependence, are obviously one of
// them. That they are not obviously so says nothing.
func (c common) has(d *Dependence, source, target *isl.Map) bool {
	for _, times := range c {
		if own, other := times[d.Source], times[d.Target]; own != nil && other != nil && own.PlainIsEqual(source) && other.PlainIsEqual(target) {
			return true
		}
	}
	return false
}

// equal are those of some pairs of a dependence whose times are equal.
func (c common) equal(d *Dependence, pairs, source, target *isl.Map) *isl.Map {
	if c.has(d, source, target) {
		return pairs
	}
	return pairs.Intersect(compare(source, target, "="))
}
