package variant

import (
	"strings"
	"testing"

	"polytune/pipeline"
	"polytune/pipeline/limit"
)

// A recipe with large factors, for which isl needs minutes, ends with its line.
func TestLargeFactorsOfRecipes(t *testing.T) {
	usual := limit.Factors
	defer func() { limit.Factors = usual }()
	limit.Factors.Operations = 50_000
	for text, isHard := range map[string]bool{"[601i + 600k + 509j, i, 601k + 508j]": true, "[i + 65000k, j, k]": false, "[29i + 17k, k, j]": false} {
		targets, err := (&pipeline.Options{Bench: "polybench/gemm"}).All(nil)
		if err != nil {
			t.Fatal(err)
		}
		at, recipe, err := targets[0].ReadRecipe("classes {S0} {S1}\nband c0 permutable S0[i, j] -> [i, j]\nband c1 permutable S1[i, k, j] -> " + text)
		if err != nil {
			t.Fatal(err)
		}
		_, err = Replay(t.Context(), at, recipe)
		if isHard != (err != nil) || isHard && !strings.Contains(err.Error(), "line 3") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
