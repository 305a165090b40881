package frontend

import (
	"slices"
	"strings"

	"polytune/internal/pattern"
	"polytune/isl"
	"polytune/scop"
)

// staysInRow says whether a column is within a row of that length. Where only the parameters decide
// whether it is, it may be assumed to be: the assumed conditions imply it then.
func (e *evaluator) staysInRow(column, length linear, assuming bool) (assumed []formula, ok bool) {
	inside, within := and(comparison{constantForm(0), "<=", column}, comparison{column, "<", length}), e.under(and(append(e.x.meaning(column), e.x.assumptions...)...))
	switch {
	case within.holds(inside):
		return nil, true
	case !assuming || length.isConstant():
		return nil, false
	}
	condition := within.whichParameters(inside, length.variables()...)
	if condition == nil || e.letsFewThrough(condition) {
		return nil, false
	}
	return []formula{condition}, true
}

// whichParameters is a condition on the parameters under which the conclusion holds at every point
// that the evaluator is for, or nil: where there is none that leaves any of these points, or no
// simple one. It says nothing that the points do not need. Of several conditions one that is about
// the parameters named is preferred.
func (e *evaluator) whichParameters(conclusion formula, about ...string) formula {
	at := append(e.x.knownFacts(), e.assumed...)
	var parameters, iterators []string
	for _, name := range distinct(variablesOf(append([]formula{conclusion}, at...))) {
		if e.x.isParameterName(name) {
			parameters = append(parameters, name)
		} else {
			iterators = append(iterators, name)
		}
	}
	ctx, writer := e.x.prover.context, &islWriter{parameters: parameters}
	mark := ctx.Mark()
	defer ctx.Release(mark)
	ctx.SetMaxOperations(maxProofOperations)
	points := ctx.ReadSet(writer.set("", iterators, at)).Params()
	fails := ctx.ReadSet(writer.set("", iterators, append(at, conclusion.negated()))).Params()
	fits := points.Subtract(fails)
	var conditions []string
	for _, part := range fits.BasicSets() {
		// What quotients of parameters say, as n / 2 < n, mostly follows from the rest.
		simple := part.ToSet().RemoveDivs()
		excludesFailures, err := simple.Intersect(fails).IsEmpty()
		text, found := conditionOf(simple.Gist(points))
		if ctx.TakeErr() != nil || err != nil {
			return nil
		}
		if found && excludesFailures {
			conditions = append(conditions, text)
		}
	}
	if len(conditions) == 0 {
		return nil
	}
	for k := range conditions {
		if len(conditions) > 1 {
			conditions[k] = weakened(conditions[k], parameters, fails)
		}
	}
	if ctx.TakeErr() != nil {
		return nil
	}
	return assumption{leastMentioned(aboutAny(conditions, about), at), parameters}
}

// comparisonSigns are those between the parts of a chain in isl's text.
var comparisonSigns = pattern.New(` (<=|>=|<|>|=) `)

// weakened is a condition without the comparisons that nothing needs which is to be excluded: isl
// makes the parts of a set apart from each other, so that one of them is kd < ldab < n where kd <
// ldab is enough, because another one is n <= ldab.
func weakened(condition string, parameters []string, excluded *isl.Set) string {
	var parts []string
	for _, chain := range strings.Split(condition, " and ") {
		values, signs := comparisonSigns.Split(chain, -1), comparisonSigns.FindAllString(chain, -1)
		for k, sign := range signs {
			parts = append(parts, values[k]+sign+values[k+1])
		}
	}
	for k := 0; k < len(parts) && len(parts) > 1; {
		fewer := slices.Delete(slices.Clone(parts), k, k+1)
		rest := excluded.Context().ReadSet("[" + strings.Join(parameters, ", ") + "] -> { : " + strings.Join(fewer, " and ") + " }")
		if empty, err := rest.Intersect(excluded).IsEmpty(); err == nil && empty {
			parts = fewer
			continue
		}
		k++
	}
	return strings.Join(parts, " and ")
}

// aboutAny are the conditions that name one of some parameters, or all where none does. That rows
// are long enough is what a program with rows wants: it runs for other pictures, too, than those
// for which no row has to be.
func aboutAny(conditions, parameters []string) []string {
	var about []string
	for _, condition := range conditions {
		names := identifierText.FindAllString(condition, -1)
		if slices.ContainsFunc(parameters, func(name string) bool { return slices.Contains(names, name) }) {
			about = append(about, condition)
		}
	}
	if len(about) == 0 {
		return conditions
	}
	return about
}

// leastMentioned is the condition whose parameters the fewest facts name. The width of a band
// bounds one loop only, and a matrix's size several: rows of a band are as long as it is wide in
// most programs, and no longer.
func leastMentioned(conditions []string, facts []formula) string {
	mentions := func(condition string) (count int) {
		for _, f := range facts {
			for _, name := range distinct(f.variables()) {
				if slices.Contains(identifierText.FindAllString(condition, -1), name) {
					count++
				}
			}
		}
		return count
	}
	return slices.MinFunc(conditions, func(a, b string) int { return mentions(a) - mentions(b) })
}

// letsFewThrough says whether a condition on parameters bounds one of them by a number from above,
// or says what it is: an index that is in its row only then, as i * n + j + 1 is in row i + 1 of a
// matrix with one column, goes through more than a row.
func (e *evaluator) letsFewThrough(condition formula) bool {
	if strings.Contains(condition.text(false), " = ") || e.boundsProduct(condition) {
		return true
	}
	parameters := distinct(condition.variables())
	ctx := e.x.prover.context
	mark := ctx.Mark()
	defer ctx.Release(mark)
	values := ctx.ReadSet("{ [" + strings.Join(parameters, ", ") + "] : " + condition.text(false) + " }")
	for k := range parameters {
		own := values.ProjectOut(isl.DimSet, k+1, len(parameters)-k-1).ProjectOut(isl.DimSet, 0, k)
		if bounded, err := own.HasUpperBound(0); err != nil || bounded {
			return true
		}
	}
	return false
}

// boundsProduct says whether a condition lets a product of sizes be at most one of them.
func (e *evaluator) boundsProduct(condition formula) bool {
	names := distinct(condition.variables())
	for _, p := range e.x.parameters {
		if !slices.Contains(names, p.name) {
			continue
		}
		for _, factor := range e.x.namedProduct(p.declarator) {
			if slices.Contains(names, factor.text) && e.x.prover.holds([]formula{condition}, comparison{variableForm(p.name), "<=", variableForm(factor.text)}) {
				return true
			}
		}
	}
	return false
}

// conditionOf is the condition in the text of a set of parameters that is one polyhedron.
func conditionOf(set *isl.Set) (string, bool) {
	if parts := set.BasicSets(); len(parts) != 1 || parts[0].Dim(isl.DimDiv) > 0 {
		return "", false
	}
	_, condition, found := strings.Cut(set.String(), ":")
	return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(condition), "}")), found
}

// assumption is a condition on parameters in isl's syntax.
type assumption struct {
	condition string
	names     []string
}

func (a assumption) text(bool) string    { return "(" + a.condition + ")" }
func (a assumption) negated() formula    { return assumption{"not (" + a.condition + ")", a.names} }
func (a assumption) variables() []string { return a.names }

// assume limits the program to the parameters that the front end has assumed, and says that the
// code has to check them.
func (x *extractor) assume(program *scop.Program, writer *islWriter) {
	if len(x.assumptions) == 0 {
		return
	}
	ctx := x.prover.context
	mark := ctx.Mark()
	defer ctx.Release(mark)
	assumed := ctx.ReadSet(writer.context(x.assumptions)).Coalesce()
	program.Assumed = assumed.String()
	program.Context = ctx.ReadSet(program.Context).Intersect(assumed).Coalesce().String()
}
