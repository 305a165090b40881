// Command fuzz makes random programs for a given time and takes each through
// all stages: extraction, dependences, partitions, transformation, proof,
// code, compiler; each variant must compute what the original does, bit for
// bit. Failures are made smaller, printed with the command that repeats them,
// and saved; the next run repeats saved ones first, and so do the tests.
//
// With -written, the programs are whole C files of the kind that people write: each is read and
// transformed as tune transform does it, and has to print what the original prints. What the front
// end refuses is counted by its messages.
//
// With -stencils, the programs are sweeps in a loop over time, and the variants hexagonal tiles of
// chosen sizes, on threads and as kernels of a device, which the emulation of CUDA or an OpenCL
// driver runs.
//
// With -devices, the variants are kernels alone, run by the emulation of CUDA in three orders and by an
// OpenCL driver.
//
// With -algorithms, the programs are algorithms in the language of package algorithm: the C that they
// become, and variants of it, leave what Layer I says, which is evaluated beside them. Layer I of the
// first kind of programs is evaluated, too.
//
// With -all, half of the time goes to Go's own fuzz tests, which feed broken C
// files, recipes and extents to the stages that read them, and half to programs and algorithms.
//
//	go run ./cmd/fuzz -all 10m
//	go run ./cmd/fuzz -time 10m
//	go run ./cmd/fuzz -written -time 10m
//	go run ./cmd/fuzz -stencils -time 10m
//	go run ./cmd/fuzz -devices -time 10m
//	go run ./cmd/fuzz -algorithms -time 10m
//	go run ./cmd/fuzz -seed 17 -count 1
//	go run ./cmd/fuzz cmd/fuzz/testdata/programs/result-17.c
//
// EXIT STATUS: 0 all programs passed, 1 some failed, 2 usage.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"polytune/internal/garbage"
	"polytune/internal/journal"
)

func main() {
	journal.Discard()
	garbage.Allow()
	var c campaign
	worker := flag.Bool("worker", false, "check one program read from standard input; used by fuzz itself")
	writtenWorker := flag.Bool("written-worker", false, "check one C program read from standard input; used by fuzz itself")
	algorithmWorker := flag.Bool("algorithm-worker", false, "check the algorithm of -seed; used by fuzz itself")
	onlyAlgorithms := flag.Bool("algorithms", false, "make algorithms instead")
	onlyWritten := flag.Bool("written", false, "make programs as people write them instead")
	flag.BoolVar(&c.stencils, "stencils", false, "make stencils, and tile them by hexagons alone")
	flag.BoolVar(&c.devices, "devices", false, "make kernels for devices alone")
	duration := flag.Duration("time", time.Minute, "how long to make new programs")
	all := flag.Duration("all", 0, "time for everything: half of it for random programs and algorithms, half for broken C files, recipes and extents")
	flag.Uint64Var(&c.seed, "seed", 0, "seed of the first program; 0 draws one")
	flag.Uint64Var(&c.count, "count", 0, "number of new programs; 0 for as many as there is time for")
	flag.IntVar(&c.variants, "variants", 20, "variants of each program")
	flag.IntVar(&c.jobs, "jobs", max(1, runtime.NumCPU()), "programs checked at a time")
	flag.DurationVar(&c.limit, "limit", 90*time.Second, "time for one program, after which it counts as too slow")
	flag.StringVar(&c.folder, "failures", "cmd/fuzz/testdata/programs", "folder of failures, which are repeated first")
	flag.Parse()
	if *worker {
		exit(c.work(os.Stdin, os.Stdout))
	}
	if *writtenWorker {
		exit(workWritten(os.Stdin, os.Stdout, c.seed))
	}
	if *algorithmWorker {
		exit(workAlgorithm(os.Stdout, c.seed))
	}
	c.files = flag.Args()
	if c.seed == 0 {
		c.seed = uint64(time.Now().UnixNano()) % 1e12
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	people := &writtenCampaign{campaign: &c}
	if *onlyWritten {
		exit(people.run(ctx, *duration))
	}
	inGo := &algorithmCampaign{campaign: &c}
	if *onlyAlgorithms {
		exit(inGo.run(ctx, *duration))
	}
	var problem error
	if *all > 0 {
		*duration = *all / 6
		problem = errors.Join(fuzzBytes(ctx, *all), people.run(ctx, *duration), inGo.run(ctx, *duration))
	}
	exit(errors.Join(problem, c.run(ctx, *duration)))
}

// exit ends the process: with status 1 for an error.
func exit(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, "fuzz:", err)
		os.Exit(1)
	}
	os.Exit(0)
}
