package frontend

import (
	"modernc.org/cc/v4"

	"polytune/scop"
)

// A statement with control flow of its own may be a reduction, too, if all that it does with one
// array is to update elements of it:
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

// scatterOf is a statement as a reduction into the arrays of which it does nothing but update
// elements, each by one operator; nil where there are none. All its references to such an array
// have to be the accumulators of updates.
func (x *extractor) scatterOf(program *scop.Program, s *scop.Statement, draft *statementDraft) *scop.Reduction {
	var first *scop.Reduction
	var updated []*cc.Declarator
	for _, u := range draft.updates {
		v, ok := resolve(u.accumulator)
		if !ok {
			continue
		}
		r := x.updatesOfOne(program, s, v.variable, draft.updates, u.operator)
		switch {
		case r == nil || first != nil && first.Is(r.Accesses[0]):
			continue
		case first == nil:
			first = r
		default:
			first.Also = append(first.Also, r)
		}
		r.Permitted = x.permitted(r, v.variable, draft.offset)
		updated = append(updated, v.variable)
		x.noteSpan(program, draft, r, v.variable)
		r.Wraps = wrapping(program, draft, r, updatesOf(v.variable, draft.updates))
	}
	if first != nil {
		first.Starts = startsOfAll(s.Source, draft.updates, updated)
	}
	return first
}

// updatesOfOne is a statement as a reduction into the array that a variable is; nil where it does
// something else with it.
func (x *extractor) updatesOfOne(program *scop.Program, s *scop.Statement, d *cc.Declarator, updates []*updateForm, operator scop.Operator) *scop.Reduction {
	arrays := program.ArraysOf(x.spelledName(d))
	if len(arrays) != 1 || arrays[0].Path != "" {
		return nil
	}
	r := &scop.Reduction{Operator: operator, Array: arrays[0].Name, Several: true}
	for k, a := range s.Accesses {
		if a.Array == r.Array {
			r.Accesses = append(r.Accesses, k)
		}
	}
	if mentions := updateMentions(d, operator, updates); mentions <= 0 || mentions != len(r.Accesses) {
		return nil
	}
	return r
}

// updateMentions is how often updates mention their accumulators that are elements of a variable;
// -1 where the operators differ.
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
