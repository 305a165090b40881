package codegen_test

import (
	"regexp"
	"strings"
	"testing"

	"polytune/benchmarks"
)

// No condition stands in an innermost loop in which one statement runs an iteration of the loop
// outside later than another.
func TestDelayedLoops(t *testing.T) {
	inner := regexp.MustCompile(`(?m)^ *for \([^\n]*\) \{\n((?: {4,}[^{}]*\n)*?) *\}`)
	for name, loop := range map[string]string{"polybench/durbin": "sum += ", "tiramisu/edge-detector": "abs("} {
		b, err := benchmarks.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		k := builtinOf(t, b)
		code := k.code(t, k.recipe(t, k.partitions(t, "max")[0], options))
		together := 0
		for _, body := range inner.FindAllStringSubmatch(code, -1) {
			if strings.Contains(body[1], loop) && strings.Count(body[1], ";") == 2 && !strings.Contains(body[1], "if (") {
				together++
			}
		}
		if together != 1 {
			t.Errorf("%s: %d loops of two statements without a condition; want 1:\n%s", name, together, code)
		}
	}
}
