package explain

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"polytune/internal/pipelinetest"
	"polytune/pipeline"
	"polytune/store"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestExplain explains recipes on a machine that is always the same.
func TestExplain(t *testing.T) {
	t.Parallel()
	for kernel, seconds := range map[string]float64{"gemm": 0.077, "jacobi-2d": 0, "trmm": 0.02, "atax": 0, "nussinov": 1.5} {
		t.Run(kernel, func(t *testing.T) {
			o := &Options{Size: "large"}
			o.Model = pipeline.SessionModel
			o.Target.Bench, o.Target.Privatize = kernel, true
			o.Recipe.Path = filepath.Join("testdata", "explain", kernel+".recipe")
			targets, err := o.Target.All(nil)
			if err != nil {
				t.Fatal(err)
			}
			at := pipelinetest.Somewhere()
			size, values, err := o.values(t.Context(), targets[0], at, store.TimingQuery{})
			if err != nil {
				t.Fatal(err)
			}
			v, err := o.chosen(t.Context(), targets[0], at, "")
			if err != nil {
				t.Fatal(err)
			}
			h, err := o.hinter(t.Context(), targets[0], v, at)
			if err != nil {
				t.Fatal(err)
			}
			r := Report{Kernel: targets[0].Name, Size: size, Parameters: values, Machine: at.Machine.ID}
			if r.Explanation, err = o.explanation(targets[0], v, at, values, seconds, h); err != nil {
				t.Fatal(err)
			}
			var text bytes.Buffer
			r.Print(&text, at)
			golden := strings.TrimSuffix(o.Recipe.Path, ".recipe") + ".golden"
			if *update {
				if err := os.WriteFile(golden, text.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(golden)
			if err != nil || text.String() != string(want) {
				t.Errorf("%s says\n%s\nnow it is\n%s(%v)", golden, want, &text, err)
			}
		})
	}
}
