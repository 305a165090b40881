package frontend

import (
	"fmt"
	"testing"
)

// A prover takes what another one has found about the same conditions, of other conditions it asks
// anew, and what was not decided within the limits is no answer. It is no parallel test: proofs are
// those of all files.
func TestProofsAreKept(t *testing.T) {
	old := proofs.known
	proofs.known = map[string]bool{}
	t.Cleanup(func() { proofs.known = old })
	i := variableForm("i")
	least := func(n int64) formula { return comparison{i, ">=", constantForm(n)} }
	holds := func(condition, conclusion formula) bool {
		p := newProver()
		defer p.close()
		return p.holds([]formula{condition}, conclusion)
	}
	if !holds(least(1), least(0)) || holds(least(0), least(1)) || len(proofs.known) != 2 {
		t.Fatalf("known: %v", proofs.known)
	}
	for text := range proofs.known {
		proofs.known[text] = !proofs.known[text]
	}
	if holds(least(1), least(0)) || !holds(least(0), least(1)) {
		t.Error("isl is asked again")
	}
	if !holds(least(2), least(0)) {
		t.Error("what was found of other conditions counts")
	}
	clear(proofs.known)
	cut := newProver()
	defer cut.close()
	cut.context.ReadSet("no set")
	if cut.holds([]formula{least(1)}, least(0)) || len(proofs.known) > 0 {
		t.Errorf("a proof that failed is kept: %v", proofs.known)
	}
	for n := range mostProofs {
		proofs.keep(fmt.Sprint(n), true)
	}
	if proofs.keep("last", true); len(proofs.known) != 1 {
		t.Errorf("%d proofs are kept", len(proofs.known))
	}
}
