package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/cpu"

	"polytune/runner"
)

// session is a run of all peers.
type session struct {
	options options
	data    *data
	// peers are those that take part, the reference first.
	peers []*peer
}

// describe begins the data of a run.
func describe(m runner.Machine, o options) *data {
	d := &data{Date: today(), Size: o.size, Threads: o.threads, Minima: o.minima, Source: sourceVersion(o), Machine: machine{
		CPU: m.CPU, Architecture: m.Architecture, Cores: m.Cores, MemoryGiB: int(m.Memory >> 30), System: "Linux " + m.Kernel, Virtual: m.Virtual,
	}}
	for _, c := range m.Caches {
		if c.Kind != "Instruction" {
			d.Machine.Caches = append(d.Machine.Caches, fmt.Sprintf("L%d %d KiB", c.Level, c.Size>>10))
		}
	}
	for _, name := range []string{"OMP_SCHEDULE", "OMP_WAIT_POLICY", "GOMP_SPINCOUNT", "KMP_BLOCKTIME"} {
		if value, isSet := os.LookupEnv(name); isSet {
			d.Environment = append(d.Environment, name+"="+value)
		}
	}
	return d
}

func today() string { return time.Now().UTC().Format(time.DateOnly) }

// sourceVersion is the commit of the source in the current folder, marked where files other than
// those that the run itself writes or that explain it are changed; "" where git does not say.
func sourceVersion(o options) string {
	commit, err := exec.Command("git", "rev-parse", "--short", "HEAD").Output()
	if err != nil {
		return ""
	}
	argv := []string{"status", "--porcelain", "--untracked-files=no", "--", "."}
	for _, path := range []string{o.dataPath, o.handPath, o.algorithmsPath, o.tiramisuPath, o.pagePath, o.notesPath} {
		if filepath.IsLocal(path) { // git refuses others, and they are not of the source
			argv = append(argv, ":(exclude)"+path)
		}
	}
	changes, err := exec.Command("git", argv...).Output()
	if err != nil || len(changes) > 0 {
		return strings.TrimSpace(string(commit)) + "-dirty"
	}
	return strings.TrimSpace(string(commit))
}

// findPeers looks for all peers, and says on stderr which are missing.
func (s *session) findPeers(ctx context.Context) error {
	for _, one := range s.options.peers(cpu.X86.HasAVX512F) {
		e, p := one.find(ctx)
		s.data.Peers = append(s.data.Peers, e)
		if p == nil {
			fmt.Fprintf(os.Stderr, "peers: no %s: %s\n", e.Name, e.Missing)
			continue
		}
		s.peers = append(s.peers, p)
	}
	if len(s.peers) == 0 || s.peers[0].Name != reference {
		return errors.New("without gcc there is nothing to compare with; install it (Debian, Ubuntu: apt install gcc)")
	}
	return nil
}

// measure takes all kernels, one after the other, and writes the results after
// each.
func (s *session) measure(ctx context.Context) error {
	list, err := s.options.subjects()
	if err != nil {
		return err
	}
	for i, one := range list {
		if slices.ContainsFunc(s.data.Kernels, func(k kernel) bool { return k.Name == one.benchmark.Name }) {
			continue
		}
		fmt.Fprintf(os.Stderr, "peers: %s %s, %d of %d\n", time.Now().Format(time.TimeOnly), one.benchmark.Name, i+1, len(list))
		k, err := s.kernel(ctx, one)
		if err != nil {
			return fmt.Errorf("%s: %w", one.benchmark.Name, err)
		}
		s.data.Kernels = append(s.data.Kernels, *k)
		slices.SortFunc(s.data.Kernels, func(a, b kernel) int { return strings.Compare(a.Name, b.Name) })
		s.data.Date = today()
		if err := s.data.save(s.options.results()); err != nil {
			return err
		}
	}
	return nil
}

// kernel has all peers' programs of one kernel built, compared and timed.
func (s *session) kernel(ctx context.Context, one *subject) (*kernel, error) {
	l, err := newLab(ctx, one, s.options, s.peers[0])
	if err != nil {
		return nil, err
	}
	k := &kernel{Name: one.benchmark.Name, Parameters: one.parameters}
	err = s.contest(ctx, l, k)
	return k, errors.Join(err, l.close())
}

// contest fills in the results of a kernel.
func (s *session) contest(ctx context.Context, l *lab, k *kernel) error {
	var all, running []*contestant
	for _, p := range s.peers {
		c, enters, err := l.enter(ctx, p)
		if err != nil {
			return err
		}
		if enters {
			all = append(all, c)
		}
		if enters && (c.result.Status == ok || p.Name == reference) {
			running = append(running, c)
		}
	}
	k.Load[0] = loadAverage()
	if running[0].result.Status != ok {
		return errors.New("the reference: " + running[0].result.Detail)
	}
	err := s.race().run(ctx, running)
	k.Load[1] = loadAverage()
	for _, c := range all {
		k.Results = append(k.Results, *c.result)
	}
	return err
}

// race is one as the options say.
func (s *session) race() *race {
	o := s.options
	return &race{
		rounds: o.rounds, minimum: o.minimum, budget: o.budget, slow: 10, sample: o.sample, limit: o.limit, tolerance: o.tolerance,
		random: rand.New(rand.NewPCG(dataSeed, uint64(len(s.data.Kernels)))), lock: lockTiming,
	}
}

// lockTiming waits until no other polytune times programs on this machine.
func lockTiming(ctx context.Context) (unlock func(), err error) {
	lock, err := runner.LockTiming(ctx, func(owner int) {
		fmt.Fprintf(os.Stderr, "peers: waiting for process %d, which times programs\n", owner)
	})
	if err != nil {
		return nil, err
	}
	return func() {
		if err := lock.Unlock(); err != nil {
			fmt.Fprintln(os.Stderr, "peers:", err)
		}
	}, nil
}

// loadAverage is that of the last minute, 0 where it is not known.
func loadAverage() float64 {
	text, err := os.ReadFile("/proc/loadavg")
	if err != nil {
		return 0
	}
	first, _, _ := strings.Cut(string(text), " ")
	load, err := strconv.ParseFloat(first, 64)
	if err != nil {
		return 0
	}
	return load
}
