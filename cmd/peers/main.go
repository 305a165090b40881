// Command peers measures how fast polytune's code is beside that of others:
// compilers, polyhedral optimisers and hand-tuned libraries, side by side in one
// run on one machine with the same number of threads.
//
//	make peers                                   all kernels of PolyBench at size large
//	make peers KERNELS=gemm,lu SIZE=extralarge   some of them, at another size
//	make peers PEERS=-resume                     what is missing of a run that ended early
//	bin/peers -by-hand -kernels tiramisu         recipes by hand beside what tune finds
//	make peers-algorithms                        algorithms in Go beside the same kernels in C
//	make peers TIRAMISU=FOLDER                   Tiramisu's own programs beside ours for the same
//	go run ./cmd/peers -render                   the page again, of docs/peers.json
//
// The programs of a kernel are timed in rounds, each once in a round and in
// random order. What each computes is compared with the original's result, and what
// differs by more than reassociation explains is reported as wrong. Peers
// that this machine does not have are named in the page.
//
// The results are written to docs/peers.json after each kernel, and the page
// docs/peers.md is made of them. docs/peers-notes.yaml says why polytune is not
// faster where it is not; the tests check that nothing is left out there.
//
// EXIT STATUS: 0 done, 1 error, 2 usage, 3 done, but some peer computed
// something else than the original.
//
// # Where to find what
//
//   - who takes part: peer.go; their source files: source.go; recipes by hand: byhand.go;
//     algorithms in Go: algorithms.go; Tiramisu's programs: tiramisu.go, tiramisubuild.go
//   - rounds: race.go
//   - the page that is made: docs/peers.md; why some kernels are not faster: docs/peers-notes.yaml
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"

	"polytune/configs"
	"polytune/internal/journal"
	"polytune/runner"
)

// errWrong says that some peer's result is wrong.
var errWrong = errors.New("some results are wrong; see the page")

func main() {
	journal.Discard()
	var o options
	o.flags(flag.CommandLine)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	err := run(ctx, o)
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
	}
	switch {
	case errors.Is(err, errWrong):
		os.Exit(3)
	case err != nil:
		os.Exit(1)
	}
}

// run measures, unless there is only a page to be made, and makes the page.
func run(ctx context.Context, o options) error {
	measured := &data{}
	if !o.onlyRender {
		var err error
		if measured, err = measureAll(ctx, o); err != nil {
			return err
		}
	}
	d, err := loadAny(o.dataPath)
	if err != nil {
		return err
	}
	hand, err := loadAny(o.handPath)
	if err != nil {
		return err
	}
	algorithms, err := loadAny(o.algorithmsPath)
	if err != nil {
		return err
	}
	theirs, err := loadAny(o.tiramisuPath)
	if err != nil {
		return err
	}
	all, err := readNotes(o.notesPath)
	if err != nil {
		return err
	}
	if err := os.WriteFile(o.pagePath, []byte(wholePage(d, hand, algorithms, theirs, all)), 0o666); err != nil {
		return fmt.Errorf("the page cannot be written: %w", err)
	}
	if d != nil {
		if err := d.draw(filepath.Dir(o.pagePath)); err != nil {
			return err
		}
		for _, problem := range d.problems(all) {
			fmt.Fprintf(os.Stderr, "peers: %s: %s\n", o.notesPath, problem)
		}
	}
	if len(measured.failures(wrong)) > 0 {
		return errWrong
	}
	return nil
}

// wholePage is the page of a run beside compilers and libraries, and of those of recipes by hand, of
// algorithms in Go and of Tiramisu's programs; nil for a run that there is not.
func wholePage(d, hand, algorithms, theirs *data, all []note) (page string) {
	if d != nil {
		page = d.page(all)
	}
	if hand != nil {
		page += hand.handSection()
	}
	if algorithms != nil {
		page += algorithms.algorithmsSection()
	}
	if theirs != nil {
		page += theirs.tiramisuSection()
	}
	return page
}

// measureAll finds the peers and measures all kernels.
func measureAll(ctx context.Context, o options) (*data, error) {
	loader, err := configs.NewLoader()
	if err != nil {
		return nil, err
	}
	settings, err := loader.Load("")
	if err != nil {
		return nil, err
	}
	found, err := runner.Detect(settings.Machine.Name)
	if err != nil {
		return nil, err
	}
	if err := o.check(found); err != nil {
		return nil, err
	}
	o.sample = settings.Measurement.SampleSeconds
	o.tolerance = runner.Tolerance{Double: settings.Verification.Tolerance, Single: settings.Verification.ToleranceSingle}
	if o.tiramisu != "" {
		work, err := temporaryFolder()
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(work)
		if o.generated, err = generate(ctx, o, work); err != nil {
			return nil, err
		}
	}
	s := session{options: o, data: describe(found, o)}
	if err := s.findPeers(ctx); err != nil {
		return nil, err
	}
	if o.resume {
		before, err := load(o.results())
		if err == nil {
			err = s.data.resume(before)
		}
		if err != nil {
			return nil, fmt.Errorf("-resume: %w", err)
		}
	}
	return s.data, s.measure(ctx)
}
