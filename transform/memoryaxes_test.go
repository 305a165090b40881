package transform

import (
	"slices"
	"strings"
	"testing"

	"polytune/internal/kerneltest"
	"polytune/space"
	"polytune/space/variant"
)

// Settings take copies out of memories, with the barriers that nothing needs then, and each recipe
// is proven.
func TestMemoryOptionsDecide(t *testing.T) {
	model, err := variant.New(slices.Concat(DeviceAxes(), MemoryAxes()), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, bench := range []string{"gemm", "atax"} {
		for setting, lacks := range map[string][]string{
			"": nil, "shared=off": {" to shared", "barrier "}, "private=off": {" to private"}, "shared=off private=off": {"copy ", "barrier "},
		} {
			s, err := model.Parse(setting)
			if err != nil {
				t.Fatal(err)
			}
			g := kerneltest.Graph(t, "polybench/"+bench)
			options := MemoryOptionsOf(s, DeviceOptionsOf(s, Options{}))
			nest := space.Nest{make(space.Partition, len(g.Model.Program.Statements))}
			if bench == "atax" {
				nest = space.Nest{{0, 1, 1, 2}}
			}
			recipe, _, err := OnDevice(g, nest, options)
			if err != nil {
				t.Fatal(err)
			}
			if recipe, err = InMemories(g, recipe, options); err == nil {
				_, _, err = recipe.Prove(g)
			}
			text := recipe.Text(g.Model.Program)
			if err != nil {
				t.Errorf("%s, %q: %v\n%s", bench, setting, err, text)
			}
			for _, part := range []string{" to shared", " to private", "barrier "} {
				isOff := slices.ContainsFunc(lacks, func(word string) bool {
					return strings.Contains(part, word) || word == "copy " && strings.HasPrefix(part, " to")
				})
				if strings.Contains(text, part) == isOff {
					t.Errorf("%s, %q: %q in it %v\n%s", bench, setting, part, !isOff, text)
				}
			}
		}
	}
}
