package frontend

import (
	"polytune/isl"
	"polytune/scop"
)

// maxContextOperations bounds the work for what arrays tell about parameters, and
// maxReferenceOperations that for one dimension of a reference, from which nothing is learned where
// it takes more, as where remainders stand in conditions.
const maxContextOperations, maxReferenceOperations = 2_000_000, 20_000

// withinArrays is the program's context without the parameters for which the program would break a
// fact that it states, or an access that certainly happens would leave its array: C gives such a
// run no meaning, and compilers reason in the same way. It is how for (i = 0; i < n; i++) a[i] = 0
// with double a[33] tells that n is at most 33. What is learned is kept only where the context
// stays convex.
func (x *extractor) withinArrays(program *scop.Program, writer *islWriter) string {
	if len(program.Parameters) == 0 {
		return program.Context
	}
	ctx := x.prover.context
	mark := ctx.Mark()
	defer ctx.Release(mark)
	ctx.SetMaxOperations(maxContextOperations)
	context, learned := ctx.ReadSet(program.Context), false
	seen := map[string]bool{}
	for _, outside := range x.impossible(writer) {
		if seen[outside] {
			continue
		}
		seen[outside] = true
		if inside := within(context, outside); inside != nil {
			context, learned = inside, true
		}
		if ctx.TakeErr() != nil {
			return program.Context
		}
	}
	if text := context.String(); learned && ctx.TakeErr() == nil {
		return text
	}
	return program.Context
}

// impossible are sets of iterations that C gives no meaning: those that break a fact which the
// program states, and those that leave an array.
func (x *extractor) impossible(writer *islWriter) (sets []string) {
	for _, s := range x.stated {
		sets = append(sets, writer.broken(s))
	}
	for _, draft := range x.statements {
		for _, r := range draft.references {
			sets = append(sets, writer.outside(draft, r)...)
		}
	}
	return sets
}

// within is a context without the parameters for which there are instances outside; nil where
// nothing new is known, or where that is not convex.
func within(context *isl.Set, outside string) (inside *isl.Set) {
	ctx := context.Context()
	exceeded := ctx.Within(maxReferenceOperations, func() {
		rest := context.Subtract(ctx.ReadSet(outside).Params()).Coalesce()
		same, err := rest.IsEqual(context)
		if err != nil || same {
			return
		}
		if parts := rest.BasicSets(); len(parts) == 1 && parts[0].Dim(isl.DimDiv) == 0 {
			inside = rest
		}
	})
	if exceeded {
		return nil
	}
	return inside
}

// outside are the sets of instances for which a reference that certainly
// happens leaves its array, one for each dimension with a known extent.
func (w *islWriter) outside(draft *statementDraft, r reference) []string {
	if r.may {
		return nil
	}
	var sets []string
	for k, limit := range r.array.limits {
		if limit < 0 {
			continue
		}
		for _, p := range r.subscripts[k].value.pieces {
			if p.value.isConstant() {
				continue
			}
			outside := or(comparison{p.value, "<", constantForm(0)}, comparison{p.value, ">=", constantForm(limit)})
			conditions := append(append([]formula{}, draft.domain...), r.conditions...)
			if p.when != nil {
				conditions = append(conditions, p.when)
			}
			sets = append(sets, w.set(draft.Name, draft.names, append(conditions, outside)))
		}
	}
	return sets
}
