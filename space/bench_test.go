package space

import (
	"fmt"
	"math/big"
	"runtime"
	"syscall"
	"testing"

	"polytune/benchmarks"
	"polytune/internal/kerneltest"
	"polytune/isl"
	"polytune/scop"
	"polytune/scop/depend"
)

// mostListed bounds what a benchmark lists: polybench/correlation has more
// than 53 million partitions.
const mostListed = 10000

// BenchmarkEnumerate decides fusibility and lists the partitions, from
// dependences that are known. It reports the time for fusibility alone, and
// how many partitions were listed.
func BenchmarkEnumerate(b *testing.B) {
	for _, kernel := range benchmarks.All() {
		b.Run(kernel.Name, func(b *testing.B) {
			benchmarkSpace(b, programOf(b, kernel), func(s *Space) { listFirst(b, s, mostListed) })
		})
	}
}

// BenchmarkCount decides fusibility and counts the partitions without listing
// them, from dependences that are known.
func BenchmarkCount(b *testing.B) {
	for _, kernel := range benchmarks.All() {
		b.Run(kernel.Name, func(b *testing.B) {
			benchmarkSpace(b, programOf(b, kernel), func(s *Space) {
				count, ok, err := s.Count(DefaultBudget)
				if err != nil || !ok {
					b.Fatalf("not counted: %v", err)
				}
				partitions, _ := new(big.Float).SetInt(count).Float64()
				b.ReportMetric(partitions, "partitions")
			})
		})
	}
}

// BenchmarkLudcmp is the paper's largest kernel from its dependences to the
// last of its partitions, and to their number. The metric peak-MB is the most
// memory that the process had so far, isl's included: run it alone.
func BenchmarkLudcmp(b *testing.B) {
	kernel, err := benchmarks.Find("sc10/ludcmp")
	if err != nil {
		b.Fatal(err)
	}
	benchmarkSpace(b, programOf(b, kernel), func(s *Space) {
		listFirst(b, s, mostListed)
		if _, ok, err := s.Count(DefaultBudget); err != nil || !ok {
			b.Fatalf("not counted: %v", err)
		}
	})
	var usage syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &usage); err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(usage.Maxrss)/1024, "peak-MB")
}

// BenchmarkChain is a chain of 40 loops, each reading what the one before it
// writes, all of which can be fused: the first 1000 of 2^39 partitions, and
// their exact number.
func BenchmarkChain(b *testing.B) {
	p := loopsProgram(40, true)
	b.Run("first1000", func(b *testing.B) {
		benchmarkSpace(b, p, func(s *Space) { listFirst(b, s, 1000) })
	})
	b.Run("count", func(b *testing.B) {
		benchmarkSpace(b, p, func(s *Space) {
			if count, ok, err := s.Count(DefaultBudget); err != nil || !ok || count.Int64() != 1<<39 {
				b.Fatalf("counted %v, %v, %v; want 2^39", count, ok, err)
			}
		})
	})
}

// BenchmarkIndependent are 60 loops that have no data in common: the first
// partitions, of which the memory must not depend on how many are listed.
func BenchmarkIndependent(b *testing.B) {
	p := loopsProgram(60, false)
	for _, count := range []int{5000, 50000} {
		b.Run(fmt.Sprint("first", count), func(b *testing.B) {
			benchmarkSpace(b, p, func(s *Space) { listFirst(b, s, count) })
		})
	}
}

// benchmarkSpace times the making of a program's space, and what use does
// with it, without the analysis of dependences. It reports the time that
// fusibility took of it, and how much the Go heap has grown.
func benchmarkSpace(b *testing.B, p *scop.Program, use func(*Space)) {
	fusibility, growth := 0.0, uint64(0)
	for b.Loop() {
		b.StopTimer()
		ctx := isl.NewContext()
		graph := kerneltest.AnalyzeIn(b, ctx, p)
		before := heap()
		b.StartTimer()
		s := useSpace(b, graph, use)
		b.StopTimer()
		after := heap()
		growth = after - min(before, after)
		seconds, _ := s.Seconds()
		fusibility += seconds
		ctx.Close()
		b.StartTimer()
	}
	b.ReportMetric(1000*fusibility/float64(b.N), "fusibility-ms/op")
	b.ReportMetric(float64(growth)/1024, "heap-KB")
}

func useSpace(b *testing.B, graph *depend.Graph, use func(*Space)) *Space {
	s, err := New(graph, Options{})
	if err != nil {
		b.Fatal(err)
	}
	use(s)
	return s
}

// heap is what is live on the Go heap, in bytes.
func heap() uint64 {
	runtime.GC()
	var stats runtime.MemStats
	runtime.ReadMemStats(&stats)
	return stats.HeapAlloc
}

// listFirst lists at most so many partitions.
func listFirst(b *testing.B, s *Space, most int) {
	points := 0
	for _, err := range s.All() {
		if err != nil {
			b.Fatal(err)
		}
		if points++; points == most {
			break
		}
	}
	b.ReportMetric(float64(points), "partitions")
}

// loopsProgram has so many loops with one statement each, which writes an
// array of its own; chained, it reads that of the statement before.
func loopsProgram(count int, chained bool) *scop.Program {
	p := &smallProgram{}
	element := []affine{{iterators: [3]int{1}}}
	for k := range count {
		s := smallStatement{position: []int{k, 0}, loops: []smallLoop{{upper: affine{n: 1}, step: 1}}}
		s.accesses = []smallAccess{{fmt.Sprint("A", k), element, "w"}}
		if chained && k > 0 {
			s.accesses = append(s.accesses, smallAccess{fmt.Sprint("A", k-1), element, "r"})
		}
		p.statements = append(p.statements, s)
	}
	return p.program(fmt.Sprint(count, " loops"))
}
