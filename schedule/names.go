package schedule

import "polytune/scop"

// Row is an affine expression over the iterators of one statement and the
// program's parameters.
type Row = scop.Row

// iteratorNames are distinct names for the loops of a statement, those of the
// source where they can be told apart and isl can read them.
func iteratorNames(s *scop.Statement, parameters []string) []string {
	taken := map[string]bool{}
	for _, p := range parameters {
		taken[p] = true
	}
	names := s.Iterators()
	for k := range names {
		if !scop.Representable(names[k]) {
			names[k] = "iterator"
		}
		for taken[names[k]] {
			names[k] += "_"
		}
		taken[names[k]] = true
	}
	return names
}
