package loopir

import (
	"strings"
	"testing"

	"polytune/isl"
)

// An operation without a name is told by its number.
func TestOperationWithoutName(t *testing.T) {
	e := &Expr{Kind: isl.AstOp, Op: isl.AstOpType(9999), Args: []*Expr{Named("n")}}
	if text := e.String(); !strings.Contains(text, "9999") || !strings.HasSuffix(text, "(n)") {
		t.Errorf("%q", text)
	}
}
