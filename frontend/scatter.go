package frontend

import (
	"modernc.org/cc/v4"

	"polytune/scop"
)

// A statement with control flow of its own may be a reduction, too, if all that it does with one array is to update elements of it:
//
//	for (int k = first[i]; k < first[i + 1]; k++) {
//	    y[i] += a[k] * x[column[k]];
//	    y[column[k]] += a[k] * x[i];
//	}

// updatesIn are the updates in a statement with control flow of its own.
func (x *extractor) updatesIn(n cc.Node) (list []*updateForm) {
	walk(n, func(inner cc.Node) bool {
		u := x.updateOf(inner)
		if u != nil {
			list = append(list, u)
		}
		return u == nil
	})
	return list
}

// scatterOf is a statement as a reduction into the first array of which it does nothing but update elements, by one operator, and one of the
// updates; nil where there is none. All its references to the array have to be the accumulators of updates.
func (x *extractor) scatterOf(program *scop.Program, s *scop.Statement, updates []*updateForm) (*scop.Reduction, *updateForm) {
	for _, u := range updates {
		v, ok := resolve(u.accumulator)
		if !ok {
			continue
		}
		arrays := program.ArraysOf(x.spelledName(v.variable))
		if len(arrays) != 1 || arrays[0].Path != "" || len(arrays[0].Extents) == 0 {
			continue
		}
		r := &scop.Reduction{Operator: u.operator, Array: arrays[0].Name, Several: true}
		for k, a := range s.Accesses {
			if a.Array == r.Array {
				r.Accesses = append(r.Accesses, k)
			}
		}
		if mentions := updateMentions(v.variable, u.operator, updates); mentions > 0 && mentions == len(r.Accesses) {
			return r, u
		}
	}
	return nil, nil
}

// updateMentions is how often updates mention their accumulators that are elements of a variable; -1 where the operators differ.
func updateMentions(d *cc.Declarator, operator scop.Operator, updates []*updateForm) (mentions int) {
	for _, u := range updates {
		if v, ok := resolve(u.accumulator); !ok || v.variable != d {
			continue
		}
		if u.operator != operator {
			return -1
		}
		mentions += u.mentions
	}
	return mentions
}
