package exit

import (
	"context"
	"errors"
	"strings"
	"testing"

	"polytune/internal/usage"
)

func TestUnanswered(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var told strings.Builder
	u := Unanswered{Stderr: &told}
	failed := errors.New("no sizes")
	if u.Goes(ctx, "a", failed, 1) || u.Goes(ctx, "a:1", usage.Mistake(failed), 2) || u.Outcome(1) != nil {
		t.Error("the command goes on without another region, or after wrong usage")
	}
	if !u.Goes(ctx, "a:1", failed, 2) || told.String() != "tune: no sizes\n" || Status(u.Outcome(0)) != Error || Status(u.Outcome(1)) != Incomplete {
		t.Errorf("%q, %v, %v", told.String(), u.Outcome(0), u.Outcome(1))
	}
	if cancel(); u.Goes(ctx, "a:2", failed, 2) {
		t.Error("the command goes on when its time has ended")
	}
}
