package schedule

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// short has a field less than the syntax below names.
type short struct{ Loop string }

func (short) Apply(*Tree) error { return nil }

// A command whose fields are not those of its syntax cannot be added.
func TestFieldsOfSyntax(t *testing.T) {
	for _, syntax := range []string{"short LOOP COUNT", "short COUNT", "short LOOPS", "short", "short LOOP [quick]", "short ROWS"} {
		if why := added(syntax); !strings.Contains(why, "command "+syntax) {
			t.Errorf("%s: %q", syntax, why)
		}
	}
	if why := added("short LOOP"); why != "" {
		t.Error(why)
	}
}

// added says why the command cannot have a syntax.
func added(syntax string) (why string) {
	defer func() {
		if r := recover(); r != nil {
			why = r.(string)
		}
	}()
	Language{}.Add(Spec{Syntax: syntax, New: func() Command { return short{} }, Random: func(*rand.Rand, *Tree) []Command { return nil }, Say: Silent})
	return ""
}
