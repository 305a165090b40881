package frontend

import (
	"time"

	"polytune/isl"
)

// prover decides by isl whether a condition follows from others.
type prover struct {
	context *isl.Context
	stop    func()
}

// maxProofOperations bounds the work for one proof; a proof that takes more
// counts as failed.
const maxProofOperations = 2_000_000

// maxProofTime bounds all proofs about a file; those that are left then count as failed.
const maxProofTime = 20 * time.Second

func newProver() *prover {
	p := &prover{context: isl.NewContext()}
	p.stop = p.context.Limit(maxProofOperations, maxProofTime)
	return p
}

func (p *prover) close() {
	p.stop()
	p.context.Close()
}

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
