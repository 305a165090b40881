package frontend

import (
	"polytune/isl"
)

// prover decides by isl whether a condition follows from others.
type prover struct {
	context *isl.Context
}

// maxProofOperations bounds the work for one proof; a proof that takes more
// counts as failed.
const maxProofOperations = 2_000_000

func newProver() *prover { return &prover{context: isl.NewContext()} }

func (p *prover) close() { p.context.Close() }

// holds says that the conclusion is true wherever all conditions are, for all
// values of their variables. A failed proof gives false.
func (p *prover) holds(conditions []formula, conclusion formula) bool {
	if truth, known := constantTruth(conclusion); known {
		return truth
	}
	counterexamples := append(append([]formula{}, conditions...), conclusion.negated())
	text := (&islWriter{}).set("", distinct(variablesOf(counterexamples)), counterexamples)
	mark := p.context.Mark()
	defer p.context.Release(mark)
	p.context.SetMaxOperations(maxProofOperations)
	empty, err := p.context.ReadSet(text).IsEmpty()
	if err != nil || p.context.TakeErr() != nil {
		return false
	}
	return empty
}

func distinct(names []string) []string {
	seen := map[string]bool{}
	var kept []string
	for _, n := range names {
		if !seen[n] {
			seen[n] = true
			kept = append(kept, n)
		}
	}
	return kept
}
