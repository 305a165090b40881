package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"polytune/benchmarks"
)

// folder has the tune that is measured, built from this source; "" while nothing
// is measured.
var folder string

// builtTune is the path of that tune.
var builtTune = sync.OnceValues(func() (string, error) {
	var err error
	if folder, err = os.MkdirTemp("", "compiletimes-"); err != nil {
		return "", err
	}
	path := filepath.Join(folder, "tune")
	if output, err := exec.Command("go", "build", "-o", path, "polytune/cmd/tune").CombinedOutput(); err != nil {
		return "", fmt.Errorf("%w: %s", err, output)
	}
	return path, nil
})

// TestMain removes the folder.
func TestMain(m *testing.M) {
	status := m.Run()
	if folder != "" {
		os.RemoveAll(folder)
	}
	os.Exit(status)
}

// limit is the time for one transformation.
const limit = 10 * time.Minute

// average transforms b.N times and reports the phases' mean milliseconds.
func average(b *testing.B, arguments []string) {
	tune, err := builtTune()
	if err != nil {
		b.Fatal(err)
	}
	var sum phases
	b.ResetTimer()
	for range b.N {
		once, err := transform(tune, arguments, limit)
		if err != nil {
			b.Fatal(err)
		}
		sum.Transform += once.Transform
		sum.Total += once.Total
	}
	perOperation := 1000 / float64(b.N)
	b.ReportMetric(sum.Transform*perOperation, "transform-ms")
	b.ReportMetric(sum.Total*perOperation, "total-ms")
}

// BenchmarkTableIII is Table III of the Pluto+ paper: the transformation and all
// from C to C, ours and the paper's, in milliseconds. ns/op has the start of the
// process besides.
func BenchmarkTableIII(b *testing.B) {
	for _, k := range kernels {
		for _, model := range models {
			b.Run(k.name+"/"+model, func(b *testing.B) {
				average(b, k.arguments(model, defaultBound))
				published := map[string]*seconds{pluto: k.pluto, plutoPlus: k.plutoPlus}[model]
				if published != nil {
					b.ReportMetric(1000*published.transform, "paper-transform-ms")
					b.ReportMetric(1000*published.total, "paper-total-ms")
				}
				if model == pluto && k.current != nil {
					b.ReportMetric(1000*k.current.transform, "pluto2026-transform-ms")
					b.ReportMetric(1000*k.current.total, "pluto2026-total-ms")
				}
			})
		}
	}
}

// BenchmarkCoefficientBound is Figure 9 of the paper, for all kernels: how long
// pluto+ takes with bounds b of the coefficients from 1 to 1023.
func BenchmarkCoefficientBound(b *testing.B) {
	for _, k := range kernels {
		for _, bound := range bounds {
			b.Run(fmt.Sprintf("%s/b=%d", k.name, bound), func(b *testing.B) { average(b, k.arguments(plutoPlus, bound)) })
		}
	}
}

// The page has a row for every kernel of PolyBench and of the Pluto+ paper; the
// paper's periodic ones are split and started together, and no others.
func TestKernels(t *testing.T) {
	rows := map[string]kernel{}
	for _, k := range kernels {
		rows[k.name] = k
	}
	for _, b := range benchmarks.All() {
		suite, _, _ := strings.Cut(b.Name, "/")
		k, found := rows[b.Name]
		if wanted := suite == "polybench" || suite == "plutoplus"; found != wanted {
			t.Errorf("%s has a row: %v", b.Name, found)
		}
		if split := slices.Contains(k.arguments(pluto, defaultBound), "--iss"); split != (suite == "plutoplus") {
			t.Errorf("%s is split: %v", b.Name, split)
		}
		delete(rows, b.Name)
	}
	if len(rows) > 0 {
		t.Errorf("no such kernels: %v", rows)
	}
}
