package check

import (
	"errors"
	"strings"
	"testing"

	"polytune/pipeline/byhand"
	"polytune/pipeline/variant"
	"polytune/scop/depend"
	"polytune/space"
	"polytune/store"
	"polytune/transform"
)

// What the proof refuses is illegal; of what the models made without being asked for a shape of tiles
// the result says that it is a fault of theirs.
func TestRefusedSchedules(t *testing.T) {
	proof := &depend.KeptError{}
	shaped := candidate{}
	shaped.Options.Stencil.Shape = transform.OverlappedShape
	for _, test := range []struct {
		what      string
		candidate candidate
		err       error
		status    store.Status
		isFault   bool
	}{
		{"the models' own", candidate{}, proof, store.Illegal, true},
		{"a recipe", candidate{filled: &byhand.Filled{}}, proof, store.Illegal, false},
		{"a shape that is asked for", shaped, proof, store.Illegal, false},
		{"no code", candidate{}, errors.New("too large"), store.CodegenFailed, false},
	} {
		test.candidate.Nest = space.Nest{{0}}
		result := (&checks{}).failed(test.candidate, variant.Variant{}, test.err)
		if isFault := strings.HasSuffix(result.Detail, "\n"+modelsFault); result.Status != test.status || isFault != test.isFault || !strings.HasPrefix(result.Detail, test.err.Error()) {
			t.Errorf("%s: %s, %q", test.what, result.Status, result.Detail)
		}
	}
}
