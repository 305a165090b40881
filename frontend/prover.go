package frontend

import (
	"sync"
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
	if truth, known := proofs.of(text); known {
		return truth
	}
	mark := p.context.Mark()
	defer p.context.Release(mark)
	p.context.SetMaxOperations(maxProofOperations)
	empty, err := p.context.ReadSet(text).IsEmpty()
	if err != nil || p.context.TakeErr() != nil {
		return false
	}
	proofs.keep(text, empty)
	return empty
}

// proofs are the latest that provers have found, of all files: a file is read several times, and
// each reading asks much of what the one before has asked.
var proofs = proofMemory{known: map[string]bool{}}

// mostProofs bounds how many are kept.
const mostProofs = 4096

// proofMemory says of sets, by their texts, whether they are empty. An answer depends on nothing
// else; that there was no answer within the limits is not kept.
type proofMemory struct {
	mutex sync.Mutex
	known map[string]bool
}

func (m *proofMemory) of(text string) (empty, known bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	empty, known = m.known[text]
	return empty, known
}

func (m *proofMemory) keep(text string, empty bool) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if len(m.known) >= mostProofs {
		clear(m.known)
	}
	m.known[text] = empty
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
