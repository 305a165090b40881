package tuner

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"polytune/internal/scripttest"
	"polytune/runner"
	"polytune/target/openmp/omp"
	"polytune/tuner/search"
)

// BenchmarkOverhead runs whole sessions with gcc on a small program, and says which
// share of their time neither a compiler nor a program was at work. What the
// generator needs is not among it: here it has its texts.
func BenchmarkOverhead(b *testing.B) {
	for b.Loop() {
		r := request(b, &generator{}, "blocked", "backward", "slow", "blocked/1", "backward/1", "wrong", "broken")
		r.Settings.Measurement.SampleSeconds = 0.05
		result, err := Tune(b.Context(), r)
		if err != nil {
			b.Fatal(err)
		}
		b.ReportMetric(100*result.Overhead.Seconds()/result.Elapsed.Seconds(), "%overhead")
	}
}

// distinct makes programs that differ in a comment.
type distinct struct{}

func (distinct) Generate(_ context.Context, c Candidate) (Generated, error) {
	recipe := "make " + c.Axis + "\n" + strings.Repeat("# a line of the recipe\n", 100)
	return Generated{Recipe: recipe, Source: fmt.Appendf(nil, "%s// %s\n", originalSource, c.Axis)}, nil
}

// copyingCompiler is a compiler for the programs of distinct: it copies one that gcc
// has made, and appends the source, so that no two are the same. Only so are many built
// in a short time.
func copyingCompiler(b *testing.B, r Request) runner.Toolchain {
	b.Helper()
	builder, err := runner.NewBuilder(runner.BuilderOptions{Subject: r.Subject, Toolchain: r.Toolchain})
	if err != nil {
		b.Fatal(err)
	}
	defer builder.Close()
	binary, err := builder.Build(b.Context(), runner.Job{Source: originalSource})
	if err != nil {
		b.Fatal(err)
	}
	folder := b.TempDir()
	if err := os.Rename(binary.Path, filepath.Join(folder, "program")); err != nil {
		b.Fatal(err)
	}
	script := fmt.Sprintf(`#!/bin/sh
case "$*" in
*"-c variant.c"*) ln variant.c variant.o ;;
*"variant.o"*) cp %[1]s/program variant && cat variant.o >> variant ;;
*) exec gcc "$@" ;;
esac
`, folder)
	path := filepath.Join(folder, "copycc")
	scripttest.Write(b, path, script)
	toolchain, err := runner.FindToolchain(b.Context(), runner.ToolchainSpec{Runtime: omp.Runtime{}, Name: "copycc", Command: path, Flags: []string{"-O2"}, CheckFlags: []string{"-O1"}})
	if err != nil {
		b.Fatal(err)
	}
	return toolchain
}

// BenchmarkManyCandidates searches a space, builds, checks and times so many candidates,
// ten thousand with POLYTUNE_LONG, and says how much memory this process has had at
// most, SQLite's included, and what a candidate costs beside compilers and programs.
func BenchmarkManyCandidates(b *testing.B) {
	count := 200
	if os.Getenv("POLYTUNE_LONG") != "" {
		count = 10_000
	}
	for b.Loop() {
		r := request(b, &generator{})
		r.Toolchain, r.Generator = copyingCompiler(b, r), distinct{}
		r.Checks, r.Settings.Measurement.SampleSeconds = r.Checks[:1], 0.0002
		r.Candidates = []Candidate{{Partition: []int{0, 0}}}
		var points []search.Outcome
		for k := range 2 * count {
			points = append(points, search.Outcome{Point: search.Point{Partition: []int{0, k % 16}, Setting: fmt.Sprintf("a=%d", k)}})
		}
		r.Space, r.Plan = search.NewRecord(points, nil, nil), search.Plan{Strategy: "random", Seed: 1, Batch: 64, Limit: count - 1}
		result, err := Tune(b.Context(), r)
		if err != nil || result.Tried != count || result.Counts()["ok"] != count {
			b.Fatalf("tried %d of %d: %v, %v", result.Tried, count, result.Counts(), err)
		}
		b.ReportMetric(float64(count), "candidates")
		b.ReportMetric(peakMiB(b), "MiB-peak")
		b.ReportMetric(1000*result.Overhead.Seconds()/float64(count), "ms-overhead/candidate")
		b.ReportMetric(result.Elapsed.Round(time.Millisecond).Seconds()/float64(count)*1000, "ms/candidate")
	}
}

// peakMiB is the largest resident set of this process so far (VmHWM of proc(5)).
func peakMiB(b *testing.B) float64 {
	b.Helper()
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		b.Fatal(err)
	}
	for line := range bytes.Lines(status) {
		if fields := strings.Fields(string(line)); len(fields) == 3 && fields[0] == "VmHWM:" {
			kibibytes, err := strconv.ParseFloat(fields[1], 64)
			if err != nil {
				b.Fatal(err)
			}
			return kibibytes / 1024
		}
	}
	b.Fatal("no VmHWM in /proc/self/status")
	return 0
}
